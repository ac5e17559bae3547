<?php

declare(strict_types=1);

namespace Daftar;

/**
 * A good answer of the API.
 *
 * @internal
 */
final readonly class Answer
{
    /**
     * @param array<string, string> $headers by their names in lower case
     * @param array<string, mixed> $body
     */
    public function __construct(
        public array $headers,
        public array $body,
    ) {
    }
}
