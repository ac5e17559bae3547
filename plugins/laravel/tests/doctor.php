<?php

declare(strict_types=1);

// doctor.php: php artisan daftar:doctor in an application whose address is APP_URL.
require __DIR__ . '/autoload.php';

use Daftar\Laravel\Tests\Support\TestApplication;
use Illuminate\Contracts\Console\Kernel;
use Symfony\Component\Console\Output\ConsoleOutput;

$url = getenv('APP_URL') ?: 'https://shop.example.ly';
$app = TestApplication::start(TestApplication::scratch(), ['app.url' => $url]);
exit($app->make(Kernel::class)->call('daftar:doctor', [], new ConsoleOutput()));
