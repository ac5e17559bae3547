<?php

namespace Daftar\WooCommerce;

/**
 * Money that goes back. The reference of a refund is on disk before Daftar is asked. Where no answer comes
 * the refund stays in WooCommerce, as under way, and the schedule sends it again under the same reference:
 * for an error WooCommerce deletes it, although the money may have gone back. It is deleted if it fails.
 */
final class Refunds {
    /** The meta of a refund in WooCommerce that has the uuid of the one which was made in the dashboard. */
    private const MARK = '_daftar_refund';

    private Record $record;
    private Api $api;
    private ?int $asked = null; // the refund of this request, which WooCommerce deletes if we refuse it

    public function __construct(Record $record, Api $api) {
        $this->record = $record;
        $this->api = $api;
    }

    /** The button; WooCommerce has stored its refund before. @throws Refusal where nothing goes back */
    public static function request(int $id, ?int $amount, string $reason): bool {
        $run = static function (Payments $payments) use ($amount, $reason): bool {
            $paid = $payments->record->paid();
            if ($paid === null || $amount === null || $amount === 0) {
                throw new Refusal(say('Daftar has no payment of this order to give that amount back from.'));
            }
            $api = new Api($paid['mode'], $payments->end);
            (new self($payments->record, $api))->add($paid, $amount, mb_substr($reason, 0, 255));
            return true;
        };
        return (bool) Payments::locked($id, 5, 15, $run);
    }

    private function add(array $paid, int $amount, string $reason): void {
        $order = $this->record->order;
        $n = count($this->record->refunds);
        $this->record->refunds[$n] = ['reference' => sprintf('%s.refund-%d', $paid['reference'], $n + 1),
            'uuid' => null, 'intent' => $paid['uuid'], 'amount' => $amount, 'mode' => $paid['mode'],
            'at' => time(), 'reason' => $reason, 'status' => 'sending', 'why' => '',
            'wc' => $this->newest($amount), 'before' => $order->get_status(), 'attempt' => $paid['paid']];
        $this->record->save();
        $this->asked = $n;
        try {
            $this->send($n);
        } catch (ApiError $error) {
            Notices::log("order {$order->get_id()}: refund: {$error->getMessage()}");
        }
        Schedule::plan($this->record);
        $refund = $this->record->refunds[$n];
        if ($refund['status'] === 'failed') {
            throw new Refusal(say('Nothing went back to the customer. Daftar answered: %s', $refund['why']));
        }
        if ($refund['status'] !== 'succeeded') {
            Notices::note($order, say('the refund of %1$s is under way (%2$s). A note follows when it has '
                . 'ended.', Money::text($amount), $refund['reference']));
        }
    }

    /** The refund that WooCommerce has just stored for this request; 0 where there is none. */
    private function newest(int $amount): int {
        $known = array_column($this->record->refunds, 'wc');
        foreach ($this->record->order->get_refunds() as $refund) {
            $isSame = Money::parse($refund->get_amount('edit')) === $amount;
            if ($isSame && !in_array($refund->get_id(), $known, true)) {
                return $refund->get_id();
            }
        }
        return 0;
    }

    /** Asks for a refund, again where the answer was lost. */
    private function send(int $n): void {
        $refund = $this->record->refunds[$n];
        // Of two payments within the intent the attempt is the one that paid this order.
        $fields = array_filter(['refund_reference' => $refund['reference'], 'amount' => $refund['amount'],
            'reason' => $refund['reason'], 'attempt' => $refund['attempt']]);
        try {
            $answer = $this->api->post("/{$refund['intent']}/refunds", $fields);
            if (array_intersect($this->api->differs, ['payment_intent', 'amount']) !== []) {
                throw new ApiError(say('This reference is that of another refund. Try once more.'), 409);
            }
        } catch (ApiError $error) {
            // Without good credentials nothing was looked at: an owner gives them, and it is sent again.
            if ($error->isTransient() || $error->getCode() === 401) {
                throw $error;
            }
            $answer = ['uuid' => null, 'status' => 'failed', 'failure_reason' => $error->getMessage()];
        }
        $this->record->refunds[$n]['uuid'] = $answer['uuid'];
        $this->take($n, $answer);
    }

