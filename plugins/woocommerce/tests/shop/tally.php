<?php
// What the shop has done, for sampleTally: fulfilled are the moments at which orders became paid.

require __DIR__ . '/start.php';

$wpdb = $GLOBALS['wpdb'];
$canceled = [];
foreach ($wpdb->rows('SELECT id FROM orders') as $row) {
    $order = wc_get_order($row['id']);
    $attempts = $order->get_meta('_daftar_attempts');
    if (!$order->is_paid() && is_array($attempts) && end($attempts)['status'] === 'canceled') {
        $canceled[] = 'order-' . $row['id'];
    }
}
echo json_encode(['fulfilled' => array_map(static function (array $row): string {
    return 'order-' . $row['id'];
}, $wpdb->rows('SELECT id FROM paid')), 'canceled' => $canceled, 'waiting' => 0,
    'mails' => count($wpdb->rows('SELECT 1 FROM mails')),
    'locks' => count($wpdb->rows("SELECT 1 FROM options WHERE option_name LIKE 'daftar_wc_lock_%'"))]);
