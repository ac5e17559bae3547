<?php

namespace Daftar\WooCommerce;

/**
 * What the money of one succeeded intent does to its order. It is repeated where PHP was killed in it: the
 * mark Record::PAID is on disk before the order changes, so that the second time finds its own work.
 */
final class Application {
    public static function apply(Record $record, array $attempt): void {
        $order = $record->order;
        $amount = Money::text($attempt['amount']);
        if ($attempt['mode'] === 'test' && Settings::mode() === 'live') {
            Notices::note($order, say('a test payment came after the shop went live. No money moved.'));
            return;
        }
        $mark = $order->get_meta(Record::PAID);
        $transaction = $order->get_transaction_id();
        $isPaid = self::isPaid($order);
        $isOurs = $mark === $attempt['uuid'] && in_array($transaction, ['', $mark], true);
        if ($isOurs && ($isPaid || ($transaction !== '' && $order->has_status('on-hold')))) {
            $order->set_transaction_id($mark);
            $order->save();
            return; // killed after it was done
        }
        if ($isPaid || ($mark !== '' && !$isOurs)) {
            Notices::alarm($order, say('This order was paid already, and now %1$s came for it, too (%2$s). '
                . 'Give it back in the Daftar dashboard.', $amount, $attempt['reference']));
            return;
        }
        $order->update_meta_data(Record::PAID, $attempt['uuid']);
        $order->save_meta_data();
        if ($attempt['amount'] !== $record->total()) {
            $now = $order->get_total('edit') . ' ' . $order->get_currency();
            self::hold($order, $attempt, say('%1$s was paid, and the order is now %2$s: it was changed '
                . 'meanwhile. Decide whether to deliver.', $amount, $now));
        } elseif (!$order->has_status(['cancelled', 'failed'])) {
            self::pay($order, $attempt);
        } elseif (self::isStocked($order)) {
            Notices::note($order, say('the money came after the order had ended. It is paid now.'));
            self::pay($order, $attempt);
        } else {
            self::hold($order, $attempt, say('%s was paid late, and the goods are gone. Deliver later, or '
                . 'give the money back.', $amount));
        }
    }

    private static function isPaid(\WC_Order $order): bool {
        return $order->is_paid() || $order->get_date_paid('edit') !== null || $order->has_status('refunded');
    }

    private static function pay(\WC_Order $order, array $attempt): void {
        if ($order->get_payment_method() !== Gateway::ID) {
            // The customer chose another way in between, and paid by this one.
            $order->set_payment_method(Gateway::ID);
            $order->set_payment_method_title(Settings::text('title'));
        }
        $order->payment_complete($attempt['uuid']);
        if (!self::isPaid($order)) {
            Notices::alarm($order, say('%1$s was paid, and the order could not be marked as paid. Its status '
                . 'is %2$s.', Money::text($attempt['amount']), $order->get_status()));
        }
    }

    /** The money is there, and a person has to decide. Stock stays as it is until then. */
    private static function hold(\WC_Order $order, array $attempt, string $why): void {
        Notices::alarm($order, $why); // first: killed after it, the shop hears twice rather than never
        $order->set_transaction_id($attempt['uuid']);
        add_filter('woocommerce_can_reduce_order_stock', '__return_false', 99);
        $order->update_status('on-hold');
        remove_filter('woocommerce_can_reduce_order_stock', '__return_false', 99);
    }

    /** Whether the goods of an order that had ended are still there, or were never given to others. */
    private static function isStocked(\WC_Order $order): bool {
        if ($order->get_data_store()->get_stock_reduced($order->get_id())) {
            return true;
        }
        $needed = [];
        foreach ($order->get_items() as $item) {
            $product = $item->get_product();
            if (!$product instanceof \WC_Product || !$product->is_in_stock()) {
                return false;
            }
            $id = $product->get_stock_managed_by_id(); // variations may share their stock
            $needed[$id] = ($needed[$id] ?? 0) + $item->get_quantity();
            $held = wc_get_held_stock_quantity($product, $order->get_id());
            if (!$product->has_enough_stock($needed[$id] + $held)) {
                return false;
            }
        }
        return true;
    }
}
