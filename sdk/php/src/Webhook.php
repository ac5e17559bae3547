<?php

declare(strict_types=1);

namespace Daftar;

use Daftar\Exception\SignatureException;

/** Verifies the signatures of webhooks (Standard Webhooks v1). */
final class Webhook
{
    /**
     * Returns the event of a webhook whose signature is good.
     *
     * @param string $body the bytes of the request, file_get_contents('php://input'): what was parsed and
     *   written again has other bytes
     * @param array<string, string|list<string>> $headers getallheaders(), or those of a PSR-7 request
     * @param string|list<string> $secret the webhook secret (whsec_…); several while a new one is being introduced
     * @param int $tolerance how far the webhook's time may be from now, in seconds
     * @param int|null $now in seconds since 1970; null: this machine's clock
     * @throws SignatureException where no signature is good: answer 401
     * @throws \InvalidArgumentException for an empty secret
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $secret,
        int $tolerance = 300,
        ?int $now = null,
    ): WebhookEvent {
        $id = self::header($headers, 'webhook-id');
        $timestamp = self::header($headers, 'webhook-timestamp');
        if (!ctype_digit($timestamp) || abs(($now ?? time()) - (float) $timestamp) > $tolerance) {
            throw new SignatureException('The webhook has no timestamp, or one that is too far from now.');
        }
        $given = explode(' ', self::header($headers, 'webhook-signature'));
        foreach ((array) $secret as $one) {
            $expected = 'v1,' . self::sign($one, "$id.$timestamp.$body");
            foreach ($given as $signature) {
                if (hash_equals($expected, $signature)) {
                    return self::read($id, $body);
                }
            }
        }
        throw new SignatureException('None of the signatures of the webhook is right.');
    }

    private static function sign(#[\SensitiveParameter] string $secret, string $text): string
    {
        $key = base64_decode(str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret);
        if ($key === '') {
            // Anybody could sign with an empty key.
            throw new \InvalidArgumentException('The webhook secret is empty.');
        }
        return base64_encode(hash_hmac('sha256', $text, $key, true));
    }

    /** @param array<string, string|list<string>> $headers */
    private static function header(array $headers, string $name): string
    {
        foreach ($headers as $key => $value) {
            if (strcasecmp((string) $key, $name) === 0) {
                return is_array($value) ? ($value[0] ?? '') : $value;
            }
        }
        return '';
    }

    private static function read(string $id, string $body): WebhookEvent
    {
        $event = json_decode($body, true);
        if (!is_string($event['type'] ?? null) || !is_array($event['data'] ?? null)) {
            throw new SignatureException('The webhook is signed, but its body is no event.');
        }
        return new WebhookEvent($id, $event['type'], (string) ($event['timestamp'] ?? ''), $event['data']);
    }
}
