<?php

namespace Daftar\WooCommerce;

/** The Daftar API as one application. Each method may be called again after any error. */
final class Api {
    private const UUID = '/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/Di';

    private string $base;
    private string $key;
    private string $token;
    private float $end; // when no further request begins, in seconds since 1970
    private $before; // called before each request
    private array $headers = []; // the headers of the last answer that matter

    /** @param float $seconds for how long requests may begin: a page waits, and so does a lock */
    public function __construct(string $base, string $key, string $token, float $seconds, ?callable $before) {
        $this->before = $before;
        $this->base = rtrim($base, '/');
        $this->key = $key;
        $this->token = $token;
        $this->end = microtime(true) + $seconds;
    }

    /** What is dumped or logged must not show credentials. */
    public function __debugInfo() {
        return ['base' => $this->base];
    }

    /** Creates an intent, or finds that of the same merchant_reference. */
    public function create(array $fields): array {
        return $this->ask('POST', '/payment-intents', $fields);
    }

    public function retrieve(string $uuid): array {
        return $this->ask('GET', $this->path($uuid));
    }

    /** The intent with this reference, or null: for a creation whose answer was lost. */
    public function find(string $reference): ?array {
        $list = $this->ask('GET', '/payment-intents?merchant_reference=' . rawurlencode($reference));
        return isset($list[0]) && is_array($list[0]) ? $list[0] : null;
    }

    /** Ends an open intent. 409: it is being paid, or is paid. */
    public function expire(string $uuid): array {
        return $this->ask('POST', $this->path($uuid) . '/expire');
    }

    public function events(string $uuid): array {
        return $this->ask('GET', $this->path($uuid) . '/events');
    }

    public function refund(string $uuid, array $fields): array {
        return $this->ask('POST', $this->path($uuid) . '/refunds', $fields);
    }

    public function refunds(string $uuid): array {
        return $this->ask('GET', $this->path($uuid) . '/refunds');
    }

    /** Whether the key and the token are good. */
    public function check(): void {
        $this->ask('GET', '/payment-intents?limit=1');
    }

    /** In which fields the last creation differed from what the reference belongs to. */
    public function differs(): array {
        return $this->headers['differs'] === '' ? [] : explode(', ', $this->headers['differs']);
    }

    private function path(string $uuid): string {
        if (!preg_match(self::UUID, $uuid)) {
            throw new ApiError('This is no uuid.', 404);
        }
        return '/payment-intents/' . $uuid;
    }

    /** Once more after a broken connection or a busy service, while there is time. */
    private function ask(string $method, string $path, ?array $fields = null): array {
        try {
            return $this->send($method, $path, $fields);
        } catch (ApiError $error) {
            if (!$error->isTransient() || microtime(true) + 1 > $this->end) {
                throw $error;
            }
        }
        usleep(300000);
        return $this->send($method, $path, $fields);
    }

    private function send(string $method, string $path, ?array $fields): array {
        $left = $this->end - microtime(true);
        if ($left <= 0) {
            throw new ApiError('There was no time left to ask.', 0);
        }
        if ($this->before !== null) {
            ($this->before)();
        }
        $headers = ['Accept' => 'application/json', 'Authorization' => 'Bearer ' . $this->token,
            'X-API-Key' => $this->key, 'User-Agent' => 'daftar-woocommerce/' . DAFTAR_WC_VERSION];
        $arguments = [
            'method' => $method,
            'timeout' => max(1, min(8, $left)),
            'redirection' => 0, // the credentials are for this address alone
            'limit_response_size' => 4194304,
        ];
        if ($fields !== null) {
            $headers['Content-Type'] = 'application/json';
            $arguments['body'] = wp_json_encode($fields);
        } elseif ($method === 'POST') {
            $headers['Content-Length'] = '0'; // some proxies insist on it
        }
        $arguments['headers'] = $headers;
        $answer = wp_remote_request($this->base . $path, $arguments);
        if (is_wp_error($answer)) {
            throw new ApiError($answer->get_error_message(), 0);
        }
        $status = (int) wp_remote_retrieve_response_code($answer);
        $body = json_decode(wp_remote_retrieve_body($answer), true);
        $differs = wp_remote_retrieve_header($answer, 'idempotent-replayed-differs');
        $this->headers = ['differs' => is_string($differs) ? $differs : ''];
        if ($status < 200 || $status > 299) {
            throw $this->refusal($status, is_array($body) ? $body : []);
        }
        if (!is_array($body) || !isset($body['data']) || !is_array($body['data'])) {
            // The page of a proxy, of a captive portal or of another service.
            throw new ApiError('The answer is not that of the Daftar API.', 0);
        }
        return $body['data'];
    }

    private function refusal(int $status, array $body): ApiError {
        $isKey = isset($body['error']) && is_string($body['error']);
        $message = $isKey ? $body['error'] : ($body['message'] ?? '');
        if (!is_string($message) || $message === '') {
            $message = sprintf('The service answered %d.', $status);
        }
        return new ApiError($message, $status, $isKey);
    }
}
