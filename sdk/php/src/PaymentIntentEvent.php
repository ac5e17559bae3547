<?php

declare(strict_types=1);

namespace Daftar;

/** Something that happened to an intent. */
final readonly class PaymentIntentEvent
{
    /**
     * @param int $sequence the number of the event in the life of its intent, from 1
     * @param array<string, mixed> $fields all there are, which depend on the type
     */
    public function __construct(
        public int $sequence,
        public string $type,
        public string $at,
        public array $fields,
    ) {
    }
}
