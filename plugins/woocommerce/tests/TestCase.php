<?php

use Daftar\WooCommerce\Gateway;
use Daftar\WooCommerce\Record;
use Daftar\WooCommerce\Schedule;
use Daftar\WooCommerce\Webhook;

final class Failure extends Exception {
}

/** An empty shop with a gateway in test mode, and a Daftar. */
abstract class TestCase {
    public const SECRET = 'whsec_ZGFmdGFyLWd1aWRlLW5vLXNlY3JldCEh';
    protected FakeDaftar $daftar;

    public function setUp(): void {
        global $wpdb;
        foreach (['options', 'orders', 'paid', 'notes', 'mails', 'actions'] as $table) {
            $wpdb->query("DELETE FROM $table");
        }
        $GLOBALS['hooks'] = $GLOBALS['log'] = $GLOBALS['notices'] = [];
        $GLOBALS['locale'] = 'ar';
        $GLOBALS['crash'] = '';
        WC()->session = null;
        $this->daftar = new FakeDaftar();
        $GLOBALS['http'] = $this->daftar;
        WC_Product::$stock = [];
        $this->setting(['enabled' => 'yes', 'mode' => 'test', 'test_url' => 'https://pay.example/api/v1',
            'test_key' => 'pk_test', 'test_token' => 'at_test', 'test_secret' => self::SECRET,
            'title_ar' => 'الدفع الإلكتروني', 'title_en' => 'Pay online']);
        update_option('admin_email', 'owner@shop.example');
        add_action('woocommerce_order_status_changed', [Schedule::class, 'changed'], 10, 4);
    }

    protected function setting(array $change): void {
        update_option('woocommerce_daftar_settings', $change + get_option('woocommerce_daftar_settings', []));
    }

    /** The customer clicks "place order". */
    protected function pay(WC_Order $order): array {
        return (new Gateway())->process_payment($order->get_id());
    }

    /** An order whose customer is at the checkout. */
    protected function opened(string $total = '5.000', array $more = []): WC_Order {
        $order = WC_Order::make($total, $more);
        $this->same('success', $this->pay($order)['result']);
        return $order;
    }

    protected function paidOrder(string $total = '5.000'): WC_Order {
        $order = $this->opened($total);
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->same(204, $this->webhook('succeeded', $order));
        return $order;
    }

    /** Has a webhook arrive, and returns the answer. */
    protected function webhook(string $type, WC_Order $order, array $more = [], string $n = ''): int {
        $reference = "order-{$order->get_id()}$n";
        return $this->send(['type' => "payment_intent.$type", 'data' => ['merchant_reference' => $reference,
            'uuid' => $this->daftar->of($reference)['uuid'] ?? '', 'sequence' => 3]], $more);
    }

    protected function send(array $event, array $more = []): int {
        $body = $more['body'] ?? json_encode($event);
        $time = $more['timestamp'] ?? (string) time();
        $key = base64_decode(substr($more['secret'] ?? self::SECRET, 6));
        $mac = base64_encode(hash_hmac('sha256', "evt_1.$time.$body", $key, true));
        return Webhook::handle($more['method'] ?? 'POST', ['id' => 'evt_1', 'timestamp' => $time,
            'signature' => $more['signature'] ?? "v1,$mac"], $more['sent'] ?? $body);
    }

    protected function now(WC_Order $order): WC_Order {
        return wc_get_order($order->get_id());
    }

    protected function record(WC_Order $order): Record {
        return new Record($this->now($order));
    }

    /** How often the order became paid. */
    protected function timesPaid(WC_Order $order): int {
        return count($GLOBALS['wpdb']->rows('SELECT 1 FROM paid WHERE id = ?', [$order->get_id()]));
    }

    protected function notes(WC_Order $order): string {
        return implode("\n", array_column($GLOBALS['wpdb']->rows('SELECT text FROM notes WHERE id = ?',
            [$order->get_id()]), 'text'));
    }

    protected function mails(): int {
        return count($GLOBALS['wpdb']->rows('SELECT 1 FROM mails'));
    }

    /** @param mixed $want @param mixed $got */
    protected function same($want, $got, string $what = ''): void {
        if ($want !== $got) {
            throw new Failure("$what: got " . var_export($got, true) . ', want ' . var_export($want, true));
        }
    }

    protected function has(string $part, string $text): void {
        if (strpos($text, $part) === false) {
            throw new Failure("not found: $part\nin: $text");
        }
    }
}
