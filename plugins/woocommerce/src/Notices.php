<?php

namespace Daftar\WooCommerce;

/** What the shop's people are told: notes at the order, mails, the log, lines in the admin. */
final class Notices {
    public static function note(\WC_Order $order, string $text): void {
        $order->add_order_note($text);
    }

    /** What a person has to decide: a note and a mail to those who hear of new orders. */
    public static function alarm(\WC_Order $order, string $text): void {
        self::note($order, 'Daftar: ' . $text);
        $settings = get_option('woocommerce_new_order_settings', []);
        $to = $settings['recipient'] ?? '';
        $to = $to !== '' ? $to : get_option('admin_email');
        $subject = say('Order %s needs a decision', $order->get_order_number());
        $mailer = WC()->mailer();
        $body = '<p>' . esc_html($text) . '</p><p><a href="' . esc_url($order->get_edit_order_url()) . '">'
            . esc_html(say('Open the order')) . '</a></p>';
        $mailer->send($to, $subject, $mailer->wrap_message($subject, $body));
    }

    /** Never with credentials or what is known of customers. */
    public static function log(string $text): void {
        wc_get_logger()->warning($text, ['source' => 'daftar']);
    }

    /** In the admin: why the method is not offered, and that payments are tests. */
    public static function admin(): void {
        if (!current_user_can('manage_woocommerce') || Settings::get('enabled') !== 'yes') {
            return;
        }
        if (get_woocommerce_currency() !== Money::CURRENCY) {
            self::line('error', say('Daftar takes Libyan dinars (LYD) alone. The shop has another '
                . 'currency, so customers are not offered this way to pay.'));
        } elseif (!Settings::isComplete(Settings::mode())) {
            self::line('error', say('Daftar has no credentials yet, so customers are not offered this way '
                . 'to pay.'));
        } elseif (Settings::mode() === 'test') {
            self::line('warning', say('Daftar is in test mode: orders are paid with play money. Go live '
                . 'before you deliver.'));
        }
    }

    private static function line(string $kind, string $text): void {
        printf('<div class="notice notice-%s"><p>%s <a href="%s">%s</a></p></div>', esc_attr($kind),
            esc_html($text), esc_url(Plugin::settingsUrl()), esc_html(say('Settings')));
    }
}
