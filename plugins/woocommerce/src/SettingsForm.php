<?php

namespace Daftar\WooCommerce;

/** The fields of the settings, and what stands below them: the webhook address and the check. */
final class SettingsForm {
    public static function fields(): array {
        $fields = ['enabled' => ['type' => 'checkbox', 'default' => 'no', 'title' => say('Offer it'),
            'label' => say('Customers can pay through Daftar')], 'mode' => ['type' => 'select',
            'default' => 'test', 'title' => say('Mode'), 'options' => ['test' => say('Test: play money'),
            'live' => say('Live: real money')]], 'title_ar' => ['type' => 'text',
            'default' => 'الدفع الإلكتروني', 'title' => say('Title in Arabic')],
            'description_ar' => ['type' => 'textarea', 'title' => say('Description in Arabic'),
            'default' => 'ادفع ببطاقتك أو بمحفظتك في صفحة دفع آمنة، ثم تعود إلى المتجر.'],
            'title_en' => ['type' => 'text', 'default' => 'Pay online', 'title' => say('Title in English')],
            'description_en' => ['type' => 'textarea', 'title' => say('Description in English'),
            'default' => 'Pay by card or wallet on a secure page, then come back to the shop.']];
        $modes = ['test' => [say('Test application'), say('Its payments move no money.')],
            'live' => [say('Live application'), say('Another application than that for tests.')]];
        foreach ($modes as $mode => [$title, $text]) {
            $fields += [
                $mode => ['type' => 'title', 'title' => $title, 'description' => $text],
                $mode . '_url' => ['type' => 'daftar_url', 'default' => '', 'title' => say('Address of the API'),
                    'placeholder' => 'https://pay.example.ly/api/v1'],
                $mode . '_key' => ['type' => 'daftar_secret', 'default' => '', 'title' => say('API key'),
                    'description' => say('pk_…, from the page of the application in the dashboard')],
                $mode . '_token' => ['type' => 'daftar_secret', 'default' => '', 'title' => say('Access token'),
                    'description' => say('at_…; for the refund button it needs the scope "refunds"')],
                $mode . '_secret' => ['type' => 'daftar_secret', 'default' => '',
                    'title' => say('Webhook secret'),
                    'description' => say('whsec_…; two with a space between them while a new one is introduced')],
            ];
        }
        return $fields;
    }

    public static function below(): void {
        echo '<h3>' . esc_html(say('Webhook')) . '</h3><p>'
            . esc_html(say('Copy this address to the page of the application in the Daftar dashboard, under "Webhook URL". The same one serves test and live.'))
            . '</p><p><input type="text" readonly dir="ltr" class="large-text code" style="max-width:36em" id="daftar-webhook" value="' . esc_attr(Settings::webhookUrl()) . '"> <button type="button" class="button" id="daftar-copy">' . esc_html(say('Copy')) . '</button></p><p>'
            . esc_html(self::lastWebhook()) . '</p><p><button type="button" class="button" id="daftar-check">'
            . esc_html(say('Check the connection')) . '</button> '
            . esc_html(say('Save first: it checks what is saved.'))
            . '</p><ul id="daftar-found" role="status"></ul>';
        wp_enqueue_script('daftar-admin', plugins_url('assets/admin.js', DAFTAR_WC_FILE), [], DAFTAR_WC_VERSION,
            true);
        wp_localize_script('daftar-admin', 'daftarAdmin', ['url' => admin_url('admin-ajax.php'),
            'nonce' => wp_create_nonce('daftar_check'), 'copied' => say('Copied'),
            'wait' => say('Checking …'), 'failed' => say('The check did not run. Load this page again.')]);
    }

    private static function lastWebhook(): string {
        $at = Settings::state('webhook_' . Settings::mode());
        if (!is_int($at)) {
            return say('No webhook has arrived yet. Send a test one from the dashboard.');
        }
                return say('The last webhook arrived on %s.',
            wp_date(get_option('date_format') . ' ' . get_option('time_format'), $at));
    }
}
