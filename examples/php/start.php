<?php

declare(strict_types=1);

// What the pages and the worker begin with.
require __DIR__ . '/../../sdk/php/autoload.php'; // with Composer: vendor/autoload.php
require __DIR__ . '/Shop.php';

/** An environment variable, or what holds without it. */
function setting(string $name, string $default = ''): string
{
    $value = getenv($name);
    return $value === false || $value === '' ? $default : $value;
}

/** @param float $retryFor how long the API is asked again, in seconds */
function shop(float $retryFor): Shop
{
    $url = setting('SHOP_URL', 'http://127.0.0.1:' . setting('PORT', '3000'));
    return new Shop(
        setting('SHOP_DATABASE', getcwd() . '/shop.sqlite'),
        Daftar\Client::fromEnvironment(timeout: 5, retryFor: $retryFor),
        $url,
        (int) setting('RECONCILE_SECONDS', '60'),
    );
}
