<?php

declare(strict_types=1);

// creates.php FROM TO: creates intents of the orders with these numbers, one after the other, and prints
// what it was told of each.
require getenv('SDK');

$daftar = Daftar\Client::fromEnvironment(retryFor: 60);
for ($n = (int) $argv[1]; $n < (int) $argv[2]; $n++) {
    $created = $daftar->createPaymentIntent(['merchant_reference' => "order-$n", 'amount' => 5000, 'currency' => 'LYD', 'description' => 'Two coffees']);
    echo json_encode([
        'reference' => "order-$n", 'uuid' => $created->intent->uuid, 'named' => $created->intent->merchant_reference,
        'replayed' => $created->replayed, 'differs' => $created->differs,
    ], JSON_THROW_ON_ERROR), "\n";
}
