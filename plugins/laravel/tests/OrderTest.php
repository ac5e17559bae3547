<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests;

use Daftar\Exception\ConflictException;
use Daftar\Exception\ConnectionException;
use Daftar\Exception\ValidationException;
use Daftar\Laravel\Contracts\Daftar as Contract;
use Daftar\Laravel\Events\OrderPaid;
use Daftar\Laravel\Events\OrderPaidAgain;
use Daftar\Laravel\Events\OrderPaymentCanceled;
use Daftar\Laravel\Events\OrderPaymentMismatch;
use Daftar\Laravel\Facades\Daftar;
use Daftar\Laravel\Orders\CheckoutException;
use Daftar\Laravel\Orders\Payment;
use Daftar\Laravel\Orders\PaymentState;
use Daftar\Laravel\Tests\Support\Order;
use Daftar\Laravel\Tests\Support\TestCase;
use Daftar\RefundStatus;
use Illuminate\Support\Carbon;

/** How an order with HasPayments is paid, and not paid. */
final class OrderTest extends TestCase
{
    /** @param class-string<\Throwable> $class */
    private function throws(string $class, callable $call): \Throwable
    {
        try {
            $call();
        } catch (\Throwable $e) {
            self::assertInstanceOf($class, $e, $e->getMessage());
            return $e;
        }
        self::fail("no $class");
    }

    public function testTwoTabsLeadToOneIntent(): void
    {
        $order = $this->order();
        $url = $order->checkout();
        self::assertSame($url, Order::query()->find($order->id)->checkout());
        $this->daftar->assertCreated(static fn (array $fields): bool => $fields === [
            'merchant_reference' => 'order-1',
            'amount' => 5000,
            'currency' => 'LYD',
            'description' => 'الطلبية 1',
            'metadata' => ['order_key' => Payment::query()->value('order_key'), 'branch' => 'Tripoli'],
            'return_url' => 'https://shop.example.ly/orders/1',
            'customer' => ['external_id' => 'c-1'],
        ]);
        self::assertSame(1, Payment::query()->count());
        self::assertSame(PaymentState::Open, $order->paymentState());
    }

    public function testAPaidOrderIsToldOnce(): void
    {
        $paid = $this->listen(OrderPaid::class);
        $order = $this->order();
        self::assertSame(PaymentState::None, $order->settle());
        $order->checkout();
        self::assertSame(PaymentState::Open, $order->settle());
        $this->daftar->begin('order-1');
        self::assertSame(PaymentState::Processing, $order->settle());
        $this->daftar->pay('order-1');
        $other = Order::query()->find(1);
        self::assertSame(PaymentState::Paid, $order->settle());
        self::assertSame(PaymentState::Paid, $other->settle());
        self::assertSame('paid order-1', $order->told);
        self::assertCount(1, $paid);
        self::assertSame('order-1', $paid[0]->intent->merchant_reference);
        self::assertTrue($order->is($paid[0]->order));
        self::assertEquals($paid[0]->intent, unserialize(serialize($paid[0]))->intent);
        $refused = $this->throws(CheckoutException::class, fn () => $order->checkout());
        self::assertSame(PaymentState::Paid, $refused->state);
    }

    public function testACheckoutFindsOutThatTheOrderIsPaid(): void
    {
        $order = $this->order();
        $order->checkout();
        $this->daftar->pay('order-1');
        $refused = $this->throws(CheckoutException::class, fn () => $order->checkout());
        self::assertSame(PaymentState::Paid, $refused->state);
        self::assertSame('paid order-1', $order->told);
    }

    public function testWhatOnPaidThrowsLeavesTheOrderUnpaid(): void
    {
        $order = $this->order();
        $order->checkout();
        $this->daftar->pay('order-1');
        Order::$trouble = new \RuntimeException('the stock is locked');
        $this->throws(\RuntimeException::class, fn () => $order->settle());
        self::assertSame('', $order->refresh()->told);
        self::assertSame(PaymentState::Open, $order->paymentState());
        self::assertSame(PaymentState::Paid, $order->settle());
        self::assertSame('paid order-1', $order->told);
    }

    public function testAfterAnExpiryTheNextAttemptHasAnotherReference(): void
    {
        $canceled = $this->listen(OrderPaymentCanceled::class);
        $order = $this->order();
        $first = $order->checkout();
        Carbon::setTestNow(Carbon::now()->addDay()->addSecond());
        self::assertSame(PaymentState::Canceled, $order->settle());
        $order->settle();
        self::assertSame('canceled order-1', $order->told);
        self::assertCount(1, $canceled);
        self::assertNotSame($first, $order->checkout());
        self::assertSame(PaymentState::Open, $order->settle());
        $this->daftar->assertCreated('order-1#2');
        $this->daftar->pay('order-1#2');
        self::assertSame(PaymentState::Paid, $order->settle());
    }

