<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
foreach ($daftar->paymentIntents(['status' => 'succeeded']) as $intent) { // page after page
    echo $intent->merchant_reference, "\n";
}
