<?php
// activate.php SITE: WooCommerce and this plugin.

$_SERVER['HTTP_HOST'] = getenv('SHOP_ADDRESS');
$_SERVER['REQUEST_URI'] = '/wp-admin/';
define('WP_ADMIN', true);
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user(1);
foreach (['woocommerce/woocommerce.php', 'daftar-for-woocommerce/daftar-for-woocommerce.php'] as $plugin) {
    $done = activate_plugin($plugin);
    echo $plugin, ' ', is_wp_error($done) ? $done->get_error_message() : 'ok', "\n";
}
