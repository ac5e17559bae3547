<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * The customer began an attempt to pay. Retrieve the intent before anything depends on it.
 */
final readonly class PaymentProcessing extends IntentEvent
{
}
