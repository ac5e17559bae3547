<?php
// What Action Scheduler does: with RECONCILE_SECONDS=1 all that is planned is due at once.

require __DIR__ . '/start.php';

while (true) {
    $orders = getenv('RECONCILE_SECONDS') === '1' ? $GLOBALS['wpdb']->rows('SELECT id FROM orders') : [];
    foreach ($orders as $order) {
        if (wc_get_order($order['id'])->get_meta('_daftar_next') !== '') {
            Daftar\WooCommerce\Schedule::look($order['id']);
        }
    }
    sleep(1);
}
