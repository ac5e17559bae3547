<?php

namespace Daftar\WooCommerce;

/** "Check the connection": everything that keeps payments from working, in words that lead to the remedy. */
final class Connection {
    public static function serve(): void {
        check_ajax_referer('daftar_check');
        if (!current_user_can('manage_woocommerce')) {
            wp_send_json_error(null, 403);
        }
        wp_send_json_success(self::check(Settings::mode()));
    }

    /** @return array<int, array{0: bool, 1: string}> whether it is good, and what was found */
    public static function check(string $mode): array {
        $found = [];
        if (get_woocommerce_currency() !== Money::CURRENCY) {
            $found[] = [false, say('The currency of the shop is not LYD: the method is not offered.')];
        }
        if (!Settings::isComplete($mode)) {
            $found[] = [false, say('Address, API key or access token are missing for this mode.')];
            return $found;
        }
        try {
            Settings::api($mode)->check();
            $found[] = [true, say('Daftar answers, and takes the API key and the access token.')];
            $found[] = self::refunds($mode);
        } catch (ApiError $error) {
            $found[] = [false, self::explain($error)];
        }
        return array_merge($found, self::webhooks($mode));
    }

    private static function explain(ApiError $error): string {
        $text = $error->getMessage();
        if ($error->status === 401) {
            return $error->isKey ? say('Daftar does not know this API key, or its application is inactive.')
                : say('Daftar refuses the access token: unknown, revoked, expired, of another '
                    . 'organisation, or bound to other networks than that of this server.');
        }
        if ($error->status === 403) {
            return say('The access token may not make payments: %s', $text);
        }
        if ($error->status === 404 || $error->status === 405) {
            return say('There is no Daftar API at this address. It ends in /api/v1.');
        }
        if ($error->status > 0) {
            return say('Daftar answered %1$d: %2$s Try again later.', $error->status, $text);
        }
        if (preg_match('/ssl|tls|certificate/i', $text)) {
            return say('No secure connection to this address: %s', $text);
        }
        return say('Nothing that is Daftar answers at this address: %s', $text);
    }

    /** A refund of an intent that is none: the scope is looked at before. */
    private static function refunds(string $mode): array {
        try {
            Settings::api($mode)->refund('00000000-0000-4000-8000-000000000000',
                ['refund_reference' => 'check', 'amount' => 1]);
        } catch (ApiError $error) {
            if ($error->status === 403) {
                Settings::remember('refunds_' . $mode, 'no');
                return [false, say('The access token lacks the scope "refunds": there is no refund button.')];
            }
            if ($error->status !== 404) {
                return [false, self::explain($error)];
            }
        }
        Settings::remember('refunds_' . $mode, 'yes');
        return [true, say('Refunds are allowed.')];
    }

    private static function webhooks(string $mode): array {
        $found = [];
        $isBad = static function (string $secret): bool {
            return !preg_match('~^whsec_[A-Za-z0-9+/]{16,}=*$~D', $secret);
        };
        $secrets = preg_split('/\s+/', Settings::get($mode . '_secret'), -1, PREG_SPLIT_NO_EMPTY);
        if ($secrets === []) {
            $found[] = [false, say('The webhook secret is missing: orders are paid minutes late.')];
        } elseif (array_filter($secrets, $isBad) !== []) {
            $found[] = [false, say('The webhook secret is not one: it begins with whsec_.')];
        }
        $url = wp_parse_url(Settings::webhookUrl());
        $host = trim($url['host'] ?? '', '[]');
        $isPrivate = $host === 'localhost' || (filter_var($host, FILTER_VALIDATE_IP)
            && !filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE));
        $isPort = in_array($url['port'] ?? 443, [443, 8443], true);
        if (($url['scheme'] ?? '') !== 'https' || !$isPort || $isPrivate) {
            $found[] = [false, say('Daftar sends webhooks to public https addresses on port 443 or 8443 '
                . 'alone; the address of this site is not one.')];
        }
        return $found;
    }
}
