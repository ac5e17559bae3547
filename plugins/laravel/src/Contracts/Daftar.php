<?php

declare(strict_types=1);

namespace Daftar\Laravel\Contracts;

/** What the facade gives: the API, or in tests what Daftar::fake() puts in its place. */
interface Daftar
{
    public function payments(): Payments;

    public function refunds(): Refunds;
}
