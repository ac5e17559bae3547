<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * An intent expired unpaid, or was ended. Retrieve it before you free the goods: a late payment may have come
 * since, and an intent that another one of the same order replaced says nothing about the order.
 */
final readonly class PaymentCanceled extends IntentEvent
{
}
