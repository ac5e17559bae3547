<?php
// A shop of doubles with the plugin in it, for the tests in Go (tools/acceptance): its processes share the
// SQLite file SHOP_DATABASE, and talk to the real Daftar that DAFTAR_API_URL names.

require __DIR__ . '/../doubles/wordpress.php';
require __DIR__ . '/../doubles/woocommerce.php';
define('DAFTAR_WC_VERSION', 'test');
define('DAFTAR_WC_FILE', dirname(__DIR__, 2) . '/daftar-for-woocommerce.php');
require dirname(__DIR__, 2) . '/src/autoload.php';

if (get_option('admin_email') === false) {
    update_option('woocommerce_daftar_settings', ['enabled' => 'yes', 'mode' => 'test',
        'test_url' => getenv('DAFTAR_API_URL'), 'test_key' => getenv('DAFTAR_API_KEY'),
        'test_token' => getenv('DAFTAR_ACCESS_TOKEN'), 'test_secret' => getenv('DAFTAR_WEBHOOK_SECRET')]);
    update_option('admin_email', 'owner@shop.example');
}
