<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests;

use Daftar\Laravel\Events\DuplicatePayment;
use Daftar\Laravel\Events\PaymentCanceled;
use Daftar\Laravel\Events\PaymentCreated;
use Daftar\Laravel\Events\PaymentFailed;
use Daftar\Laravel\Events\PaymentProcessing;
use Daftar\Laravel\Events\PaymentSucceeded;
use Daftar\Laravel\Events\RefundFailed;
use Daftar\Laravel\Events\RefundSucceeded;
use Daftar\Laravel\Events\WebhookReceived;
use Daftar\Laravel\Facades\Daftar;
use Daftar\Laravel\Tests\Support\TestCase;
use Daftar\PaymentIntent;
use Daftar\RefundStatus;
use Daftar\Status;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request;
use Symfony\Component\HttpFoundation\Response;

/** What the webhook route takes, refuses and dispatches. */
final class WebhookTest extends TestCase
{
    private function intent(string $reference = 'order-1'): PaymentIntent
    {
        $fields = ['merchant_reference' => $reference, 'amount' => 5000, 'description' => 'قهوة'];
        return Daftar::payments()->create($fields)->intent;
    }

    /** @param array<string, string> $server */
    private function post(string $body, array $server): Response
    {
        $request = Request::create('/daftar/webhook', 'POST', server: $server, content: $body);
        return $this->app->make(Kernel::class)->handle($request);
    }

    /** @return array<string, string> */
    private function signed(string $body, string $secret, int $at): array
    {
        $key = base64_decode(substr($secret, 6), true);
        $signature = base64_encode(hash_hmac('sha256', "evt_1.$at.$body", $key, true));
        return [
            'HTTP_WEBHOOK_ID' => 'evt_1', 'HTTP_WEBHOOK_TIMESTAMP' => (string) $at,
            'HTTP_WEBHOOK_SIGNATURE' => "v1,$signature", 'CONTENT_TYPE' => 'application/json',
        ];
    }

    public function testTheLifeOfAnIntentIsDispatchedInTypedEvents(): void
    {
        $heard = [];
        foreach (
            [
                PaymentCreated::class, PaymentProcessing::class, PaymentFailed::class, PaymentCanceled::class,
                PaymentSucceeded::class, DuplicatePayment::class, RefundSucceeded::class, RefundFailed::class,
            ] as $class
        ) {
            $heard[$class] = $this->listen($class);
        }
        $all = $this->listen(WebhookReceived::class);
        $intent = $this->intent();
        $this->daftar->decline($intent);
        $this->daftar->expire($intent);
        $this->daftar->payLate($intent);
        $this->daftar->payTwice($intent);
        $refund = static fn (string $reference) => Daftar::refunds()->create($intent->uuid, [
            'refund_reference' => $reference, 'amount' => 1000,
        ])->refund;
        $this->daftar->endRefund($good = $refund('r-1'), RefundStatus::Succeeded);
        $this->daftar->endRefund($bad = $refund('r-2'), RefundStatus::Failed, 'account_refused');
        $this->daftar->sendTestWebhook();

        self::assertSame(array_fill(0, 9, 204), $this->daftar->deliver());
        self::assertSame([], $this->daftar->deliver());
        self::assertCount(9, $all);
        self::assertSame('webhook.test', $all[8]->type);
        self::assertNull($all[8]->intent);
        foreach ($heard as $class => $events) {
            self::assertCount(1, $events, $class);
            self::assertSame($intent->uuid, $events[0]->intent);
            self::assertSame('order-1', $events[0]->merchantReference);
            self::assertStringStartsWith('evt_', $events[0]->webhookId);
        }
        $sequence = array_map(static fn (WebhookReceived $e) => $e->data['sequence'] ?? null, (array) $all);
        self::assertSame([...range(1, 8), null], $sequence);
        $paid = $heard[PaymentSucceeded::class][0];
        self::assertTrue($paid->late);
        self::assertSame(Status::Succeeded, $paid->paymentIntent->status);
        self::assertSame(5, $paid->sequence);
        self::assertSame($good->uuid, $heard[RefundSucceeded::class][0]->refund);
        self::assertSame(1000, $heard[RefundSucceeded::class][0]->amount);
        self::assertSame($bad->uuid, $heard[RefundFailed::class][0]->refund);
        self::assertSame('account_refused', $heard[RefundFailed::class][0]->reason);
        self::assertEquals($paid, unserialize(serialize($paid)), 'a queued listener gets the event');
    }

    public function testAPaymentInTimeIsNotLate(): void
    {
        $paid = $this->listen(PaymentSucceeded::class);
        $this->daftar->pay($this->intent());
        $this->daftar->deliver();
        self::assertFalse($paid[0]->late);
    }

    public function testAWebhookThatComesAgainHasTheSameId(): void
    {
        $paid = $this->listen(PaymentSucceeded::class);
        $this->daftar->pay($this->intent());
        $this->daftar->deliver();
        self::assertSame([204, 204, 204], $this->daftar->deliverAgain());
        self::assertCount(2, $paid);
        self::assertSame($paid[0]->webhookId, $paid[1]->webhookId);
    }

