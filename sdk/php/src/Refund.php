<?php

declare(strict_types=1);

namespace Daftar;

/** Money that goes back to a customer, or was to. The fields are named as in the API. */
final readonly class Refund
{
    /**
     * @param string|null $refund_reference null of a refund that a person requested in the dashboard
     * @param string $payment_intent the uuid of the intent
     * @param string $attempt the payment whose money goes back
     * @param int $amount in minor units: 5000 is 5.000 LYD
     * @param string|null $failure_reason why nothing went back, of one that is Failed
     * @param string $created_at times are RFC 3339 in UTC
     */
    private function __construct(
        public string $uuid,
        public ?string $refund_reference,
        public string $payment_intent,
        public string $attempt,
        public int $amount,
        public string $currency,
        public RefundStatus $status,
        public ?string $reason,
        public ?string $failure_reason,
        public string $created_at,
        public string $updated_at,
    ) {
    }

    /**
     * @internal
     * @throws \TypeError|\ValueError for what is no refund
     */
    public static function of(mixed $data): self
    {
        if (!is_array($data)) {
            throw new \TypeError('This is no refund.');
        }
        $field = static fn (string $name): mixed => $data[$name] ?? null;
        return new self(
            $field('uuid'),
            $field('refund_reference'),
            $field('payment_intent'),
            $field('attempt'),
            $field('amount'),
            $field('currency'),
            RefundStatus::from($field('status')),
            $field('reason'),
            $field('failure_reason'),
            $field('created_at'),
            $field('updated_at'),
        );
    }
}
