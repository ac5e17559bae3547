<?php

declare(strict_types=1);

// contract.php [fake]: does what a merchant does through the facade, and prints what came of it. The fake and
// a real service print the same. PAY is an address that pays the intent whose checkout_url is posted to it.
require __DIR__ . '/autoload.php';

use Daftar\Laravel\Facades\Daftar;
use Daftar\Laravel\Tests\Support\TestApplication;

$app = TestApplication::start(TestApplication::scratch());
$fake = ($argv[1] ?? '') === 'fake' ? Daftar::fake() : null;

function json(mixed $value): string
{
    return json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
}

function did(string $what, callable $call): void
{
    try {
        $made = $call();
        if ($made instanceof \Daftar\CreatedPaymentIntent || $made instanceof \Daftar\CreatedRefund) {
            $of = $made->intent ?? $made->refund;
            // A refund that exists may have ended by now.
            $made = [$made->replayed, $made->differs, $made->replayed ? '' : $of->status, $of->amount];
        }
        echo "$what: ", json($made), "\n";
    } catch (\Daftar\Exception\ApiException $e) {
        $errors = $e instanceof \Daftar\Exception\ValidationException ? json($e->errors()) : '';
        echo "$what: ", $e::class, " $e->status {$e->getMessage()} $errors\n";
    } catch (InvalidArgumentException $e) {
        echo "$what: argument {$e->getMessage()}\n";
    }
}

$payments = Daftar::payments();
$refunds = Daftar::refunds();
$order = [
    'merchant_reference' => 'order-1', 'amount' => 5000, 'currency' => 'LYD', 'description' => 'قهوة',
    'customer' => ['external_id' => 'c-1'], 'metadata' => ['branch' => 'طرابلس', 'till' => '2'],
    'return_url' => 'https://shop.example/orders/1',
];
$nobody = '00000000-0000-4000-8000-000000000000';
$created = [];
$create = static function (array $fields) use ($payments, $order, &$created): \Daftar\PaymentIntent {
    return $created[] = $payments->create($fields + $order)->intent;
};

did('create', fn () => $payments->create($order));
did('again', fn () => $payments->create(['metadata' => ['till' => '2', 'branch' => 'طرابلس']] + $order));
$in = static fn (int $seconds): string => gmdate('Y-m-d\TH:i:s\Z', time() + $seconds);
$changed = [
    'amount' => 9000, 'description' => 'شاي', 'customer' => [], 'return_url' => null, 'metadata' => null,
    'expires_at' => $in(3600),
];
did('differs', fn () => $payments->create($changed + $order));
$implied = ['merchant_reference' => 'order-2'] + array_diff_key($order, ['currency' => 1]);
did('without currency', fn () => $payments->create($implied));
foreach (
    [
        'little' => ['amount' => 999],
        'much' => ['amount' => 1_000_000_001],
        'text' => ['amount' => '5000'],
        'float' => ['amount' => 5000.5],
        'nothing' => ['amount' => null],
        'dollars' => ['currency' => 'USD'],
        'small letters' => ['currency' => 'lyd'],
        'long currency' => ['currency' => 'LYDD'],
        'invisible' => ['description' => " \u{200b}"],
        'empty' => ['description' => ''],
        'long' => ['description' => str_repeat('ق', 256)],
        'no reference' => ['merchant_reference' => null],
        'long reference' => ['merchant_reference' => str_repeat('r', 256)],
        'relative' => ['return_url' => '/orders/1'],
        'soon' => ['expires_at' => $in(290)],
        'far' => ['expires_at' => $in(31 * 86400 + 9)],
        'customer' => ['customer' => 'c-1'],
        'long customer' => ['customer' => ['external_id' => str_repeat('c', 256)]],
        'list' => ['metadata' => ['a', 'b']],
        'many' => ['metadata' => array_fill_keys(array_map(fn (int $n) => "k$n", range(1, 21)), 'v')],
        'number' => ['metadata' => ['k' => 7, str_repeat('k', 41) => str_repeat('v', 256)]],
        'all wrong' => ['merchant_reference' => '', 'amount' => 1, 'currency' => 'X', 'description' => null],
    ] as $why => $fields
) {
    did($why, fn () => $payments->create($fields + ['merchant_reference' => "wrong $why"] + $order));
}

