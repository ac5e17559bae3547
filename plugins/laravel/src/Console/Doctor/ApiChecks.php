<?php

declare(strict_types=1);

namespace Daftar\Laravel\Console\Doctor;

/** What the doctor finds out by asking the API: address, TLS, key, token, scopes and clock. */
final readonly class ApiChecks
{
    /** No intent has this uuid: its refund is refused for the token's scope or for that, and never made. */
    private const NOBODY = '00000000-0000-4000-8000-000000000000';

    public function __construct(
        private string $url,
        #[\SensitiveParameter] private string $apiKey,
        #[\SensitiveParameter] private string $accessToken,
        private float $timeout,
    ) {
    }

    public function run(Report $report): void
    {
        $probe = $this->ask('/payment-intents?limit=1');
        if ($probe->errno !== 0) {
            $report->fail("No answer from $this->url: $probe->error.", self::adviceFor($probe->errno));
            return;
        }
        $report->good("$this->url answers" . (str_starts_with($this->url, 'https:') ? ', over TLS.' : '.'));
        $this->clock($report, $probe);
        if ($this->credentials($report, $probe)) {
            $this->scopes($report);
        }
    }

    private function ask(string $path, ?string $json = null): Probe
    {
        return Probe::ask($this->url . $path, $this->apiKey, $this->accessToken, $this->timeout, $json);
    }

    private static function adviceFor(int $errno): string
    {
        return match ($errno) {
            CURLE_COULDNT_RESOLVE_HOST => 'Correct the host in DAFTAR_API_URL, or this server\'s DNS.',
            CURLE_COULDNT_CONNECT => 'Correct the port in DAFTAR_API_URL, or let the firewall connect there.',
            CURLE_OPERATION_TIMEDOUT => 'Let this server\'s firewall connect there, or raise DAFTAR_TIMEOUT.',
            CURLE_SSL_CONNECT_ERROR, CURLE_SSL_PEER_CERTIFICATE, CURLE_SSL_CACERT, 77, 83, 90
                => 'Bring the certificates of this server up to date (ca-certificates, or curl.cainfo in '
                    . 'php.ini). Do not switch their verification off.',
            default => 'Correct DAFTAR_API_URL, or ask who runs the service.',
        };
    }

    private function clock(Report $report, Probe $probe): void
    {
        $ahead = $probe->clockAhead();
        if ($ahead === null) {
            $report->warn('The answer has no Date.', 'Is DAFTAR_API_URL the address of the API itself?');
            return;
        }
        $apart = abs($ahead) . ' s ' . ($ahead > 0 ? 'ahead of' : 'behind');
        if (abs($ahead) > 240) {
            $report->fail("The clock is $apart the server's: webhooks are refused.", 'Let NTP set it.');
        } elseif (abs($ahead) > 30) {
            $report->warn("The clock is $apart the server's.", 'Let NTP set it: with 300 s webhooks fail.');
        } else {
            $report->good('The clock agrees with the server\'s.');
        }
    }

    private function credentials(Report $report, Probe $probe): bool
    {
        if ($probe->status === 200 && is_array($probe->body['data'] ?? null)) {
            $report->good('API key and access token are accepted.');
            return true;
        }
        // A refused API key is named in error instead of message.
        [$what, $do] = match (true) {
            $probe->status === 401 && isset($probe->body['error']) => [
                'The API key is refused: ' . $probe->sentence(),
                'Set DAFTAR_API_KEY to that of the application\'s page in the dashboard. Is it active?',
            ],
            $probe->status === 401 => [
                'The access token is refused: ' . $probe->sentence(),
                'Set DAFTAR_ACCESS_TOKEN to one that is not revoked or expired. Where it is bound to '
                    . 'networks, see "API requests" in the dashboard.',
            ],
            $probe->status === 403 => [
                'The access token may not read payments: ' . $probe->sentence(),
                'Make one with the scope payments, and refunds if this server gives money back.',
            ],
            $probe->status === 404 || $probe->status === 200 || intdiv($probe->status, 100) === 3 => [
                "This is not the API: the answer is $probe->status.",
                'DAFTAR_API_URL has the version at its end: https://pay.example.ly/api/v1.',
            ],
            default => [
                "The API answers $probe->status: " . $probe->sentence(),
                'Try again later; if it stays, ask who runs the service.',
            ],
        };
        $report->fail($what, $do);
        return false;
    }

    private function scopes(Report $report): void
    {
        // Without amount and reference these requests are refused whatever happens.
        $create = $this->ask('/payment-intents', '{}');
        if ($create->status === 403) {
            $report->fail(
                'The access token may not create payments.',
                'Make one with the scope payments and set DAFTAR_ACCESS_TOKEN.',
            );
        } else {
            $report->good('The access token may create payments.');
        }
        $path = '/payment-intents/' . self::NOBODY . '/refunds';
        $refund = $this->ask($path, '{"refund_reference":"doctor"}');
        if ($refund->status === 404) {
            $report->good('The access token may make refunds.');
        } elseif ($refund->status === 403) {
            $report->warn(
                'The access token may not make refunds.',
                'If this server is to do so, let an owner make one with the scope refunds.',
            );
        } else {
            $report->warn("Refunds were not checked: the API answers $refund->status.", 'Try again later.');
        }
    }
}
