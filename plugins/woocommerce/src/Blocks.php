<?php

namespace Daftar\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method in the Checkout block. */
final class Blocks extends AbstractPaymentMethodType {
    /** @var string */
    protected $name = Gateway::ID;

    public function initialize() {
        $this->settings = get_option(Settings::OPTION, []);
    }

    public function is_active() {
        $gateway = self::gateway();
        return $gateway !== null && $gateway->isOffered();
    }

    public function get_payment_method_script_handles() {
        wp_register_script('daftar-blocks', plugins_url('assets/blocks.js', DAFTAR_WC_FILE),
            ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'], DAFTAR_WC_VERSION, true);
        return ['daftar-blocks'];
    }

    public function get_payment_method_data() {
        $gateway = self::gateway();
        return ['title' => Settings::text('title'), 'description' => Settings::text('description'),
            'supports' => $gateway === null ? ['products'] : array_values(array_filter($gateway->supports,
            [$gateway, 'supports'])), 'least' => Money::LEAST, 'most' => Money::MOST];
    }

    private static function gateway(): ?Gateway {
        $gateways = WC()->payment_gateways()->payment_gateways();
        $gateway = $gateways[Gateway::ID] ?? null;
        return $gateway instanceof Gateway ? $gateway : null;
    }
}
