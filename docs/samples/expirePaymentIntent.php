<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
$intent = $daftar->expirePaymentIntent($argv[1]);
echo $intent->status->value, "\n"; // canceled: nobody can pay it now
