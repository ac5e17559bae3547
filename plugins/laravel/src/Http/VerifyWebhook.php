<?php

declare(strict_types=1);

namespace Daftar\Laravel\Http;

use Daftar\Exception\SignatureException;
use Daftar\Webhook;
use Daftar\WebhookEvent;
use Illuminate\Contracts\Config\Repository;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Psr\Log\LoggerInterface;
use Symfony\Component\HttpFoundation\Response;

/** Lets only requests through that Daftar has signed. The event is then an attribute of the request. */
final readonly class VerifyWebhook
{
    public function __construct(private Repository $config, private LoggerInterface $log)
    {
    }

    /** @param \Closure(Request): Response $next */
    public function handle(Request $request, \Closure $next): Response
    {
        // One in a list that is empty, or none at all, is no fault of the sender: it comes again.
        $secrets = array_values(array_filter((array) $this->config->get('daftar.webhook.secrets')));
        if ($secrets === []) {
            $this->log->error('A webhook came and DAFTAR_WEBHOOK_SECRET is not set.');
            return new JsonResponse(['message' => 'No webhook secret is set here.'], 503);
        }
        try {
            $event = Webhook::verify(
                $request->getContent(), // what was parsed and written again has other bytes
                $request->headers->all(),
                $secrets,
                (int) $this->config->get('daftar.webhook.tolerance', 300),
            );
        } catch (SignatureException $e) {
            return new JsonResponse(['message' => $e->getMessage()], 401);
        }
        $request->attributes->set(WebhookEvent::class, $event);
        return $next($request);
    }
}
