<?php

namespace Daftar\WooCommerce;

/** The payment method: its settings, whether it is offered, and its buttons. */
final class Gateway extends \WC_Payment_Gateway {
    public const ID = 'daftar';

    public function __construct() {
        $this->id = self::ID;
        $this->method_title = say('Daftar');
        $this->method_description = say('Customers pay in Libyan dinars on the page of Daftar, and come '
            . 'back.');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->form_fields = SettingsForm::fields();
        $this->init_settings();
        $this->title = Settings::text('title');
        $this->description = Settings::text('description');
        $saved = 'woocommerce_update_options_payment_gateways_' . self::ID;
        add_action($saved, [$this, 'process_admin_options']);
    }

    /** The refund button is there unless the token is known not to be allowed to refund. */
    public function supports($feature) {
        $isRefused = $feature === 'refunds' && Settings::state('refunds_' . Settings::mode()) === 'no';
        return !$isRefused && parent::supports($feature);
    }

    /** Whether this shop can offer it at all. */
    public function isOffered(): bool {
        return $this->enabled === 'yes' && get_woocommerce_currency() === Money::CURRENCY
            && Settings::isComplete(Settings::mode());
    }

    public function is_available() {
        if (!$this->isOffered()) {
            return false;
        }
        $order = is_wc_endpoint_url('order-pay') ? wc_get_order(absint(get_query_var('order-pay'))) : null;
        if ($order instanceof \WC_Order) {
            $total = Record::of($order)->total();
        } else {
            $total = WC()->cart ? Money::of(WC()->cart->get_total('edit')) : Money::LEAST;
        }
        // 0: the cart is empty, or was not added up yet.
        return $total === 0 || ($total !== null && $total >= Money::LEAST && $total <= Money::MOST);
    }

    public function process_payment($id) {
        try {
            return ['result' => 'success', 'redirect' => Payments::begin((int) $id)];
        } catch (CheckoutError $error) {
            wc_add_notice($error->getMessage(), 'error');
        } catch (ApiError $error) {
            Notices::log("order $id: {$error->getMessage()} ($error->status)");
            wc_add_notice(Payments::away(), 'error');
        } catch (Busy $busy) {
            wc_add_notice(say('Your order is being worked on. Please try again in a moment.'), 'error');
        }
        return ['result' => 'failure'];
    }

    public function can_refund_order($order) {
        return parent::can_refund_order($order) && Record::of($order)->paid() !== null;
    }

    public function process_refund($id, $amount = null, $reason = '') {
        return Refunds::request((int) $id, $amount, (string) $reason);
    }

    /** What was refused is said at the top of the page. */
    public function process_admin_options() {
        $done = parent::process_admin_options();
        foreach ($this->get_errors() as $error) {
            \WC_Admin_Settings::add_error($error);
        }
        return $done;
    }

    public function admin_options() {
        parent::admin_options();
        SettingsForm::below();
    }

    /** A secret is never sent to the browser again: the field is empty, and an empty one changes nothing. */
    public function generate_daftar_secret_html($key, $data) {
        $name = esc_attr($this->get_field_key($key));
        $hint = $this->get_option($key) === '' ? '' : say('saved; type to replace it');
        return '<tr valign="top"><th scope="row" class="titledesc"><label for="' . $name . '">'
            . esc_html($data['title']) . '</label></th><td class="forminp"><input type="password" dir="ltr" '
            . 'class="input-text regular-input" autocomplete="new-password" name="' . $name . '" id="' . $name
            . '" value="" placeholder="' . esc_attr($hint) . '"><p class="description">'
            . esc_html($data['description']) . '</p></td></tr>';
    }

    /** Nor does the REST API of WooCommerce have it. @param mixed $answer @param mixed $gateway */
    public static function withoutSecrets($answer, $gateway) {
        $data = $answer->get_data();
        foreach ($gateway instanceof self ? array_keys($data['settings'] ?? []) : [] as $key) {
            if (preg_match('/_(key|token|secret)$/D', $key)) {
                $data['settings'][$key]['value'] = '';
            }
        }
        $answer->set_data($data);
        return $answer;
    }

    public function validate_daftar_secret_field($key, $value) {
        $value = trim(preg_replace('/\s+/', ' ', (string) wp_unslash($value)));
        if ($value === '') {
            return $this->get_option($key);
        }
        if (!preg_match('/^[\x21-\x7e ]+$/D', $value)) {
            throw new \Exception(esc_html(say('A key has characters that it cannot have: copy it again.')));
        }
        Settings::remember('refunds_' . substr($key, 0, 4), null); // another token may be allowed to refund
        return $value;
    }

    public function validate_daftar_url_field($key, $value) {
        $value = trim((string) wp_unslash($value));
        $host = (string) wp_parse_url($value, PHP_URL_HOST);
        $isLocal = in_array($host, ['localhost', '127.0.0.1'], true);
        if ($value !== '' && !preg_match($isLocal ? '~^https?://~' : '~^https://~', $value)) {
            throw new \Exception(esc_html(say('The address of the API begins with https://.')));
        }
        return esc_url_raw(Settings::address($value));
    }

    public function generate_daftar_url_html($key, $data) {
        return $this->generate_text_html($key, ['type' => 'url', 'class' => 'code'] + $data);
    }
}
