<?php
// WordPress runs this when the plugin is deleted: everything that it made goes. Orders stay, and so does the
// transaction number of a paid one, by which Daftar finds the payment.

defined('WP_UNINSTALL_PLUGIN') || exit;

global $wpdb;
delete_option('woocommerce_daftar_settings');
delete_option('daftar_wc_state');
$wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE 'daftar\\_lock\\_%'");

$metas = ['_daftar_attempts', '_daftar_refunds', '_daftar_paid', '_daftar_next', '_daftar_refund', '_daftar_seen'];
$tables = [$wpdb->postmeta, $wpdb->prefix . 'wc_orders_meta'];
foreach ($tables as $table) {
    // The second one is there only with high-performance order storage.
    if ($wpdb->get_var($wpdb->prepare('SHOW TABLES LIKE %s', $wpdb->esc_like($table))) !== $table) {
        continue;
    }
    foreach ($metas as $meta) {
        $wpdb->delete($table, ['meta_key' => $meta]); // phpcs:ignore WordPress.DB.SlowDBQuery
    }
}
if (function_exists('as_unschedule_all_actions')) {
    as_unschedule_all_actions('', [], 'daftar');
}
