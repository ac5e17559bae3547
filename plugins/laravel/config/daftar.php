<?php

declare(strict_types=1);

// Settings of daftar/laravel. `php artisan daftar:doctor` checks them.
$secrets = (string) env('DAFTAR_WEBHOOK_SECRET', '');

return [
    // The address of the API, with the version: https://pay.example.ly/api/v1
    'url' => env('DAFTAR_API_URL'),

    // pk_…: identifies the application. at_…: identifies the organisation; with the scope refunds if this
    // server gives money back.
    'api_key' => env('DAFTAR_API_KEY'),
    'access_token' => env('DAFTAR_ACCESS_TOKEN'),

    // How long one attempt of a request may take, and for how long it is tried again, in seconds. Customers
    // wait for both, and a webhook has to be answered within 15 seconds: keep the sum below that.
    'timeout' => (float) env('DAFTAR_TIMEOUT', 5),
    'retry_for' => (float) env('DAFTAR_RETRY_FOR', 5),

    'webhook' => [
        // The path of the webhook route, which is set on the application's page in Daftar's dashboard with
        // APP_URL before it; null: no route.
        'path' => env('DAFTAR_WEBHOOK_PATH', 'daftar/webhook'),
        // whsec_…; several, with a space between them, while a new one is being introduced.
        'secrets' => preg_split('/[\s,]+/', $secrets, -1, PREG_SPLIT_NO_EMPTY),
        // How far the time of a webhook may be from this server's clock, in seconds.
        'tolerance' => 300,
    ],
];
