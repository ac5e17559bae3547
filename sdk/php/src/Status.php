<?php

declare(strict_types=1);

namespace Daftar;

/** How an intent stands. Fulfil an order only when it is Succeeded. */
enum Status: string
{
    /** Waiting for the customer to pay, or to try again after a failed attempt. */
    case RequiresPaymentMethod = 'requires_payment_method';
    /** A payment attempt is under way. It may outlast expires_at. */
    case Processing = 'processing';
    /** Paid. Final. */
    case Succeeded = 'succeeded';
    /** Expired unpaid. A late payment still makes it Succeeded. */
    case Canceled = 'canceled';
}
