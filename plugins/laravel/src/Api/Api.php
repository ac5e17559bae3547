<?php

declare(strict_types=1);

namespace Daftar\Laravel\Api;

use Daftar\Client;
use Daftar\Laravel\Contracts\Daftar;
use Daftar\Laravel\Contracts\Payments;
use Daftar\Laravel\Contracts\Refunds;

/** The contract over the real API. */
final readonly class Api implements Daftar
{
    /**
     * @param \Closure(): Client $client called when the API is first asked, so that an application without
     *   credentials, as in a build, starts all the same
     */
    public function __construct(private \Closure $client)
    {
    }

    public function payments(): Payments
    {
        return new ApiPayments(($this->client)());
    }

    public function refunds(): Refunds
    {
        return new ApiRefunds(($this->client)());
    }
}
