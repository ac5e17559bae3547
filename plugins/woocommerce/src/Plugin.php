<?php

namespace Daftar\WooCommerce;

/** What this plugin adds to WordPress and WooCommerce. */
final class Plugin {
    public static function register(): void {
        add_action('before_woocommerce_init', [self::class, 'declare']);
        add_action('plugins_loaded', [self::class, 'start']);
        register_deactivation_hook(DAFTAR_WC_FILE, [Schedule::class, 'stop']);
    }

    public static function declare(): void {
        $features = \Automattic\WooCommerce\Utilities\FeaturesUtil::class;
        if (class_exists($features)) {
            $features::declare_compatibility('custom_order_tables', DAFTAR_WC_FILE, true);
            $features::declare_compatibility('cart_checkout_blocks', DAFTAR_WC_FILE, true);
        }
    }

    public static function start(): void {
        if (!class_exists('WC_Payment_Gateway')) {
            return; // without WooCommerce there is nothing to do
        }
        add_action('init', static function (): void {
            $folder = dirname(plugin_basename(DAFTAR_WC_FILE)) . '/languages';
            load_plugin_textdomain('daftar-for-woocommerce', false, $folder);
        });
        add_filter('woocommerce_payment_gateways', static function (array $all): array {
            return array_merge($all, [Gateway::class]);
        });
        add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry): void {
            $registry->register(new Blocks());
        });
        add_action('woocommerce_api_daftar_webhook', [Webhook::class, 'serve']);
        add_action('woocommerce_api_daftar_return', [ReturnPage::class, 'serve']);
        add_action('woocommerce_thankyou_' . Gateway::ID, [ReturnPage::class, 'thanks']);
        add_filter('woocommerce_thankyou_order_received_text', [ReturnPage::class, 'received'], 10, 2);
        add_action(Schedule::LOOK, [Schedule::class, 'look']);
        add_action(Schedule::SWEEP, [Schedule::class, 'sweep']);
        add_action('woocommerce_order_status_changed', [Schedule::class, 'changed'], 10, 4);
        add_filter('woocommerce_cancel_unpaid_order', [Schedule::class, 'mayCancel'], 10, 2);
        add_action('admin_init', [Schedule::class, 'keep']);
        add_action('admin_notices', [Notices::class, 'admin']);
        add_filter('woocommerce_rest_prepare_payment_gateway', [Gateway::class, 'withoutSecrets'], 10, 2);
        add_action('wp_ajax_daftar_check', [Connection::class, 'serve']);
        add_action('woocommerce_admin_order_data_after_order_details', [OrderBox::class, 'show']);
        $links = 'plugin_action_links_' . plugin_basename(DAFTAR_WC_FILE);
        add_filter($links, static function (array $links): array {
            $link = sprintf('<a href="%s">%s</a>', esc_url(self::settingsUrl()), esc_html(say('Settings')));
            return array_merge([$link], $links);
        });
    }

    public static function settingsUrl(): string {
        return admin_url('admin.php?page=wc-settings&tab=checkout&section=' . Gateway::ID);
    }
}
