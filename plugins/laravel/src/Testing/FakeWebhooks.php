<?php

declare(strict_types=1);

namespace Daftar\Laravel\Testing;

use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request;

/**
 * Sends the fake's webhooks to the application, signed as Daftar signs them.
 *
 * @internal
 */
final class FakeWebhooks
{
    private const SECRET = 'whsec_ZGFmdGFyLWd1aWRlLW5vLXNlY3JldCEh';

    /** @var list<array{id: string, body: string}> */
    private array $delivered = [];

    public function __construct(private readonly FakeServer $server, private readonly Application $app)
    {
        if ((array) $app->make('config')->get('daftar.webhook.secrets') === []) {
            $app->make('config')->set('daftar.webhook.secrets', [self::SECRET]);
        }
    }

    /**
     * @param list<string> $types
     * @return list<int>
     */
    public function deliver(array $types): array
    {
        $statuses = [];
        [$waiting, $this->server->webhooks] = [$this->server->webhooks, []];
        $kept = [];
        foreach ($waiting as $webhook) {
            if ($types !== [] && !in_array(json_decode($webhook['body'])->type, $types, true)) {
                $kept[] = $webhook;
                continue;
            }
            $statuses[] = $status = $this->post($webhook);
            if ($status >= 200 && $status < 300) {
                $this->delivered[] = $webhook;
            } else {
                $kept[] = $webhook;
            }
        }
        // What a listener did may have made more of them.
        $this->server->webhooks = [...$kept, ...$this->server->webhooks];
        return $statuses;
    }

    /** @return list<int> */
    public function deliverAgain(): array
    {
        return array_map($this->post(...), array_reverse($this->delivered));
    }

    /** @param array{id: string, body: string} $webhook */
    private function post(array $webhook): int
    {
        $secret = array_values((array) $this->app->make('config')->get('daftar.webhook.secrets'))[0];
        $key = base64_decode(substr($secret, strlen('whsec_')), true);
        $time = time(); // the middleware's clock, which does not travel
        $mac = hash_hmac('sha256', "{$webhook['id']}.$time.{$webhook['body']}", (string) $key, true);
        $route = $this->app->make('router')->getRoutes()->getByName('daftar.webhook')
            ?? throw new \LogicException('There is no webhook route: daftar.webhook.path is null.');
        $request = Request::create('/' . $route->uri(), 'POST', server: [
            'CONTENT_TYPE' => 'application/json',
            'HTTP_WEBHOOK_ID' => $webhook['id'],
            'HTTP_WEBHOOK_TIMESTAMP' => (string) $time,
            'HTTP_WEBHOOK_SIGNATURE' => 'v1,' . base64_encode($mac),
        ], content: $webhook['body']);
        return $this->app->make(Kernel::class)->handle($request)->getStatusCode();
    }
}
