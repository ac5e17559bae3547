<?php

namespace Daftar\WooCommerce;

/**
 * An order with what this plugin keeps about it, read past all caches. It is changed under the order's lock
 * alone. Attempts are the intents that were made, or were to be made, for it:
 *
 *   reference, uuid (null until the API has answered), amount in dirhams, mode, at (seconds since 1970),
 *   status (as the API has it; "new" before it was asked, "foreign" for the intent of another shop), applied
 *   (its money is dealt with), paid (the payment within it), twice (the events of second payments)
 *
 * Refunds are those of the button:
 *
 *   reference, uuid, intent, amount, mode, at, reason, status ("sending" until the API has answered; also
 *   "refused"), wc (the refund in WooCommerce), before (the order's status), attempt (what goes back)
 */
final class Record {
    public const PAID = '_daftar_paid';

    public \WC_Order $order;
    public array $attempts; // >
    public array $refunds; // >

    private function __construct(\WC_Order $order) {
        $this->order = $order;
        $this->attempts = self::listOf($order, '_daftar_attempts');
        $this->refunds = self::listOf($order, '_daftar_refunds');
    }

    public static function load(int $id): ?self {
        clean_post_cache($id);
        \WC_Data_Store::load('order')->clear_cached_data([$id]);
        if (class_exists(\Automattic\WooCommerce\Caches\OrderCache::class)) {
            wc_get_container()->get(\Automattic\WooCommerce\Caches\OrderCache::class)->remove($id);
        }
        $order = wc_get_order($id);
        if (!$order instanceof \WC_Order) {
            return null;
        }
        $order->read_meta_data(true);
        return new self($order);
    }

    /** Without a lock: to look only. */
    public static function of(\WC_Order $order): self {
        return new self($order);
    }

    /** Writes our part alone: the order may be open in the admin at this moment. */
    public function save(): void {
        $this->order->update_meta_data('_daftar_attempts', $this->attempts);
        $this->order->update_meta_data('_daftar_refunds', $this->refunds);
        $this->order->save_meta_data();
    }

    /** What the order costs now, in dirhams, or null where that is no amount that can be paid. */
    public function total(): ?int {
        $is = $this->order->get_currency() === Money::CURRENCY;
        return $is ? Money::of($this->order->get_total('edit')) : null;
    }

    /** The attempt that paid the order, or null. */
    public function paid(): ?array {
        $uuid = (string) $this->order->get_meta(self::PAID);
        foreach ($this->attempts as $attempt) {
            if ($uuid !== '' && $attempt['uuid'] === $uuid) {
                return $attempt;
            }
        }
        return null;
    }

    public function has(string $status): bool {
        return in_array($status, array_column($this->attempts, 'status'), true);
    }

    private static function listOf(\WC_Order $order, string $key): array {
        $list = $order->get_meta($key);
        return is_array($list) ? array_values($list) : [];
    }
}