    public function testAChangedAmountEndsTheOldIntent(): void
    {
        $order = $this->order();
        $first = $order->checkout();
        $order->update(['amount' => 7500]);
        $second = $order->checkout();
        self::assertNotSame($first, $second);
        self::assertSame($second, $order->checkout());
        self::assertSame(['order-1#2', 'order-1'], $this->references());
        $statuses = Daftar::payments()->all()->map(static fn ($one) => "$one->amount {$one->status->value}");
        self::assertSame(['7500 requires_payment_method', '5000 canceled'], $statuses->all());
        // The end of the old one is not the end of the order.
        self::assertSame(PaymentState::Open, $order->settle());
        self::assertSame('', $order->told);
    }

    /** @return list<string> */
    private function references(): array
    {
        return Daftar::payments()->all()->map(static fn ($intent) => $intent->merchant_reference)->all();
    }

    public function testAnIntentThatIsBeingPaidIsNotReplaced(): void
    {
        $order = $this->order();
        $url = $order->checkout();
        $this->daftar->begin('order-1');
        self::assertSame($url, $order->checkout(), 'the page shows how it goes');
        $order->update(['amount' => 7500]);
        $refused = $this->throws(CheckoutException::class, fn () => $order->checkout());
        self::assertSame(PaymentState::Processing, $refused->state);
        self::assertSame(['order-1'], $this->references());
        $this->daftar->decline('order-1');
        $order->checkout();
        self::assertSame(['order-1#2', 'order-1'], $this->references());
    }

    public function testAPaymentInTheMomentOfTheReplacementWins(): void
    {
        $order = $this->order();
        $order->checkout();
        $order->update(['amount' => 7500]);
        $this->app->instance(Contract::class, new Support\PaysBeforeExpire($this->daftar));
        $refused = $this->throws(CheckoutException::class, fn () => $order->checkout());
        self::assertSame(PaymentState::Mismatch, $refused->state);
        self::assertSame(['order-1'], $this->references());
    }

    public function testMoneyForAnotherAmountThanTheOrdersIsNoPayment(): void
    {
        $mismatch = $this->listen(OrderPaymentMismatch::class);
        $order = $this->order();
        $order->checkout();
        $this->daftar->begin('order-1');
        $order->update(['amount' => 7500]);
        $this->daftar->pay('order-1');
        self::assertSame(PaymentState::Mismatch, $order->settle());
        self::assertSame(PaymentState::Mismatch, $order->settle());
        self::assertSame('mismatch order-1', $order->told);
        self::assertCount(1, $mismatch);
        self::assertStringContainsString('order-1', $this->log->text);
        self::assertSame(
            PaymentState::Mismatch,
            $this->throws(CheckoutException::class, fn () => $order->checkout())->state,
        );
        $order->update(['amount' => 5000]);
        self::assertSame(PaymentState::Paid, $order->settle(), 'a person put the cart right');
    }

    /** @dataProvider others */
    public function testAnIntentThatIsNotTheOrdersPaysNothing(string $column, mixed $value): void
    {
        $order = $this->order();
        $order->checkout();
        $this->daftar->pay('order-1');
        Payment::query()->update([$column => $value]);
        self::assertSame(PaymentState::Mismatch, $order->settle());
        self::assertSame('mismatch order-1', $order->told);
    }

    /** @return array<string, array{0: string, 1: mixed}> */
    public static function others(): array
    {
        return [
            'amount' => ['amount', 4999],
            'currency' => ['currency', 'USD'],
            'reference' => ['reference', 'order-9'],
        ];
    }

    public function testALatePaymentPaysACanceledOrder(): void
    {
        $order = $this->order();
        $order->checkout();
        $this->daftar->expire('order-1');
        $order->settle();
        $this->daftar->payLate('order-1');
        self::assertSame(PaymentState::Paid, $order->settle());
        self::assertSame('canceled order-1, paid order-1', $order->told);
    }

    public function testALatePaymentOfAReplacedIntentPaysTheOrderOnceAndIsGivenBackElse(): void
    {
        $again = $this->listen(OrderPaidAgain::class);
        $order = $this->order();
        $order->checkout();
        $this->daftar->expire('order-1');
        $order->checkout();
        $this->daftar->pay('order-1#2');
        $order->settle();
        $this->daftar->payLate('order-1');
        self::assertSame(PaymentState::Paid, $order->settle());
        $order->settle();
        self::assertSame('paid order-1#2, again order-1', $order->told);
        self::assertCount(1, $again);
        self::assertSame(['surplus', 'paid'], $order->daftarPayments()->pluck('outcome')->all());
    }

