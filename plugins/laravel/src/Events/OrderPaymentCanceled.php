<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/** The last intent ended unpaid: free the goods. A late payment can still make the order paid. */
final class OrderPaymentCanceled extends OrderEvent
{
}
