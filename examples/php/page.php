<?php

declare(strict_types=1);

// The shop's pages, in Arabic and English.

const WORDS = [
    'ar' => [
        'title' => 'متجر الميدان', 'buy' => 'اشترِ الآن', 'other' => 'English', 'order' => 'الطلبية', 'again' => 'أعد المحاولة', 'shop' => 'إلى المتجر',
        'open' => 'لم يصلنا تأكيد الدفع بعد. تُحدَّث هذه الصفحة تلقائيًا.', 'pay' => 'إلى صفحة الدفع',
        'fulfilled' => 'تم الدفع، وطلبيتك في طريقها إليك. شكرًا لك!', 'canceled' => 'انتهت مهلة الدفع ولم يصلنا أي مبلغ، فأُلغيت الطلبية.',
        'away' => 'تعذّر الوصول إلى خدمة الدفع، ولم يُخصم منك أي مبلغ. أعد المحاولة بعد قليل.', 'missing' => 'لا توجد صفحة بهذا العنوان.', 'currency' => 'د.ل',
    ],
    'en' => [
        'title' => 'Maydan Shop', 'buy' => 'Buy now', 'other' => 'العربية', 'order' => 'Order', 'again' => 'Try again', 'shop' => 'To the shop',
        'open' => 'Your payment is not confirmed yet. This page updates by itself.', 'pay' => 'Go to the payment page',
        'fulfilled' => 'Paid. Your order is on its way. Thank you!', 'canceled' => 'The time to pay has run out and nothing was paid. The order is canceled.',
        'away' => 'The payment service cannot be reached, and you were not charged. Try again in a moment.', 'missing' => 'There is no such page.', 'currency' => 'LYD',
    ],
];

/** 5000 is 5.000: dinars have three decimals. */
function price(int $amount, string $lang): string
{
    return '<bdi dir="ltr">' . number_format($amount / 1000, 3) . '</bdi> ' . WORDS[$lang]['currency'];
}

function layout(string $lang, string $body, string $here = '/', bool $reload = false): string
{
    $w = WORDS[$lang];
    [$dir, $otherLang, $other] = $lang === 'ar' ? ['rtl', 'en', "$here?lang=en"] : ['ltr', 'ar', $here];
    $refresh = $reload ? '<meta http-equiv="refresh" content="3">' : '';
    return <<<HTML
        <!doctype html>
        <html lang="$lang" dir="$dir">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width">$refresh
        <title>{$w['title']}</title>
        <style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding-inline:1rem}
        article{border:1px solid #bbb;border-radius:.5rem;padding:1rem;margin-block:1rem}button{font:inherit;padding:.4rem 1.2rem}</style></head>
        <body><header><a href="$other" lang="$otherLang">{$w['other']}</a><h1>{$w['title']}</h1></header>
        <main>$body</main></body>
        </html>

        HTML;
}

/** The form carries the order's reference: sent twice, it is still one order. */
function form(string $lang, string $reference, string $product, string $label): string
{
    return <<<HTML
        <form method="post" action="/orders">
        <input type="hidden" name="reference" value="$reference"><input type="hidden" name="product" value="$product">
        <input type="hidden" name="lang" value="$lang"><button>$label</button></form>
        HTML;
}

function shopPage(string $lang): string
{
    $articles = '';
    foreach (Shop::PRODUCTS as $id => $product) {
        $form = form($lang, 'order-' . bin2hex(random_bytes(16)), $id, WORDS[$lang]['buy']);
        $articles .= "<article><h2>{$product[$lang]}</h2><p>" . price($product['amount'], $lang) . "</p>$form</article>\n";
    }
    return layout($lang, $articles);
}

function orderPage(string $lang, array $order): string
{
    $w = WORDS[$lang];
    $query = $lang === 'en' ? '?lang=en' : '';
    $price = price($order['amount'], $lang);
    $open = $order['state'] === 'open';
    $pay = $open && $order['checkout_url'] !== null ? '<p><a href="' . htmlspecialchars($order['checkout_url'] . $query) . "\">{$w['pay']}</a></p>" : '';
    return layout($lang, <<<HTML
        <article data-state="{$order['state']}"><h2>{$w['order']} <bdi dir="ltr">{$order['reference']}</bdi></h2>
        <p>$price</p><p>{$w[$order['state']]}</p>$pay</article><p><a href="/$query">{$w['shop']}</a></p>
        HTML, "/orders/{$order['reference']}", $open);
}

function awayPage(string $lang, array $order): string
{
    return layout($lang, '<p>' . WORDS[$lang]['away'] . '</p>' . form($lang, $order['reference'], $order['product'], WORDS[$lang]['again']));
}

function missingPage(string $lang): string
{
    return layout($lang, '<p>' . WORDS[$lang]['missing'] . '</p>');
}
