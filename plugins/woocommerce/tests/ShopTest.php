<?php

use Daftar\WooCommerce\Api;
use Daftar\WooCommerce\Connection;
use Daftar\WooCommerce\Gateway;
use Daftar\WooCommerce\Money;
use Daftar\WooCommerce\Notices;
use Daftar\WooCommerce\ReturnPage;
use Daftar\WooCommerce\Settings;
use Daftar\WooCommerce\SettingsForm;

/** Webhooks, money, settings and what is shown. */
final class ShopTest extends TestCase {
    public function testWebhookSignatures(): void {
        $order = $this->opened();
        $body = '{"type":"payment_intent.succeeded","data":{}}';
        $arabic = strtr((string) time(), ['1' => '١', '7' => '٧', '2' => '٢']);
        $refused = [
            'no signature' => ['signature' => ''],
            'another secret' => ['secret' => 'whsec_' . base64_encode('another secret of 24 byt')],
            'changed body' => ['sent' => '{"type":"payment_intent.succeeded"}'],
            'old' => ['timestamp' => (string) (time() - 301)],
            'early' => ['timestamp' => (string) (time() + 301)],
            'no time' => ['timestamp' => ''],
            'Arabic digits in the time' => ['timestamp' => $arabic],
            'time with a line end' => ['timestamp' => time() . "\n"],
        ];
        foreach ($refused as $what => $more) {
            $this->same(401, $this->send([], $more + ['body' => $body]), $what);
        }
        $this->same(204, $this->send([], ['timestamp' => (string) (time() - 299)]));
        $this->same(204, $this->send([], ['signature' => $this->good('{}') . ' v1,other', 'body' => '{}']));
        $this->same(204, $this->send([], ['signature' => 'v1,other ' . $this->good('{}'), 'body' => '{}']));
        $this->same(405, $this->webhook('succeeded', $order, ['method' => 'GET']));
    }

    private function good(string $body): string {
        $key = base64_decode(substr(self::SECRET, 6));
        return 'v1,' . base64_encode(hash_hmac('sha256', 'evt_1.' . time() . ".$body", $key, true));
    }

    public function testTwoSecretsWhileANewOneIsIntroduced(): void {
        $new = 'whsec_' . base64_encode('the new secret, 24 bytes');
        $this->setting(['test_secret' => self::SECRET . ' ' . $new]);
        $this->same(204, $this->send([]));
        $this->same(204, $this->send([], ['secret' => $new]));
        $this->setting(['test_secret' => '']);
        $this->same(401, $this->send([]));
        $this->setting(['test_secret' => 'whsec_']);
        $this->same(401, $this->send([], ['secret' => 'whsec_']), 'an empty secret');
    }

    public function testWebhooksOfOthers(): void {
        $order = $this->opened();
        $foreign = ['order-1', 'order-999999', "order-{$order->get_id()}#7", 'cart-7', '', "order-{$order->get_id()}x"];
        $asked = count($this->daftar->asked);
        foreach ($foreign as $reference) {
            $data = ['merchant_reference' => $reference, 'uuid' => '00000000-0000-5000-8000-000000000001'];
            $this->same(204, $this->send(['type' => 'payment_intent.succeeded', 'data' => $data]), $reference);
        }
        $this->same(204, $this->send(['type' => 'webhook.test', 'data' => ['application_uuid' => 'x']]));
        $this->same(204, $this->send(['type' => 'payment_intent.created', 'data' => []]));
        $this->same($asked, count($this->daftar->asked));
        $this->same(true, is_int(get_option('daftar_wc_webhook_at_test')));
        $this->same(false, get_option('daftar_wc_webhook_at_live'));
    }

    public function testMoney(): void {
        $good = ['5' => 5000, '5.0' => 5000, '5.1' => 5100, '0.001' => 1, '12.345' => 12345, '12.345000' => 12345,
            '8.29' => 8290, '1000000' => 1000000000, '٥' => 5000, '١٢٫٣٤٥' => 12345, '۱۲.۵' => 12500, ' 7 ' => 7000];
        foreach ($good as $text => $dirhams) {
            $this->same($dirhams, Money::parse((string) $text), (string) $text);
        }
        foreach (['', '5,000', '1.2345', '-5', '5.000.0', 'LYD 5', '1e3', '.5', '9999999999999'] as $text) {
            $this->same(null, Money::parse($text), $text);
        }
        $this->same(8290, Money::parse(8.29));
        $this->same('0.050', Money::decimal(50));
    }

