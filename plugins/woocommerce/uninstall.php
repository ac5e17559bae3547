<?php
// WordPress runs this when the plugin is deleted: all that it made goes; what it had planned went when it was
// deactivated. Orders stay, and so does the transaction number of a paid one, by which Daftar finds it.

defined('WP_UNINSTALL_PLUGIN') || exit;

global $wpdb;
delete_option('woocommerce_daftar_settings');
$wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE 'daftar\\_wc\\_%'");
wp_cache_flush(); // of sites that keep options there

$metas = ['_daftar_attempts', '_daftar_refunds', '_daftar_paid', '_daftar_next', '_daftar_refund'];
foreach ([$wpdb->postmeta, $wpdb->prefix . 'wc_orders_meta'] as $table) {
    // The second one is there only with high-performance order storage.
    $isThere = $wpdb->get_var($wpdb->prepare('SHOW TABLES LIKE %s', $wpdb->esc_like($table))) === $table;
    foreach ($isThere ? $metas : [] as $meta) {
        $wpdb->delete($table, ['meta_key' => $meta]); // phpcs:ignore WordPress.DB.SlowDBQuery
    }
}
