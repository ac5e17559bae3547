<?php

namespace Daftar\WooCommerce;

/**
 * The payments of one order, under its lock. There is one way by which an order is paid: look, which asks
 * Daftar how its intents stand. The webhook, the way back, the schedule and a further click all take it; it
 * may be repeated, and be cut off anywhere.
 */
final class Payments {
    private const MOST_TRIES = 20; // each number may be the reference of another shop

    public Record $record;
    public float $end; // until when Daftar may be asked: before the lock ends
    private OrderLock $lock;
    private bool $isLeft = false; // whether the customer has gone on to another order
    private array $checkouts = []; // the addresses of the checkouts, which are secret, by attempt

    /** Brings the order to what Daftar says. False where that could not be done, and is to be done again. */
    public static function settle(int $id, float $wait, float $seconds): bool {
        try {
            self::locked($id, $wait, $seconds, static fn (self $payments) => $payments->look());
            return true;
        } catch (Busy | ApiError $error) {
            Notices::log("order $id is to be looked at again: {$error->getMessage()}");
            return false;
        }
    }

    /** The page to send the customer to: the checkout, or the order's where there is nothing to pay. */
    public static function begin(int $id): string {
        $pay = static fn (self $payments): string => $payments->pay();
        return self::leave($id) ?? self::locked($id, 6, 20, $pay);
    }

    /**
     * After a changed cart WooCommerce makes another order: the link of the one before is ended first. Where
     * that one is being paid, or was paid for the same cart, its page is returned: not both are to be paid.
     */
    private static function leave(int $id): ?string {
        $session = WC()->session;
        $before = $session ? (int) $session->get('daftar_order') : 0;
        $page = $before === 0 || $before === $id ? null : self::locked($before, 4, 10,
            static function (self $payments) use ($id): ?string {
                $payments->isLeft = true;
                $payments->look();
                $old = $payments->record->order;
                $hash = wc_get_order($id)->get_cart_hash();
                $isSame = $hash !== '' && $old->has_cart_hash($hash);
                $isDone = ($isSame && $old->is_paid()) || $payments->record->has('processing');
                return $isDone ? $old->get_checkout_order_received_url() : null;
            });
        if ($session) {
            $session->set('daftar_order', $id);
        }
        return $page;
    }

    /** Runs something under the order's lock. @return mixed its result; null where there is no such order */
    public static function locked(int $id, float $wait, float $seconds, callable $run) {
        $lock = OrderLock::acquire($id, $wait, $seconds);
        try {
            $record = Record::load($id);
            if ($record === null) {
                return null;
            }
            $payments = new self();
            $payments->record = $record;
            $payments->lock = $lock;
            $payments->end = microtime(true) + $seconds;
            return $run($payments);
        } finally {
            $lock->release();
        }
    }

