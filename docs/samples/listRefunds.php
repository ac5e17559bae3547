<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
foreach ($daftar->listRefunds($argv[1]) as $refund) {
    echo "$refund->amount {$refund->status->value}\n";
}
