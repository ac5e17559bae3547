<?php

declare(strict_types=1);

// Does what a merchant does, and prints what came of it: contract.mjs prints the same.
require getenv('SDK');

use Daftar\Client;

[$url, $key, $token] = [getenv('DAFTAR_API_URL'), getenv('DAFTAR_API_KEY'), getenv('DAFTAR_ACCESS_TOKEN')];
$daftar = Client::fromEnvironment();
$order = [
    'merchant_reference' => 'order-1', 'amount' => 5000, 'currency' => 'LYD', 'description' => 'قهوة', 'customer' => ['external_id' => 'customer-77'],
    'metadata' => ['branch' => 'طرابلس'], 'return_url' => 'https://shop.example/orders/1',
];

function json(mixed $value): string
{
    return json_encode($value, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
}

function told(Daftar\CreatedPaymentIntent|Daftar\CreatedRefund $created): string
{
    return 'replayed ' . json($created->replayed) . ', differs ' . json($created->differs);
}

function fails(string $what, callable $call): void
{
    try {
        $call();
        echo "$what: no error\n";
    } catch (InvalidArgumentException) {
        echo "$what: argument\n";
    } catch (Daftar\Exception\DaftarException $e) {
        $kind = preg_replace('/Exception$/', '', (new ReflectionClass($e))->getShortName());
        $status = $e instanceof Daftar\Exception\ApiException ? " $e->status {$e->getMessage()}" : '';
        $fields = $e instanceof Daftar\Exception\ValidationException ? ' ' . implode(' ', array_keys($e->errors())) : '';
        echo "$what: $kind$status$fields" . ($e->requestId ? ', with request id' : '') . "\n";
    }
}

$first = $daftar->createPaymentIntent($order);
$intent = $first->intent;
echo 'first: ', told($first), ", {$intent->status->value}, $intent->amount, $intent->customer_external_id, ", json($intent->metadata), "\n";
echo 'again: ', told($daftar->createPaymentIntent($order)), "\n";
$other = $daftar->createPaymentIntent(['amount' => 9000, 'description' => 'شاي'] + $order);
echo 'other: ', told($other), ", {$other->intent->amount}\n";
echo 'retrieved: ', $daftar->retrievePaymentIntent($intent->uuid) == $intent ? 'the same' : 'another', "\n";

foreach ([1, 2, 3] as $n) {
    $daftar->createPaymentIntent(['merchant_reference' => "listed-$n", 'customer' => ['external_id' => 'customer-88']] + $order);
}
$filter = ['customer_external_id' => 'customer-88', 'limit' => 2];
$page = $daftar->listPaymentIntents($filter);
$all = iterator_to_array($daftar->paymentIntents($filter), false);
echo 'listed: ', count($page->data), $page->next_cursor === null ? '' : ' and more', ', ', implode(' ', array_map(fn ($one) => $one->merchant_reference, $all)), "\n";
$ended = $daftar->expirePaymentIntent($all[0]->uuid);
$again = $daftar->expirePaymentIntent($all[0]->uuid);
echo "expired: {$ended->status->value}, {$again->status->value}\n";
$events = $daftar->listPaymentIntentEvents($all[0]->uuid);
echo 'events: ', implode(', ', array_map(fn ($one) => "$one->sequence $one->type " . ($one->fields['amount'] ?? $one->fields['reason']), $events)), "\n";
fails('filter', fn () => $daftar->listPaymentIntents(['limit' => 0]));
fails('expire', fn () => $daftar->expirePaymentIntent('00000000-0000-4000-8000-000000000000'));
fails('events of others', fn () => $daftar->listPaymentIntentEvents(getenv('OTHERS')));

$paid = getenv('PAID');
$part = ['refund_reference' => 'refund-1', 'amount' => 1500, 'reason' => 'برد'];
$given = $daftar->createRefund($paid, $part);
$refund = $given->refund;
echo 'refund: ', told($given), ", {$refund->status->value}, $refund->amount $refund->currency, $refund->reason, ", json($refund->failure_reason), "\n";
echo 'refund again: ', told($daftar->createRefund($paid, $part)), "\n";
$elsewhere = $daftar->createRefund($intent->uuid, ['amount' => 900] + $part);
echo 'refund elsewhere: ', told($elsewhere), ', ', $elsewhere->refund->payment_intent === $paid ? 'the first' : 'another', "\n";
echo 'refunds: ', implode(' ', array_map(fn ($one) => $one->refund_reference, $daftar->listRefunds($paid))), ", {$daftar->retrieveRefund($refund->uuid)->refund_reference}\n";
fails('refund too much', fn () => $daftar->createRefund($paid, ['refund_reference' => 'refund-2', 'amount' => 3501]));
fails('refund unpaid', fn () => $daftar->createRefund($intent->uuid, ['refund_reference' => 'refund-2']));
fails('refund of others', fn () => $daftar->createRefund(getenv('OTHERS'), ['refund_reference' => 'refund-2']));
fails('no refund', fn () => $daftar->retrieveRefund('00000000-0000-4000-8000-000000000000'));
fails('no uuid of a refund', fn () => $daftar->retrieveRefund('refund-1'));

fails('unknown', fn () => $daftar->retrievePaymentIntent('00000000-0000-4000-8000-000000000000'));
fails('others', fn () => $daftar->retrievePaymentIntent(getenv('OTHERS')));
fails('key', fn () => (new Client($url, 'pk_wrong', $token))->retrievePaymentIntent($intent->uuid));
fails('token', fn () => (new Client($url, $key, 'at_wrong'))->retrievePaymentIntent($intent->uuid));
fails('fields', fn () => $daftar->createPaymentIntent(['merchant_reference' => 'order-2', 'amount' => 1, 'metadata' => ['k' => 7]] + $order));
fails('no uuid', fn () => $daftar->retrievePaymentIntent('../payment-intents'));
fails('no address', fn () => new Client('pay.example', $key, $token));
fails('line end', fn () => new Client($url, $key, "$token\n"));
fails('nobody', fn () => (new Client(getenv('NOWHERE'), $key, $token, retryFor: 0))->createPaymentIntent($order));
fails('redirect', fn () => (new Client(getenv('REDIRECT'), $key, $token))->createPaymentIntent($order));
