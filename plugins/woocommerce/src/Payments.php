<?php

namespace Daftar\WooCommerce;

/**
 * The payments of one order, under its lock. There is one way by which an order is paid: settle, which asks
 * Daftar how its intents stand. The webhook, the way back, the schedule and a further click all take it; it
 * may be repeated, and be cut off anywhere.
 */
final class Payments {
    private const MOST_ATTEMPTS = 20;

    private Record $record;
    private \WC_Order $order;
    private OrderLock $lock;
    private float $end;
    private bool $isLeft = false; // whether the customer has gone on to another order

    private function __construct(Record $record, OrderLock $lock, float $seconds) {
        $this->record = $record;
        $this->order = $record->order;
        $this->lock = $lock;
        $this->end = microtime(true) + $seconds;
    }

    /**
     * Brings the order to what Daftar says. Nothing changes where Daftar does not answer.
     *
     * @param float $wait how long to wait for another process that does the same
     * @param float $seconds for how long Daftar may be asked
     * @throws Busy where another process has the order all that time
     * @throws ApiError where Daftar could not be asked
     */
    public static function settle(int $id, float $wait = 3, float $seconds = 12): void {
        self::locked($id, $wait, $seconds, static function (self $payments): void {
            $payments->look();
        });
    }

    /** The page to send the customer to: the checkout, or the order's where there is nothing to pay. */
    public static function begin(int $id): string {
        $page = self::leave($id);
        return $page ?? self::locked($id, 6, 20, static function (self $payments): string {
            return $payments->pay();
        });
    }

    /**
     * After a changed cart WooCommerce makes another order: the link of the one before is ended first, so
     * that not both are paid. Where that one is being paid, or was paid for the same cart, its page is
     * returned.
     */
    private static function leave(int $id): ?string {
        $session = WC()->session;
        $before = $session ? (int) $session->get('daftar_order') : 0;
        if ($session) {
            $session->set('daftar_order', $id);
        }
        $order = wc_get_order($id);
        if ($before === 0 || $before === $id || !$order) {
            return null;
        }
        return self::locked($before, 4, 10, static function (self $payments) use ($order): ?string {
            $payments->isLeft = true;
            $payments->look();
            $old = $payments->order;
            $isSame = $order->get_cart_hash() !== '' && $old->has_cart_hash($order->get_cart_hash());
            $isDone = ($isSame && $old->is_paid()) || $payments->record->has('processing');
            return $isDone ? $old->get_checkout_order_received_url() : null;
        });
    }

    /**
     * Runs something under the order's lock.
     *
     * @return mixed what it returns; null where there is no such order
     */
    public static function locked(int $id, float $wait, float $seconds, callable $run) {
        $lock = OrderLock::acquire($id, $wait);
        if ($lock === null) {
            throw new Busy("Order $id is being worked on.");
        }
        try {
            $record = Record::load($id);
            return $record === null ? null : $run(new self($record, $lock, $seconds));
        } finally {
            $lock->release();
        }
    }

    public function record(): Record {
        return $this->record;
    }

    public function api(string $mode): Api {
        return Settings::api($mode, $this->end - microtime(true), [$this, 'assertLocked']);
    }

    /** Keeps the lock. Fails where it was lost, because this process stood still: another one goes on. */
    public function assertLocked(): void {
        if (!$this->lock->isHeld()) {
            throw new Busy('The lock was lost.');
        }
    }

    /** Asks for each intent and each refund of the order, and applies the answers. */
    public function look(): void {
        $failure = null;
        foreach (array_keys($this->record->attempts) as $n) {
            try {
                $this->lookAt($n);
            } catch (ApiError $error) {
                Notices::log("order {$this->order->get_id()}: {$error->getMessage()}");
                // 403 and 404: of another application, since the credentials were changed.
                $failure = in_array($error->status, [403, 404], true) ? $failure : $error;
            }
        }
        try {
            (new Refunds($this))->look();
        } catch (ApiError $error) {
            $failure = $failure ?? $error;
        }
        Schedule::plan($this->record);
        if ($failure !== null) {
            throw $failure;
        }
    }

    private function lookAt(int $n): void {
        $attempt = $this->record->attempts[$n];
        if ($attempt['status'] === 'foreign' || !Settings::isComplete($attempt['mode'])) {
            return;
        }
        $api = $this->api($attempt['mode']);
        $uuid = $attempt['uuid'];
        $intent = $uuid === null ? $api->find($attempt['reference']) : $api->retrieve($uuid);
        if ($intent === null || !$this->adopt($n, $intent)) {
            return;
        }
        if ($intent['status'] === 'requires_payment_method' && !$this->isUsable($attempt)) {
            try {
                $intent = $api->expire($intent['uuid']);
            } catch (ApiError $error) {
                if ($error->status !== 409) {
                    throw $error;
                }
                $intent = $api->retrieve($intent['uuid']); // somebody pays at this moment, or has paid
            }
            $this->adopt($n, $intent);
        }
        if ($intent['status'] === 'succeeded') {
            $this->succeed($n);
            $this->lookForMore($n, $api);
        }
    }

