<?php

declare(strict_types=1);

namespace Daftar\Laravel\Orders;

use Daftar\PaymentIntent;
use Illuminate\Database\Eloquent\Relations\MorphMany;

/** An order, an Eloquent model that is paid through Daftar. HasPayments has all but the first three. */
interface Payable
{
    /** What Daftar knows the order by: order-1042. Later attempts get #2, #3 after it. */
    public function paymentReference(): string;

    /** In dirhams: 5000 is 5.000 LYD. */
    public function paymentAmount(): int;

    /** What the customer sees, up to 255 characters. */
    public function paymentDescription(): string;

    /**
     * Fields of the intent beyond those: return_url, customer, metadata (but order_key), expires_at.
     *
     * @return array<string, mixed>
     */
    public function paymentFields(): array;

    /** The intents of the order, by attempt. */
    public function daftarPayments(): MorphMany;

    public function settle(): PaymentState;

    /**
     * Called once, when the order is paid, in the transaction that notes it: what it writes to the same
     * database is there exactly if the order is noted as paid. What it throws undoes both.
     */
    public function onPaid(PaymentIntent $intent): void;

    /**
     * Called in the transaction that notes it, when the intent of the last attempt ended unpaid and no other
     * one is paid. The order can still become paid, by a late payment or a new attempt.
     */
    public function onPaymentCanceled(PaymentIntent $intent): void;

    /**
     * Called once, in the transaction that notes it, for an intent that is paid where the order was paid by
     * another one before: a person has to give this money back.
     */
    public function onPaidAgain(PaymentIntent $intent): void;

    /**
     * Called once, in the transaction that notes it, for an intent that is paid and is not what the order is
     * now: its amount, currency or reference differs. The order is not paid; a person has to look.
     */
    public function onPaymentMismatch(PaymentIntent $intent): void;
}
