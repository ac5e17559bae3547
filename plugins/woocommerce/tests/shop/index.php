<?php
// The pages of the shop, as the sample shops have them, and the plugin's addresses.

require __DIR__ . '/start.php';

use Daftar\WooCommerce\Gateway;
use Daftar\WooCommerce\ReturnPage;
use Daftar\WooCommerce\Webhook;

function form(WC_Order $order): string {
    return '<form><input type="hidden" name="reference" value="order-' . $order->get_id()
        . '"><input type="hidden" name="product" value="coffee"></form>';
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/webhooks') {
    Webhook::serve();
} elseif ($path === '/orders') {
    $order = wc_get_order((int) substr($_POST['reference'], strlen('order-')));
    $to = (new Gateway())->process_payment($order->get_id());
    if ($to['result'] === 'success') {
        header('Location: ' . $to['redirect'], true, 303);
    } else {
        http_response_code(503);
        echo form($order);
    }
} elseif (strncmp($path, '/orders/', 8) === 0) {
    $order = wc_get_order((int) substr($path, strlen('/orders/order-')));
    ReturnPage::target($order->get_id(), $order->get_order_key());
    $order = wc_get_order($order->get_id());
    printf('<p data-state="%s"><bdi>%s</bdi> LYD</p>', $order->is_paid() ? 'fulfilled' : 'open',
        $order->get_total('edit'));
} else {
    echo form(WC_Order::make('5.000', ['cart' => '']));
}
