<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Daftar\Laravel\Facades\Daftar;
use Daftar\Laravel\Testing\DaftarFake;
use Illuminate\Contracts\Console\Kernel as ConsoleKernel;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Foundation\Application;
use Illuminate\Support\Carbon;
use Illuminate\Support\Facades\Schema;
use PHPUnit\Framework\TestCase as PHPUnit;
use Psr\Log\LoggerInterface;
use Symfony\Component\Console\Output\BufferedOutput;

/** A test with an application, its database and a fake Daftar. */
abstract class TestCase extends PHPUnit
{
    protected Application $app;

    protected DaftarFake $daftar;

    protected Log $log;

    protected function setUp(): void
    {
        $this->start([]);
    }

    protected function tearDown(): void
    {
        Carbon::setTestNow();
        Order::$trouble = null;
    }

    /** @param array<string, mixed> $config */
    protected function start(array $config): void
    {
        $this->app = TestApplication::start(TestApplication::scratch(), $config);
        $this->log = new Log();
        $this->app->instance(LoggerInterface::class, $this->log);
        $this->daftar = Daftar::fake();
        Schema::create('orders', static function (Blueprint $table): void {
            $table->id();
            $table->unsignedBigInteger('amount');
            $table->string('told');
        });
        TestApplication::migration()->up();
    }

    protected function order(int $amount = 5000): Order
    {
        return Order::query()->create(['amount' => $amount])->refresh();
    }

    /**
     * Runs a command of Artisan.
     *
     * @param array<string, mixed> $options
     * @return array{0: int, 1: string} its exit code and what it printed
     */
    protected function artisan(string $command, array $options = []): array
    {
        $output = new BufferedOutput();
        $code = $this->app->make(ConsoleKernel::class)->call($command, $options, $output);
        return [$code, $output->fetch()];
    }

    /**
     * Remembers the events of a class.
     *
     * @template T of object
     * @param class-string<T> $class
     * @return \ArrayObject<int, T>
     */
    protected function listen(string $class): \ArrayObject
    {
        $heard = new \ArrayObject();
        $this->app->make('events')->listen($class, static function (object $event) use ($heard): void {
            $heard[] = $event;
        });
        return $heard;
    }
}
