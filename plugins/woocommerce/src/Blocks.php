<?php

namespace Daftar\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method in the Checkout block. */
final class Blocks extends AbstractPaymentMethodType {
    /** @var string */
    protected $name = Gateway::ID;

    public function initialize() {} // nothing to read: Gateway has it

    public function is_active() {
        return self::gateway()->isOffered();
    }

    public function get_payment_method_script_handles() {
        wp_register_script('daftar-blocks', plugins_url('assets/blocks.js', DAFTAR_WC_FILE),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'], DAFTAR_WC_VERSION, true);
        return ['daftar-blocks'];
    }

    public function get_payment_method_data() {
        $gateway = self::gateway();
        return ['title' => $gateway->title, 'description' => $gateway->description,
            'supports' => array_values(array_filter($gateway->supports, [$gateway, 'supports'])),
            'least' => Money::LEAST, 'most' => Money::MOST];
    }

    /** Of Plugin; WooCommerce has made it with all others. */
    private static function gateway(): Gateway {
        return WC()->payment_gateways()->payment_gateways()[Gateway::ID];
    }
}
