<?php
// remove.php SITE: deactivates and deletes the plugin as WordPress does, and prints what is left of it.

$_SERVER['HTTP_HOST'] = getenv('SHOP_ADDRESS');
$_SERVER['REQUEST_URI'] = '/wp-admin/';
define('WP_ADMIN', true);
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user(1);
delete_option('daftar_test_shop'); // of shop.php
$plugin = 'daftar-for-woocommerce/daftar-for-woocommerce.php';
deactivate_plugins($plugin);
$done = delete_plugins([$plugin]);
$left = is_wp_error($done) ? [$done->get_error_message()] : array_filter([is_dir(dirname(WP_PLUGIN_DIR . "/$plugin"))
    ? 'its folder' : '']);
global $wpdb;
$rows = $wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%daftar%'
    OR (option_value LIKE '%daftar%' AND option_name NOT LIKE '%transient_update_plugins')");
$metas = $wpdb->get_col("SELECT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE '%daftar%'");
$actions = isset($GLOBALS['store']) ? array_column($GLOBALS['store']->rows('SELECT hook FROM actions'), 'hook')
    : $wpdb->get_col("SELECT hook FROM {$wpdb->prefix}actionscheduler_actions
        WHERE hook LIKE 'daftar%' AND status = 'pending'");
echo json_encode(array_merge($left, $rows, $metas, $actions)), "\n";
