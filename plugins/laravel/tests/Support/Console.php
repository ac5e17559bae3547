<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Illuminate\Foundation\Console\Kernel;

/** The kernel of commands. */
final class Console extends Kernel
{
    /** TestApplication has started the application. */
    public function bootstrap(): void
    {
        $this->app->loadDeferredProviders();
    }
}
