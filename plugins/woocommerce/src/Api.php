<?php

namespace Daftar\WooCommerce;

/** The intents of one application at Daftar. Each request may be made again after any error. */
final class Api {
    /** In which fields the last creation differed from what its reference belongs to. */
    public array $differs = [];

    private string $mode; // the credentials stay in the settings: an object may be dumped, or logged
    private float $end;

    /** @param float $end when no further request begins: a page waits, and so does a lock */
    public function __construct(string $mode, float $end) {
        $this->mode = $mode;
        $this->end = $end;
    }

    public function get(string $path): array {
        return $this->ask('GET', $path);
    }

    public function post(string $path, array $fields = []): array {
        return $this->ask('POST', $path, wp_json_encode((object) $fields));
    }

    /** Once more after a broken connection or a busy service, while there is time. */
    private function ask(string $method, string $path, ?string $body = null): array {
        try {
            return $this->send($method, $path, $body);
        } catch (ApiError $error) {
            if (!$error->isTransient() || microtime(true) + 1 > $this->end) {
                throw $error;
            }
        }
        usleep(300000);
        return $this->send($method, $path, $body);
    }

    private function send(string $method, string $path, ?string $body): array {
        $this->differs = [];
        $left = $this->end - microtime(true);
        if ($left <= 0) {
            throw new ApiError('There was no time left to ask.');
        }
        $url = rtrim(Settings::get($this->mode . '_url'), '/') . '/payment-intents' . $path;
        $answer = wp_remote_request($url, [
            'method' => $method,
            'headers' => ['Content-Type' => 'application/json', 'Accept' => 'application/json',
                'Authorization' => 'Bearer ' . Settings::get($this->mode . '_token'),
                'X-API-Key' => Settings::get($this->mode . '_key'),
                'User-Agent' => 'daftar-woocommerce/' . DAFTAR_WC_VERSION],
            'body' => $body,
            'timeout' => max(1, min(8, $left)),
            'redirection' => 0, // the credentials are for this address alone
        ]);
        if (is_wp_error($answer)) {
            throw new ApiError($answer->get_error_message());
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        $body = json_decode(wp_remote_retrieve_body($answer), true);
        if ($status < 200 || $status > 299) {
            $message = $body['error'] ?? $body['message'] ?? null;
            throw new ApiError(is_string($message) ? $message : "The service answered $status.", $status);
        }
        if (!is_array($body['data'] ?? null)) {
            // The page of a proxy, of a captive portal or of another service.
            throw new ApiError('The answer is not that of the Daftar API.');
        }
        $differs = (string) wp_remote_retrieve_header($answer, 'idempotent-replayed-differs');
        $this->differs = $differs === '' ? [] : explode(', ', $differs);
        return $body['data'];
    }
}
