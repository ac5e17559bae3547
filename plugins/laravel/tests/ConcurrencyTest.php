<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests;

use Daftar\Laravel\Contracts\Daftar as Contract;
use Daftar\Laravel\Facades\Daftar;
use Daftar\Laravel\Tests\Support\Order;
use Daftar\Laravel\Tests\Support\TestApplication;
use Daftar\Laravel\Tests\Support\TestCase;
use Illuminate\Support\Facades\DB;

/** Webhook, return page and scheduler at the same moment: several processes with one database. */
final class ConcurrencyTest extends TestCase
{
    private const PROCESSES = 6;

    protected function setUp(): void
    {
        is_dir(TestApplication::scratch()) || mkdir(TestApplication::scratch());
        $file = TestApplication::scratch() . '/' . bin2hex(random_bytes(8)) . '.sqlite';
        touch($file);
        $this->start(['database.connections.sqlite.database' => $file]);
        DB::statement('PRAGMA journal_mode = WAL');
    }

    /**
     * Runs the same in several processes, which begin at the same moment.
     *
     * @return list<string> what each returned
     */
    private function inParallel(\Closure $do): array
    {
        DB::purge(); // a connection of SQLite does not survive a fork
        [$gate, $open] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $children = [];
        for ($n = 0; $n < self::PROCESSES; $n++) {
            $result = TestApplication::scratch() . "/result-$n";
            $pid = pcntl_fork();
            if ($pid === 0) {
                fclose($open);
                fread($gate, 1); // until it is closed
                try {
                    file_put_contents($result, $do());
                } catch (\Throwable $e) {
                    file_put_contents($result, "$e");
                }
                posix_kill(getmypid(), SIGKILL); // without what PHPUnit does at the end
            }
            $children[$pid] = $result;
        }
        fclose($open);
        return array_map(static function (int $pid, string $result): string {
            pcntl_waitpid($pid, $status);
            return (string) file_get_contents($result);
        }, array_keys($children), $children);
    }

    public function testOfManyWhoSettleOneFulfils(): void
    {
        $order = $this->order();
        $order->checkout();
        $this->daftar->expire('order-1');
        $order->checkout();
        $this->daftar->payLate('order-1');
        $this->daftar->pay('order-1#2');
        $states = $this->inParallel(static fn (): string => Order::query()->find(1)->settle()->value);
        self::assertSame(array_fill(0, self::PROCESSES, 'paid'), $states);
        self::assertContains($order->refresh()->told, [
            'paid order-1, again order-1#2',
            'paid order-1#2, again order-1',
        ]);
    }

    public function testOfManyWhoOpenTheCheckoutOneMakesTheAttempt(): void
    {
        $order = $this->order();
        // What the service makes of the same reference, whichever process asks: one intent.
        $fields = ['merchant_reference' => 'order-1', 'amount' => 5000, 'description' => 'x'];
        $intent = Daftar::payments()->create($fields)->intent;
        $this->app->instance(Contract::class, new Support\AnswersAlways($intent));
        $urls = $this->inParallel(static fn (): string => Order::query()->find(1)->checkout());
        self::assertSame(array_fill(0, self::PROCESSES, $intent->checkout_url), $urls);
        self::assertSame(['order-1'], $order->daftarPayments()->pluck('reference')->all());
    }
}
