<?php

declare(strict_types=1);

namespace Daftar\Laravel\Console\Doctor;

/**
 * Asks the API once. Unlike the SDK's client it keeps what the doctor explains: why there was no answer, and
 * the time on the server's clock.
 */
final class Probe
{
    /** @var array<string, string> by their names in lower case */
    public array $headers = [];

    /** @param array<string, mixed> $body */
    private function __construct(
        public readonly int $errno,
        public readonly string $error,
        public readonly int $status,
        public readonly array $body,
    ) {
    }

    /** @param string|null $json the body of a POST; null: GET */
    public static function ask(
        string $url,
        #[\SensitiveParameter] string $apiKey,
        #[\SensitiveParameter] string $accessToken,
        float $timeout,
        ?string $json = null,
    ): self {
        $headers = [];
        $curl = curl_init($url);
        curl_setopt_array($curl, [
            CURLOPT_HTTPHEADER => [
                'Accept: application/json',
                "Authorization: Bearer $accessToken",
                "X-API-Key: $apiKey",
                'Content-Type: application/json',
            ],
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false, // the credentials are for this address alone
            CURLOPT_TIMEOUT_MS => (int) ($timeout * 1000),
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$headers): int {
                $parts = explode(':', $line, 2);
                $headers[strtolower($parts[0])] = trim($parts[1] ?? '');
                return strlen($line);
            },
        ] + ($json === null ? [] : [CURLOPT_POSTFIELDS => $json]));
        $text = curl_exec($curl);
        $body = json_decode((string) $text, true);
        $probe = new self(
            curl_errno($curl),
            curl_error($curl),
            (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE),
            is_array($body) ? $body : [],
        );
        $probe->headers = $headers;
        return $probe;
    }

    /** The seconds by which this machine's clock is ahead of the server's; null where that is not known. */
    public function clockAhead(): ?int
    {
        $at = strtotime($this->headers['date'] ?? '');
        return $at === false ? null : time() - $at;
    }

    public function sentence(): string
    {
        $sentence = $this->body['message'] ?? $this->body['error'] ?? '';
        return is_string($sentence) ? $sentence : '';
    }
}