    public function testNothingIsPaidBeforeTheIntentWasRetrieved(): void
    {
        $paid = $this->listen(PaymentSucceeded::class);
        $intent = $this->intent();
        $this->daftar->pay($intent);
        $this->daftar->unreachable();
        self::assertSame([204, 204, 503], $this->daftar->deliver());
        self::assertCount(0, $paid);
        self::assertStringContainsString("intent $intent->uuid: No answer", $this->log->text);
        $this->daftar->unreachable(false);
        self::assertSame([204], $this->daftar->deliver());
        self::assertCount(1, $paid);
    }

    public function testAWebhookOfAnIntentThatIsNotPaidIsNoPayment(): void
    {
        $paid = $this->listen(PaymentSucceeded::class);
        $secret = $this->app->make('config')->get('daftar.webhook.secrets')[0];
        foreach ([$this->intent()->uuid, '11111111-1111-4111-8111-111111111111', 'no uuid'] as $uuid) {
            $body = json_encode(['type' => 'payment_intent.succeeded', 'data' => ['uuid' => $uuid]]);
            self::assertSame(503, $this->post($body, $this->signed($body, $secret, time()))->getStatusCode());
        }
        self::assertCount(0, $paid);
    }

    public function testAListenerThatFailsMakesTheWebhookComeAgain(): void
    {
        $trouble = new \RuntimeException('the stock is locked');
        $this->app->make('events')->listen(PaymentSucceeded::class, static function () use (&$trouble): void {
            if ($trouble !== null) {
                throw $trouble;
            }
        });
        $this->daftar->pay($this->intent());
        self::assertSame([204, 204, 500], $this->daftar->deliver());
        $trouble = null;
        self::assertSame([204], $this->daftar->deliver());
    }

    public function testWhatIsNotSignedIsRefused(): void
    {
        $all = $this->listen(WebhookReceived::class);
        $secret = $this->app->make('config')->get('daftar.webhook.secrets')[0];
        $body = '{"type":"webhook.test","timestamp":"2026-11-27T10:00:00Z","data":{"application_uuid":"a"}}';
        $refused = [
            'unsigned' => [$body, []],
            'another body' => ["$body ", $this->signed($body, $secret, time())],
            'too old' => [$body, $this->signed($body, $secret, time() - 301)],
            'another secret' => [$body, $this->signed($body, 'whsec_' . str_repeat('b', 32), time())],
        ];
        foreach ($refused as $why => [$sent, $headers]) {
            $answer = $this->post($sent, $headers);
            self::assertSame(401, $answer->getStatusCode(), $why);
            self::assertSame('application/json', $answer->headers->get('Content-Type'), $why);
            self::assertSame([], $answer->headers->getCookies(), $why);
        }
        self::assertCount(0, $all);
        self::assertSame(204, $this->post($body, $this->signed($body, $secret, time()))->getStatusCode());
        self::assertCount(1, $all);
    }

    public function testTheBodyIsTakenByteForByte(): void
    {
        // TrimStrings and ConvertEmptyStringsToNull change what is parsed.
        $all = $this->listen(WebhookReceived::class);
        $secret = $this->app->make('config')->get('daftar.webhook.secrets')[0];
        $body = "{ \"type\": \"shop.new\",\n\"data\": {\"uuid\": \" x \", \"empty\": \"\"} }\n";
        self::assertSame(204, $this->post($body, $this->signed($body, $secret, time()))->getStatusCode());
        self::assertSame(' x ', $all[0]->intent);
    }

    public function testEachOfSeveralSecretsIsGood(): void
    {
        $new = 'whsec_' . str_repeat('n', 32);
        $old = 'whsec_' . str_repeat('o', 32);
        $this->app->make('config')->set('daftar.webhook.secrets', [$new, $old]);
        $body = '{"type":"webhook.test","data":{"application_uuid":"a"}}';
        foreach ([$new, $old] as $secret) {
            self::assertSame(204, $this->post($body, $this->signed($body, $secret, time()))->getStatusCode());
        }
    }

    public function testWithoutASecretWebhooksComeAgain(): void
    {
        $this->app->make('config')->set('daftar.webhook.secrets', []);
        self::assertSame(503, $this->post('{}', [])->getStatusCode());
        self::assertStringContainsString('DAFTAR_WEBHOOK_SECRET', $this->log->text);
    }

    public function testTheRouteCanBeMovedAndLeftOut(): void
    {
        $this->start(['daftar' => ['webhook' => ['path' => 'hooks/pay', 'secrets' => []]]]);
        $address = $this->app->make('url')->route('daftar.webhook');
        self::assertSame('https://shop.example.ly/hooks/pay', $address);
        $this->start(['daftar' => ['webhook' => ['path' => null, 'secrets' => []]]]);
        self::assertNull($this->app->make('router')->getRoutes()->getByName('daftar.webhook'));
    }
}
