<?php

declare(strict_types=1);

namespace Daftar\Laravel\Api;

use Daftar\Client;
use Daftar\CreatedRefund;
use Daftar\Laravel\Contracts\Refunds;
use Daftar\Refund;

/** Refunds over the API. */
final readonly class ApiRefunds implements Refunds
{
    public function __construct(private Client $client)
    {
    }

    public function create(string $intent, array $fields): CreatedRefund
    {
        return $this->client->createRefund($intent, $fields);
    }

    public function retrieve(string $uuid): Refund
    {
        return $this->client->retrieveRefund($uuid);
    }

    public function of(string $intent): array
    {
        return $this->client->listRefunds($intent);
    }
}
