<?php

declare(strict_types=1);

// What goes on in the background of the shop: the queue, and what the scheduler calls.
require __DIR__ . '/start.php';

use Illuminate\Contracts\Console\Kernel;

$app = shop();
migrate();
$console = $app->make(Kernel::class);
$console->bootstrap();
// The worker of the queue takes signals for itself.
while (!$app->make('queue.worker')->shouldQuit) {
    $console->call('queue:work', ['--stop-when-empty' => true, '--sleep' => 0]);
    $console->call('daftar:settle', ['--every' => getenv('RECONCILE_SECONDS')]);
    usleep(200_000);
}
