<?php

declare(strict_types=1);

// The sample shop of examples/php on Laravel and this package: its pages, its products and its tables for
// what it did, so that the same test sells in both.
require __DIR__ . '/../autoload.php';
require __DIR__ . '/../../../../examples/php/page.php';
require __DIR__ . '/../../../../examples/php/Shop.php'; // for its products
require __DIR__ . '/ShopOrder.php';

use Daftar\Laravel\Events\WebhookReceived;
use Daftar\Laravel\Listeners\SettleOrder;
use Daftar\Laravel\Tests\Support\TestApplication;
use Illuminate\Foundation\Application;
use Illuminate\Support\Facades\DB;

/** As the migrations of a shop; the test looks into orders, fulfilments and inbox. */
function migrate(): void
{
    DB::unprepared('PRAGMA journal_mode = WAL');
    DB::transaction(static function (): void {
        foreach (
            [
                "CREATE TABLE IF NOT EXISTS orders (
                    id INTEGER PRIMARY KEY, reference TEXT NOT NULL UNIQUE, product TEXT NOT NULL,
                    amount INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'open')",
                'CREATE TABLE IF NOT EXISTS fulfilments (id INTEGER PRIMARY KEY, reference TEXT NOT NULL)',
                'CREATE TABLE IF NOT EXISTS jobs (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, payload TEXT NOT NULL,
                    attempts INTEGER NOT NULL, reserved_at INTEGER, available_at INTEGER NOT NULL,
                    created_at INTEGER NOT NULL)',
                'CREATE VIEW IF NOT EXISTS inbox AS SELECT NULL AS dealt_at FROM jobs',
            ] as $statement
        ) {
            DB::statement($statement);
        }
        if (!DB::getSchemaBuilder()->hasTable('daftar_payments')) {
            TestApplication::migration()->up();
        }
    });
}

function shop(): Application
{
    touch((string) getenv('SHOP_DATABASE'));
    $app = TestApplication::start((string) getcwd(), [
        'app.url' => 'http://127.0.0.1:' . getenv('PORT'),
        'database.connections.sqlite.database' => (string) getenv('SHOP_DATABASE'),
        'queue.default' => 'database',
        'daftar.webhook' => ['path' => 'webhooks', 'secrets' => [(string) getenv('DAFTAR_WEBHOOK_SECRET')]],
    ]);
    $app->make('events')->listen(WebhookReceived::class, SettleOrder::class);
    return $app;
}
