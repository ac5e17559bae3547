<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
$created = $daftar->createPaymentIntent([
    'merchant_reference' => 'order-1001', // yours: keep it with the order before you ask
    'amount' => 5000, // 5.000 LYD
    'currency' => 'LYD',
    'description' => 'Two coffees',
]);
echo $created->intent->checkout_url, "\n"; // the customer pays there