    /** Writes down how an intent stands, if it is that of this order and attempt. */
    private function adopt(int $n, array $intent): bool {
        $attempt = &$this->record->attempts[$n];
        $before = $attempt;
        $isOurs = ($intent['merchant_reference'] ?? '') === $attempt['reference']
            && is_string($intent['metadata']['order_key'] ?? null)
            && hash_equals($this->order->get_order_key(), $intent['metadata']['order_key'])
            && ($intent['currency'] ?? '') === Money::CURRENCY && is_int($intent['amount'] ?? null)
            && ($attempt['uuid'] === null
                || ($intent['uuid'] === $attempt['uuid'] && $intent['amount'] === $attempt['amount']));
        if ($isOurs) {
            $attempt['uuid'] = $intent['uuid'];
            $attempt['amount'] = $intent['amount'];
            $attempt['status'] = $intent['status'];
        } else {
            $attempt['status'] = 'foreign';
            Notices::log("{$attempt['reference']} is of another shop or order");
        }
        if ($attempt !== $before) {
            $this->record->save();
            if ($attempt['status'] === 'canceled') {
                Notices::note($this->order, say('Daftar: the payment link %s ended unpaid.',
                    $attempt['reference']));
            }
        }
        return $isOurs;
    }

    /** Whether the customer may still pay by this intent. */
    private function isUsable(array $attempt): bool {
        if ($this->order->has_status(['checkout-draft', 'auto-draft'])) {
            return true; // the customer is at the checkout
        }
        return !$this->isLeft && $attempt['mode'] === Settings::mode() && $this->order->needs_payment()
            && $this->record->total() === $attempt['amount'];
    }

    /** Money came by this intent: the order is paid, once. */
    private function succeed(int $n): void {
        $attempt = &$this->record->attempts[$n];
        if ($attempt['applied']) {
            return;
        }
        $this->assertLocked();
        (new Application($this->record, $attempt))->apply();
        $attempt['applied'] = true;
        $this->record->save();
    }

    /** Second payments within the same intent: the shop hears of each once. */
    private function lookForMore(int $n, Api $api): void {
        $attempt = &$this->record->attempts[$n];
        $before = $attempt;
        foreach ($api->events($attempt['uuid']) as $event) {
            $type = $event['type'] ?? '';
            if ($type === 'payment_intent.succeeded') {
                $attempt['paid'] = $event['attempt'] ?? null;
            }
            if ($type !== 'payment_intent.duplicate_payment'
                || in_array($event['sequence'], $attempt['twice'], true)) {
                continue;
            }
            $attempt['twice'][] = $event['sequence'];
            Notices::alarm($this->order, say('The customer paid a second time: %s. Give it back: in the '
                . 'Daftar dashboard, under "To decide".', Money::text((int) $event['amount'])));
        }
        if ($attempt !== $before) {
            $this->record->save();
        }
    }

    private function pay(): string {
        $total = $this->record->total();
        if ($total === null || $total < Money::LEAST || $total > Money::MOST) {
            Notices::note($this->order, say('Daftar: this total cannot be paid: %s. It takes 1.000 to '
                . '1,000,000.000 LYD, with three decimals.', $this->order->get_total('edit') . ' '
                . $this->order->get_currency()));
            throw new CheckoutError(say('This amount cannot be paid by this method.'));
        }
        for ($tries = 0; $tries < self::MOST_ATTEMPTS; $tries++) {
            $this->look();
            $page = $this->page();
            if ($page !== null) {
                return $page;
            }
            $this->create($total);
        }
        throw new CheckoutError(self::away());
    }

    /** Where the customer goes by what is known, or null where a new intent is needed. */
    private function page(): ?string {
        if ($this->order->is_paid() || $this->record->has('processing') || !$this->order->needs_payment()) {
            return $this->order->get_checkout_order_received_url();
        }
        foreach ($this->record->attempts as $attempt) {
            if ($attempt['status'] === 'requires_payment_method' && $this->isUsable($attempt)) {
                $intent = $this->api($attempt['mode'])->retrieve($attempt['uuid']);
                return Settings::isArabic() ? $intent['checkout_url']
                    : add_query_arg('lang', 'en', $intent['checkout_url']);
            }
        }
        return null;
    }

    /** Makes the next intent. The attempt is on disk before Daftar is asked. */
    private function create(int $total): void {
        $n = count($this->record->attempts);
        $last = $n > 0 ? $this->record->attempts[$n - 1] : null;
        if ($last !== null && $last['status'] === 'new' && $last['amount'] === $total
            && $last['mode'] === Settings::mode()) {
            $n--; // whether that was made is not known: the same again finds it
        } else {
            $this->record->attempts[$n] = ['reference' => self::reference($this->order->get_id(), $n + 1),
                'uuid' => null, 'amount' => $total, 'mode' => Settings::mode(), 'at' => time(),
                'status' => 'new', 'applied' => false, 'paid' => null, 'twice' => []];
            $this->record->save();
            Schedule::plan($this->record);
        }
        $this->adopt($n, $this->api(Settings::mode())->create($this->fields($this->record->attempts[$n])));
    }

    public static function reference(int $order, int $n): string {
        return $n === 1 ? "order-$order" : "order-$order#$n";
    }

    private function fields(array $attempt): array {
        $shop = get_bloginfo('name', 'raw');
        $customer = $this->order->get_customer_id();
        return ['merchant_reference' => $attempt['reference'], 'amount' => $attempt['amount'],
            'currency' => Money::CURRENCY, 'description' => mb_substr(trim(say('Order %s',
            $this->order->get_order_number()) . ' · ' . wp_specialchars_decode($shop, ENT_QUOTES)), 0, 255),
            'customer' => ['external_id' => $customer > 0 ? "user-$customer" : 'guest-'
            . substr(wp_hash($this->order->get_billing_email()), 0, 24)],
            'return_url' => ReturnPage::url($this->order),
            'metadata' => ['order_key' => $this->order->get_order_key(), 'shop' => mb_substr(home_url('/'), 0,
            255)]];
    }

    public static function away(): string {
        return say('The payment service cannot be reached now. Please try again in a minute.');
    }
}
