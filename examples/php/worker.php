<?php

declare(strict_types=1);

// What the shop does in the background: it deals with the webhooks that were written down, and asks about
// orders of which it heard nothing. Several may run at once. Where only cron is at hand, run the two calls
// each minute.
require __DIR__ . '/start.php';

$shop = shop(retryFor: 5);
error_log('The worker is running.');
while (true) {
    $pause = 0.2;
    try {
        $shop->readInbox();
        $shop->reconcile();
    } catch (Daftar\Exception\DaftarException $e) {
        // The service is away or busy, or a credential is being changed. What is not dealt with stays where
        // it is.
        error_log('Not now: ' . $e->getMessage());
        $pause = 1.0;
    }
    usleep((int) ($pause * 1e6));
}
