<?php

declare(strict_types=1);

namespace Daftar;

/** What the customer is asked to pay. The fields are named as in the API. */
final readonly class PaymentIntent
{
    /**
     * @param string|null $reference what the receipt shows, in capitals
     * @param int $amount in minor units: 5000 is 5.000 LYD
     * @param string|null $customer_external_id your identifier for the customer
     * @param array<string, string>|null $metadata
     * @param string|null $expires_at when the checkout stops; times are RFC 3339 in UTC
     */
    private function __construct(
        public string $uuid,
        public ?string $reference,
        public ?string $merchant_reference,
        public int $amount,
        public string $currency,
        public Status $status,
        public ?string $description,
        public ?string $customer_external_id,
        public ?string $return_url,
        public ?array $metadata,
        public ?string $expires_at,
        public string $checkout_url,
        public ?string $created_at,
        public ?string $updated_at,
    ) {
    }

    /**
     * @internal
     * @throws \TypeError|\ValueError for what is no intent
     */
    public static function of(mixed $data): self
    {
        if (!is_array($data)) {
            throw new \TypeError('This is no payment intent.');
        }
        $field = static fn (string $name): mixed => $data[$name] ?? null;
        return new self(
            $field('uuid'),
            $field('reference'),
            $field('merchant_reference'),
            $field('amount'),
            $field('currency'),
            Status::from($field('status')),
            $field('description'),
            $data['customer']['external_id'] ?? null,
            $field('return_url'),
            $field('metadata'),
            $field('expires_at'),
            $field('checkout_url'),
            $field('created_at'),
            $field('updated_at'),
        );
    }
}
