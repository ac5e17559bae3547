<?php

declare(strict_types=1);

namespace Daftar\Laravel\Facades;

use Daftar\Laravel\Contracts\Daftar as Contract;
use Daftar\Laravel\Contracts\Payments;
use Daftar\Laravel\Contracts\Refunds;
use Daftar\Laravel\Testing\DaftarFake;
use Illuminate\Support\Facades\Facade;

/**
 * @method static Payments payments()
 * @method static Refunds refunds()
 */
final class Daftar extends Facade
{
    /** Puts a fake in the place of the API, for the rest of the test. */
    public static function fake(): DaftarFake
    {
        $fake = new DaftarFake(self::getFacadeApplication());
        self::swap($fake);
        return $fake;
    }

    protected static function getFacadeAccessor(): string
    {
        return Contract::class;
    }
}
