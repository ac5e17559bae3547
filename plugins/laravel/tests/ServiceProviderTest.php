<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests;

use Daftar\Client;
use Daftar\Laravel\Api\Api;
use Daftar\Laravel\Contracts\Daftar as Contract;
use Daftar\Laravel\DaftarServiceProvider;
use Daftar\Laravel\Events\OrderPaid;
use Daftar\Laravel\Events\WebhookReceived;
use Daftar\Laravel\Facades\Daftar;
use Daftar\Laravel\Listeners\SettleOrder;
use Daftar\Laravel\Orders\Payment;
use Daftar\Laravel\Orders\PaymentState;
use Daftar\Laravel\Tests\Support\Order;
use Daftar\Laravel\Tests\Support\TestApplication;
use Daftar\Laravel\Tests\Support\TestCase;
use Illuminate\Support\ServiceProvider;

/** What the package adds to an application, and the listener that settles orders. */
final class ServiceProviderTest extends TestCase
{
    public function testTheClientIsMadeOnceFromTheSettings(): void
    {
        $app = TestApplication::start(TestApplication::scratch(), ['daftar' => [
            'url' => 'https://pay.example.ly/api/v1', 'api_key' => 'pk_1', 'access_token' => 'at_1',
        ]]);
        self::assertSame($app->make(Client::class), $app->make(Client::class));
        self::assertInstanceOf(Api::class, $app->make(Contract::class));
        self::assertSame($app->make(Contract::class), Daftar::getFacadeRoot());
    }

    public function testWithoutCredentialsTheApplicationStarts(): void
    {
        $app = TestApplication::start(TestApplication::scratch());
        $app->make(Contract::class);
        $this->expectException(\InvalidArgumentException::class);
        Daftar::payments();
    }

    public function testConfigurationAndMigrationArePublished(): void
    {
        foreach (['config' => 'config/daftar.php', 'migrations' => 'database/migrations'] as $tag => $to) {
            $paths = ServiceProvider::pathsToPublish(DaftarServiceProvider::class, "daftar-$tag");
            self::assertFileExists((string) array_key_first($paths));
            self::assertStringEndsWith($to, array_values($paths)[0]);
        }
    }

    public function testSecretsAreSeparatedBySpaces(): void
    {
        putenv('DAFTAR_WEBHOOK_SECRET=whsec_new  whsec_old ');
        try {
            $config = require __DIR__ . '/../config/daftar.php';
        } finally {
            putenv('DAFTAR_WEBHOOK_SECRET');
        }
        self::assertSame(['whsec_new', 'whsec_old'], $config['webhook']['secrets']);
        self::assertSame([5.0, 5.0], [$config['timeout'], $config['retry_for']]);
        self::assertSame('daftar/webhook', $config['webhook']['path']);
    }

    public function testAWebhookSettlesItsOrder(): void
    {
        $this->app->make('events')->listen(WebhookReceived::class, SettleOrder::class);
        $order = $this->order();
        $order->checkout();
        $this->daftar->pay('order-1');
        $this->daftar->sendTestWebhook();
        self::assertSame([204, 204, 204, 204], $this->daftar->deliver());
        $this->daftar->deliverAgain();
        self::assertSame('paid order-1', $order->refresh()->told);
    }

    public function testAWebhookBeforeTheAnswerToTheCreationFindsItsOrder(): void
    {
        $this->app->make('events')->listen(WebhookReceived::class, SettleOrder::class);
        $order = $this->order();
        $order->checkout();
        Payment::query()->update(['uuid' => null]);
        $this->daftar->pay('order-1');
        $this->daftar->deliver();
        self::assertSame(PaymentState::Paid, $order->paymentState());
    }

    public function testAWebhookOfAnotherShopSettlesNothing(): void
    {
        $this->app->make('events')->listen(WebhookReceived::class, SettleOrder::class);
        $this->order()->checkout();
        $fields = ['merchant_reference' => 'elsewhere', 'amount' => 5000, 'description' => 'x'];
        Daftar::payments()->create($fields);
        Order::query()->delete();
        self::assertSame([204, 204], $this->daftar->deliver());
    }

    public function testAnOrderThatCannotBeSettledMakesTheWebhookComeAgain(): void
    {
        $this->app->make('events')->listen(WebhookReceived::class, SettleOrder::class);
        $order = $this->order();
        $order->checkout();
        $this->daftar->pay('order-1');
        Order::$trouble = new \RuntimeException('the stock is locked');
        self::assertSame([500, 204, 204], $this->daftar->deliver());
        self::assertSame([204], $this->daftar->deliver());
        self::assertSame('paid order-1', $order->refresh()->told);
    }

    public function testAListenerSeesThePaidOrderInTheTransaction(): void
    {
        $seen = [];
        $look = static function (OrderPaid $paid) use (&$seen): void {
            $seen[] = [$paid->order->paymentState(), $paid->order->getConnection()->transactionLevel()];
        };
        $this->app->make('events')->listen(OrderPaid::class, $look);
        $order = $this->order();
        $order->checkout();
        $this->daftar->pay('order-1');
        $order->settle();
        self::assertSame([[PaymentState::Paid, 1]], $seen);
    }
}
