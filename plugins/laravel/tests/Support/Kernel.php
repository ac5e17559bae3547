<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Illuminate\Foundation\Http\Kernel as HttpKernel;
use Illuminate\Foundation\Http\Middleware\ConvertEmptyStringsToNull;
use Illuminate\Foundation\Http\Middleware\TrimStrings;
use Illuminate\Foundation\Http\Middleware\VerifyCsrfToken;
use Illuminate\Session\Middleware\StartSession;

/** The kernel of requests, with the middleware that a new application of Laravel has. */
final class Kernel extends HttpKernel
{
    protected $middleware = [TrimStrings::class, ConvertEmptyStringsToNull::class];

    protected $middlewareGroups = ['web' => [StartSession::class, VerifyCsrfToken::class]];

    /** TestApplication has started the application. */
    public function bootstrap(): void
    {
    }
}
