<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
$refund = $daftar->retrieveRefund($argv[1]);
echo $refund->status->value, "\n";
