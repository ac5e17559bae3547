<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/** The order is paid: fulfil it. The intent was retrieved, and its amount and reference are the order's. */
final class OrderPaid extends OrderEvent
{
}
