<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests;

use Daftar\Laravel\Orders\Payment;
use Daftar\Laravel\Orders\PaymentState;
use Daftar\Laravel\Tests\Support\Order;
use Daftar\Laravel\Tests\Support\TestCase;
use Illuminate\Support\Carbon;

/** daftar:settle, and of daftar:doctor what needs no service: TestLaravelPackageDoctor has the rest. */
final class CommandTest extends TestCase
{
    private function travel(int $seconds): void
    {
        Carbon::setTestNow(Carbon::now()->addSeconds($seconds));
    }

    public function testALostWebhookIsFound(): void
    {
        [$paid, $open, $late] = [$this->order(), $this->order(), $this->order()];
        foreach ([$paid, $open, $late] as $order) {
            $order->checkout();
        }
        $this->daftar->pay('order-1');
        $this->daftar->expire('order-3');
        self::assertSame([0, "0 orders asked about, 0 failed.\n"], $this->artisan('daftar:settle'));
        $this->travel(61);
        self::assertSame([0, "3 orders asked about, 0 failed.\n"], $this->artisan('daftar:settle'));
        self::assertSame('paid order-1', $paid->refresh()->told);
        self::assertSame(PaymentState::Open, $open->paymentState());
        self::assertSame('canceled order-3', $late->refresh()->told);
        $this->daftar->payLate('order-3');
        $this->travel(61);
        self::assertSame([0, "2 orders asked about, 0 failed.\n"], $this->artisan('daftar:settle'));
        self::assertSame(PaymentState::Paid, $late->paymentState());
    }

    public function testTheOlderAnOrderTheRarerItIsAskedAbout(): void
    {
        $this->order()->checkout();
        $asked = 0;
        for ($hour = 0.0; $hour < 48; $hour += 1 / 6) {
            $this->travel(600);
            $asked += (int) explode(' ', $this->artisan('daftar:settle')[1])[0];
        }
        self::assertGreaterThan(15, $asked);
        self::assertLessThan(50, $asked);
        $this->travel(40 * 86400);
        self::assertSame([0, "0 orders asked about, 0 failed.\n"], $this->artisan('daftar:settle'));
    }

    public function testAnOrderWithTwoIntentsIsAskedAboutOnce(): void
    {
        $order = $this->order();
        $order->checkout();
        $order->update(['amount' => 7500]);
        $order->checkout();
        $this->travel(61);
        self::assertSame([0, "1 orders asked about, 0 failed.\n"], $this->artisan('daftar:settle'));
    }

    public function testOneOrderDoesNotKeepTheOthersFromBeingSettled(): void
    {
        [$broken, $good] = [$this->order(), $this->order()];
        $broken->checkout();
        $good->checkout();
        $this->daftar->pay('order-1');
        $this->daftar->pay('order-2');
        Order::$trouble = new \RuntimeException('the stock is locked');
        $this->travel(61);
        [$code, $printed] = $this->artisan('daftar:settle');
        self::assertSame(1, $code);
        self::assertStringContainsString('order-1: the stock is locked', $printed);
        self::assertStringContainsString('1 orders asked about, 1 failed.', $printed);
        self::assertSame(PaymentState::Paid, $good->paymentState());
        $this->travel(61);
        self::assertSame(0, $this->artisan('daftar:settle')[0]);
        self::assertSame(PaymentState::Paid, $broken->paymentState());
    }

    public function testWhileTheServiceIsAwayNothingIsAskedTwice(): void
    {
        $this->order()->checkout();
        $this->order()->checkout();
        $this->travel(61);
        $this->daftar->unreachable();
        $calls = count($this->daftar->calls());
        [$code, $printed] = $this->artisan('daftar:settle');
        self::assertSame(1, $code);
        self::assertStringContainsString('Not now: No answer', $printed);
        self::assertCount($calls + 1, $this->daftar->calls());
    }

    public function testAnOrderThatIsGoneIsLeft(): void
    {
        $this->order()->checkout();
        Order::query()->delete();
        $this->travel(61);
        self::assertSame([0, "0 orders asked about, 0 failed.\n"], $this->artisan('daftar:settle'));
        self::assertSame(1, Payment::query()->count());
    }

    public function testTheDoctorSaysWhatIsMissing(): void
    {
        $this->start(['daftar' => ['url' => 'pay.ly', 'api_key' => 'pk 1', 'webhook' => ['path' => null]]]);
        $this->app->make('config')->set('daftar.webhook.secrets', ['']);
        [$code, $printed] = $this->artisan('daftar:doctor');
        self::assertSame(1, $code);
        self::assertStringContainsString('FAIL     DAFTAR_API_KEY has a space', $printed);
        self::assertStringContainsString('FAIL     DAFTAR_ACCESS_TOKEN is not set', $printed);
        self::assertStringContainsString('FAIL     DAFTAR_WEBHOOK_SECRET is not set', $printed);
        self::assertStringContainsString('FAIL     The webhook route is not registered', $printed);
        self::assertStringNotContainsString('pk 1', $printed);
    }

    public function testInProductionTheAddressMustBePublic(): void
    {
        $secret = ['path' => 'daftar/webhook', 'secrets' => ['whsec_' . str_repeat('m', 32)]];
        $said = function (string $url) use ($secret): string {
            $this->start(['app.url' => $url, 'app.env' => 'production', 'daftar' => ['webhook' => $secret]]);
            return $this->artisan('daftar:doctor')[1];
        };
        $hidden = ['http://localhost', 'https://10.0.0.4', 'https://shop.test', 'https://[::1]'];
        foreach ([...$hidden, 'https://shop.ly:444', 'http://shop.ly'] as $url) {
            self::assertStringContainsString('FAIL     APP_URL is', $said($url), $url);
        }
        foreach (['https://shop.ly', 'https://متجر.ly:8443', 'https://shop.ly/shop'] as $url) {
            self::assertStringContainsString("page: $url/daftar/webhook", $said($url), $url);
        }
    }
}
