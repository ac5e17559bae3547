<?php

declare(strict_types=1);

namespace Daftar;

/** One page of a list, newest first. */
final readonly class PaymentIntentPage
{
    /**
     * @param list<PaymentIntent> $data
     * @param string|null $next_cursor to be given to the next call; null on the last page
     */
    public function __construct(
        public array $data,
        public ?string $next_cursor,
    ) {
    }
}
