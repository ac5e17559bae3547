<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

use Daftar\PaymentIntent;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Queue\SerializesModels;

/**
 * What came of the payment of an order with HasPayments. It is dispatched in the transaction that notes it,
 * so what a listener writes to the same database is there exactly if it was noted. A listener that is queued
 * elsewhere has `public $afterCommit = true;`.
 */
abstract class OrderEvent
{
    use SerializesModels;

    /** @param PaymentIntent $intent as the API had it: it was retrieved just before */
    final public function __construct(public Model $order, public PaymentIntent $intent)
    {
    }
}
