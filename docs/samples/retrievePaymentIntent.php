<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
$intent = $daftar->retrievePaymentIntent($argv[1]);
echo $intent->status->value, "\n"; // fulfil the order only when it is succeeded
