<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
foreach ($daftar->listPaymentIntentEvents($argv[1]) as $event) {
    echo "$event->sequence $event->type\n";
}
