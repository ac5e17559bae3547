<?php
// shop.php SITE [KEY=VALUE …]: a shop in dinars with products, both checkouts and the keys of the environment.

$_SERVER['HTTP_HOST'] = getenv('SHOP_ADDRESS');
$_SERVER['REQUEST_URI'] = '/';
require $argv[1] . '/wp-load.php';
wp_set_current_user(1);
parse_str(implode('&', array_slice($argv, 2)), $wanted);

/** @return int the id of a product that need not be sent */
function product(string $name, string $price, ?int $stock): int {
    $product = new WC_Product_Simple();
    $product->set_name($name);
    $product->set_regular_price($price);
    $product->set_virtual(true);
    $product->set_status('publish');
    if ($stock !== null) {
        $product->set_manage_stock(true);
        $product->set_stock_quantity($stock);
    }
    return $product->save();
}

$options = [
    'woocommerce_currency' => 'LYD', 'woocommerce_default_country' => 'LY', 'woocommerce_coming_soon' => 'no',
    'woocommerce_price_num_decimals' => $wanted['decimals'] ?? '3', 'woocommerce_manage_stock' => 'yes',
    'woocommerce_ship_to_countries' => 'disabled', 'woocommerce_enable_guest_checkout' => 'yes',
    'woocommerce_onboarding_profile' => ['skipped' => true], 'woocommerce_allow_tracking' => 'no',
    'woocommerce_cod_settings' => ['enabled' => 'yes', 'title' => 'Cash', 'enable_for_virtual' => 'yes'],
    'show_avatars' => '0', // they are asked for outside
    'permalink_structure' => $wanted['permalinks'] ?? '', 'WPLANG' => ($wanted['lang'] ?? 'en') === 'ar' ? 'ar' : '',
    'woocommerce_daftar_settings' => ['enabled' => 'yes', 'mode' => 'test', 'title_ar' => 'الدفع الإلكتروني',
        'title_en' => 'Pay online', 'description_ar' => 'ادفع ببطاقتك أو بمحفظتك.', 'description_en' => 'By card or wallet.',
        'test_url' => getenv('DAFTAR_API_URL'), 'test_key' => getenv('DAFTAR_API_KEY'),
        'test_token' => getenv('DAFTAR_ACCESS_TOKEN'), 'test_secret' => getenv('DAFTAR_WEBHOOK_SECRET')],
];
foreach ($options as $name => $value) {
    update_option($name, $value);
}
if (!class_exists('WC_Install')) {
    exit; // doubles have no products and no pages
}
if (!get_option('daftar_test_shop')) {
    WC_Install::create_pages();
    $classic = wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Checkout',
        'post_content' => '[woocommerce_checkout]']);
    $blocks = wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'Checkout',
        'post_content' => '<!-- wp:woocommerce/checkout --><div class="wp-block-woocommerce-checkout alignwide '
            . 'wc-block-checkout is-loading"></div><!-- /wp:woocommerce/checkout -->']); // the usual blocks in it
    update_option('daftar_test_shop', ['coffee' => product('قهوة عربية', '12.345', null),
        'last' => product('آخر قطعة', '20', 1), 'dates' => product('تمر', '7.5', 500), 'classic' => $classic,
        'blocks' => $blocks]);
}
$shop = get_option('daftar_test_shop');
update_option('woocommerce_checkout_page_id', $shop[$wanted['checkout'] ?? 'blocks']);
if (isset($wanted['hpos'])) { // WooCommerce refuses it while there are orders of the other kind
    update_option('woocommerce_feature_custom_order_tables_enabled', 'yes');
    update_option('woocommerce_custom_orders_table_enabled', $wanted['hpos']);
}
flush_rewrite_rules();
echo json_encode($shop), "\n";
