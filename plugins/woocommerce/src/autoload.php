<?php
// What every class of this plugin needs: how it is loaded, how it speaks, and how it fails.

namespace Daftar\WooCommerce;

defined('ABSPATH') || exit;

spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . substr(strtr($class, '\\', '/'), strlen(__NAMESPACE__)) . '.php';
    if (strpos($class, __NAMESPACE__ . '\\') === 0 && is_file($file)) {
        require $file;
    }
});

/** A text of this plugin in the language of the page, with values for its places. @param mixed ...$values */
function say(string $text, ...$values): string {
    $text = __($text, 'daftar-for-woocommerce'); // phpcs:ignore WordPress.WP.I18n
    return $values === [] ? $text : vsprintf($text, $values);
}

/** Why something cannot be done now. The message is for the person who asked for it. */
class Refusal extends \RuntimeException {
}

/** Another process works on the order: what was asked for is to be asked again. */
final class Busy extends Refusal {
    public function __construct() {
        parent::__construct(say('The order is being worked on. Please try again in a moment.'));
    }
}

/** A request to Daftar that was refused, or was not answered. The code is the status of HTTP, or 0. */
final class ApiError extends \Exception {
    /** Whether nobody knows what became of the request: the same one is sent again later. */
    public function isTransient(): bool {
        return in_array($this->code, [0, 408, 429], true) || $this->code >= 500;
    }
}
