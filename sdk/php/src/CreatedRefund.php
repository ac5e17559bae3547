<?php

declare(strict_types=1);

namespace Daftar;

/** The answer to a create of a refund. */
final readonly class CreatedRefund
{
    /**
     * @param bool $replayed The refund existed before: this refund_reference was used already. After a lost
     *   answer that is how a repeated create ends, and nothing is wrong.
     * @param list<string> $differs The fields in which this request differs from the refund that exists. They
     *   were ignored. If there are any, two different refunds have the same reference; with payment_intent
     *   among them the refund is that of another intent.
     */
    public function __construct(
        public Refund $refund,
        public bool $replayed,
        public array $differs,
    ) {
    }
}
