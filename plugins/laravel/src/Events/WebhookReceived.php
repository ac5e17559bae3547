<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

use Daftar\WebhookEvent;

/**
 * Any webhook with a good signature, webhook.test included, before the event of its type. It says that
 * something happened, and not how an intent stands: retrieve the intent. The same webhook can come several
 * times, with the same webhookId, and webhooks can overtake each other.
 */
final readonly class WebhookReceived
{
    /**
     * @param string $type such as payment_intent.succeeded; ignore types that you do not know
     * @param string|null $intent the intent's uuid; null of a webhook.test
     * @param string $at when it happened, RFC 3339 in UTC
     * @param array<string, mixed> $data
     */
    public function __construct(
        public string $webhookId,
        public string $type,
        public ?string $intent,
        public string $at,
        public array $data,
    ) {
    }

    /** @internal */
    public static function of(WebhookEvent $webhook): self
    {
        $intent = $webhook->data['uuid'] ?? null;
        return new self($webhook->id, $webhook->type, $intent, $webhook->timestamp, $webhook->data);
    }
}
