<?php

declare(strict_types=1);

namespace Daftar\Laravel\Http;

use Daftar\Exception\DaftarException;
use Daftar\Laravel\Contracts\Daftar;
use Daftar\Laravel\Events\DuplicatePayment;
use Daftar\Laravel\Events\IntentEvent;
use Daftar\Laravel\Events\PaymentCanceled;
use Daftar\Laravel\Events\PaymentCreated;
use Daftar\Laravel\Events\PaymentFailed;
use Daftar\Laravel\Events\PaymentProcessing;
use Daftar\Laravel\Events\PaymentSucceeded;
use Daftar\Laravel\Events\RefundFailed;
use Daftar\Laravel\Events\RefundSucceeded;
use Daftar\Laravel\Events\WebhookReceived;
use Daftar\PaymentIntent;
use Daftar\Status;
use Daftar\WebhookEvent;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Http\Response;
use Psr\Log\LoggerInterface;
use Symfony\Component\HttpFoundation\Response as AnyResponse;

/**
 * Dispatches the events of a webhook and answers 204. What a listener throws is thrown on: Laravel answers
 * 500, and the webhook comes again.
 */
final readonly class ReceiveWebhook
{
    /** The events by the webhook's type, but for payment_intent.succeeded. */
    private const EVENTS = [
        'payment_intent.created' => PaymentCreated::class,
        'payment_intent.processing' => PaymentProcessing::class,
        'payment_intent.payment_failed' => PaymentFailed::class,
        'payment_intent.canceled' => PaymentCanceled::class,
        'payment_intent.duplicate_payment' => DuplicatePayment::class,
        'payment_intent.refunded' => RefundSucceeded::class,
        'payment_intent.refund_failed' => RefundFailed::class,
    ];

    public function __construct(
        private Daftar $daftar,
        private Dispatcher $events,
        private LoggerInterface $log,
    ) {
    }

    public function __invoke(Request $request): AnyResponse
    {
        $webhook = WebhookReceived::of($request->attributes->get(WebhookEvent::class));
        $this->events->dispatch($webhook);
        if ($webhook->type !== 'payment_intent.succeeded') {
            /** @var class-string<IntentEvent>|null $class */
            $class = self::EVENTS[$webhook->type] ?? null;
            if ($class !== null) {
                $this->events->dispatch(new $class($webhook));
            }
            return new Response(status: 204);
        }
        $intent = $this->retrieve($webhook);
        if ($intent === null) {
            return new JsonResponse(['message' => 'The intent cannot be retrieved now.'], 503);
        }
        $this->events->dispatch(new PaymentSucceeded($webhook, $intent));
        return new Response(status: 204);
    }

    /** The intent if it is paid; null where that is not certain, so that the webhook is to come again. */
    private function retrieve(WebhookReceived $webhook): ?PaymentIntent
    {
        try {
            $intent = $this->daftar->payments()->retrieve((string) $webhook->intent);
        } catch (DaftarException | \InvalidArgumentException $e) {
            $this->log->error("Webhook $webhook->webhookId, intent $webhook->intent: {$e->getMessage()}");
            return null;
        }
        if ($intent->status !== Status::Succeeded) {
            $status = $intent->status->value;
            $this->log->error("Webhook $webhook->webhookId: intent $intent->uuid is $status.");
            return null;
        }
        return $intent;
    }
}
