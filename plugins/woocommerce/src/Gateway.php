<?php

namespace Daftar\WooCommerce;

/** The payment method: its settings, whether it is offered, and its buttons. */
final class Gateway extends \WC_Payment_Gateway {
    public const ID = 'daftar';

    public function __construct() {
        $this->id = self::ID;
        $this->method_title = say('Daftar');
        $this->method_description = say('Customers pay in dinars on the page of Daftar, and come back.');
        $this->supports = ['products', 'refunds'];
        $this->form_fields = SettingsForm::fields();
        $this->init_settings();
        $this->title = Settings::text('title');
        $this->description = Settings::text('description');
        add_action('woocommerce_update_options_payment_gateways_daftar', [$this, 'process_admin_options']);
    }

    /** WooCommerce shows these, also in its REST API, and stores them again (Settings::keepSecrets). */
    public function init_settings() {
        parent::init_settings();
        $this->settings = Settings::withoutSecrets($this->settings);
    }

    /** The refund button is there unless the token is known not to be allowed to refund. */
    public function supports($feature) {
        $mode = Settings::mode();
        $refused = $feature === 'refunds' ? get_option(Settings::NO_REFUNDS . $mode) : false;
        return parent::supports($feature) && $refused !== wp_hash(Settings::get($mode . '_token'));
    }

    /** Whether this shop can offer it at all. */
    public function isOffered(): bool {
        return $this->enabled === 'yes' && get_woocommerce_currency() === Money::CURRENCY
            && Settings::isComplete(Settings::mode());
    }

    public function needs_setup() { // where it does, the list of WooCommerce does not turn it on
        return !Settings::isComplete(Settings::mode());
    }

    public function is_available() {
        $total = WC()->cart ? Money::parse($this->get_order_total()) : 0; // 0: nothing was added up yet
        return $this->isOffered() && ($total === 0 || Money::isPayable($total));
    }

    public function process_payment($id) {
        try {
            return ['result' => 'success', 'redirect' => Payments::begin((int) $id)];
        } catch (Refusal $refusal) {
            wc_add_notice($refusal->getMessage(), 'error');
        } catch (ApiError $error) {
            Notices::log("order $id: {$error->getMessage()} ({$error->getCode()})");
            wc_add_notice(say('The payment service cannot be reached now. Try again in a minute.'), 'error');
        }
        return ['result' => 'failure'];
    }

    public function can_refund_order($order) {
        return parent::can_refund_order($order) && (new Record($order))->paid() !== null;
    }

    /** WooCommerce shows what is thrown, and deletes its refund. */
    public function process_refund($id, $amount = null, $reason = '') {
        return Refunds::request((int) $id, Money::parse($amount), (string) $reason);
    }

    public function admin_options() {
        parent::admin_options();
        SettingsForm::below();
    }
}
