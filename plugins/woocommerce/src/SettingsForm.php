<?php

namespace Daftar\WooCommerce;

/** The fields of the settings, and what stands below them: the webhook address and the check. */
final class SettingsForm {
    private const CHECK = 'daftar_check';

    public static function fields(): array {
        return [
            'enabled' => ['type' => 'checkbox', 'title' => say('Offer it'), 'default' => 'no',
                'label' => say('Customers can pay through Daftar')],
            'mode' => ['type' => 'select', 'title' => say('Mode'), 'default' => 'test',
                'options' => ['test' => say('Test: play money'), 'live' => say('Live: real money')]],
            'title_ar' => self::text('text', say('Title in Arabic'), 'الدفع الإلكتروني'),
            'description_ar' => self::text('textarea', say('Description in Arabic'),
                'ادفع ببطاقتك أو بمحفظتك في صفحة دفع آمنة، ثم تعود إلى المتجر.'),
            'title_en' => self::text('text', say('Title in English'), 'Pay online'),
            'description_en' => self::text('textarea', say('Description in English'),
                'Pay by card or wallet on a secure page, then come back to the shop.'),
        ] + self::application('test', say('Test application'), say('Its payments move no money.'))
            + self::application('live', say('Live application'), say('Separate from the test application.'));
    }

    /** In the direction of its own language, whatever that of the admin is. */
    private static function text(string $type, string $title, string $default): array {
        return ['type' => $type, 'title' => $title, 'default' => $default,
            'custom_attributes' => ['dir' => 'auto']];
    }

    private static function application(string $mode, string $title, string $text): array {
        return [
            $mode => ['type' => 'title', 'title' => $title, 'description' => $text],
            $mode . '_url' => ['type' => 'url', 'title' => say('Address of the API'),
                'placeholder' => 'https://pay.example.ly/api/v1', 'custom_attributes' => ['dir' => 'ltr']],
            $mode . '_key' => self::secret($mode . '_key', say('API key'),
                say('pk_…, from the page of the application in the dashboard')),
            $mode . '_token' => self::secret($mode . '_token', say('Access token'),
                say('at_…; for the refund button it needs the scope "refunds"')),
            $mode . '_secret' => self::secret($mode . '_secret', say('Webhook secret'),
                say('whsec_…; two with a space between them while a new one is introduced')),
        ];
    }

    private static function secret(string $name, string $title, string $text): array {
        return ['type' => 'password', 'title' => $title, 'description' => $text,
            'placeholder' => Settings::get($name) === '' ? '' : say('saved; type to replace it'),
            'custom_attributes' => ['dir' => 'ltr', 'autocomplete' => 'new-password']];
    }

    public static function below(): void {
        $at = (int) get_option(Settings::WEBHOOK_AT . Settings::mode());
        $format = get_option('date_format') . ' ' . get_option('time_format');
        $last = $at > 0 ? say('The last webhook arrived on %s.', wp_date($format, $at))
            : say('No webhook has arrived yet. Send a test one from the dashboard.');
        printf('<h3>%s</h3><p>%s</p><input type="text" readonly dir="ltr" class="large-text code" value="%s">'
            . '<button type="button" class="button" onclick="this.previousElementSibling.select();'
            . 'document.execCommand(\'copy\')">%s</button><p>%s</p>', esc_html(say('Webhook')),
            esc_html(say('Copy this address to the page of the application in the Daftar dashboard, under '
                . '"Webhook URL". The same one serves test and live.')),
            esc_attr(Settings::webhookUrl()), esc_html(say('Copy')), esc_html($last));
        $check = wp_nonce_url(Plugin::settingsUrl(), self::CHECK, self::CHECK) . '#' . self::CHECK;
        printf('<p id="%s"><a class="button" href="%s">%s</a> %s</p>', esc_attr(self::CHECK), esc_url($check),
            esc_html(say('Check the connection')), esc_html(say('Save first: it checks what is saved.')));
        $isAsked = current_user_can('manage_woocommerce')
            && wp_verify_nonce(sanitize_key($_GET[self::CHECK] ?? ''), self::CHECK);
        foreach ($isAsked ? Connection::check(Settings::mode()) : [] as [$isGood, $text]) {
            printf('<p>%s %s</p>', $isGood ? '✓' : '✗', esc_html($text));
        }
    }
}