    /** Asks for each intent of the order and its refunds, and applies the answers. */
    private function look(): void {
        $failure = null;
        foreach (array_keys($this->record->attempts) as $n) {
            try {
                $this->lookAt($n);
            } catch (ApiError $error) {
                Notices::log("{$this->record->attempts[$n]['reference']}: {$error->getMessage()}");
                // These stay: of another application, since the credentials were changed, or refused.
                $failure = in_array($error->getCode(), [403, 404, 422], true) ? $failure : $error;
            }
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
        $api = new Api($attempt['mode'], $this->end);
        // It is not known whether a new one was made: the same again makes it, or finds it.
        $intent = $attempt['uuid'] === null ? $api->post('', $this->fields($attempt))
            : $api->get("/{$attempt['uuid']}");
        if (!$this->adopt($n, $intent)) {
            return;
        }
        if ($intent['status'] === 'requires_payment_method' && !$this->isUsable($n)) {
            try {
                $intent = $api->post("/{$intent['uuid']}/expire");
            } catch (ApiError $error) {
                if ($error->getCode() !== 409) {
                    throw $error;
                }
                $intent = $api->get("/{$intent['uuid']}"); // somebody pays at this moment, or has paid
            }
            $this->adopt($n, $intent);
        }
        if ($intent['status'] === 'succeeded') {
            $this->succeed($n, $api);
            (new Refunds($this->record, $api))->look($this->record->attempts[$n]);
        }
    }

    /** Writes down how an intent stands, if it is that of this order and attempt. */
    private function adopt(int $n, array $intent): bool {
        $attempt = &$this->record->attempts[$n];
        $before = $attempt;
        $order = $this->record->order;
        $isOurs = wp_is_uuid($intent['uuid'] ?? null)
            && ($intent['merchant_reference'] ?? null) === $attempt['reference']
            && ($intent['metadata']['order_key'] ?? null) === $order->get_order_key()
            && ($intent['currency'] ?? null) === Money::CURRENCY && is_int($intent['amount'] ?? null)
            && ($attempt['uuid'] === null
                || ($intent['uuid'] === $attempt['uuid'] && $intent['amount'] === $attempt['amount']));
        if ($isOurs) {
            $attempt['uuid'] = $intent['uuid'];
            $attempt['amount'] = $intent['amount'];
            $attempt['status'] = $intent['status'];
            $this->checkouts[$n] = $intent['checkout_url'];
        } else {
            $attempt['status'] = 'foreign';
            Notices::log("{$attempt['reference']} is of another shop or order");
        }
        if ($attempt !== $before) {
            $this->record->save();
            if ($attempt['status'] === 'canceled') {
                Notices::note($order, say('the payment link %s ended unpaid.', $attempt['reference']));
            }
        }
        return $isOurs;
    }

    /** Whether the customer may still pay by this intent. At the checkout of Blocks it is for a draft. */
    private function isUsable(int $n): bool {
        $order = $this->record->order;
        $attempt = $this->record->attempts[$n];
        return !$this->isLeft && $attempt['mode'] === Settings::mode()
            && $attempt['amount'] === $this->record->total()
            && ($order->needs_payment() || $order->has_status('checkout-draft'));
    }

    /** Money came: the order is paid, once, and the shop hears of each second payment within it, once. */
    private function succeed(int $n, Api $api): void {
        $attempt = &$this->record->attempts[$n];
        if (!$attempt['applied']) {
            if (!$this->lock->isHeld()) {
                throw new Busy(); // this process stood still, and another one goes on
            }
            Application::apply($this->record, $attempt);
            $attempt['applied'] = true;
            $this->record->save();
        }
        foreach ($api->get("/{$attempt['uuid']}/events") as $event) {
            $isKnown = in_array($event['sequence'], $attempt['twice'], true);
            if ($event['type'] === 'payment_intent.succeeded') {
                $attempt['paid'] = $event['attempt'] ?? null;
            } elseif ($event['type'] === 'payment_intent.duplicate_payment' && !$isKnown) {
                $attempt['twice'][] = $event['sequence'];
                Notices::alarm($this->record->order, say('The customer paid a second time: %s. Give it back: '
                    . 'in the Daftar dashboard, under "Needs a decision".', Money::text($event['amount'])));
            }
        }
        $this->record->save();
    }

    private function pay(): string {
        $order = $this->record->order;
        $total = $this->record->total();
        if (!Money::isPayable($total)) {
            $now = $order->get_total('edit') . ' ' . $order->get_currency();
            Notices::note($order, say('this total cannot be paid: %s. It takes 1.000 to 1,000,000.000 LYD, '
                . 'with three decimals.', $now));
            throw new Refusal(say('This amount cannot be paid by this method.'));
        }
        for ($tries = 0; $tries < self::MOST_TRIES; $tries++) {
            $this->look();
            $page = $this->page();
            if ($page !== null) {
                return $page;
            }
            $this->add($total);
        }
        throw new ApiError('All references are those of other orders.');
    }

    /** After a look, which ends what is not to be paid: where the customer goes, or null. */
    private function page(): ?string {
        $order = $this->record->order;
        if ($this->record->has('processing') || !$order->needs_payment()) {
            return $order->get_checkout_order_received_url();
        }
        foreach ($this->checkouts as $n => $page) {
            if ($this->record->attempts[$n]['status'] === 'requires_payment_method') {
                $page = Settings::isArabic() ? $page : add_query_arg('lang', 'en', $page);
                // One that could not be ended is being paid.
                return $this->isUsable($n) ? $page : $order->get_checkout_order_received_url();
            }
        }
        return null;
    }

    /** The next attempt, on disk before Daftar is asked. */
    private function add(int $total): void {
        $id = $this->record->order->get_id();
        $n = count($this->record->attempts);
        $last = $this->record->attempts[$n - 1] ?? ['status' => ''];
        if ($last['status'] === 'new' && $last['mode'] === Settings::mode()) {
            throw new ApiError('The intent was refused.');
        }
        $this->record->attempts[$n] = ['reference' => $n === 0 ? "order-$id" : "order-$id#" . ($n + 1),
            'uuid' => null, 'amount' => $total, 'mode' => Settings::mode(), 'at' => time(),
            'status' => 'new', 'applied' => false, 'paid' => null, 'twice' => []];
        $this->record->save();
        Schedule::plan($this->record);
    }

    private function fields(array $attempt): array {
        $order = $this->record->order;
        $shop = wp_specialchars_decode(get_bloginfo('name', 'raw'), ENT_QUOTES);
        $guest = 'guest-' . substr(wp_hash($order->get_billing_email()), 0, 24);
        $user = $order->get_customer_id();
        return ['merchant_reference' => $attempt['reference'], 'amount' => $attempt['amount'],
            'currency' => Money::CURRENCY, 'return_url' => ReturnPage::url($order),
            'description' => mb_substr(say('Order %s', $order->get_order_number()) . ' · ' . $shop, 0, 255),
            'customer' => ['external_id' => $user > 0 ? "user-$user" : $guest],
            'metadata' => ['order_key' => $order->get_order_key(), 'shop' => substr(home_url('/'), 0, 255)]];
    }
}
