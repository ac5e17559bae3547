<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests;

use Daftar\Exception\ConnectionException;
use Daftar\Exception\PermissionException;
use Daftar\Laravel\Facades\Daftar;
use Daftar\Laravel\Tests\Support\TestCase;
use Daftar\RefundStatus;
use Daftar\Status;
use Illuminate\Support\Carbon;
use PHPUnit\Framework\AssertionFailedError;

/** What Daftar::fake() does beyond the API: contract.php compares it with a real one. */
final class FakeTest extends TestCase
{
    private const FIELDS = ['merchant_reference' => 'order-1', 'amount' => 5000, 'description' => 'قهوة'];

    private function fails(callable $call): void
    {
        try {
            $call();
        } catch (AssertionFailedError | \LogicException) {
            self::assertTrue(true);
            return;
        }
        self::fail('nothing failed');
    }

    public function testCallsAreRecordedAndAsserted(): void
    {
        $this->daftar->assertNothingCreated();
        $this->fails(fn () => $this->daftar->assertCreated('order-1'));
        $intent = Daftar::payments()->create(self::FIELDS)->intent;
        $this->daftar->assertCreated('order-1');
        $this->daftar->assertCreated(static fn (array $fields): bool => $fields['amount'] === 5000);
        $this->fails(fn () => $this->daftar->assertCreated('order-2'));
        $this->fails(fn () => $this->daftar->assertCreated(static fn (array $f): bool => $f['amount'] === 1));
        $this->fails(fn () => $this->daftar->assertNothingCreated());
        $this->daftar->pay($intent);
        $this->fails(fn () => $this->daftar->assertRefunded('r-1'));
        Daftar::refunds()->create($intent->uuid, ['refund_reference' => 'r-1']);
        $this->daftar->assertRefunded('r-1');
        $this->daftar->assertRefunded(static fn (array $fields, string $of): bool => $of === $intent->uuid);
        self::assertSame(['payments.create', 'refunds.create'], array_column($this->daftar->calls(), 0));
    }

    public function testTheNetworkFails(): void
    {
        $this->daftar->unreachable();
        $this->expectsNoAnswer(fn () => Daftar::payments()->create(self::FIELDS));
        $this->daftar->unreachable(false);
        self::assertSame(0, Daftar::payments()->all()->count());
        $this->daftar->loseAnswers();
        $this->expectsNoAnswer(fn () => Daftar::payments()->create(self::FIELDS));
        self::assertTrue(Daftar::payments()->create(self::FIELDS)->replayed);
    }

    private function expectsNoAnswer(callable $call): void
    {
        try {
            $call();
            self::fail('there was an answer');
        } catch (ConnectionException $e) {
            self::assertSame('fake', $e->requestId);
        }
    }

    public function testTimeRunsOut(): void
    {
        $intent = Daftar::payments()->create(self::FIELDS)->intent;
        Carbon::setTestNow(Carbon::now()->addDay()->addSecond());
        self::assertSame(Status::Canceled, Daftar::payments()->retrieve($intent->uuid)->status);
        self::assertSame('expired', Daftar::payments()->events($intent->uuid)[1]->fields['reason']);
        $in = Carbon::now()->addMinutes(6)->toIso8601String();
        $soon = ['merchant_reference' => 'soon', 'expires_at' => $in] + self::FIELDS;
        $this->daftar->begin(Daftar::payments()->create($soon)->intent);
        Carbon::setTestNow(Carbon::now()->addMinutes(7));
        self::assertSame(Status::Processing, Daftar::payments()->create($soon)->intent->status);
        $this->daftar->decline('soon');
        self::assertSame(Status::Canceled, Daftar::payments()->create($soon)->intent->status);
    }

    public function testWhatCannotHappenIsRefused(): void
    {
        $intent = Daftar::payments()->create(self::FIELDS)->intent;
        $this->fails(fn () => $this->daftar->payLate($intent));
        $this->fails(fn () => $this->daftar->payTwice($intent));
        $this->fails(fn () => $this->daftar->pay('order-2'));
        $this->daftar->begin($intent);
        $this->fails(fn () => $this->daftar->expire($intent));
        $this->daftar->pay($intent);
        $this->fails(fn () => $this->daftar->pay($intent));
        $this->fails(fn () => $this->daftar->decline($intent));
        $this->fails(fn () => $this->daftar->endRefund('r-1', RefundStatus::Succeeded));
    }

    public function testARefundStaysPendingOrUnknownUntilItEnds(): void
    {
        $intent = Daftar::payments()->create(self::FIELDS)->intent;
        $this->daftar->pay($intent);
        $refund = Daftar::refunds()->create($intent->uuid, ['refund_reference' => 'r-1'])->refund;
        $this->daftar->loseWebhooks();
        foreach ([RefundStatus::Unknown, RefundStatus::Failed] as $status) {
            $this->daftar->endRefund($refund, $status, 'not_refunded');
            self::assertSame($status, Daftar::refunds()->retrieve($refund->uuid)->status);
        }
        self::assertSame('not_refunded', Daftar::refunds()->of($intent->uuid)[0]->failure_reason);
        self::assertCount(1, $this->daftar->deliver(), 'no webhook while it is unknown');
        $this->fails(fn () => $this->daftar->endRefund($refund, RefundStatus::Succeeded));
        // It failed, so its amount is free again.
        $again = Daftar::refunds()->create($intent->uuid, ['refund_reference' => 'r-2']);
        self::assertSame(5000, $again->refund->amount);
    }

    public function testASecondPaymentGoesBackFirst(): void
    {
        $intent = Daftar::payments()->create(self::FIELDS)->intent;
        $this->daftar->pay($intent);
        $this->daftar->payTwice($intent);
        $paid = array_values(array_filter(
            Daftar::payments()->events($intent->uuid),
            static fn ($event): bool => isset($event->fields['attempt'], $event->fields['amount']),
        ));
        foreach (['r-1', 'r-2'] as $reference) {
            Daftar::refunds()->create($intent->uuid, ['refund_reference' => $reference]);
        }
        $refunds = Daftar::refunds()->of($intent->uuid);
        self::assertSame($paid[1]->fields['attempt'], $refunds[0]->attempt);
        self::assertSame($paid[0]->fields['attempt'], $refunds[1]->attempt);
    }

    public function testWithoutTheScopeNothingGoesBack(): void
    {
        $intent = Daftar::payments()->create(self::FIELDS)->intent;
        $this->daftar->pay($intent);
        $this->daftar->withoutRefundScope();
        $this->expectException(PermissionException::class);
        Daftar::refunds()->create($intent->uuid, ['refund_reference' => 'r-1']);
    }

    public function testWebhooksAreDeliveredByTypeAndLost(): void
    {
        $this->daftar->pay(Daftar::payments()->create(self::FIELDS)->intent);
        self::assertSame([204], $this->daftar->deliver('payment_intent.succeeded'));
        self::assertSame([204, 204], $this->daftar->deliver());
        $this->daftar->sendTestWebhook();
        $this->daftar->loseWebhooks();
        self::assertSame([], $this->daftar->deliver());
    }

    public function testTheSecretOfTheApplicationIsKept(): void
    {
        $this->start(['daftar' => ['webhook' => ['path' => 'hook', 'secrets' => [
            'whsec_' . str_repeat('m', 32),
        ]]]]);
        $this->daftar->sendTestWebhook();
        self::assertSame([204], $this->daftar->deliver());
        $secrets = $this->app->make('config')->get('daftar.webhook.secrets');
        self::assertSame(['whsec_' . str_repeat('m', 32)], $secrets);
    }
}
