<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * Money came in a second time for an intent that is paid: give it back. Retrieve the intent and its events,
 * Daftar::payments()->events($intent), for the attempt that a refund of it names.
 */
final readonly class DuplicatePayment extends IntentEvent
{
}
