<?php

namespace Daftar\WooCommerce;

/** Where the checkout sends customers back to: it leads to the order's page, whatever happened. */
final class ReturnPage {
    /** Works without rewriting, and on the shop's own address, whatever host a proxy asks for. */
    public static function url(\WC_Order $order): string {
        return add_query_arg(['wc-api' => 'daftar_return', 'order' => $order->get_id(),
            'key' => rawurlencode($order->get_order_key())], home_url('/'));
    }

    public static function serve(): void {
        defined('DONOTCACHEPAGE') || define('DONOTCACHEPAGE', true); // for plugins that keep pages
        nocache_headers();
        // No nonce: customers come from another site. The order's key opens the order's page and no more.
        // phpcs:disable WordPress.Security.NonceVerification
        $key = is_string($_GET['key'] ?? null) ? wc_clean(wp_unslash($_GET['key'])) : '';
        wp_safe_redirect(self::target(absint($_GET['order'] ?? 0), $key), 303);
        exit;
    }

    /** The page that the customer is sent to. Coming back proves nothing: Daftar is asked. */
    public static function target(int $id, string $key): string {
        $order = $id > 0 ? wc_get_order($id) : false;
        if (!$order instanceof \WC_Order || $key === '' || !hash_equals($order->get_order_key(), $key)) {
            return wc_get_page_permalink('shop');
        }
        Payments::settle($id, 2, 6); // where it fails the schedule looks again
        return $order->get_checkout_order_received_url();
    }

    /** On the order's page, where it is not paid: what happens now, and the way to pay. @param mixed $id */
    public static function thanks($id): void {
        if (WC()->session) {
            WC()->session->set('daftar_order', 0); // seen: the same goods may be bought again
        }
        $order = wc_get_order((int) $id);
        if (!$order instanceof \WC_Order || $order->is_paid()) {
            return;
        }
        if ((new Record($order))->has('processing')) {
            printf('<div class="woocommerce-info">%s</div>', esc_html(say('Your payment is being confirmed. '
                . 'You need not pay again: we let you know by mail.')));
        } elseif ($order->needs_payment()) {
            printf('<div class="woocommerce-info">%s <a class="button" href="%s">%s</a></div>',
                esc_html(say('This order is not paid yet.')), esc_url($order->get_checkout_payment_url()),
                esc_html(say('Pay now')));
        }
    }
}
