<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/**
 * What a webhook tells about an intent. It has no status: retrieve the intent before anything depends on it.
 * It comes at least once, so that a listener must do no harm the second time.
 */
abstract readonly class IntentEvent
{
    /** The uuid of the intent. */
    public string $intent;

    /** The same however often this webhook is sent. */
    public string $webhookId;

    /** Yours: the reference of the order. */
    public ?string $merchantReference;

    /** The number of the event in the life of its intent: a lower one than you have seen is out of date. */
    public int $sequence;

    /** When it happened, RFC 3339 in UTC. */
    public string $at;

    /** @internal */
    public function __construct(WebhookReceived $webhook)
    {
        $this->intent = (string) $webhook->intent;
        $this->webhookId = $webhook->webhookId;
        $this->merchantReference = $webhook->data['merchant_reference'] ?? null;
        $this->sequence = (int) ($webhook->data['sequence'] ?? 0);
        $this->at = $webhook->at;
    }
}
