<?php

declare(strict_types=1);

// refunds.php FROM TO INTENT...: gives money of the intents back, in refunds with these numbers, one after
// the other, and prints what it was told of each. No two refunds have the same amount.
require getenv('SDK');

$daftar = Daftar\Client::fromEnvironment(retryFor: 60);
$intents = array_slice($argv, 3);
for ($n = (int) $argv[1]; $n < (int) $argv[2]; $n++) {
    $created = $daftar->createRefund($intents[$n % count($intents)], ['refund_reference' => "refund-$n", 'amount' => 100 + $n]);
    echo json_encode([
        'reference' => "refund-$n", 'uuid' => $created->refund->uuid, 'named' => $created->refund->refund_reference,
        'intent' => $created->refund->payment_intent, 'amount' => $created->refund->amount,
        'replayed' => $created->replayed, 'differs' => $created->differs,
    ], JSON_THROW_ON_ERROR), "\n";
}
