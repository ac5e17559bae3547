<?php

namespace Daftar\WooCommerce;

/** Takes webhooks. They say that something happened; what, Daftar is asked. */
final class Webhook {
    private const WINDOW = 300; // seconds between the sender's clock and ours
    private const LARGEST = 131072;
    private const TYPES = ['payment_intent.succeeded', 'payment_intent.canceled',
        'payment_intent.duplicate_payment', 'payment_intent.refunded', 'payment_intent.refund_failed'];

    public static function serve(): void {
        nocache_headers();
        $method = isset($_SERVER['REQUEST_METHOD']) ? sanitize_key($_SERVER['REQUEST_METHOD']) : '';
        $headers = [];
        foreach (['id', 'timestamp', 'signature'] as $name) {
            $value = $_SERVER['HTTP_WEBHOOK_' . strtoupper($name)] ?? '';
            // Not sanitized: it is compared with what is signed, and kept nowhere.
            $headers[$name] = is_string($value) ? wp_unslash($value) : ''; // phpcs:ignore WordPress.Security
        }
        $body = (string) file_get_contents('php://input', false, null, 0, self::LARGEST + 1);
        $status = self::handle(strtoupper($method), $headers, $body);
        status_header($status);
        if ($status === 405) {
            header('Allow: POST');
        }
        exit;
    }

    /** The status to answer: 503 where it is to come again. */
    public static function handle(string $method, array $headers, string $body): int {
        if ($method !== 'POST') {
            return 405;
        }
        if (strlen($body) > self::LARGEST) {
            return 413;
        }
        $mode = self::verify($headers, $body, time());
        if ($mode === null) {
            return 401;
        }
        $event = json_decode($body, true);
        $type = is_array($event) ? ($event['type'] ?? '') : '';
        $data = is_array($event) && is_array($event['data'] ?? null) ? $event['data'] : [];
        Settings::remember('webhook_' . $mode, time());
        if (!in_array($type, self::TYPES, true)) {
            return 204; // a test, or nothing to learn from
        }
        $order = self::order((string) ($data['merchant_reference'] ?? ''), (string) ($data['uuid'] ?? ''));
        if ($order === null) {
            return 204; // of another shop of the same application
        }
        try {
            Payments::settle($order, 8, 6); // Daftar waits for 15 seconds
        } catch (Busy | ApiError $e) {
            Notices::log("order $order: a webhook is to come again: {$e->getMessage()}");
            return 503;
        }
        return 204;
    }

    /** The mode whose secret signed it (Standard Webhooks v1), or null. */
    private static function verify(array $headers, string $body, int $now): ?string {
        $timestamp = $headers['timestamp'];
        if (!preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs($now - (int) $timestamp) > self::WINDOW) {
            return null;
        }
        foreach (Settings::secrets() as [$mode, $secret]) {
            $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
            if ($key === false || $key === '') {
                continue; // a signature with an empty key anybody can make
            }
            $mac = hash_hmac('sha256', $headers['id'] . '.' . $timestamp . '.' . $body, $key, true);
            foreach (explode(' ', $headers['signature']) as $signature) {
                if (hash_equals('v1,' . base64_encode($mac), $signature)) {
                    return $mode;
                }
            }
        }
        return null;
    }

    /** The order that has this attempt. */
    private static function order(string $reference, string $uuid): ?int {
        if (!preg_match('/^order-([1-9][0-9]{0,17})(?:#[0-9]+)?$/D', $reference, $parts)) {
            return null;
        }
        $order = wc_get_order((int) $parts[1]);
        if (!$order instanceof \WC_Order) {
            return null;
        }
        foreach (Record::of($order)->attempts as $attempt) {
            if ($attempt['reference'] === $reference && in_array($attempt['uuid'], [null, $uuid], true)) {
                return $order->get_id();
            }
        }
        return null;
    }
}
