<?php
// activate.php SITE: WooCommerce, where it is there, and this plugin.

$_SERVER['HTTP_HOST'] = getenv('SHOP_ADDRESS');
$_SERVER['REQUEST_URI'] = '/wp-admin/';
define('WP_ADMIN', true);
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user(1);
$plugins = ['woocommerce/woocommerce.php', 'daftar-for-woocommerce/daftar-for-woocommerce.php'];
foreach (array_slice($plugins, is_file(WP_PLUGIN_DIR . '/' . $plugins[0]) ? 0 : 1) as $plugin) {
    $done = activate_plugin($plugin);
    echo $plugin, ' ', is_wp_error($done) ? $done->get_error_message() : 'ok', "\n";
    if (is_wp_error($done)) {
        exit(1);
    }
}
