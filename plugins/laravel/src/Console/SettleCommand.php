<?php

declare(strict_types=1);

namespace Daftar\Laravel\Console;

use Daftar\Exception\AuthenticationException;
use Daftar\Exception\ConnectionException;
use Daftar\Exception\UnavailableException;
use Daftar\Laravel\Orders\Payable;
use Daftar\Laravel\Orders\Payment;
use Illuminate\Console\Command;
use Illuminate\Contracts\Debug\ExceptionHandler;

/**
 * Asks about orders of which nothing was heard: a webhook can be lost. Canceled ones, too, because a late
 * payment may come; the older an order, the rarer it is asked about.
 */
final class SettleCommand extends Command
{
    protected $signature = 'daftar:settle
        {--every=60 : ask about an order at most this often, in seconds}
        {--days=40 : how long an order is asked about that was not paid}';

    protected $description = 'Asks Daftar about orders that are not paid; for the scheduler, every minute';

    public function handle(ExceptionHandler $errors): int
    {
        $settled = $failed = 0;
        $seen = [];
        foreach ($this->open() as $payment) {
            $key = "$payment->payable_type $payment->payable_id";
            $order = $payment->payable;
            if (isset($seen[$key]) || !$this->isDue($payment) || !$order instanceof Payable) {
                continue;
            }
            $seen[$key] = true;
            try {
                $order->settle();
                $settled++;
            } catch (ConnectionException | UnavailableException | AuthenticationException $e) {
                $this->error("Not now: {$e->getMessage()}"); // the same for all others: the next run goes on
                return self::FAILURE;
            } catch (\Throwable $e) {
                $payment->update(['looked_at' => now()]);
                $errors->report($e); // one order must not keep the others from being settled
                $this->error("$payment->reference: {$e->getMessage()}");
                $failed++;
            }
        }
        $this->line("$settled orders asked about, $failed failed.");
        return $failed === 0 ? self::SUCCESS : self::FAILURE;
    }

    /** @return iterable<Payment> */
    private function open(): iterable
    {
        return Payment::query()
            ->with('payable')
            ->whereNull('outcome')
            ->where('created_at', '>', now()->subDays((int) $this->option('days')))
            ->lazyById();
    }

    private function isDue(Payment $payment): bool
    {
        if ($payment->looked_at === null) {
            return true;
        }
        $age = now()->getTimestamp() - $payment->created_at->getTimestamp();
        $since = now()->getTimestamp() - $payment->looked_at->getTimestamp();
        return $since >= max((int) $this->option('every'), intdiv($age, 4));
    }
}
