<?php

declare(strict_types=1);

namespace Daftar\Laravel\Orders;

/** The order cannot be paid now: state says why, such as Paid, Processing or Mismatch. */
final class CheckoutException extends \RuntimeException
{
    public function __construct(public readonly PaymentState $state, string $reference)
    {
        parent::__construct("Order $reference cannot be paid now: its payment is $state->value.");
    }
}