    /** Finishes what is under way of a payment, and adds what people gave back in the dashboard. */
    public function look(array $attempt): void {
        foreach ($this->record->refunds as $n => $refund) {
            if ($refund['status'] === 'sending' && $refund['intent'] === $attempt['uuid']) {
                $this->send($n);
            }
        }
        foreach ($this->api->get("/{$attempt['uuid']}/refunds") as $answer) {
            $n = array_search($answer['uuid'], array_column($this->record->refunds, 'uuid'), true);
            if ($n !== false) {
                $this->take($n, $answer);
            } elseif ($answer['status'] === 'succeeded') {
                $this->takeForeign($attempt, $answer);
            }
        }
    }

    private function take(int $n, array $answer): void {
        $refund = &$this->record->refunds[$n];
        if ($answer['status'] === $refund['status']) {
            return;
        }
        $refund['why'] = $answer['failure_reason'] ?? '';
        $stored = $refund['wc'] > 0 ? wc_get_order($refund['wc']) : false;
        if ($answer['status'] === 'failed' && $n !== $this->asked) {
            $this->remove($refund, $stored);
        } elseif ($answer['status'] === 'succeeded') {
            if ($stored instanceof \WC_Order_Refund) {
                $stored->set_refunded_payment(true);
                $stored->save();
            }
            Notices::note($this->record->order, say('%1$s went back to the customer (%2$s).',
                Money::text($refund['amount']), $refund['reference']));
        }
        $refund['status'] = $answer['status'];
        $this->record->save();
    }

    /** Nothing went back: the refund in WooCommerce goes. @param mixed $stored */
    private function remove(array $refund, $stored): void {
        $order = $this->record->order;
        if ($stored instanceof \WC_Order_Refund) {
            $stored->delete(true);
            do_action('woocommerce_refund_deleted', $refund['wc'], $order->get_id());
        }
        if ($order->has_status('refunded') && $refund['before'] !== 'refunded') {
            $order->update_status($refund['before']);
        }
        Notices::alarm($order, say('The refund of %1$s failed and was removed from the order (%2$s). Check '
            . 'the stock, if goods were put back.', Money::text($refund['amount']), $refund['why']));
    }

    /** A refund that was made in the dashboard is one in WooCommerce, too, once. */
    private function takeForeign(array $attempt, array $answer): void {
        $order = $this->record->order;
        $isOfOrder = $attempt['uuid'] === $order->get_meta(Record::PAID)
            && in_array($attempt['paid'], [null, $answer['attempt']], true);
        $left = Money::parse($order->get_remaining_refund_amount()) ?? 0;
        $id = $isOfOrder && $answer['amount'] <= $left ? $this->make($answer) : 0;
        Notices::note($order, sprintf($isOfOrder ? say('%s was given back in the Daftar dashboard.')
            : say('%s of the second payment was given back.'), Money::text($answer['amount'])));
        $this->record->refunds[] = ['reference' => $answer['uuid'], 'uuid' => $answer['uuid'],
            'intent' => $attempt['uuid'], 'amount' => $answer['amount'], 'mode' => $attempt['mode'],
            'at' => time(), 'status' => 'succeeded', 'wc' => $id];
        $this->record->save();
    }

    /** The refund in WooCommerce, with a mark, so that it is found again where PHP was killed after it. */
    private function make(array $answer): int {
        foreach ($this->record->order->get_refunds() as $refund) {
            if ($refund->get_meta(self::MARK) === $answer['uuid']) {
                return $refund->get_id();
            }
        }
        $mark = static fn ($refund) => $refund->update_meta_data(self::MARK, $answer['uuid']);
        add_action('woocommerce_create_refund', $mark);
        $made = wc_create_refund(['order_id' => $this->record->order->get_id(),
            'amount' => Money::decimal($answer['amount']),
            'reason' => say('Refunded in the Daftar dashboard')]);
        remove_action('woocommerce_create_refund', $mark);
        return is_wp_error($made) ? 0 : $made->get_id();
    }
}
