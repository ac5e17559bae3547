<?php
// The API of Daftar as far as the plugin uses it, in this process. The tests in Go have the real one.

final class FakeDaftar {
    /** @var array<string, array> by uuid */
    public array $intents = [];
    public array $refunds = [];
    public array $asked = [];
    /** @var array<int, mixed> what the next requests are answered instead: "cut", "lost", or a status */
    public array $faults = [];
    /** @var string[] of the token */
    public array $scopes = ['payments', 'refunds'];
    public string $refundStatus = 'pending';

    public function __invoke(string $url, array $arguments) {
        $path = substr($url, strpos($url, '/api/v1') + 7);
        $this->asked[] = "{$arguments['method']} $path";
        $fault = array_shift($this->faults);
        if ($fault === 'cut') {
            return new WP_Error('http', 'Connection reset by peer');
        }
        if (is_int($fault)) {
            return self::answer($fault, ['message' => "fault $fault"]);
        }
        $fields = json_decode($arguments['body'] ?? 'null', true);
        $answer = $this->route($arguments['method'], $path, $fields, $arguments['headers']);
        return $fault === 'lost' ? new WP_Error('http', 'Operation timed out') : $answer;
    }

    private function route(string $method, string $path, ?array $fields, array $headers): array {
        if ($headers['X-API-Key'] !== 'pk_test') {
            return self::answer(401, ['error' => 'Invalid API key or inactive application.']);
        }
        if ($headers['Authorization'] !== 'Bearer at_test') {
            return self::answer(401, ['message' => 'Unauthenticated.']);
        }
        $parts = explode('/', trim(parse_url($path, PHP_URL_PATH), '/'));
        parse_str((string) parse_url($path, PHP_URL_QUERY), $query);
        $scope = ($parts[2] ?? '') === 'refunds' ? 'refunds' : 'payments';
        if ($method === 'POST' && !in_array($scope, $this->scopes, true)) { // each of them may read
            return self::answer(403, ['message' => "This needs an access token with the scope \"$scope\"."]);
        }
        if (count($parts) === 1) {
            return $method === 'POST' ? $this->create($fields) : self::answer(200, ['data' => array_values(
                array_filter($this->intents, static function (array $one) use ($query): bool {
                    return $one['merchant_reference'] === ($query['merchant_reference'] ?? '');
                }))]);
        }
        $intent = $this->intents[$parts[1]] ?? null;
        if ($intent === null) {
            return self::answer(404, ['message' => 'There is no such payment intent.']);
        }
        if (!isset($parts[2])) {
            return self::answer(200, ['data' => self::public($intent)]);
        }
        if ($parts[2] === 'expire') {
            if (in_array($intent['status'], ['succeeded', 'processing'], true)) {
                return self::answer(409, ['message' => 'It is being paid, or is paid.']);
            }
            $this->intents[$parts[1]]['status'] = 'canceled';
            return self::answer(200, ['data' => self::public($this->intents[$parts[1]])]);
        }
        if ($parts[2] === 'events') {
            return self::answer(200, ['data' => $intent['events']]);
        }
        return $method === 'POST' ? $this->refund($intent, $fields) : self::answer(200, ['data' => array_values(
            array_filter($this->refunds, static function (array $one) use ($intent): bool {
                return $one['payment_intent'] === $intent['uuid'];
            }))]);
    }

    private function create(array $fields): array {
        foreach ($this->intents as $one) {
            if ($one['merchant_reference'] === $fields['merchant_reference']) {
                $differs = array_filter(['amount', 'metadata'], static function (string $name) use ($one, $fields) {
                    return $one[$name] !== $fields[$name];
                });
                return self::answer(200, ['data' => self::public($one)],
                    ['idempotent-replayed' => 'true', 'idempotent-replayed-differs' => implode(', ', $differs)]);
            }
        }
        $uuid = self::uuid(count($this->intents) + 1);
        $this->intents[$uuid] = $fields + ['uuid' => $uuid, 'status' => 'requires_payment_method', 'events' => [],
            'checkout_url' => "https://pay.example/pay/$uuid/secret"];
        return self::answer(201, ['data' => self::public($this->intents[$uuid])]);
    }

    private function refund(array $intent, array $fields): array {
        foreach ($this->refunds as $one) {
            if ($one['refund_reference'] === $fields['refund_reference']) {
                $isOther = $one['amount'] !== $fields['amount'];
                return self::answer(200, ['data' => $one], ['idempotent-replayed-differs' => $isOther ? 'amount' : '']);
            }
        }
        if ($intent['status'] !== 'succeeded') {
            return self::answer(409, ['message' => 'This payment intent is not paid.']);
        }
        // As in the real one: without an attempt a second payment goes back first.
        $isTwice = in_array('payment_intent.duplicate_payment', array_column($intent['events'], 'type'), true);
        return self::answer(201, ['data' => $this->addRefund($intent['uuid'], $fields['amount'],
            $fields['refund_reference'], $this->refundStatus,
            $fields['attempt'] ?? ($isTwice ? 'attempt-2' : 'attempt-1'))]);
    }

    public function addRefund(string $intent, int $amount, ?string $reference, string $status,
        string $attempt = 'attempt-1'): array {
        $uuid = self::uuid(900 + count($this->refunds));
        return $this->refunds[$uuid] = ['uuid' => $uuid, 'refund_reference' => $reference, 'amount' => $amount,
            'payment_intent' => $intent, 'attempt' => $attempt, 'status' => $status,
            'failure_reason' => $status === 'failed' ? 'refused' : null];
    }

    public function endRefund(int $n, string $status): void {
        $uuid = array_keys($this->refunds)[$n];
        $this->refunds[$uuid]['status'] = $status;
        $this->refunds[$uuid]['failure_reason'] = $status === 'failed' ? 'refused' : null;
    }

    /** The intent with this reference. */
    public function of(string $reference): ?array {
        foreach ($this->intents as $one) {
            if ($one['merchant_reference'] === $reference) {
                return $one;
            }
        }
        return null;
    }

    public function set(string $reference, string $status): void {
        $uuid = $this->of($reference)['uuid'];
        $this->intents[$uuid]['status'] = $status;
        if ($status === 'succeeded') {
            $this->happen($uuid, 'payment_intent.succeeded', 'attempt-1');
        }
    }

    public function payTwice(string $reference): void {
        $this->happen($this->of($reference)['uuid'], 'payment_intent.duplicate_payment', 'attempt-2');
    }

    private function happen(string $uuid, string $type, string $attempt): void {
        $this->intents[$uuid]['events'][] = ['sequence' => count($this->intents[$uuid]['events']) + 2, 'type' => $type,
            'attempt' => $attempt, 'amount' => $this->intents[$uuid]['amount']];
    }

    private static function uuid(int $n): string {
        return sprintf('00000000-0000-5000-8000-%012d', $n);
    }

    private static function public(array $intent): array {
        unset($intent['events']);
        return $intent;
    }

    private static function answer(int $status, array $body, array $headers = []): array {
        return ['status' => $status, 'body' => json_encode($body), 'headers' => $headers];
    }
}
