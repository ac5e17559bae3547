<?php

declare(strict_types=1);

// A shop that is paid through Daftar: its pages, and the address for webhooks. README.md says how to start it
// and what it shows.
http_response_code(500); // holds where something fails below: a webhook that is not written down is sent again
require __DIR__ . '/start.php';
require __DIR__ . '/page.php';

use Daftar\Exception\DaftarException;
use Daftar\Exception\SignatureException;

/** The customer buys. */
function buy(Shop $shop, array $form): void
{
    $lang = language($form);
    $reference = is_string($form['reference'] ?? null) ? $form['reference'] : '';
    $product = is_string($form['product'] ?? null) ? $form['product'] : '';
    if (!isset(Shop::PRODUCTS[$product]) || !preg_match('/^order-[0-9a-f]{32}$/D', $reference)) {
        answer(400, missingPage($lang));
        return;
    }
    $order = $shop->place($reference, $product);
    $query = $lang === 'en' ? '?lang=en' : '';
    try {
        header('Location: ' . $shop->ask($order, $query) . $query, true, 303);
    } catch (DaftarException $e) {
        error_log("Order $reference: {$e->getMessage()}");
        answer(503, awayPage($lang, $order));
    }
}

/** The customer has come back. That proves nothing: anybody can open this page. */
function show(Shop $shop, string $reference, string $lang): void
{
    $order = $shop->order($reference);
    if ($order === null) {
        answer(404, missingPage($lang));
        return;
    }
    if ($order['state'] !== 'fulfilled' && $order['uuid'] !== null) {
        try {
            $shop->refresh($order['uuid']);
        } catch (DaftarException $e) {
            error_log("Order $reference: {$e->getMessage()}"); // the page says what the shop knows
        }
    }
    answer(200, orderPage($lang, $shop->order($reference)));
}

/** A webhook is verified, written down and answered. What it means the worker finds out. */
function receive(Shop $shop): void
{
    // Two, with a space between them, while a new one is being introduced.
    $secrets = explode(' ', setting('DAFTAR_WEBHOOK_SECRET'));
    try {
        $shop->receive(Daftar\Webhook::verify(file_get_contents('php://input'), getallheaders(), $secrets));
        answer(204);
    } catch (SignatureException) {
        answer(401);
    }
}

function answer(int $status, string $page = ''): void
{
    http_response_code($status);
    echo $page;
}

function language(array $fields): string
{
    return ($fields['lang'] ?? '') === 'en' ? 'en' : 'ar';
}

// A customer waits for the page: better "try again" after ten seconds than a blank one.
$shop = shop(retryFor: 5);
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
match (true) {
    $_SERVER['REQUEST_METHOD'] === 'GET' && $path === '/' => answer(200, shopPage(language($_GET))),
    $_SERVER['REQUEST_METHOD'] === 'POST' && $path === '/orders' => buy($shop, $_POST),
    $_SERVER['REQUEST_METHOD'] === 'POST' && $path === '/webhooks' => receive($shop),
    $_SERVER['REQUEST_METHOD'] === 'GET' && str_starts_with($path, '/orders/') => show($shop, substr($path, strlen('/orders/')), language($_GET)),
    default => answer(404, missingPage(language($_GET))),
};
