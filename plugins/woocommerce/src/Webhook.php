<?php

namespace Daftar\WooCommerce;

/** Takes webhooks. They say that something happened; what, Daftar is asked. */
final class Webhook {
    private const WINDOW = 300; // seconds between the sender's clock and ours
    private const LARGEST = 131072; // what is longer is cut off, and its signature is wrong

    /** No nonce: Daftar is no user of this site. The signature is what proves that it comes from there. */
    public static function serve(): void {
        nocache_headers();
        $headers = [];
        foreach (['id', 'timestamp', 'signature'] as $name) {
            // Not sanitized: it is compared with what is signed, and kept nowhere.
            $headers[$name] = wp_unslash($_SERVER['HTTP_WEBHOOK_' . strtoupper($name)] ?? ''); // phpcs:ignore
        }
        $body = (string) file_get_contents('php://input', false, null, 0, self::LARGEST);
        header('Allow: POST');
        status_header(self::handle($_SERVER['REQUEST_METHOD'] ?? '', $headers, $body)); // phpcs:ignore
        exit;
    }

    /** The status to answer: 503 where it is to come again. */
    public static function handle(string $method, array $headers, string $body): int {
        if ($method !== 'POST') {
            return 405;
        }
        $mode = self::verify($headers, $body);
        if ($mode === null) {
            return 401;
        }
        update_option(Settings::WEBHOOK_AT . $mode, time(), false);
        $event = json_decode($body, true);
        $isNews = ($event['type'] ?? '') !== 'payment_intent.created';
        $id = $isNews ? self::order($event['data']['merchant_reference'] ?? '') : 0;
        return $id === 0 || Payments::settle($id, 8, 6) ? 204 : 503; // Daftar waits for 15 seconds
    }

    /** The mode whose secret signed it (Standard Webhooks v1), or null. */
    private static function verify(array $headers, string $body): ?string {
        $timestamp = $headers['timestamp'];
        if (!preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(time() - (int) $timestamp) > self::WINDOW) {
            return null;
        }
        $signed = $headers['id'] . '.' . $timestamp . '.' . $body;
        foreach (['test', 'live'] as $mode) {
            foreach (Settings::secrets($mode) as $secret) {
                $key = (string) base64_decode(preg_replace('/^whsec_/', '', $secret), true);
                $good = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
                foreach (explode(' ', $headers['signature']) as $signature) {
                    // A signature with an empty key anybody can make.
                    if ($key !== '' && hash_equals($good, $signature)) {
                        return $mode;
                    }
                }
            }
        }
        return null;
    }

    /** The order that has an attempt with this reference; 0 for what is of another shop, or a test. */
    private static function order(string $reference): int {
        $isOne = preg_match('/^order-([1-9][0-9]{0,17})(?:#[0-9]+)?$/D', $reference, $parts) === 1;
        $order = $isOne ? wc_get_order((int) $parts[1]) : null;
        $attempts = $order instanceof \WC_Order ? (new Record($order))->attempts : [];
        return in_array($reference, array_column($attempts, 'reference'), true) ? $order->get_id() : 0;
    }
}
