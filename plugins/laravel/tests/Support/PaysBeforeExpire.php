<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Daftar\CreatedPaymentIntent;
use Daftar\Laravel\Contracts\Daftar;
use Daftar\Laravel\Contracts\Payments;
use Daftar\Laravel\Contracts\Refunds;
use Daftar\Laravel\Testing\DaftarFake;
use Daftar\PaymentIntent;
use Illuminate\Support\LazyCollection;

/** The fake, with a customer who pays in the moment before an intent is ended. */
final readonly class PaysBeforeExpire implements Daftar, Payments
{
    public function __construct(private DaftarFake $fake)
    {
    }

    public function payments(): Payments
    {
        return $this;
    }

    public function refunds(): Refunds
    {
        return $this->fake->refunds();
    }

    public function create(array $fields): CreatedPaymentIntent
    {
        return $this->fake->payments()->create($fields);
    }

    public function retrieve(string $uuid): PaymentIntent
    {
        return $this->fake->payments()->retrieve($uuid);
    }

    public function expire(string $uuid): PaymentIntent
    {
        $this->fake->pay($uuid);
        return $this->fake->payments()->expire($uuid);
    }

    public function all(array $filter = []): LazyCollection
    {
        return $this->fake->payments()->all($filter);
    }

    public function events(string $uuid): array
    {
        return $this->fake->payments()->events($uuid);
    }
}
