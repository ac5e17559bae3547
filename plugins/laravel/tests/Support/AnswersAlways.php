<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Daftar\CreatedPaymentIntent;
use Daftar\Laravel\Contracts\Daftar;
use Daftar\Laravel\Contracts\Payments;
use Daftar\Laravel\Contracts\Refunds;
use Daftar\PaymentIntent;
use Illuminate\Support\LazyCollection;

/** An API whose answer was on its way for long: it always says the same. */
final readonly class AnswersAlways implements Daftar, Payments
{
    public function __construct(private PaymentIntent $intent)
    {
    }

    public function payments(): Payments
    {
        return $this;
    }

    public function refunds(): Refunds
    {
        throw new \LogicException('Nobody asks for refunds here.');
    }

    public function create(array $fields): CreatedPaymentIntent
    {
        $sent = ['metadata' => $fields['metadata'] ?? null, 'status' => $this->intent->status->value];
        return new CreatedPaymentIntent(PaymentIntent::of($sent + get_object_vars($this->intent)), true, []);
    }

    public function retrieve(string $uuid): PaymentIntent
    {
        return $this->intent;
    }

    public function expire(string $uuid): PaymentIntent
    {
        return $this->intent;
    }

    public function all(array $filter = []): LazyCollection
    {
        return LazyCollection::make([$this->intent]);
    }

    public function events(string $uuid): array
    {
        return [];
    }
}