    public function testTheEndOfAnOldIntentNeverCancelsAPaidOrder(): void
    {
        $order = $this->order();
        $order->checkout();
        $this->daftar->pay('order-1');
        $order->settle();
        Payment::query()->create(['attempt' => 2] + $order->daftarPayments()->first()->only([
            'payable_type', 'payable_id', 'amount', 'currency',
        ]) + ['reference' => 'order-1#2', 'order_key' => 'k']);
        $fields = ['merchant_reference' => 'order-1#2', 'amount' => 5000, 'description' => 'x',
            'metadata' => ['order_key' => 'k']];
        Daftar::payments()->expire(Daftar::payments()->create($fields)->intent->uuid);
        self::assertSame(PaymentState::Paid, $order->settle());
        self::assertSame('paid order-1', $order->told);
    }

    public function testTheIntentOfAnotherShopWithTheSameReferencePaysNothing(): void
    {
        $order = $this->order();
        $theirs = ['merchant_reference' => 'order-1', 'amount' => 5000, 'description' => 'theirs'];
        Daftar::payments()->create($theirs);
        $refused = $this->throws(\LogicException::class, $order->checkout(...));
        self::assertSame('order-1 is the reference of another payment.', $refused->getMessage());
        $this->daftar->pay('order-1');
        self::assertSame(PaymentState::Open, $order->settle());
        self::assertSame('', $order->told);
        self::assertNull($order->daftarPayments()->first()->uuid);
    }

    public function testAnAnswerFromBeforeChangesNothing(): void
    {
        $order = $this->order();
        $order->checkout();
        $stale = Daftar::payments()->retrieve($order->daftarPayments()->first()->uuid);
        $this->daftar->expire('order-1');
        $order->settle();
        $this->app->instance(Contract::class, new Support\AnswersAlways($stale));
        self::assertSame(PaymentState::Canceled, $order->settle());
        self::assertSame('canceled order-1', $order->told);
    }

    public function testALostAnswerMakesNoSecondIntent(): void
    {
        $order = $this->order();
        $this->daftar->loseAnswers();
        $this->throws(ConnectionException::class, fn () => $order->checkout());
        $order->checkout();
        self::assertSame(['order-1'], $this->references());
    }

    public function testAnIntentWhoseAnswerWasLostIsFoundByItsReference(): void
    {
        $order = $this->order();
        $this->daftar->loseAnswers();
        $this->throws(ConnectionException::class, fn () => $order->checkout());
        $this->daftar->pay('order-1');
        self::assertSame(PaymentState::Paid, $order->settle());
        self::assertNotNull($order->daftarPayments()->first()->uuid);
    }

    public function testARequestThatWasNeverSentIsOpen(): void
    {
        $order = $this->order();
        $this->daftar->unreachable();
        $this->throws(ConnectionException::class, fn () => $order->checkout());
        $this->daftar->unreachable(false);
        self::assertSame(PaymentState::Open, $order->settle());
        self::assertSame([], $this->references());
    }

    public function testTwoOrdersWithOneReferenceAreRefused(): void
    {
        $other = ['merchant_reference' => 'order-1', 'amount' => 9000, 'description' => 'x'];
        Daftar::payments()->create($other);
        $this->throws(\LogicException::class, fn () => $this->order()->checkout());
        $second = $this->order();
        Payment::query()->update(['reference' => 'order-2']);
        $this->throws(\LogicException::class, fn () => $second->checkout());
        $this->throws(\LogicException::class, fn () => (new Order(['amount' => 5000]))->checkout());
    }

    public function testMoneyGoesBack(): void
    {
        $order = $this->order();
        $this->throws(\LogicException::class, fn () => $order->refund(1500, 'order-1.refund-1'));
        $order->checkout();
        $this->daftar->pay('order-1');
        $order->settle();
        $refund = $order->refund(1500, 'order-1.refund-1', 'بردت القهوة');
        self::assertSame([1500, RefundStatus::Pending], [$refund->amount, $refund->status]);
        self::assertSame($refund->uuid, $order->refund(1500, 'order-1.refund-1', 'بردت القهوة')->uuid);
        $this->throws(\LogicException::class, fn () => $order->refund(1600, 'order-1.refund-1'));
        $this->throws(ValidationException::class, fn () => $order->refund(3501, 'order-1.refund-2'));
        $this->daftar->endRefund($refund, RefundStatus::Succeeded);
        $order->refund(3500, 'order-1.refund-3');
        $this->daftar->endRefund('order-1.refund-3', RefundStatus::Succeeded);
        $this->throws(ConflictException::class, fn () => $order->refund(1, 'order-1.refund-4'));
        $this->daftar->assertRefunded('order-1.refund-1');
        self::assertSame(PaymentState::Paid, $order->settle());
    }
}
