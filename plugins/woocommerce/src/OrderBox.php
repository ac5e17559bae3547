<?php

namespace Daftar\WooCommerce;

/** What Daftar knows of an order, on its page in the admin. */
final class OrderBox {
    public static function show(\WC_Order $order): void {
        $record = Record::of($order);
        if ($record->attempts === []) {
            return;
        }
        echo '<div class="form-field form-field-wide"><h3>Daftar</h3><ul>';
        foreach (array_merge($record->attempts, $record->refunds) as $one) {
            printf('<li><bdi>%s</bdi>: <bdi>%s</bdi>, %s%s</li>', esc_html($one['reference']),
                esc_html(Money::text($one['amount'])), esc_html(self::word($one)),
                $one['mode'] === 'test' ? ' ' . esc_html(say('(test)')) : '');
        }
        echo '</ul></div>';
    }

    private static function word(array $one): string {
        $isRefund = isset($one['intent']);
        $words = ['new' => say('being made'), 'foreign' => say('of another shop'),
            'requires_payment_method' => say('not paid yet'), 'processing' => say('being paid'),
            'succeeded' => $isRefund ? say('given back') : say('paid'), 'canceled' => say('ended unpaid'),
            'sending' => say('refund under way'), 'pending' => say('refund under way'),
            'unknown' => say('refund not certain: see "To decide" in the Daftar dashboard'),
            'failed' => say('nothing given back'), 'refused' => say('nothing given back')];
        return $words[$one['status']] ?? $one['status'];
    }
}
