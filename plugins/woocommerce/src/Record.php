<?php

namespace Daftar\WooCommerce;

/** An order with what this plugin keeps about it, which is changed under the order's lock alone. */
final class Record {
    /** The order's meta that has the uuid of the intent that paid it. */
    public const PAID = '_daftar_paid';

    public \WC_Order $order;
    /**
     * The intents that were made, or were to be made, for it: reference, uuid (null until the API has
     * answered), amount in dirhams, mode, at (seconds since 1970), status (as the API has it; "new" before it
     * was asked, "foreign" for the intent of another shop), applied (its money is dealt with), paid (the
     * payment within it), twice (the events of second payments).
     */
    public array $attempts;
    /**
     * Those of the button, and with their uuid as reference those of the dashboard: reference, uuid, intent,
     * amount, mode, at, reason, status ("sending" until the API has answered), why (it failed), wc (the one
     * in WooCommerce), before (the order's status), attempt (the payment that goes back).
     */
    public array $refunds;

    /** Without a lock: to look only. */
    public function __construct(\WC_Order $order) {
        $this->order = $order;
        $this->attempts = $order->get_meta('_daftar_attempts') ?: [];
        $this->refunds = $order->get_meta('_daftar_refunds') ?: [];
    }

    /** Past all caches, for who has the lock. */
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

    /** Writes our part alone: the order may be open in the admin at this moment. */
    public function save(): void {
        $this->order->update_meta_data('_daftar_attempts', $this->attempts);
        $this->order->update_meta_data('_daftar_refunds', $this->refunds);
        $this->order->save_meta_data();
    }

    /** What the order costs now, in dirhams, or null where that is no amount that can be paid. */
    public function total(): ?int {
        $isOurs = $this->order->get_currency() === Money::CURRENCY;
        return $isOurs ? Money::parse($this->order->get_total('edit')) : null;
    }

    /** The attempt that paid the order, or null. */
    public function paid(): ?array {
        $uuids = array_column($this->attempts, 'uuid');
        $n = array_search($this->order->get_meta(self::PAID), $uuids, true);
        return $n === false ? null : $this->attempts[$n];
    }

    public function has(string ...$statuses): bool {
        return array_intersect($statuses, array_column($this->attempts, 'status')) !== [];
    }
}
