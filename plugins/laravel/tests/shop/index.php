<?php

declare(strict_types=1);

// The pages of the shop, for php -S.
require __DIR__ . '/start.php';

use Daftar\Exception\DaftarException;
use Daftar\Laravel\Orders\CheckoutException;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\Http\Response;

$app = shop();
migrate();
$router = $app->make('router');
$lang = static fn (Request $request): string => $request->input('lang') === 'en' ? 'en' : 'ar';

$router->get('/', static fn (Request $request): string => shopPage($lang($request)));

$router->post('/orders', static function (Request $request) use ($lang): Response|RedirectResponse {
    [$reference, $product] = [(string) $request->input('reference'), (string) $request->input('product')];
    if (!isset(Shop::PRODUCTS[$product]) || !preg_match('/^order-[0-9a-f]{32}$/D', $reference)) {
        return new Response(missingPage($lang($request)), 400);
    }
    $amount = Shop::PRODUCTS[$product]['amount'];
    // A form that is sent twice is one order.
    ShopOrder::query()->insertOrIgnore(compact('reference', 'product', 'amount'));
    $order = ShopOrder::query()->where('reference', $reference)->firstOrFail();
    try {
        return new RedirectResponse($order->checkout(), 303);
    } catch (CheckoutException) {
        return new RedirectResponse("/orders/$reference", 303);
    } catch (DaftarException $e) {
        error_log("Order $reference: {$e->getMessage()}");
        return new Response(awayPage($lang($request), $order->only(['reference', 'product'])), 503);
    }
});

$router->get('/orders/{reference}', static function (Request $request, string $reference) use ($lang) {
    $order = ShopOrder::query()->where('reference', $reference)->first();
    if ($order === null) {
        return new Response(missingPage($lang($request)), 404);
    }
    try {
        $order->settle();
    } catch (DaftarException $e) {
        error_log("Order $reference: {$e->getMessage()}"); // the page says what the shop knows
    }
    $url = $order->daftarPayments()->get()->last()?->checkout_url;
    return new Response(orderPage($lang($request), ['checkout_url' => $url] + $order->getAttributes()));
});

$router->fallback(static fn (Request $request): Response => new Response(missingPage($lang($request)), 404));

$app->make(Kernel::class)->handle(Request::capture())->send();
