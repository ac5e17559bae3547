<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * An attempt failed, and the customer may try again: the order stays open. Retrieve the intent before
 * anything depends on it; why the attempt failed is in Daftar::payments()->events($intent).
 */
final readonly class PaymentFailed extends IntentEvent
{
}
