<?php

declare(strict_types=1);

namespace Daftar\Laravel\Orders;

use Daftar\Exception\ConflictException;
use Daftar\Exception\DaftarException;
use Daftar\Exception\ValidationException;
use Daftar\Laravel\Contracts\Daftar;
use Daftar\Laravel\Events\OrderPaid;
use Daftar\Laravel\Events\OrderPaidAgain;
use Daftar\Laravel\Events\OrderPaymentCanceled;
use Daftar\Laravel\Events\OrderPaymentMismatch;
use Daftar\PaymentIntent;
use Daftar\Refund;
use Illuminate\Container\Container;
use Illuminate\Database\Eloquent\Relations\MorphMany;

/**
 * What an order, an Eloquent model that implements Payable, needs to be paid: checkout() leads the customer
 * to the payment, settle() brings the order to what the API says, refund() gives money back.
 */
trait HasPayments
{
    abstract public function paymentReference(): string;

    abstract public function paymentAmount(): int;

    abstract public function paymentDescription(): string;

    public function paymentFields(): array
    {
        return [];
    }

    public function daftarPayments(): MorphMany
    {
        return $this->morphMany(Payment::class, 'payable')->orderBy('attempt');
    }

    /**
     * The page where the customer pays. There is one intent for each attempt; a new attempt begins where the
     * last one has ended unpaid, or the amount has changed and the old intent could be ended. Call it when
     * the order is committed, and again after any exception of the API.
     *
     * @throws CheckoutException where there is nothing to pay, or not now
     * @throws DaftarException where the API refuses or cannot be reached
     */
    public function checkout(): string
    {
        return Container::getInstance()->make(Checkout::class)->open($this);
    }

    /**
     * Asks the API how the order's intents stand and brings the order to that. It may be called by anybody at
     * any time: webhook, return page, scheduler. Of several at the same time, one calls onPaid.
     *
     * @throws DaftarException where the API refuses or cannot be reached
     */
    public function settle(): PaymentState
    {
        return Container::getInstance()->make(Settlement::class)->settle($this);
    }

    /** How the payment stood when the API was last asked. */
    public function paymentState(): PaymentState
    {
        return Settlement::stateOf($this->daftarPayments()->get());
    }

    /**
     * Gives money of the paid order back, or finds the refund with the same reference. Keep the reference
     * before you call: then the call can be repeated.
     *
     * @param int $amount in dirhams
     * @throws ConflictException where this money cannot go back
     * @throws ValidationException where that is more than is left
     * @throws DaftarException
     */
    public function refund(int $amount, string $reference, ?string $reason = null): Refund
    {
        $paid = $this->daftarPayments()->where('outcome', Payment::PAID)->first();
        if ($paid === null) {
            throw new \LogicException("Order {$this->paymentReference()} is not paid: no money can go back.");
        }
        $created = Container::getInstance()->make(Daftar::class)->refunds()->create($paid->uuid, [
            'refund_reference' => $reference,
            'amount' => $amount,
            'reason' => $reason,
        ]);
        if ($created->differs !== []) {
            $names = implode(', ', $created->differs);
            throw new \LogicException("$reference is that of another refund: it differs in $names.");
        }
        return $created->refund;
    }

    public function onPaid(PaymentIntent $intent): void
    {
        event(new OrderPaid($this, $intent));
    }

    public function onPaymentCanceled(PaymentIntent $intent): void
    {
        event(new OrderPaymentCanceled($this, $intent));
    }

    public function onPaidAgain(PaymentIntent $intent): void
    {
        event(new OrderPaidAgain($this, $intent));
    }

    public function onPaymentMismatch(PaymentIntent $intent): void
    {
        event(new OrderPaymentMismatch($this, $intent));
    }
}
