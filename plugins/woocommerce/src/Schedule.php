<?php

namespace Daftar\WooCommerce;

/** Asks about orders without a webhook, so that one that is lost changes nothing but the hour. */
final class Schedule {
    public const LOOK = 'daftar_look';
    public const SWEEP = 'daftar_sweep';
    private const GROUP = 'daftar';
    /** The order's meta that has the time of the next look. */
    private const NEXT = '_daftar_next';
    private const LAST = 3456000; // 40 days: longer than an intent and what comes late

    /** While something is open, seconds after it began; then each hour. */
    private const OPEN = [120, 300, 600, 1800];
    /** When all has ended: for money that comes late or twice. */
    private const ENDED = [3600, 21600, 86400, 259200, 864000, 2592000];

    /** Decides when the order is looked at next. Called under its lock; repeating it changes nothing. */
    public static function plan(Record $record): void {
        $next = self::next($record);
        $order = $record->order;
        if ((int) $order->get_meta(self::NEXT) === $next) {
            return;
        }
        as_unschedule_all_actions(self::LOOK, [$order->get_id()], self::GROUP);
        if ($next > 0) {
            as_schedule_single_action($next, self::LOOK, [$order->get_id()], self::GROUP);
            $order->update_meta_data(self::NEXT, (string) $next);
        } else {
            $order->delete_meta_data(self::NEXT);
        }
        $order->save_meta_data();
    }

    /** 0 where there is no next time. */
    private static function next(Record $record): int {
        $ats = array_merge([0], array_column($record->attempts, 'at'), array_column($record->refunds, 'at'));
        $age = time() - max($ats);
        if ($age > self::LAST) {
            return 0;
        }
        $refunds = array_column($record->refunds, 'status');
        $open = $record->has('new', 'requires_payment_method', 'processing')
            || array_intersect($refunds, ['sending', 'pending', 'unknown']) !== [];
        foreach ($open ? self::OPEN : self::ENDED as $step) {
            if ($step > $age) {
                return max($ats) + $step;
            }
        }
        return $open ? max($ats) + (intdiv($age, 3600) + 1) * 3600 : 0;
    }

    /** An action of the scheduler. @param mixed $id */
    public static function look($id): void {
        Payments::settle((int) $id, 5, 10);
    }

    /** Each hour: orders whose look is overdue, because PHP was killed in it or the table was emptied. */
    public static function sweep(): void {
        $ids = wc_get_orders(['limit' => 50, 'return' => 'ids', 'orderby' => 'date', 'order' => 'ASC',
            'status' => 'any', 'meta_key' => self::NEXT, 'meta_value' => time() - 900, 'meta_compare' => '<',
            'meta_type' => 'NUMERIC']); // phpcs:ignore WordPress.DB.SlowDBQuery
        array_map([self::class, 'look'], $ids);
    }

    /** An order that was ended or paid in another way: its open links are ended, outside this request. */
    public static function changed(int $id, string $from, string $to, \WC_Order $order): void {
        if ($to !== 'pending' && (new Record($order))->has('requires_payment_method', 'new')) {
            as_enqueue_async_action(self::LOOK, [$id], self::GROUP);
        }
    }

    /** The stock timer: an order that is being paid at this moment is not canceled. @param mixed $cancel */
    public static function mayCancel($cancel, \WC_Order $order): bool {
        return $cancel && !(new Record($order))->has('processing');
    }

    /** Keeps the hourly action. It is asked for on admin pages alone, as it costs a query. */
    public static function keep(): void {
        if (!as_has_scheduled_action(self::SWEEP)) {
            as_schedule_recurring_action(time() + 3600, 3600, self::SWEEP, [], self::GROUP);
        }
    }

    public static function stop(): void {
        if (function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions('', [], self::GROUP);
        }
    }
}
