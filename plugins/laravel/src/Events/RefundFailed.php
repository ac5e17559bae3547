<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * Nothing went back of a refund. To try again, send a new refund_reference. Retrieve the refund, and the
 * intent before anything depends on it.
 */
final readonly class RefundFailed extends RefundEvent
{
    /** Why, such as refused. */
    public string $reason;

    /** @internal */
    public function __construct(WebhookReceived $webhook)
    {
        parent::__construct($webhook);
        $this->reason = (string) ($webhook->data['refund']['failure_reason'] ?? '');
    }
}
