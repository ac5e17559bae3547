<?php
// The doubles of WooCommerce as a must-use plugin of a real WordPress, for where the real one is not there:
// options, database, hooks, nonces, escaping, texts and the HTTP client are those of WordPress. The pages are
// as plain as a checkout can be.

require __DIR__ . '/../doubles/store.php';
$GLOBALS['store'] = new Store(getenv('SHOP_DATABASE'));
require __DIR__ . '/../doubles/woocommerce.php';

add_action('init', static fn () => do_action('before_woocommerce_init'), 0);
add_filter('user_has_cap', static fn (array $caps): array =>
    $caps + ['manage_woocommerce' => !empty($caps['manage_options'])]);
add_action('parse_request', 'double_page', 0);
add_action('admin_menu', static function (): void {
    add_menu_page('WooCommerce', 'WooCommerce', 'manage_woocommerce', 'wc-settings',
        static fn () => double_gateway()->admin_options());
});

function double_gateway(): WC_Payment_Gateway {
    static $one;
    $classes = $one ? [] : apply_filters('woocommerce_payment_gateways', []);
    return $one = $one ?? new $classes[0]();
}

/** ?wc-api= as WooCommerce's WC_API has it, and the pages of its short codes. */
function double_page(): void {
    $api = sanitize_key($_GET['wc-api'] ?? '');
    if ($api !== '') {
        nocache_headers();
        status_header(has_action("woocommerce_api_$api") ? 200 : 400);
        do_action("woocommerce_api_$api");
        die('-1');
    }
    $path = explode('/', parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
    if ($path[1] === 'checkout') {
        double_checkout();
    } elseif ($path[1] === 'order-received') {
        double_received((int) $path[2]);
    }
}

function double_checkout(): void {
    $gateway = double_gateway();
    if ($_SERVER['REQUEST_METHOD'] === 'POST') {
        check_admin_referer('woocommerce-process_checkout');
        $done = $gateway->process_payment(WC_Order::make('12.345')->get_id());
        if ($done['result'] === 'success') {
            wp_redirect($done['redirect'], 303);
            exit;
        }
        double_html('failure', implode(' ', array_map('esc_html', $GLOBALS['notices'])));
    }
    double_html('checkout', $gateway->is_available() ? sprintf('<form method="post">%s<p>%s</p><p>%s</p>'
        . '<button id="place_order">✓</button></form>', wp_nonce_field('woocommerce-process_checkout', '_wpnonce',
        true, false), esc_html($gateway->title), esc_html($gateway->description)) : '');
}

function double_received(int $id): void {
    $order = wc_get_order($id);
    if (!$order || !hash_equals($order->get_order_key(), $_GET['key'] ?? '')) {
        return;
    }
    ob_start();
    do_action('woocommerce_thankyou_' . $order->get_payment_method(), $id);
    double_html('order-received', ob_get_clean());
}

/** @return never */
function double_html(string $state, string $content): void {
    printf('<!doctype html><html %s><title>%s</title><link rel="icon" href="data:,"><main data-state="%s">%s'
        . '</main></html>', get_language_attributes(), esc_html(get_bloginfo('name')), $state, $content);
    exit;
}
