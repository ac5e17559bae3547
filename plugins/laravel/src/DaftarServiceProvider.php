<?php

declare(strict_types=1);

namespace Daftar\Laravel;

use Daftar\Client;
use Daftar\Laravel\Api\Api;
use Daftar\Laravel\Console\DoctorCommand;
use Daftar\Laravel\Console\SettleCommand;
use Daftar\Laravel\Contracts\Daftar;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Support\ServiceProvider;

/** Registers the client, the facade's service, the webhook route and the commands. */
final class DaftarServiceProvider extends ServiceProvider
{
    public function register(): void
    {
        $this->mergeConfigFrom(__DIR__ . '/../config/daftar.php', 'daftar');
        $this->app->singleton(Client::class, static function (Application $app): Client {
            $config = $app->make('config')->get('daftar');
            return new Client(
                (string) $config['url'],
                (string) $config['api_key'],
                (string) $config['access_token'],
                (float) $config['timeout'],
                (float) $config['retry_for'],
            );
        });
        $this->app->singleton(Daftar::class, static function (Application $app): Api {
            return new Api(static fn (): Client => $app->make(Client::class));
        });
    }

    public function boot(): void
    {
        if ($this->app->make('config')->get('daftar.webhook.path') !== null) {
            $this->loadRoutesFrom(__DIR__ . '/../routes/daftar.php');
        }
        if (!$this->app->runningInConsole()) {
            return;
        }
        $this->commands([DoctorCommand::class, SettleCommand::class]);
        $config = __DIR__ . '/../config/daftar.php';
        $this->publishes([$config => $this->app->configPath('daftar.php')], 'daftar-config');
        $migrations = __DIR__ . '/../database/migrations';
        $this->publishes([$migrations => $this->app->databasePath('migrations')], 'daftar-migrations');
    }
}
