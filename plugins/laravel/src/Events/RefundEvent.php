<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

/** What a webhook tells about a refund. Retrieve it, Daftar::refunds()->retrieve($refund). */
abstract readonly class RefundEvent extends IntentEvent
{
    /** The uuid of the refund. */
    public string $refund;

    /** In dirhams. */
    public int $amount;

    /** @internal */
    public function __construct(WebhookReceived $webhook)
    {
        parent::__construct($webhook);
        $this->refund = (string) ($webhook->data['refund']['uuid'] ?? '');
        $this->amount = (int) ($webhook->data['refund']['amount'] ?? 0);
    }
}
