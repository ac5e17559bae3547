<?php

declare(strict_types=1);

namespace Daftar\Laravel\Tests\Support;

use Daftar\Laravel\DaftarServiceProvider;
use Illuminate\Config\Repository;
use Illuminate\Contracts\Console\Kernel as ConsoleKernel;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Database\Migrations\Migration;
use Illuminate\Filesystem\Filesystem;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap\BootProviders;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Foundation\Providers\ConsoleSupportServiceProvider;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Facade;

/** A small application of Laravel, with the package and what the package uses. */
final class TestApplication
{
    /**
     * @param string $folder where it may write
     * @param array<string, mixed> $config in place of the defaults here, by dotted names
     */
    public static function start(string $folder, array $config = []): Application
    {
        foreach (['bootstrap/cache', 'config', 'database/migrations'] as $made) {
            is_dir("$folder/$made") || mkdir("$folder/$made", 0o755, true);
        }
        $app = new Application($folder);
        $app->singleton(HttpKernel::class, Kernel::class);
        $app->singleton(ConsoleKernel::class, Console::class);
        $app->singleton(ExceptionHandler::class, Handler::class);
        $settings = new Repository(self::config());
        foreach ($config as $name => $value) {
            $settings->set($name, $value);
        }
        $app->instance('config', $settings);
        $app->detectEnvironment(static fn (): string => (string) $settings->get('app.env'));
        $app->instance('request', Request::create((string) $settings->get('app.url')));
        Facade::clearResolvedInstances();
        Facade::setFacadeApplication($app);
        foreach (self::PROVIDERS as $provider) {
            $app->register($provider);
        }
        $app->bootstrapWith([BootProviders::class]);
        return $app;
    }

    /** A folder of this process, which goes with it. */
    public static function scratch(): string
    {
        static $folder = null;
        if ($folder === null) {
            $folder = sys_get_temp_dir() . '/daftar-laravel-' . bin2hex(random_bytes(8));
            register_shutdown_function(static fn () => (new Filesystem())->deleteDirectory($folder));
        }
        return $folder;
    }

    public static function migration(): Migration
    {
        $folder = __DIR__ . '/../../database/migrations';
        return require "$folder/2026_11_27_000000_create_daftar_payments_table.php";
    }

    private const PROVIDERS = [
        \Illuminate\Bus\BusServiceProvider::class,
        \Illuminate\Cache\CacheServiceProvider::class,
        \Illuminate\Database\DatabaseServiceProvider::class,
        \Illuminate\Filesystem\FilesystemServiceProvider::class,
        \Illuminate\Foundation\Providers\FoundationServiceProvider::class,
        \Illuminate\Queue\QueueServiceProvider::class,
        \Illuminate\Session\SessionServiceProvider::class,
        \Illuminate\View\ViewServiceProvider::class,
        ConsoleSupportServiceProvider::class,
        DaftarServiceProvider::class,
    ];

    /** @return array<string, mixed> */
    private static function config(): array
    {
        return [
            'app' => [
                'env' => 'testing', 'debug' => true, 'url' => 'https://shop.example.ly', 'locale' => 'ar',
                'fallback_locale' => 'en', 'key' => str_repeat('k', 32), 'cipher' => 'AES-256-CBC',
                'aliases' => [],
            ],
            'cache' => ['default' => 'array', 'stores' => ['array' => ['driver' => 'array']]],
            'database' => [
                'default' => 'sqlite', 'migrations' => 'migrations', 'connections' => [
                    'sqlite' => ['driver' => 'sqlite', 'database' => ':memory:'],
                ],
            ],
            'logging' => [
                'default' => 'stderr', 'channels' => ['stderr' => [
                    'driver' => 'monolog', 'handler' => \Monolog\Handler\StreamHandler::class,
                    'with' => ['stream' => 'php://stderr'],
                ]],
            ],
            'queue' => [
                'default' => 'sync', 'connections' => [
                    'sync' => ['driver' => 'sync'],
                    'database' => [
                        'driver' => 'database', 'table' => 'jobs', 'queue' => 'default', 'retry_after' => 2,
                    ],
                ], 'failed' => ['driver' => 'null'],
            ],
            'session' => [
                'driver' => 'array', 'lifetime' => 120, 'lottery' => [0, 1], 'cookie' => 'session',
                'path' => '/',
            ],
            'view' => ['paths' => [], 'compiled' => sys_get_temp_dir()],
        ];
    }
}
