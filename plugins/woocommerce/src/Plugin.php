<?php

namespace Daftar\WooCommerce;

use Automattic\WooCommerce\Utilities\FeaturesUtil;

/** What this plugin adds to WordPress and WooCommerce. */
final class Plugin {
    public static function declare(): void {
        if (class_exists(FeaturesUtil::class)) {
            FeaturesUtil::declare_compatibility('custom_order_tables', DAFTAR_WC_FILE);
            FeaturesUtil::declare_compatibility('cart_checkout_blocks', DAFTAR_WC_FILE);
        }
    }

    public static function start(): void {
        if (!class_exists('WC_Payment_Gateway')) {
            return; // without WooCommerce there is nothing to do
        }
        add_action('init', static fn () => load_plugin_textdomain('daftar-for-woocommerce', false,
            dirname(plugin_basename(DAFTAR_WC_FILE)) . '/languages'));
        add_filter('woocommerce_payment_gateways', static fn ($all) => array_merge($all, [Gateway::class]));
        add_action('woocommerce_blocks_payment_method_type_registration',
            static fn ($registry) => $registry->register(new Blocks()));
        add_action('woocommerce_api_daftar_webhook', [Webhook::class, 'serve']);
        add_action('woocommerce_api_daftar_return', [ReturnPage::class, 'serve']);
        add_action('woocommerce_thankyou_' . Gateway::ID, [ReturnPage::class, 'thanks']);
        add_action(Schedule::LOOK, [Schedule::class, 'look']);
        add_action(Schedule::SWEEP, [Schedule::class, 'sweep']);
        add_action('woocommerce_order_status_changed', [Schedule::class, 'changed'], 10, 4);
        add_filter('woocommerce_cancel_unpaid_order', [Schedule::class, 'mayCancel'], 10, 2);
        add_filter('pre_update_option_' . Settings::OPTION, [Settings::class, 'keepSecrets'], 10, 2);
        add_action('admin_init', [Schedule::class, 'keep']);
        add_action('admin_notices', [Notices::class, 'admin']);
        add_action('woocommerce_admin_order_data_after_order_details', [Notices::class, 'box']);
    }

    public static function settingsUrl(): string {
        return admin_url('admin.php?page=wc-settings&tab=checkout&section=' . Gateway::ID);
    }
}
