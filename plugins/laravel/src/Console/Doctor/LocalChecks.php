<?php

declare(strict_types=1);

namespace Daftar\Laravel\Console\Doctor;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Routing\Router;

/** What the doctor sees on this server: settings, webhook secret, route and public address. */
final readonly class LocalChecks
{
    private const NEEDED = [
        'url' => 'DAFTAR_API_URL',
        'api_key' => 'DAFTAR_API_KEY',
        'access_token' => 'DAFTAR_ACCESS_TOKEN',
    ];

    public function __construct(private Application $app, private Router $router)
    {
    }

    /** Whether there is enough to ask the API. */
    public function settings(Report $report): bool
    {
        $config = (array) $this->app->make('config')->get('daftar');
        $complete = true;
        foreach (self::NEEDED as $key => $name) {
            $value = (string) ($config[$key] ?? '');
            if ($value === '') {
                $report->fail("$name is not set.", 'Set it in .env, then run config:clear.');
                $complete = false;
            } elseif (!preg_match('/^[\x21-\x7e]+$/D', $value)) {
                $report->fail("$name has a space or a line end in it.", 'Copy it again.');
                $complete = false;
            }
        }
        $scheme = (string) parse_url((string) ($config['url'] ?? ''), PHP_URL_SCHEME);
        if ($complete && !in_array($scheme, ['http', 'https'], true)) {
            $report->fail('DAFTAR_API_URL is no address.', 'It looks like https://pay.example.ly/api/v1.');
            return false;
        }
        $host = (string) parse_url((string) ($config['url'] ?? ''), PHP_URL_HOST);
        if ($complete && $scheme === 'http' && !self::isPrivate($host)) {
            $report->fail('DAFTAR_API_URL is http: credentials can be read on the way.', 'Use https.');
        }
        if ($complete) {
            $report->good('The settings are complete.');
        }
        return $complete;
    }

    public function webhooks(Report $report): void
    {
        $secrets = array_filter((array) $this->app->make('config')->get('daftar.webhook.secrets'));
        $wrong = array_filter($secrets, static fn (string $secret): bool => !self::isSecret($secret));
        match (true) {
            $secrets === [] => $report->fail(
                'DAFTAR_WEBHOOK_SECRET is not set: every webhook is refused.',
                'Copy it from the application\'s page in the dashboard (whsec_…).',
            ),
            $wrong !== [] => $report->fail('A webhook secret is not whsec_ and base64.', 'Copy it again.'),
            default => $report->good('There is a webhook secret.'),
        };
        $route = $this->router->getRoutes()->getByName('daftar.webhook');
        if ($route === null) {
            $report->fail(
                'The webhook route is not registered.',
                'Set DAFTAR_WEBHOOK_PATH, and run route:clear if routes were cached before the package came.',
            );
            return;
        }
        $this->publicAddress($report, $route->uri());
    }

    private function publicAddress(Report $report, string $route): void
    {
        $root = (string) $this->app->make('config')->get('app.url');
        $host = (string) parse_url($root, PHP_URL_HOST);
        $port = parse_url($root, PHP_URL_PORT) ?: 443;
        $address = rtrim($root, '/') . "/$route";
        if ($host === '' || self::isPrivate($host)) {
            $found = "APP_URL is not public ($root): no webhook arrives.";
            $this->app->environment('production')
                ? $report->fail($found, 'Set it to the address of the shop.')
                : $report->warn($found, 'On your own computer use: daftar listen --forward-to ' . $address);
            return;
        }
        if (!str_starts_with($root, 'https://') || !in_array($port, [443, 8443], true)) {
            $report->fail(
                "APP_URL is $root, and webhooks go to https on port 443 or 8443 alone.",
                'Set APP_URL to that, with a valid certificate.',
            );
            return;
        }
        $report->good("The webhook route is there. Set this address on the application's page: $address");
    }

    private static function isSecret(string $secret): bool
    {
        $key = base64_decode((string) preg_replace('/^whsec_/', '', $secret), true);
        return str_starts_with($secret, 'whsec_') && $key !== false && strlen($key) >= 16;
    }

    /** Whether a host is of this machine or of a private network, as far as its name says. */
    private static function isPrivate(string $host): bool
    {
        $host = strtolower(trim($host, '[]'));
        if (filter_var($host, FILTER_VALIDATE_IP) !== false) {
            $public = FILTER_FLAG_NO_PRIV_RANGE | FILTER_FLAG_NO_RES_RANGE;
            return filter_var($host, FILTER_VALIDATE_IP, $public) === false;
        }
        return !str_contains($host, '.') || (bool) preg_match('/\.(localhost|local|test|internal)$/D', $host);
    }
}
