<?php

namespace Daftar\WooCommerce;

/** Asks about orders without a webhook, so that one that is lost changes nothing but the hour. */
final class Schedule {
    public const LOOK = 'daftar_look';
    public const SWEEP = 'daftar_sweep';
    private const GROUP = 'daftar';
    private const NEXT = '_daftar_next';
    private const LAST = 3456000; // 40 days: longer than an intent and what comes late

    /** While something is open, seconds after it began; then each hour, after three days each six. */
    private const OPEN = [120, 300, 600, 1800];
    /** When all has ended: for money that comes late or twice. */
    private const ENDED = [3600, 21600, 86400, 259200, 864000, 2592000];

    /** Decides when the order is looked at next. Called under its lock; repeating it changes nothing. */
    public static function plan(Record $record): void {
        $next = self::next($record, time());
        $id = $record->order->get_id();
        $planned = (int) $record->order->get_meta(self::NEXT);
        if ($next === null) {
            if ($planned > 0) {
                $record->order->delete_meta_data(self::NEXT);
                $record->order->save_meta_data();
            }
            return;
        }
        if ($planned !== $next) {
            $record->order->update_meta_data(self::NEXT, (string) $next);
            $record->order->save_meta_data();
        }
        self::enqueue($id, $next);
    }

    /** One waiting action for an order, unless one is there that comes as early. */
    private static function enqueue(int $id, int $at): void {
        $waiting = as_get_scheduled_actions(['hook' => self::LOOK, 'args' => [$id], 'group' => self::GROUP,
            'status' => 'pending', 'date' => gmdate('Y-m-d H:i:s', $at + 60), 'date_compare' => '<=',
            'per_page' => 1], 'ids');
        if (count($waiting) === 0) {
            as_schedule_single_action($at, self::LOOK, [$id], self::GROUP);
        }
    }

    private static function next(Record $record, int $now): ?int {
        $open = $record->has('new') || $record->has('requires_payment_method') || $record->has('processing')
            || array_intersect(array_column($record->refunds, 'status'), ['sending', 'pending', 'unknown']);
        $ats = array_merge(array_column($record->attempts, 'at'), array_column($record->refunds, 'at'));
        if ($ats === [] || $now - max($ats) > self::LAST) {
            return null;
        }
        $age = $now - max($ats);
        foreach ($open ? self::OPEN : self::ENDED as $step) {
            if ($step > $age) {
                return max($ats) + $step;
            }
        }
        if (!$open) {
            return null;
        }
        $pause = $age > 259200 ? 21600 : 3600;
        return max($ats) + (intdiv($age, $pause) + 1) * $pause;
    }

    /** An action of the scheduler. @param mixed $id */
    public static function look($id): void {
        try {
            Payments::settle((int) $id, 5, 20);
        } catch (Busy | ApiError $e) {
            Notices::log("order $id is looked at again later: {$e->getMessage()}");
            self::enqueue((int) $id, time() + 600);
        }
    }

    /** Each hour: orders whose action was lost, because PHP was killed in it or the table was emptied. */
    public static function sweep(): void {
        $due = wc_get_orders([
            'limit' => 50, 'return' => 'ids', 'orderby' => 'date', 'order' => 'ASC', 'status' => 'any',
            'meta_key' => self::NEXT, // phpcs:ignore WordPress.DB.SlowDBQuery
            'meta_value' => time() - 900, // phpcs:ignore WordPress.DB.SlowDBQuery
            'meta_compare' => '<', 'meta_type' => 'NUMERIC',
        ]);
        foreach ($due as $id) {
            self::look($id);
        }
    }

    /** An order that was ended or paid in another way: its open links are ended, outside this request. */
    public static function changed(int $id, string $from, string $to, \WC_Order $order): void {
        $record = Record::of($order);
        if ($to !== 'pending' && ($record->has('requires_payment_method') || $record->has('new'))) {
            self::enqueue($id, time());
        }
    }

    /** The stock timer: an order that is being paid at this moment is not canceled. @param mixed $cancel */
    public static function mayCancel($cancel, \WC_Order $order): bool {
        if (!$cancel || Record::of($order)->attempts === []) {
            return (bool) $cancel;
        }
        try {
            Payments::settle($order->get_id(), 1, 5);
        } catch (Busy | ApiError $e) {
            return false; // not known: the timer comes again
        }
        $record = Record::load($order->get_id());
        return $record !== null && $record->order->needs_payment() && !$record->has('processing');
    }

    /** Keeps the hourly action. It is asked for on admin pages alone, as it costs a query. */
    public static function keep(): void {
        if (function_exists('as_has_scheduled_action') && !as_has_scheduled_action(self::SWEEP)) {
            as_schedule_recurring_action(time() + 3600, 3600, self::SWEEP, [], self::GROUP);
        }
    }

    public static function stop(): void {
        if (function_exists('as_unschedule_all_actions')) {
            as_unschedule_all_actions('', [], self::GROUP);
        }
    }
}