$first = $create(['merchant_reference' => 'order-3']);
did('retrieve', fn () => $payments->retrieve($first->uuid) == $first);
did('retrieve nobody', fn () => $payments->retrieve($nobody));
did('retrieve no uuid', fn () => $payments->retrieve('../payment-intents'));
did('expire', fn () => $payments->expire($first->uuid)->status);
did('expire again', fn () => $payments->expire($first->uuid)->status);
did('create expired', fn () => $payments->create(['merchant_reference' => 'order-3'] + $order));
$steady = static fn (\Daftar\PaymentIntentEvent $e): array
    => array_diff_key($e->fields, ['at' => 1, 'attempt' => 1, 'refund' => 1]);
did('events', fn () => array_map($steady, $payments->events($first->uuid)));
$references = static fn (array $filter): array
    => $payments->all($filter)->map(fn ($intent) => $intent->merchant_reference)->all();
did('list', fn () => $references(['customer_external_id' => 'c-1']));
did('list open', fn () => $references(['status' => 'requires_payment_method', 'limit' => 1]));
did('list recent', fn () => $references(['created_from' => $in(-3600), 'created_to' => $in(-1800)]));
did('list limit', fn () => $payments->all(['limit' => 0])->all());
did('list status', fn () => $payments->all(['status' => 'paid'])->all());
did('list parameter', fn () => $payments->all(['reference' => 'x'])->all());

$paid = $create(['merchant_reference' => 'order-4']);
did('refund unpaid', fn () => $refunds->create($paid->uuid, ['refund_reference' => 'r-0']));
if ($fake !== null) {
    $fake->pay($paid);
} else {
    $request = ['method' => 'POST', 'header' => 'Content-Type: text/plain', 'content' => $paid->checkout_url];
    file_get_contents(getenv('PAY'), context: stream_context_create(['http' => $request]));
}
while ($payments->retrieve($paid->uuid)->status !== \Daftar\Status::Succeeded) {
    usleep(50_000);
}
did('expire paid', fn () => $payments->expire($paid->uuid));
$end = static function (string $reference) use ($fake, $refunds, $paid): void {
    $fake?->endRefund($reference, \Daftar\RefundStatus::Succeeded);
    do {
        usleep(50_000);
        $states = array_map(fn ($refund) => $refund->status, $refunds->of($paid->uuid));
    } while (in_array(\Daftar\RefundStatus::Pending, $states, true));
};
$refund = static fn (array $fields, ?string $of = null): \Daftar\CreatedRefund
    => $refunds->create($of ?? $paid->uuid, $fields);
$cold = ['refund_reference' => 'r-1', 'amount' => 1500, 'reason' => 'برد'];
did('refund', fn () => $refund($cold));
did('refund again', fn () => $refund($cold));
$differs = ['refund_reference' => 'r-1', 'amount' => 1, 'attempt' => 'x'];
did('refund differs', fn () => $refund($differs, $first->uuid));
did('refund too much', fn () => $refund(['refund_reference' => 'r-2', 'amount' => 3501]));
did('refund nothing', fn () => $refund(['refund_reference' => 'r-2', 'amount' => 0]));
$wrong = ['refund_reference' => '', 'amount' => '1', 'reason' => str_repeat('r', 256)];
did('refund text', fn () => $refund($wrong));
did('refund attempt', fn () => $refund(['refund_reference' => 'r-2', 'attempt' => 'x']));
did('refund nobody', fn () => $refunds->create($nobody, ['refund_reference' => 'r-2']));
$end('r-1');
did('refund rest', fn () => $refunds->create($paid->uuid, ['refund_reference' => 'r-3']));
did('refund more', fn () => $refunds->create($paid->uuid, ['refund_reference' => 'r-4']));
$shown = static fn (\Daftar\Refund $one): array => [$one->refund_reference, $one->amount, $one->reason];
did('refunds', fn () => array_map($shown, $refunds->of($paid->uuid)));
did('refund retrieved', fn () => $refunds->retrieve($refunds->of($paid->uuid)[0]->uuid)->refund_reference);
did('no refund', fn () => $refunds->retrieve($nobody));
did('no uuid', fn () => $refunds->retrieve('r-1'));
$end('r-3');
did('all events', fn () => array_map($steady, $payments->events($paid->uuid)));
did('refund after all', fn () => $refunds->create($paid->uuid, ['refund_reference' => 'r-5']));
