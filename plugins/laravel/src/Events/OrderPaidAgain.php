<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/** An order that is paid was paid again, by an earlier intent of it: give this money back. */
final class OrderPaidAgain extends OrderEvent
{
}
