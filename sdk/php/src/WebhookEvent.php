<?php

declare(strict_types=1);

namespace Daftar;

/** What happened, as a webhook tells it. It has no status: retrieve the intent. */
final readonly class WebhookEvent
{
    /**
     * @param string $id the webhook-id: the same however often this event is sent
     * @param string $type such as payment_intent.succeeded; ignore types that you do not know
     * @param string $timestamp when it happened
     * @param array{uuid?: string, reference?: string, merchant_reference?: string, sequence?: int, late?: bool, refund?: array{uuid: string, amount: int, currency: string, failure_reason?: string}, ...} $data
     *   of a webhook.test there is no uuid
     */
    public function __construct(
        public string $id,
        public string $type,
        public string $timestamp,
        public array $data,
    ) {
    }
}
