<?php
// Loads the classes of this plugin from this folder, and has the function by which all of them speak.

namespace Daftar\WooCommerce;

defined('ABSPATH') || exit;

require __DIR__ . '/errors.php';

spl_autoload_register(static function ($class) {
    if (strncmp($class, __NAMESPACE__ . '\\', strlen(__NAMESPACE__) + 1) === 0) {
        $file = __DIR__ . '/' . substr($class, strlen(__NAMESPACE__) + 1) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});

/** A text of this plugin in the language of the page, with values for its places. @param mixed ...$values */
function say(string $text, ...$values): string {
    $text = __($text, 'daftar-for-woocommerce'); // phpcs:ignore WordPress.WP.I18n
    return $values === [] ? $text : vsprintf($text, $values);
}
