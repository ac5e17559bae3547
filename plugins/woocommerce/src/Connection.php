<?php

namespace Daftar\WooCommerce;

/** "Check the connection": what keeps payments from working, in words that lead to the remedy. */
final class Connection {
    /** @return array<int, array{0: bool, 1: string}> whether it is good, and what was found */
    public static function check(string $mode): array {
        $found = [];
        if (get_woocommerce_currency() !== Money::CURRENCY) {
            $found[] = [false, say('The currency of the shop is not LYD: the method is not offered.')];
        }
        if (!Settings::isComplete($mode)) {
            return [...$found, [false, say('Missing for this mode: https:// address, API key or token.')]];
        }
        try {
            $api = new Api($mode, microtime(true) + 15);
            $api->get('?limit=1');
            $found[] = self::may($api, 'expire')
                ? [true, say('Daftar answers, and takes the API key and the access token.')]
                : [false, say('The access token lacks the scope "payments": nobody can pay.')];
            $found[] = self::refunds($mode, $api);
        } catch (ApiError $error) {
            $found[] = [false, self::explain($error)];
        }
        return array_merge($found, self::webhooks($mode));
    }

    private static function explain(ApiError $error): string {
        $text = $error->getMessage();
        switch ($error->getCode()) {
            case 401:
                return strpos($text, 'API key') !== false
                    ? say('Daftar does not know this API key, or its application is inactive.')
                    : say('Daftar refuses the access token: unknown, revoked, expired, of another '
                        . 'organisation, or bound to other networks than that of this server.');
            case 301: // as WordPress answers
            case 404:
                return say('There is no Daftar API at this address. It ends in /api/v1.');
            case 0:
                return say('Nothing that is Daftar answers at this address: %s', $text);
        }
        return say('Daftar answered %1$d: %2$s Try again later.', $error->getCode(), $text);
    }

    private static function refunds(string $mode, Api $api): array {
        $may = self::may($api, 'refunds', ['refund_reference' => 'check', 'amount' => 1]);
        update_option(Settings::NO_REFUNDS . $mode, $may ? '' : wp_hash(Settings::get($mode . '_token')));
        return [$may, $may ? say('Refunds are allowed.')
            : say('The access token lacks the scope "refunds": there is no refund button.')];
    }

    /** Whether the token has the scope for this: it is looked at before the intent, which is none. */
    private static function may(Api $api, string $what, array $fields = []): bool {
        try {
            return $api->post("/00000000-0000-4000-8000-000000000000/$what", $fields) !== [];
        } catch (ApiError $error) {
            if (!in_array($error->getCode(), [403, 404], true)) {
                throw $error;
            }
            return $error->getCode() === 404;
        }
    }

    private static function webhooks(string $mode): array {
        $found = [];
        $secrets = Settings::secrets($mode);
        if ($secrets === []) {
            $found[] = [false, say('The webhook secret is missing: orders are paid minutes late.')];
        } elseif (count(preg_grep('~^whsec_[A-Za-z0-9+/]{16,}=*$~D', $secrets)) < count($secrets)) {
            $found[] = [false, say('The webhook secret is not one: it begins with whsec_.')];
        }
        // A name with a dot in it, and no IP address: those with a certificate are hardly ever public.
        if (!preg_match('~^https://[^/:]+\.[^/:.0-9][^/:.]*(:(443|8443))?/~', Settings::webhookUrl())) {
            $found[] = [false, say('Daftar sends webhooks to public https addresses on port 443 or 8443 '
                . 'alone; the address of this site is not one.')];
        }
        return $found;
    }
}
