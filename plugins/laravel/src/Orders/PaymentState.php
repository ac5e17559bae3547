<?php

declare(strict_types=1);

namespace Daftar\Laravel\Orders;

/** How the payment of an order stands, over all of its intents. */
enum PaymentState: string
{
    /** checkout() was never called. */
    case None = 'none';
    /** Waiting for the customer. */
    case Open = 'open';
    /** An attempt to pay is under way: do not ship, and do not sell the goods to somebody else. */
    case Processing = 'processing';
    /** Paid, and onPaid was called. */
    case Paid = 'paid';
    /** All intents ended unpaid. A late payment can still make it Paid. */
    case Canceled = 'canceled';
    /** Money came that is not what the order is now: a person has to look. */
    case Mismatch = 'mismatch';
}