    public function testShopWithZeroDecimals(): void {
        $order = $this->paidOrder('5');
        $this->same(5000, $this->daftar->of("order-{$order->get_id()}")['amount']);
        $this->same('processing', $this->now($order)->get_status());
    }

    public function testArabicDigitsInTheShop(): void {
        $order = $this->paidOrder('١٢٫٣٤٥');
        $this->same(12345, $this->daftar->of("order-{$order->get_id()}")['amount']);
        $this->same('processing', $this->now($order)->get_status());
    }

    public function testTotalsThatCannotBePaid(): void {
        foreach (['0.999', '5.0001', '1000000.001'] as $total) {
            $order = WC_Order::make($total);
            $this->same('failure', $this->pay($order)['result'], $total);
            $this->has("cannot be paid: $total LYD", $this->notes($order));
        }
        $this->same('failure', $this->pay(WC_Order::make('5.000', ['currency' => 'USD']))['result']);
        $this->same([], $this->daftar->intents);
    }

    public function testOfferedForDinarsAlone(): void {
        $this->same(true, (new Gateway())->is_available());
        foreach (['0' => true, '0.999' => false, '1' => true, '1000000.001' => false] as $total => $is) {
            WC()->cart = (object) ['total' => (string) $total];
            $this->same($is, (new Gateway())->is_available(), (string) $total);
        }
        WC()->cart = null;
        $this->setting(['test_token' => '']);
        $this->same(false, (new Gateway())->is_available());
        $this->setting(['test_token' => 'at_test']);
        update_option('woocommerce_currency', 'USD');
        $this->same(false, (new Gateway())->is_available());
        $this->has('not LYD', Connection::check('test')[0][1]);
    }

    public function testCheckSaysWhatIsWrong(): void {
        $say = static function (): string {
            return implode("\n", array_column(Connection::check('test'), 1));
        };
        $this->has('Daftar answers', $say());
        $this->has('Refunds are allowed', $say());
        $this->same(true, (new Gateway())->supports('refunds'));
        $this->daftar->scopes = ['payments'];
        $this->has('no refund button', $say());
        $this->same(false, (new Gateway())->supports('refunds'));
        $this->same(true, (new Gateway())->supports('products'));
        $this->daftar->scopes = ['refunds'];
        $this->has('nobody can pay', $say());
        $this->same(true, (new Gateway())->supports('refunds'));
        $this->daftar->scopes = ['payments', 'refunds'];
        $this->same(false, strpos($say(), '✗') || strpos($say(), 'scope'));
        foreach ([[301, 'no Daftar API'], [404, 'no Daftar API'], [503, 'Try again later'],
            ['cut', 'Connection reset']] as [$fault, $words]) {
            $this->daftar->faults = [$fault, $fault];
            $this->has($words, $say());
        }
        $this->setting(['test_key' => 'pk_other']);
        $this->has('does not know this API key', $say());
        $this->setting(['test_key' => 'pk_test', 'test_token' => 'at_other']);
        $this->has('refuses the access token', $say());
        $this->setting(['test_token' => 'at_test', 'test_secret' => '']);
        $this->has('secret is missing', $say());
        $this->setting(['test_secret' => 'at_whsec']);
        $this->has('begins with whsec_', $say());
        $this->setting(['test_url' => '']);
        $this->has('Missing for this mode', $say());
    }

    public function testAnswersThatAreNotTheApis(): void {
        $order = $this->opened();
        $GLOBALS['http'] = static function (): array {
            return ['status' => 200, 'body' => '<html>Welcome to the hotel</html>', 'headers' => []];
        };
        $this->same('failure', $this->pay($order)['result']);
        $this->has('not that of the Daftar API', implode("\n", $GLOBALS['log']));
    }

