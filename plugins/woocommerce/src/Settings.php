<?php

namespace Daftar\WooCommerce;

/** What the shop has set, as it is stored. SettingsForm has the fields. */
final class Settings {
    public const OPTION = 'woocommerce_daftar_settings';
    /** What was learned, by mode: the token that may not refund, and when a webhook came last. */
    public const NO_REFUNDS = 'daftar_wc_no_refunds_';
    public const WEBHOOK_AT = 'daftar_wc_webhook_at_';
    private const SECRET = '/_(key|token|secret)$/D';

    /** @return string an empty one where it was never set */
    public static function get(string $name): string {
        $value = get_option(self::OPTION, [])[$name] ?? '';
        return is_string($value) ? $value : '';
    }

    public static function mode(): string {
        return self::get('mode') === 'live' ? 'live' : 'test';
    }

    /** Whether Daftar can be asked, and never with credentials in the clear. */
    public static function isComplete(string $mode): bool {
        return preg_match('~^(https://|http://(localhost|127\.0\.0\.1)[:/])~', self::get($mode . '_url'))
            && self::get($mode . '_key') !== '' && self::get($mode . '_token') !== '';
    }

    /** The secrets of webhooks: two while a new one is introduced. */
    public static function secrets(string $mode): array {
        return preg_split('/\s+/', self::get($mode . '_secret'), -1, PREG_SPLIT_NO_EMPTY);
    }

    /** Settings without what must not be shown again. */
    public static function withoutSecrets(array $settings): array {
        return array_fill_keys(preg_grep(self::SECRET, array_keys($settings)), '') + $settings;
    }

    /** Before settings are stored: an empty secret changes nothing. @param mixed $new @param mixed $old */
    public static function keepSecrets($new, $old) {
        foreach (is_array($new) && is_array($old) ? preg_grep(self::SECRET, array_keys($old)) : [] as $name) {
            $new[$name] = ($new[$name] ?? '') === '' ? $old[$name] : $new[$name];
        }
        return $new;
    }

    /** Where Daftar sends webhooks: works without rewriting, and whatever host a proxy asks for. */
    public static function webhookUrl(): string {
        return add_query_arg('wc-api', 'daftar_webhook', home_url('/'));
    }

    /** Whether the page that is being made is in Arabic. */
    public static function isArabic(): bool {
        return strpos(determine_locale(), 'ar') === 0;
    }

    /** The title or description in the language of the page; the other one where there is none. */
    public static function text(string $what): string {
        $texts = [self::get($what . '_ar'), self::get($what . '_en')];
        [$first, $other] = self::isArabic() ? $texts : array_reverse($texts);
        return $first !== '' ? $first : $other;
    }
}
