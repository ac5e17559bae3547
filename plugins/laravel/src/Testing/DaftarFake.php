<?php

declare(strict_types=1);

namespace Daftar\Laravel\Testing;

use Daftar\Laravel\Contracts\Daftar;
use Daftar\Laravel\Contracts\Payments;
use Daftar\Laravel\Contracts\Refunds;
use Daftar\PaymentIntent;
use Daftar\Refund;
use Daftar\RefundStatus;
use Daftar\Status;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Support\Carbon;
use PHPUnit\Framework\Assert;

/**
 * The API for tests: it answers as the API does, with the same exceptions, and what customers and payment
 * providers do is a call. Webhooks wait until deliver() sends them through the application's own route.
 */
final class DaftarFake implements Daftar
{
    private readonly FakeServer $server;

    private readonly FakePayments $payments;

    private readonly FakeRefunds $refunds;

    private readonly FakeWebhooks $webhooks;

    public function __construct(Application $app)
    {
        $this->server = new FakeServer();
        $this->payments = new FakePayments($this->server);
        $this->refunds = new FakeRefunds($this->server);
        $this->webhooks = new FakeWebhooks($this->server, $app);
    }

    public function payments(): Payments
    {
        return $this->payments;
    }

    public function refunds(): Refunds
    {
        return $this->refunds;
    }

    /** The customer pays. An intent is named by itself, its uuid or its merchant_reference. */
    public function pay(PaymentIntent|string $intent): void
    {
        $paid = $this->intent($intent);
        if ($paid->status === Status::RequiresPaymentMethod) {
            $paid->begin();
        }
        $paid->mustBe(Status::Processing);
        $paid->receive();
    }

    /** The customer begins to pay: the intent is processing. */
    public function begin(PaymentIntent|string $intent): void
    {
        $this->intent($intent)->begin();
    }

    /** The attempt fails, and the customer may try again. */
    public function decline(PaymentIntent|string $intent, string $reason = 'declined'): void
    {
        $declined = $this->intent($intent);
        if ($declined->status === Status::RequiresPaymentMethod) {
            $declined->begin();
        }
        $declined->fail($reason);
    }

    /** The time of the intent runs out. */
    public function expire(PaymentIntent|string $intent): void
    {
        $this->intent($intent)->cancel('expired');
    }

    /** Money of an intent that is canceled turns out to have come. */
    public function payLate(PaymentIntent|string $intent): void
    {
        $late = $this->intent($intent);
        $late->mustBe(Status::Canceled);
        $late->receive();
    }

    /** Money comes in a second time. */
    public function payTwice(PaymentIntent|string $intent): void
    {
        $twice = $this->intent($intent);
        $twice->mustBe(Status::Succeeded);
        $twice->receive();
    }

    /**
     * How a refund ends: Succeeded, Failed, or Unknown until it is ended again. Without this call it stays
     * Pending.
     *
     * @param string $refund its refund_reference
     */
    public function endRefund(Refund|string $refund, RefundStatus $as, string $failure = 'refused'): void
    {
        $reference = $refund instanceof Refund ? (string) $refund->refund_reference : $refund;
        $this->refunds->end($reference, $as, $failure);
    }

    /** From now on, the access token has not the scope refunds. */
    public function withoutRefundScope(): self
    {
        $this->refunds->allowed = false;
        return $this;
    }

    /** From now on no request reaches the API, or each does again. */
    public function unreachable(bool $unreachable = true): self
    {
        $this->server->reachable = !$unreachable;
        return $this;
    }

    /** The next requests are carried out, and their answers are lost. */
    public function loseAnswers(int $number = 1): self
    {
        $this->server->losing = $number;
        return $this;
    }

    /**
     * Sends the webhooks that wait through the application's route, each once. Those that were not answered
     * with 2xx wait on, as they come again from Daftar.
     *
     * @param string ...$types only those of these types
     * @return list<int> the statuses of the answers
     */
    public function deliver(string ...$types): array
    {
        return $this->webhooks->deliver($types);
    }

    /**
     * Sends all webhooks that were delivered once more, the newest first, with the same ids.
     *
     * @return list<int>
     */
    public function deliverAgain(): array
    {
        return $this->webhooks->deliverAgain();
    }

    /** Loses the webhooks that wait. */
    public function loseWebhooks(): void
    {
        $this->server->webhooks = [];
    }

    /** Has a webhook.test wait, as the button of the dashboard does. */
    public function sendTestWebhook(): void
    {
        $data = ['application_uuid' => '00000000-0000-4000-8000-000000000000'];
        $this->server->send('webhook.test', FakeIntent::instant(Carbon::now()), $data);
    }

    /** @return list<array{0: string, 1: list<mixed>}> all calls: ['payments.create', [$fields]] */
    public function calls(): array
    {
        return $this->server->calls;
    }

    /**
     * That an intent was asked for.
     *
     * @param string|\Closure(array<string, mixed>): bool $wanted its merchant_reference, or a test of fields
     */
    public function assertCreated(string|\Closure $wanted): void
    {
        $asked = array_column($this->argumentsOf('payments.create'), 0);
        $found = is_string($wanted)
            ? in_array($wanted, array_column($asked, 'merchant_reference'), true)
            : array_filter($asked, $wanted) !== [];
        Assert::assertTrue($found, 'No such payment intent was created' . self::named($wanted));
    }

    /**
     * That a refund was asked for.
     *
     * @param string|\Closure(array<string, mixed>, string): bool $wanted its refund_reference, or a test of
     *   fields and intent
     */
    public function assertRefunded(string|\Closure $wanted): void
    {
        $asked = $this->argumentsOf('refunds.create');
        $found = is_string($wanted)
            ? in_array($wanted, array_column(array_column($asked, 1), 'refund_reference'), true)
            : array_filter($asked, static fn (array $one): bool => $wanted($one[1], $one[0])) !== [];
        Assert::assertTrue($found, 'No such refund was asked for' . self::named($wanted));
    }

    /** That neither a payment intent nor a refund was asked for. */
    public function assertNothingCreated(): void
    {
        $created = [...$this->argumentsOf('payments.create'), ...$this->argumentsOf('refunds.create')];
        Assert::assertSame([], $created, 'Payment intents or refunds were created.');
    }

    private static function named(string|\Closure $wanted): string
    {
        return is_string($wanted) ? ": $wanted." : '.';
    }

    /** @return list<list<mixed>> */
    private function argumentsOf(string $call): array
    {
        $calls = array_filter($this->server->calls, static fn (array $made): bool => $made[0] === $call);
        return array_values(array_column($calls, 1));
    }

    private function intent(PaymentIntent|string $intent): FakeIntent
    {
        $name = $intent instanceof PaymentIntent ? $intent->uuid : $intent;
        if (isset($this->server->intents[$name])) {
            return $this->server->find($name);
        }
        return $this->server->known($name) ?? throw new \LogicException("There is no payment intent $name.");
    }
}
