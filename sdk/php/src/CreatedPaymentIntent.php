<?php

declare(strict_types=1);

namespace Daftar;

/** The answer to a create. */
final readonly class CreatedPaymentIntent
{
    /**
     * @param bool $replayed The intent existed before: this merchant_reference was used already. After a
     *   lost answer that is how a repeated create ends, and nothing is wrong.
     * @param list<string> $differs The fields in which this request differs from the intent that exists.
     *   They were ignored. If there are any, two different orders have the same reference.
     */
    public function __construct(
        public PaymentIntent $intent,
        public bool $replayed,
        public array $differs,
    ) {
    }
}
