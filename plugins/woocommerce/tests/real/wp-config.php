<?php
// A shop for tests on this machine: everything that PHP has to say is logged, and nothing is asked outside.

[$address, $name] = explode('/', getenv('DB'));
define('DB_NAME', $name);
define('DB_USER', getenv('DB_USER'));
define('DB_PASSWORD', getenv('DB_PASSWORD'));
define('DB_HOST', $address);
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
foreach (['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'] as $key) {
    define($key . '_KEY', "for tests alone $key");
    define($key . '_SALT', "for tests alone, too $key");
}
$table_prefix = 'wp_';
define('WP_DEBUG', true);
define('WP_DEBUG_LOG', getenv('SHOP_LOG'));
define('WP_DEBUG_DISPLAY', false);
define('WP_HOME', 'http://' . getenv('SHOP_ADDRESS'));
define('WP_SITEURL', WP_HOME);
define('DISABLE_WP_CRON', true);
define('FS_METHOD', 'direct');
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost');
defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
