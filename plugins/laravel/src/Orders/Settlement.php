<?php

declare(strict_types=1);

namespace Daftar\Laravel\Orders;

use Daftar\Laravel\Contracts\Daftar;
use Daftar\PaymentIntent;
use Daftar\Status;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Support\Collection;
use Psr\Log\LoggerInterface;

/** Brings orders to what the API says of their intents. Nothing else makes an order paid. */
final readonly class Settlement
{
    /** How often a transaction is tried that the database ended because of another one. */
    private const TRIES = 3;

    public function __construct(private Daftar $daftar, private LoggerInterface $log)
    {
    }

    public function settle(Payable&Model $order): PaymentState
    {
        foreach ($order->daftarPayments()->get() as $payment) {
            if (!$payment->isFinal()) {
                $this->look($order, $payment);
            }
        }
        return self::stateOf($order->daftarPayments()->get());
    }

    /** @param Collection<int, Payment> $payments */
    public static function stateOf(Collection $payments): PaymentState
    {
        return match (true) {
            $payments->isEmpty() => PaymentState::None,
            $payments->contains('outcome', Payment::PAID) => PaymentState::Paid,
            $payments->contains('outcome', Payment::MISMATCH) => PaymentState::Mismatch,
            $payments->contains('status', Status::Processing->value) => PaymentState::Processing,
            $payments->every('status', '=', Status::Canceled->value) => PaymentState::Canceled,
            default => PaymentState::Open,
        };
    }

    private function look(Payable&Model $order, Payment $payment): void
    {
        // Without a uuid the answer to the creation was lost, or the request was never sent, and then the
        // reference may be another shop's.
        $payments = $this->daftar->payments();
        $intent = $payment->uuid !== null
            ? $payments->retrieve($payment->uuid)
            : $payments->all(['merchant_reference' => $payment->reference, 'limit' => 1])->first();
        if ($intent === null || ($payment->uuid === null && !$payment->matches($intent))) {
            $payment->update(['looked_at' => $payment->freshTimestamp()]);
            return;
        }
        $changed = $order->getConnection()->transaction(function () use ($order, $payment, $intent): bool {
            // A write to the order's first payment is the lock of the order, also in SQLite, which has no
            // other: no two of its intents are noted at the same time.
            $first = $order->daftarPayments()->where('attempt', 1);
            $first->update(['looked_at' => $payment->freshTimestamp()]);
            $locked = $order->newQueryWithoutScopes()->lockForUpdate()->findOrFail($order->getKey());
            $current = $locked->daftarPayments()->lockForUpdate()->findOrFail($payment->id);
            return $this->note($locked, $current, $intent);
        }, self::TRIES);
        if ($changed) {
            $order->refresh(); // the locked copy of it was changed
        }
    }

    /** Notes what the API said under the lock, and reports whether the order was told. */
    private function note(Payable&Model $order, Payment $payment, PaymentIntent $intent): bool
    {
        $before = $payment->outcome;
        $hasEnded = $before !== null || $payment->status === Status::Canceled->value;
        if ($payment->isFinal() || ($hasEnded && $intent->status !== Status::Succeeded)) {
            // Another one was faster, and an answer from before changes nothing.
            $payment->update(['looked_at' => $payment->freshTimestamp()]);
            return false;
        }
        $payment->remember($intent);
        $payment->status = $intent->status->value;
        if ($intent->status !== Status::Succeeded) {
            $payment->save();
            if ($intent->status === Status::Canceled && $this->isLast($order, $payment)) {
                $order->onPaymentCanceled($intent);
                return true;
            }
            return false;
        }
        $payment->outcome = $this->outcome($order, $payment, $intent);
        $payment->save();
        if ($payment->outcome === $before) {
            return false;
        }
        match ($payment->outcome) {
            Payment::PAID => $order->onPaid($intent),
            Payment::SURPLUS => $order->onPaidAgain($intent),
            Payment::MISMATCH => $order->onPaymentMismatch($intent),
        };
        return true;
    }

    private function outcome(Payable&Model $order, Payment $payment, PaymentIntent $intent): string
    {
        if ($payment->matches($intent) && $this->isPaid($order)) {
            return Payment::SURPLUS;
        }
        if ($payment->matches($intent) && $intent->amount === $order->paymentAmount()) {
            return Payment::PAID;
        }
        $reference = $order->paymentReference();
        $this->log->error("Intent $intent->uuid is paid, and is not what order $reference is now.");
        return Payment::MISMATCH;
    }

    private function isPaid(Payable&Model $order): bool
    {
        // With the lock it is not the older state that a transaction around this one may have read.
        return $order->daftarPayments()->where('outcome', Payment::PAID)->lockForUpdate()->first() !== null;
    }

    /** Whether the end of this intent is the end of the order's payment: no later one replaced it. */
    private function isLast(Payable&Model $order, Payment $payment): bool
    {
        $later = $order->daftarPayments()->where('attempt', '>', $payment->attempt);
        return !$this->isPaid($order) && !$later->exists();
    }
}
