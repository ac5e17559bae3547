<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/** Money came for an intent that is not what the order is now: a person has to look. The order is not paid. */
final class OrderPaymentMismatch extends OrderEvent
{
}
