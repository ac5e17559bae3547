<?php

use Daftar\WooCommerce\Schedule;

/** What happens without a webhook. */
final class ScheduleTest extends TestCase {
    public function testWebhookLostTheScheduleFindsIt(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $due = $GLOBALS['wpdb']->rows('SELECT * FROM actions')[0];
        $this->same(json_encode([$order->get_id()]), $due['args']);
        $this->same(true, $due['at'] <= time() + 120);
        Schedule::look($order->get_id());
        $this->same('processing', $this->now($order)->get_status());
    }

    public function testSweepFindsAnOrderWhoseActionWasLost(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $GLOBALS['wpdb']->query('DELETE FROM actions');
        $late = $this->now($order);
        $late->update_meta_data('_daftar_next', time() - 5000);
        $late->save_meta_data();
        Schedule::sweep();
        $this->same(1, $this->timesPaid($order));
    }

    public function testScheduleEnds(): void {
        foreach ([$this->paidOrder(), $this->opened()] as $order) {
            $old = $this->record($order);
            $old->attempts[0]['at'] = time() - 86400 * 41;
            $old->save();
            $GLOBALS['wpdb']->query('DELETE FROM actions');
            Schedule::look($order->get_id());
            $this->same([], $GLOBALS['wpdb']->rows('SELECT * FROM actions'));
            $this->same('', $this->now($order)->get_meta('_daftar_next'));
        }
    }

    public function testAttemptIsOnDiskBeforeDaftarIsAsked(): void {
        $order = WC_Order::make();
        $GLOBALS['http'] = function () use ($order): WP_Error {
            $this->same(['new'], array_column($this->record($order)->attempts, 'status'));
            throw new Killed('while Daftar was asked');
        };
        try {
            $this->pay($order);
        } catch (Killed $e) {
            $GLOBALS['http'] = $this->daftar;
        }
        $this->same(1, count($GLOBALS['wpdb']->rows('SELECT * FROM actions')));
        $this->has('/pay/', $this->pay($order)['redirect']);
        $this->same(1, count($this->record($order)->attempts));
    }

    public function testStockTimerSparesAnOrderThatIsBeingPaid(): void {
        $order = $this->opened();
        $this->same(true, Schedule::mayCancel(true, $this->now($order)));
        $this->daftar->set("order-{$order->get_id()}", 'processing');
        $this->webhook('processing', $order);
        $this->same(false, Schedule::mayCancel(true, $this->now($order)));
        $this->same(false, Schedule::mayCancel(false, WC_Order::make()));
    }

    public function testPaidOrderThatTheStockTimerCanceledIsPaidAtOnce(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'succeeded'); // and the webhook is lost
        $order->update_status('cancelled');
        $due = $GLOBALS['wpdb']->rows('SELECT * FROM actions ORDER BY at')[0];
        $this->same(true, $due['at'] <= time());
        Schedule::look($order->get_id());
        $this->same(['processing', 1], [$this->now($order)->get_status(), $this->timesPaid($order)]);
    }

    /** Daftar sends a webhook again after five seconds, and then after minutes: within 21 it is to get the lock. */
    public function testALockOfAKilledWebhookEndsBeforeItComesAgain(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $ends = [];
        $GLOBALS['http'] = function (string $url, array $arguments) use (&$ends) {
            $select = "SELECT option_value FROM options WHERE option_name LIKE 'daftar_wc_lock_%'";
            $ends[] = (int) $GLOBALS['wpdb']->get_var($select) - time();
            return ($this->daftar)($url, $arguments);
        };
        $this->webhook('succeeded', $order);
        Schedule::look($order->get_id());
        $this->same(true, max($ends) <= 20 && min($ends) >= 14, implode(' ', $ends));
    }
}
