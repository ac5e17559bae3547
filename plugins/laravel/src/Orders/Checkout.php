<?php

declare(strict_types=1);

namespace Daftar\Laravel\Orders;

use Daftar\Exception\ConflictException;
use Daftar\Laravel\Contracts\Daftar;
use Daftar\PaymentIntent;
use Daftar\Status;
use Illuminate\Database\Eloquent\Model;

/** Leads customers to the payment of an order, with one intent for each attempt. */
final readonly class Checkout
{
    /** An order whose state changes more often than this under one call is not looked at any longer. */
    private const ROUNDS = 5;

    public function __construct(private Daftar $daftar)
    {
    }

    /** @throws CheckoutException */
    public function open(Payable&Model $order): string
    {
        for ($round = 1; $round <= self::ROUNDS; $round++) {
            $payments = $order->daftarPayments()->get();
            if ($payments->contains('outcome', Payment::PAID)) {
                throw new CheckoutException(PaymentState::Paid, $order->paymentReference());
            }
            $payment = $payments->last() ?? $this->begin($order, 1);
            $intent = $this->intentOf($order, $payment);
            if ($intent->status === Status::Succeeded) {
                throw new CheckoutException($order->settle(), $order->paymentReference());
            }
            if ($intent->status !== Status::Canceled && $intent->amount === $order->paymentAmount()) {
                return $intent->checkout_url; // also while it is being paid: the page shows how that goes
            }
            if ($intent->status === Status::Processing) {
                throw new CheckoutException(PaymentState::Processing, $order->paymentReference());
            }
            if ($this->isEnded($intent)) {
                // Only now: two intents that are open can both be paid.
                $this->begin($order, $payment->attempt + 1);
            }
        }
        throw new CheckoutException(PaymentState::Open, $order->paymentReference());
    }

    /** Ends an intent whose amount is not the order's any more, unless somebody pays it at this moment. */
    private function isEnded(PaymentIntent $intent): bool
    {
        if ($intent->status === Status::Canceled) {
            return true;
        }
        try {
            return $this->daftar->payments()->expire($intent->uuid)->status === Status::Canceled;
        } catch (ConflictException) {
            return false; // being paid, or paid: the next round finds out
        }
    }

    /** The row of an attempt is there before the API is asked: a repeated request has its reference. */
    private function begin(Payable&Model $order, int $attempt): Payment
    {
        if (!$order->exists) {
            throw new \LogicException('An order is saved before its checkout is opened.');
        }
        $reference = $order->paymentReference() . ($attempt === 1 ? '' : "#$attempt");
        $relation = $order->daftarPayments();
        $now = $order->freshTimestampString();
        // Of two tabs one inserts, and the other finds the row.
        $relation->getRelated()->newQuery()->insertOrIgnore([
            $relation->getMorphType() => $relation->getMorphClass(),
            $relation->getForeignKeyName() => $order->getKey(),
            'attempt' => $attempt,
            'reference' => $reference,
            'order_key' => bin2hex(random_bytes(16)),
            'amount' => $order->paymentAmount(),
            'currency' => 'LYD',
            'created_at' => $now,
            'updated_at' => $now,
        ]);
        return $order->daftarPayments()->where('attempt', $attempt)->first()
            ?? throw new \LogicException("$reference is the reference of another order.");
    }

    private function intentOf(Payable&Model $order, Payment $payment): PaymentIntent
    {
        if ($payment->uuid !== null) {
            return $this->daftar->payments()->retrieve($payment->uuid);
        }
        $fields = $order->paymentFields();
        $created = $this->daftar->payments()->create([
            'merchant_reference' => $payment->reference,
            'amount' => $payment->amount,
            'currency' => $payment->currency,
            'description' => $order->paymentDescription(),
            'metadata' => ['order_key' => $payment->order_key] + ($fields['metadata'] ?? []),
        ] + $fields);
        // After a lost answer other fields may have changed: a page to come back to in another language.
        if (!$payment->matches($created->intent)) {
            throw new \LogicException("$payment->reference is the reference of another payment.");
        }
        $payment->remember($created->intent);
        $payment->save();
        return $created->intent;
    }
}
