<?php

use Daftar\WooCommerce\OrderLock;
use Daftar\WooCommerce\Payments;
use Daftar\WooCommerce\ReturnPage;
use Daftar\WooCommerce\Schedule;

/** The ways of an order from the click to the paid one: what shops report of other gateways. */
final class PaymentTest extends TestCase {
    public function testDoubleWebhook(): void {
        $order = $this->paidOrder();
        $this->same(204, $this->webhook('succeeded', $order));
        $this->same('processing', $this->now($order)->get_status());
        $this->same(1, $this->timesPaid($order));
        $this->same(0, $this->mails());
    }

    public function testWebhookBeforeReturn(): void {
        $order = $this->paidOrder();
        $this->has('/order-received/', ReturnPage::target($order->get_id(), $order->get_order_key()));
        $this->same(1, $this->timesPaid($order));
    }

    public function testReturnBeforeWebhook(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->has('/order-received/', ReturnPage::target($order->get_id(), $order->get_order_key()));
        $this->same(1, $this->timesPaid($order));
        $this->same(204, $this->webhook('succeeded', $order));
        $this->same(1, $this->timesPaid($order));
    }

    public function testReturnWithAWrongKeyLeadsToTheShop(): void {
        $order = $this->opened();
        $asked = count($this->daftar->asked);
        $this->same(home_url('/shop'), ReturnPage::target($order->get_id(), 'wc_order_guess'));
        $this->same(home_url('/shop'), ReturnPage::target($order->get_id(), ''));
        $this->same($asked, count($this->daftar->asked));
    }

    public function testReturnLeadsToTheOrderWhateverHappened(): void {
        $order = $this->opened();
        foreach (['cut', 'cut', 503] as $fault) {
            $this->daftar->faults = [$fault, $fault];
            $this->has('/order-received/', ReturnPage::target($order->get_id(), $order->get_order_key()));
        }
        $this->same('pending', $this->now($order)->get_status());
    }

    public function testCartChanged(): void {
        $order = $this->opened();
        $order->set_total('7.500');
        $order->save();
        $this->has('/pay/', $this->pay($order)['redirect']);
        $id = $order->get_id();
        $this->same('canceled', $this->daftar->of("order-$id")['status']);
        $this->same(7500, $this->daftar->of("order-$id#2")['amount']);
        $this->daftar->set("order-$id#2", 'succeeded');
        $this->webhook('canceled', $order);
        $this->webhook('succeeded', $order, [], '#2');
        $this->same('processing', $this->now($order)->get_status());
    }

