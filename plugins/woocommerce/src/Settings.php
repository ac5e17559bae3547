<?php

namespace Daftar\WooCommerce;

/** What the shop has set, as it is stored. SettingsForm has the fields. */
final class Settings {
    public const OPTION = 'woocommerce_daftar_settings';
    /** What the plugin has learned: whether refunds are allowed, when a webhook came. */
    private const STATE = 'daftar_wc_state';
    public const MODES = ['test', 'live'];

    /** @return string an empty one where it was never set */
    public static function get(string $name): string {
        $all = get_option(self::OPTION, []);
        return is_array($all) && isset($all[$name]) && is_string($all[$name]) ? $all[$name] : '';
    }

    public static function mode(): string {
        return self::get('mode') === 'live' ? 'live' : 'test';
    }

    public static function isComplete(string $mode): bool {
        return self::get($mode . '_url') !== '' && self::get($mode . '_key') !== ''
            && self::get($mode . '_token') !== '';
    }

    /** @param float $seconds for how long it may ask @param callable|null $before of Api */
    public static function api(string $mode, float $seconds = 15, ?callable $before = null): Api {
        $url = self::address(self::get($mode . '_url'));
        return new Api($url, self::get($mode . '_key'), self::get($mode . '_token'), $seconds, $before);
    }

    /** The address of the API; who gives that of the service alone means its API. */
    public static function address(string $url): string {
        $url = rtrim(trim($url), '/');
        return $url === '' || preg_match('~/api/v[0-9]+$~', $url) ? $url : $url . '/api/v1';
    }

    /** The secrets of webhooks, the old one too while a new one is introduced, with their modes. */
    public static function secrets(): array {
        $secrets = [];
        foreach (self::MODES as $mode) {
            foreach (preg_split('/\s+/', self::get($mode . '_secret'), -1, PREG_SPLIT_NO_EMPTY) as $secret) {
                $secrets[] = [$mode, $secret];
            }
        }
        return $secrets;
    }

    /** Where Daftar sends webhooks: works without rewriting, and whatever host a proxy asks for. */
    public static function webhookUrl(): string {
        return add_query_arg('wc-api', 'daftar_webhook', home_url('/'));
    }

    /** Whether the page that is being made is in Arabic. */
    public static function isArabic(): bool {
        return strncmp(determine_locale(), 'ar', 2) === 0;
    }

    /** The title or description in the language of the page; the other one where there is none. */
    public static function text(string $what): string {
        $first = $what . (self::isArabic() ? '_ar' : '_en');
        $other = $what . (self::isArabic() ? '_en' : '_ar');
        return self::get($first) !== '' ? self::get($first) : self::get($other);
    }

    /** @return mixed */
    public static function state(string $name) {
        $state = get_option(self::STATE, []);
        return is_array($state) && isset($state[$name]) ? $state[$name] : null;
    }

    /** @param mixed $value */
    public static function remember(string $name, $value): void {
        $state = get_option(self::STATE, []);
        $state = is_array($state) ? $state : [];
        $state[$name] = $value;
        update_option(self::STATE, $state, false);
    }
}
