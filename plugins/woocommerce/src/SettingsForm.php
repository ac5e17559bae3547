<?php

namespace Daftar\WooCommerce;

/** The fields of the settings, and what stands below them: the webhook address and the check. */
final class SettingsForm {
    public static function fields(): array {
        $auto = ['dir' => 'auto']; // the fields of one language are shown in the admin of the other
        $text = 'ادفع ببطاقتك أو بمحفظتك في صفحة دفع آمنة، ثم تعود إلى المتجر.';
        $fields = ['enabled' => self::field('checkbox', say('Offer it'), 'no',
            say('Customers can pay through ' . 'Daftar')),
            'mode' => ['options' => ['test' => say('Test: play money'),
            'live' => say('Live: real money')]] + self::field('select', say('Mode'), 'test'),
            'title_ar' => self::field('text', say('Title in Arabic'), 'الدفع الإلكتروني'),
            'description_ar' => self::field('textarea', say('Description in Arabic'), $text),
            'title_en' => self::field('text', say('Title in English'), 'Pay online'),
            'description_en' => self::field('textarea', say('Description in English'),
            'Pay by card or wallet on a secure page, then come back to the shop.')];
        foreach (['title_ar', 'description_ar', 'title_en', 'description_en'] as $name) {
            $fields[$name]['custom_attributes'] = $auto;
        }
        $modes = ['test' => [say('Test application'), say('Its payments move no money.')],
            'live' => [say('Live application'), say('Another application than that for tests.')]];
        foreach ($modes as $mode => [$title, $text]) {
            $fields[$mode] = ['type' => 'title', 'title' => $title, 'description' => $text];
            $fields[$mode . '_url'] = self::field('daftar_url', say('Address of the API'))
                + ['placeholder' => 'https://pay.example.ly/api/v1', 'custom_attributes' => ['dir' => 'ltr']];
            $fields[$mode . '_key'] = self::field('daftar_secret', say('API key'), '',
                say('pk_…, from the page of the application in the dashboard'));
            $fields[$mode . '_token'] = self::field('daftar_secret', say('Access token'), '',
                say('at_…; for the refund button it needs the scope "refunds"'));
            $fields[$mode . '_secret'] = self::field('daftar_secret', say('Webhook secret'), '',
                say('whsec_…; two with a space between them while a new one is introduced'));
        }
        return $fields;
    }

    private static function field(string $type, string $title, string $default = '', string $text = '') {
        $where = $type === 'checkbox' ? 'label' : 'description';
        return ['type' => $type, 'title' => $title, 'default' => $default, $where => $text];
    }

    public static function below(): void {
        echo '<h3>' . esc_html(say('Webhook')) . '</h3><p>'
            . esc_html(say('Copy this address to the page of the application in the Daftar dashboard, '
            . 'under "Webhook URL". The same one serves test and live.'))
            . '</p><p><input type="text" readonly dir="ltr" class="large-text code" style="max-width:36em" '
            . 'id="daftar-webhook" value="' . esc_attr(Settings::webhookUrl()) . '"> <button type="button" '
            . 'class="button" id="daftar-copy">' . esc_html(say('Copy')) . '</button></p><p>'
            . esc_html(self::lastWebhook()) . '</p><p><button type="button" class="button" id="daftar-check">'
            . esc_html(say('Check the connection')) . '</button> '
            . esc_html(say('Save first: it checks what is saved.'))
            . '</p><ul id="daftar-found" role="status"></ul>';
        $script = plugins_url('assets/admin.js', DAFTAR_WC_FILE);
        wp_enqueue_script('daftar-admin', $script, [], DAFTAR_WC_VERSION, true);
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