    public function testCartChangedWhileItIsBeingPaid(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'processing');
        $order->set_total('7.500');
        $order->save();
        $this->has('/order-received/', $this->pay($order)['redirect']);
        $this->same(1, count($this->daftar->intents), 'another intent would be paid, too');
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->webhook('succeeded', $order);
        $this->same('on-hold', $this->now($order)->get_status());
        $this->has('7.500 LYD', $this->notes($order));
        $this->same(1, $this->mails());
        $this->webhook('succeeded', $order);
        $this->same([0, 1], [$this->timesPaid($order), $this->mails()]);
    }

    public function testAnotherCartEndsTheLinkOfTheOrderBefore(): void {
        WC()->session = new class {
            private array $kept = [];

            public function get(string $name) {
                return $this->kept[$name] ?? null;
            }

            public function set(string $name, $value): void {
                $this->kept[$name] = $value;
            }
        };
        $first = $this->opened();
        $second = $this->opened('7.500', ['cart' => 'cart-2']);
        $this->same('canceled', $this->daftar->of("order-{$first->get_id()}")['status']);
        $this->daftar->set("order-{$second->get_id()}", 'succeeded');
        // The same cart again, although it was paid a moment ago in another tab.
        $third = WC_Order::make('7.500', ['cart' => 'cart-2']);
        $this->has("/order-received/{$second->get_id()}", $this->pay($third)['redirect']);
        $this->same(null, $this->daftar->of("order-{$third->get_id()}"));
        ReturnPage::thanks($second->get_id());
        $this->has('/pay/', $this->pay($third)['redirect']); // bought once more
    }

    public function testCanceledByTheStockTimerBeforeTheLateMoney(): void {
        WC_Product::$stock = [7 => 3];
        $order = $this->opened('5.000', ['items' => [['product' => 7, 'quantity' => 2]]]);
        $order->update_status('cancelled');
        Schedule::look($order->get_id());
        $this->same('canceled', $this->daftar->of("order-{$order->get_id()}")['status']);
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->webhook('succeeded', $order);
        $this->same('processing', $this->now($order)->get_status());
        $this->has('after the order had ended', $this->notes($order));
    }

    public function testLateMoneyForGoodsThatAreGone(): void {
        WC_Product::$stock = [7 => 3];
        $items = [['product' => 7, 'quantity' => 2], ['product' => 7, 'quantity' => 2]];
        $order = $this->opened('5.000', ['items' => $items]);
        $order->update_status('cancelled');
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->webhook('succeeded', $order);
        $this->webhook('succeeded', $order);
        $this->same('on-hold', $this->now($order)->get_status());
        $this->same(false, $this->now($order)->get_data_store()->get_stock_reduced($order->get_id()));
        $this->same(1, $this->mails());
        $this->same($this->daftar->of("order-{$order->get_id()}")['uuid'], $this->now($order)->get_transaction_id());
    }

    public function testTwoTabsGetOneIntent(): void {
        $order = $this->opened();
        $this->same($this->pay($order)['redirect'], $this->pay($order)['redirect']);
        $this->same(1, count($this->daftar->intents));
    }

    public function testASecondTabWaitsForTheFirst(): void {
        $order = $this->opened();
        $lock = OrderLock::acquire($order->get_id(), 0, 6);
        $this->same(false, Payments::settle($order->get_id(), 0, 1));
        $lock->release();
        $this->same(204, $this->webhook('canceled', $order));
    }

    public function testALockOfAKilledProcessEnds(): void {
        global $wpdb;
        $lock = OrderLock::acquire(7, 0, 6);
        $this->same(true, $lock->isHeld());
        $wpdb->query("UPDATE options SET option_value = '1 dead' WHERE option_name = 'daftar_wc_lock_7'");
        $this->same(false, $lock->isHeld());
        $other = OrderLock::acquire(7, 0, 6);
        $lock->release();
        $this->same(true, $other->isHeld(), 'the lock of another process was released');
    }

    public function testAProcessThatStoodStillChangesNothing(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $GLOBALS['http'] = function (string $url, array $arguments) {
            $GLOBALS['wpdb']->query("UPDATE options SET option_value = '9 other' WHERE option_name LIKE 'daftar_wc_lock_%'");
            return ($this->daftar)($url, $arguments);
        };
        $this->same(503, $this->webhook('succeeded', $order));
        $this->same(['pending', 0], [$this->now($order)->get_status(), $this->timesPaid($order)]);
    }

    public function testALockThatEndsSoonIsNotHeld(): void {
        $lock = OrderLock::acquire(7, 0, 6);
        $soon = (time() + 2) . ' soon';
        (function () use ($soon): void {
            $this->mine = $soon;
        })->call($lock);
        $GLOBALS['wpdb']->query("UPDATE options SET option_value = '$soon' WHERE option_name = 'daftar_wc_lock_7'");
        $this->same(false, $lock->isHeld());
    }

    public function testIntentThatIsNoLongerWhatWasAskedForPaysNothing(): void {
        $order = $this->opened();
        $uuid = $this->daftar->of("order-{$order->get_id()}")['uuid'];
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->daftar->intents[$uuid]['amount'] = 7500;
        $order->set_total('7.500');
        $order->save();
        $this->webhook('succeeded', $order);
        $this->same(['foreign', 'pending'], [$this->record($order)->attempts[0]['status'], $this->now($order)->get_status()]);
    }

    public function testIntentThatCannotBeEndedIsBeingPaid(): void {
        $order = $this->opened();
        $order->set_total('7.500');
        $order->save();
        $this->daftar->faults = [null, 409];
        $this->has('/order-received/', $this->pay($order)['redirect']);
        $this->same(1, count($this->daftar->intents), 'another intent would be paid, too');
    }

    public function testCreationThatIsRefusedIsNotTriedUnderFurtherNumbers(): void {
        $order = WC_Order::make();
        foreach ([1, 2] as $click) {
            $this->daftar->faults = [403, 403];
            $this->same('failure', $this->pay($order)['result']);
            $this->same(1, count($this->record($order)->attempts), "click $click");
        }
        $this->daftar->faults = [];
        $this->has('/pay/', $this->pay($order)['redirect']);
        $this->same(1, count($this->record($order)->attempts));
    }

    public function testAnswerOfTheCreationLost(): void {
        $order = WC_Order::make();
        $this->daftar->faults = ['lost', 'cut'];
        $this->same('failure', $this->pay($order)['result']);
        $this->same(1, count($GLOBALS['notices']));
        $this->same('success', $this->pay($order)['result']);
        $this->same(1, count($this->daftar->intents));
        $this->same(1, count($this->record($order)->attempts));
    }

    public function testReferenceOfAnotherShop(): void {
        $order = WC_Order::make();
        $id = $order->get_id();
        ($this->daftar)('https://pay.example/api/v1/payment-intents', ['method' => 'POST',
            'headers' => ['X-API-Key' => 'pk_test', 'Authorization' => 'Bearer at_test'],
            'body' => json_encode(['merchant_reference' => "order-$id", 'amount' => 5000, 'currency' => 'LYD',
                'metadata' => ['order_key' => 'wc_order_elsewhere']])]);
        $this->daftar->set("order-$id", 'succeeded');
        $this->has('/pay/', $this->pay($order)['redirect']);
        $this->same('pending', $this->now($order)->get_status());
        $this->same(0, $this->timesPaid($order));
        $this->has("order-$id#2", $this->daftar->of("order-$id#2")['merchant_reference']);
        $this->same(['foreign', 'requires_payment_method'], array_column($this->record($order)->attempts, 'status'));
        $this->webhook('succeeded', $order);
        $this->same(0, $this->timesPaid($order));
    }

    public function testAfterAnExpiryTheNextNumber(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'canceled');
        $this->webhook('canceled', $order);
        $this->same('pending', $this->now($order)->get_status());
        $this->pay($order);
        $this->daftar->set("order-{$order->get_id()}#2", 'succeeded');
        $this->webhook('succeeded', $order, [], '#2');
        $this->webhook('canceled', $order);
        $this->same('processing', $this->now($order)->get_status(), 'an old expiry canceled a paid order');
    }

    public function testPaidTwiceInTwoIntents(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'canceled');
        $this->pay($order);
        $this->daftar->set("order-{$order->get_id()}#2", 'succeeded');
        $this->webhook('succeeded', $order, [], '#2');
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->webhook('succeeded', $order);
        $this->webhook('succeeded', $order);
        $this->same([1, 1], [$this->timesPaid($order), $this->mails()]);
        $this->has('paid already', $this->notes($order));
    }

    public function testPaidTwiceInOneIntent(): void {
        $order = $this->paidOrder();
        $this->daftar->payTwice("order-{$order->get_id()}");
        $this->webhook('duplicate_payment', $order);
        $this->webhook('duplicate_payment', $order);
        $this->same(1, $this->mails());
        $this->has('a second time: 5.000 LYD', $this->notes($order));
    }

    public function testPaidInAnotherWayEndsTheLink(): void {
        $order = $this->opened();
        $order->set_payment_method('cod');
        $order->update_status('processing');
        $this->same(2, count($GLOBALS['wpdb']->rows('SELECT * FROM actions')));
        Schedule::look($order->get_id());
        $this->same('canceled', $this->daftar->of("order-{$order->get_id()}")['status']);
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->webhook('succeeded', $order);
        $this->same([1, 1], [$this->timesPaid($order), $this->mails()]);
    }

    public function testKilledAnywhereOnceIsOnce(): void {
        foreach (['before payment_complete', 'after payment_complete'] as $where) {
            $order = $this->opened();
            $this->daftar->set("order-{$order->get_id()}", 'succeeded');
            $GLOBALS['crash'] = $where;
            try {
                $this->webhook('succeeded', $order);
                throw new Failure("not killed $where");
            } catch (Killed $e) {
                $GLOBALS['crash'] = '';
            }
            $this->same(204, $this->webhook('succeeded', $order));
            $this->same('processing', $this->now($order)->get_status(), $where);
            $this->same([1, 0], [$this->timesPaid($order), $this->mails()], $where);
        }
    }

    public function testNoAnswerChangesNothing(): void {
        $order = $this->opened();
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->daftar->faults = ['cut', 'cut'];
        $this->same(503, $this->webhook('succeeded', $order));
        $this->same('pending', $this->now($order)->get_status());
        $this->same(204, $this->webhook('succeeded', $order));
    }

    public function testTestPaymentsPayNothingOnceTheShopIsLive(): void {
        $order = $this->opened();
        $this->setting(['mode' => 'live']);
        $this->daftar->set("order-{$order->get_id()}", 'succeeded');
        $this->webhook('succeeded', $order);
        $this->same(['pending', 0], [$this->now($order)->get_status(), $this->timesPaid($order)]);
        $this->has('test payment', $this->notes($order));
    }

    public function testWhatTheIntentIsMadeWith(): void {
        $order = $this->opened('12.345', ['customer' => 12]);
        $id = $order->get_id();
        $intent = $this->daftar->of("order-$id");
        $this->same([12345, 'LYD'], [$intent['amount'], $intent['currency']]);
        $this->same("Order $id · مشتل & مقهى", $intent['description']);
        $this->same('user-12', $intent['customer']['external_id']);
        $this->same(['order_key' => $order->get_order_key(), 'shop' => 'https://shop.example/'], $intent['metadata']);
        $this->same("https://shop.example/?wc-api=daftar_return&order=$id&key={$order->get_order_key()}",
            $intent['return_url'], 'works behind a proxy that rewrites the host, and without rewriting');
        $guest = $this->opened();
        $this->same(1, preg_match('/^guest-[0-9a-f]{24}$/', $this->daftar->of("order-{$guest->get_id()}")['customer']
            ['external_id']));
    }

    public function testLanguageGoesAlong(): void {
        $order = $this->opened();
        $this->same(false, strpos($this->pay($order)['redirect'], 'lang='));
        $GLOBALS['locale'] = 'en_US';
        $this->has('?lang=en', $this->pay($order)['redirect']);
    }
}
