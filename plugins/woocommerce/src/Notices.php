<?php

namespace Daftar\WooCommerce;

/** What the shop's people are told: notes at the order, mails, the log, lines and a box in the admin. */
final class Notices {
    public static function note(\WC_Order $order, string $text): void {
        $order->add_order_note(say('Daftar') . ': ' . $text);
    }

    /** What a person has to decide: a note and a mail to those who hear of new orders. */
    public static function alarm(\WC_Order $order, string $text): void {
        self::note($order, $text);
        $to = get_option('woocommerce_new_order_settings', [])['recipient'] ?? '';
        $subject = say('Order %s needs a decision', $order->get_order_number());
        $body = sprintf('<p>%s</p><p><a href="%s">%s</a></p>', esc_html($text),
            esc_url($order->get_edit_order_url()), esc_html(say('Open the order')));
        $mailer = WC()->mailer();
        $mailer->send($to ?: get_option('admin_email'), $subject, $mailer->wrap_message($subject, $body));
    }

    /** Never with credentials or what is known of customers. */
    public static function log(string $text): void {
        wc_get_logger()->warning($text, ['source' => 'daftar']);
    }

    /** In the admin: why the method is not offered, and that payments are tests. */
    public static function admin(): void {
        $isTaken = get_woocommerce_currency() === Money::CURRENCY;
        $isSilent = Settings::get('enabled') !== 'yes' || ($isTaken && Settings::mode() === 'live');
        if ($isSilent || !current_user_can('manage_woocommerce')) {
            return;
        }
        $text = $isTaken ? say('Daftar is in test mode: orders are paid with play money.')
            : say('Daftar takes Libyan dinars (LYD) alone. The shop has another currency, so customers are '
                . 'not offered this payment method.');
        printf('<div class="notice notice-warning"><p>%s <a href="%s">%s</a></p></div>', esc_html($text),
            esc_url(Plugin::settingsUrl()), esc_html(say('Settings')));
    }

    /** What Daftar knows of an order, on its page in the admin. */
    public static function box(\WC_Order $order): void {
        $record = new Record($order);
        $words = ['new' => say('being made'), 'requires_payment_method' => say('not paid yet'),
            'processing' => say('being paid'), 'paid' => say('paid'), 'canceled' => say('ended unpaid'),
            'foreign' => say('of another shop'), 'sending' => say('refund under way'),
            'pending' => say('refund under way'), 'succeeded' => say('given back'),
            'unknown' => say('refund not certain: see "Needs a decision" in the Daftar dashboard'),
            'failed' => say('nothing given back')];
        foreach (array_merge($record->attempts, $record->refunds) as $one) {
            $isPaid = $one['status'] === 'succeeded' && !isset($one['intent']);
            $word = $words[$isPaid ? 'paid' : $one['status']] ?? $one['status'];
            printf('<p class="form-field form-field-wide">%s <bdi>%s</bdi>: <bdi>%s</bdi> – %s%s</p>',
                esc_html(say('Daftar')), esc_html($one['reference']), esc_html(Money::text($one['amount'])),
                esc_html($word), $one['mode'] === 'test' ? ' ' . esc_html(say('(test)')) : '');
        }
    }
}
