<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * An intent was created. Retrieve it before anything depends on it.
 */
final readonly class PaymentCreated extends IntentEvent
{
}
