<?php

declare(strict_types=1);

namespace Daftar\Laravel\Testing;

use Daftar\Exception\ApiException;
use Daftar\Exception\ConnectionException;
use Illuminate\Support\Str;

/**
 * What the fake keeps: intents, calls, and the webhooks that are to be sent.
 *
 * @internal
 */
final class FakeServer
{
    /** @var array<string, FakeIntent> by uuid, oldest first */
    public array $intents = [];

    /** @var list<array{0: string, 1: list<mixed>}> */
    public array $calls = [];

    /** @var list<array{id: string, body: string}> */
    public array $webhooks = [];

    public bool $reachable = true;

    /** How many of the next answers are lost. */
    public int $losing = 0;

    /**
     * Does what a request does, with a network that may fail.
     *
     * @template T
     * @param list<mixed> $arguments
     * @param \Closure(): T $do
     * @return T
     */
    public function call(string $name, array $arguments, \Closure $do): mixed
    {
        $this->calls[] = [$name, $arguments];
        if (!$this->reachable) {
            throw new ConnectionException('No answer: the fake is unreachable.', 'fake');
        }
        $answer = $do();
        if ($this->losing > 0) {
            $this->losing--;
            throw new ConnectionException('No answer: the fake lost it.', 'fake');
        }
        return $answer;
    }

    /** The intent as a request finds it. */
    public function find(string $uuid): FakeIntent
    {
        self::checkUuid($uuid, 'payment intent');
        $intent = $this->intents[$uuid] ?? throw ApiException::of('Not found.', 404, 'fake', []);
        $intent->expireIfDue();
        return $intent;
    }

    /** The intent with a reference of the shop. */
    public function known(string $reference): ?FakeIntent
    {
        foreach ($this->intents as $intent) {
            if ($intent->fields['merchant_reference'] === $reference) {
                $intent->expireIfDue();
                return $intent;
            }
        }
        return null;
    }

    /** As the SDK: what is no uuid never becomes a request. */
    public static function checkUuid(string $uuid, string $of): void
    {
        if (!preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/Di', $uuid)) {
            throw new \InvalidArgumentException("This is not the uuid of a $of: " . json_encode($uuid));
        }
    }

    /** @param array<string, mixed> $event */
    public function queue(FakeIntent $intent, array $event): void
    {
        $data = [
            'uuid' => $intent->uuid,
            'reference' => strtolower(substr($intent->uuid, 0, 8)),
            'merchant_reference' => $intent->fields['merchant_reference'],
            'sequence' => $event['sequence'],
        ];
        if (($event['late'] ?? false) === true) {
            $data['late'] = true;
        }
        if (isset($event['refund'])) {
            $data['refund'] = array_filter([
                'uuid' => $event['refund'],
                'amount' => $event['amount'],
                'currency' => $event['currency'],
                'failure_reason' => $event['reason'] ?? null,
            ]);
        }
        $this->send($event['type'], $event['at'], $data);
    }

    /** @param array<string, mixed> $data */
    public function send(string $type, string $at, array $data): void
    {
        $body = ['type' => $type, 'timestamp' => $at, 'data' => $data];
        $this->webhooks[] = ['id' => 'evt_' . Str::uuid(), 'body' => json_encode($body, JSON_THROW_ON_ERROR)];
    }
}
