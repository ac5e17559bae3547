<?php
require __DIR__ . '/../../sdk/php/autoload.php';

$daftar = Daftar\Client::fromEnvironment();
$created = $daftar->createRefund($argv[1], [
    'refund_reference' => 'order-1001.refund-1', // yours: store it before you ask
    'amount' => 1500, // without it, all that is left
    'reason' => 'One coffee was cold',
]);
echo $created->refund->status->value, "\n"; // pending, as a rule
