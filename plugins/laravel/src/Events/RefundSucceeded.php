<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * Money went back to the customer, by a refund of yours or of a person in the dashboard. The intent stays
 * Succeeded. Retrieve the refund for its refund_reference, and the intent before anything depends on it.
 */
final readonly class RefundSucceeded extends RefundEvent
{
}
