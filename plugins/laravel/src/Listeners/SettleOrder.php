<?php

declare(strict_types=1);

namespace Daftar\Laravel\Listeners;

use Daftar\Laravel\Events\WebhookReceived;
use Daftar\Laravel\Orders\Payable;
use Daftar\Laravel\Orders\Payment;
use Illuminate\Contracts\Queue\ShouldQueue;

/**
 * Settles the order that a webhook is about. It is queued; with the queue driver sync it runs in the request,
 * and what it throws makes the webhook come again.
 */
final class SettleOrder implements ShouldQueue
{
    /** Then the scheduler's daftar:settle finds the order. */
    public int $tries = 5;

    /** @var list<int> in seconds */
    public array $backoff = [5, 30, 120, 600];

    public function handle(WebhookReceived $webhook): void
    {
        if ($webhook->intent === null) {
            return;
        }
        // A webhook can come before the answer to the creation, which has the uuid.
        $payment = Payment::query()->where('uuid', $webhook->intent)->first()
            ?? Payment::query()->where('reference', $webhook->data['merchant_reference'] ?? null)->first();
        $order = $payment?->payable;
        if ($order instanceof Payable) {
            $order->settle();
        }
    }
}