    public function testSecretsAreNeitherShownNorLost(): void {
        add_filter('pre_update_option_woocommerce_daftar_settings', [Settings::class, 'keepSecrets'], 10, 2);
        $gateway = new Gateway();
        $this->same(['', 'test'], [$gateway->settings['test_token'], $gateway->settings['mode']],
            'WooCommerce shows these in its REST API');
        $html = $this->shown([$gateway, 'admin_options']);
        $this->same(0, preg_match('/at_test|pk_test|whsec_Z/', $html));
        $this->has('Pay online', $html);
        $gateway->update_option('enabled', 'no'); // as the list of methods does
        $this->same(['no', 'at_test'], [Settings::get('enabled'), Settings::get('test_token')]);
        $gateway->update_option('test_token', 'at_new');
        $this->same(['at_new', 'pk_test'], [Settings::get('test_token'), Settings::get('test_key')]);
        $gateway->update_option('test_token', 'at_test');
        $this->same(false, strpos(print_r([new Api('test', 0), new Gateway()], true), 'at_test'));
        $order = $this->opened();
        $this->daftar->faults = ['cut', 'cut', 401, 500, 500];
        $this->webhook('succeeded', $order);
        $this->same(0, preg_match('/at_test|pk_test|whsec|salem@|wc_order_/', implode("\n", $GLOBALS['log'])));
    }

    public function testAddressIsTakenWithHttpsAlone(): void {
        foreach (['https://pay.example/api/v1/' => true, 'http://127.0.0.1:8080/api/v1' => true, 'http://localhost/' => true,
            'http://pay.example' => false, 'http://localhost.example/' => false, 'pay.example' => false] as $url => $is) {
            $this->setting(['test_url' => $url]);
            $this->same($is, (new Gateway())->is_available(), $url);
            $this->same(!$is, (new Gateway())->needs_setup(), "$url: the list leads to the settings");
            $this->same($is, strpos(Connection::check('test')[0][1], 'https://') === false, $url);
        }
    }

    public function testCheckRunsForWhoClicksItAlone(): void {
        $page = $this->shown([SettingsForm::class, 'below']);
        // WordPress gives a field its looks by its type, and it is no wider than a phone by this class.
        $this->has('<input type="text" readonly dir="ltr" class="large-text code" '
            . 'value="https://shop.example/?wc-api=daftar_webhook">', $page);
        $this->has('No webhook has arrived', $page);
        $this->same(1, preg_match('/section=daftar&amp;daftar_check=([0-9a-f]+)#/', $page, $parts));
        foreach (['guess', [], $parts[1]] as $nonce) {
            $this->same([], $this->daftar->asked);
            $_GET = ['daftar_check' => $nonce];
            $page = $this->shown([SettingsForm::class, 'below']);
        }
        $_GET = [];
        $this->has('✓ Refunds are allowed.', $page);
        $this->same(3, count($this->daftar->asked));
    }

    private function shown(callable $what): string {
        ob_start();
        $what();
        return ob_get_clean();
    }

    public function testOrderPageSaysHowItStands(): void {
        $order = $this->opened();
        $show = function (callable $what) use ($order): string {
            return $this->shown(function () use ($what, $order): void {
                $what($this->now($order));
            });
        };
        $thanks = static function (WC_Order $order): void {
            ReturnPage::thanks($order->get_id());
        };
        $this->has('/order-pay/', $show($thanks));
        $this->has('not paid yet', $show([Notices::class, 'box']));
        $this->daftar->set("order-{$order->get_id()}", 'processing');
        ReturnPage::target($order->get_id(), $order->get_order_key());
        $this->has('need not pay again', $show($thanks));
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->webhook('succeeded', $order);
        $this->same('', $show($thanks));
        $this->has('5.000 LYD</bdi> – paid (test)', $show([Notices::class, 'box']));
    }

    public function testReturnPageIsNotKeptByCachingPlugins(): void {
        $source = file_get_contents(dirname(__DIR__) . '/src/ReturnPage.php');
        $this->has("define('DONOTCACHEPAGE', true)", $source);
        $this->has('nocache_headers()', $source);
    }

    public function testTitleInTheLanguageOfThePage(): void {
        $this->same('الدفع الإلكتروني', (new Gateway())->title);
        $GLOBALS['locale'] = 'en_US';
        $this->same('Pay online', (new Gateway())->title);
        $this->setting(['title_en' => '']);
        $this->same('الدفع الإلكتروني', (new Gateway())->title);
    }
}
