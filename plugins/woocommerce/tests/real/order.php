<?php
// order.php SITE ORDER [AMOUNT]: refunds an amount by the way of WooCommerce's button, and prints the order.

$_SERVER['HTTP_HOST'] = getenv('SHOP_ADDRESS');
$_SERVER['REQUEST_URI'] = '/';
require $argv[1] . '/wp-load.php';
wp_set_current_user(1);
$id = (int) $argv[2];
$refund = isset($argv[3]) ? wc_create_refund(['order_id' => $id, 'amount' => $argv[3], 'reason' => 'test',
    'refund_payment' => true]) : null;
$order = wc_get_order($id);
echo json_encode(['status' => $order->get_status(), 'total' => $order->get_total('edit'),
    'transaction' => $order->get_transaction_id(),
    'refused' => is_wp_error($refund) ? $refund->get_error_message() : '',
    'refunds' => array_map(static fn ($one) => [$one->get_amount('edit'), $one->get_refunded_payment()],
        $order->get_refunds())]), "\n";
