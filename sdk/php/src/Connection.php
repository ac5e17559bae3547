<?php

declare(strict_types=1);

namespace Daftar;

use Daftar\Exception\ApiException;
use Daftar\Exception\ConnectionException;

/**
 * Sends requests to the API, once each. One connection serves them all while it lasts.
 *
 * @internal
 */
final class Connection
{
    private readonly \CurlHandle $curl;

    /** @param float $timeout how long a request may take, in seconds */
    public function __construct(
        private readonly string $baseUrl,
        #[\SensitiveParameter] private readonly string $apiKey,
        #[\SensitiveParameter] private readonly string $accessToken,
        private readonly float $timeout,
    ) {
        $this->curl = curl_init();
    }

    /** What is dumped must not show credentials. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /**
     * An answer that is not the API's, such as the page of a proxy, is no answer.
     *
     * @throws ConnectionException where there is no answer
     * @throws ApiException for an answer that is not 2xx
     */
    public function ask(string $method, string $path, ?string $body, string $requestId): Answer
    {
        $headers = [];
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $this->baseUrl . $path,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => [
                'Accept: application/json',
                'Authorization: Bearer ' . $this->accessToken,
                'X-API-Key: ' . $this->apiKey,
                'X-Request-Id: ' . $requestId,
                'User-Agent: daftar-php/0.1.0 php/' . PHP_VERSION,
                'Expect:', // would cost a round trip
                $body === null ? 'Content-Type:' : 'Content-Type: application/json', // an empty one would be a form's
            ],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false, // the credentials are for this address alone
            CURLOPT_TIMEOUT_MS => (int) ($this->timeout * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$headers): int {
                $parts = explode(':', $line, 2);
                if (count($parts) === 2) {
                    $headers[strtolower($parts[0])] = trim($parts[1]);
                }
                return strlen($line);
            },
        ]);
        if ($method === 'POST') {
            // Without a body too: then its length is sent, which some proxies insist on.
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, $body ?? '');
        }
        $text = curl_exec($this->curl);
        if (!is_string($text)) {
            throw new ConnectionException("No answer from $this->baseUrl: " . curl_error($this->curl), $requestId);
        }
        $status = curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        $answer = json_decode($text, true);
        if ($status < 200 || $status > 299) {
            throw self::refusal($status, is_array($answer) ? $answer : [], $requestId, $headers);
        }
        if (!is_array($answer['data'] ?? null)) {
            throw new ConnectionException("$this->baseUrl answered $status with something that is not the API's.", $requestId);
        }
        return new Answer($headers, $answer);
    }

    private static function refusal(int $status, array $answer, string $requestId, array $headers): ApiException
    {
        // For a wrong API key the field is called error.
        $message = $answer['message'] ?? $answer['error'] ?? null;
        return ApiException::of(
            is_string($message) ? $message : "The service answered $status.",
            $status,
            $requestId,
            array_filter([
                'errors' => is_array($answer['errors'] ?? null) ? $answer['errors'] : null,
                'retry_after' => self::retryAfter($headers['retry-after'] ?? ''),
            ], static fn (mixed $one): bool => $one !== null),
        );
    }

    /** The seconds of Retry-After, which may be a number or a date. */
    private static function retryAfter(string $value): ?float
    {
        if (preg_match('/^[0-9]{1,9}$/', $value)) {
            return (float) $value;
        }
        $at = $value === '' ? false : strtotime($value);
        return $at === false ? null : (float) max(0, $at - time());
    }
}
