<?php

declare(strict_types=1);

namespace Daftar\Laravel\Api;

use Daftar\Client;
use Daftar\CreatedPaymentIntent;
use Daftar\Laravel\Contracts\Payments;
use Daftar\PaymentIntent;
use Illuminate\Support\LazyCollection;

/** Payment intents over the API. */
final readonly class ApiPayments implements Payments
{
    public function __construct(private Client $client)
    {
    }

    public function create(array $fields): CreatedPaymentIntent
    {
        return $this->client->createPaymentIntent($fields + ['currency' => 'LYD']);
    }

    public function retrieve(string $uuid): PaymentIntent
    {
        return $this->client->retrievePaymentIntent($uuid);
    }

    public function expire(string $uuid): PaymentIntent
    {
        return $this->client->expirePaymentIntent($uuid);
    }

    public function all(array $filter = []): LazyCollection
    {
        return LazyCollection::make(fn (): \Generator => $this->client->paymentIntents($filter));
    }

    public function events(string $uuid): array
    {
        return $this->client->listPaymentIntentEvents($uuid);
    }
}
