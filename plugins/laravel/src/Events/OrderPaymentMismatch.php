<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/** Money came that is not what the order is now. The order is not paid: a person has to look. */
final class OrderPaymentMismatch extends OrderEvent
{
}
