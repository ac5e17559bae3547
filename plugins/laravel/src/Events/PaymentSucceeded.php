<?php

declare(strict_types=1);

namespace Daftar\Laravel\Events;

use Daftar\PaymentIntent;

/**
 * An intent is paid. The package has retrieved it, as must be done before an order is fulfilled:
 * paymentIntent is the answer, and its status is Succeeded. Compare its amount and merchant_reference with
 * the order, and fulfil the order once, however often this comes.
 */
final readonly class PaymentSucceeded extends IntentEvent
{
    /** The intent was canceled before: the order may have been canceled and its goods sold. */
    public bool $late;

    /** @internal */
    public function __construct(WebhookReceived $webhook, public PaymentIntent $paymentIntent)
    {
        parent::__construct($webhook);
        $this->late = ($webhook->data['late'] ?? false) === true;
    }
}
