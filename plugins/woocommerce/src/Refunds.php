<?php

namespace Daftar\WooCommerce;

/**
 * Money that goes back. The reference of a refund is on disk before Daftar is asked. Where no answer comes
 * the refund stays in WooCommerce, as under way, and the schedule sends it again under the same reference:
 * for an error WooCommerce deletes it, although the money may have gone back. What is refused or fails is
 * deleted.
 */
final class Refunds {
    /** The refund's meta that holds its uuid at Daftar, or the reference that we gave it. */
    private const MARK = '_daftar_refund';

    private Payments $payments;
    private Record $record;
    private \WC_Order $order;

    public function __construct(Payments $payments) {
        $this->payments = $payments;
        $this->record = $payments->record();
        $this->order = $this->record->order;
    }

    /**
     * The refund button. WooCommerce has stored its refund before.
     *
     * @param mixed $amount as WooCommerce has it: text, or a float
     * @return true|\WP_Error
     */
    public static function request(int $id, $amount, string $reason) {
        try {
            $done = Payments::locked($id, 5, 15, static function (Payments $payments) use ($amount, $reason) {
                return (new self($payments))->add(Money::of($amount), $reason);
            });
        } catch (Busy $busy) {
            return new \WP_Error('daftar_busy', say('The order is being worked on. Try again in a moment.'));
        }
        return $done ?? new \WP_Error('daftar_order', say('There is no such order.'));
    }

    /** @return true|\WP_Error */
    private function add(?int $amount, string $reason) {
        $paid = $this->record->paid();
        if ($paid === null || $amount === null || $amount === 0) {
            return new \WP_Error('daftar_refund', $paid === null ? say('This order was not paid by Daftar.')
                : say('This is no amount that can be refunded.'));
        }
        $n = count($this->record->refunds);
        $this->record->refunds[$n] = ['reference' => sprintf('%s.refund-%d', $paid['reference'], $n + 1),
            'uuid' => null, 'intent' => $paid['uuid'], 'amount' => $amount, 'mode' => $paid['mode'],
            'at' => time(), 'reason' => mb_substr($reason, 0, 255), 'status' => 'sending',
            'attempt' => $paid['paid'], 'wc' => $this->newest($amount),
            'before' => $this->order->get_status()];
        $this->record->save();
        try {
            $this->send($n);
        } catch (ApiError $error) {
            Notices::log("order {$this->order->get_id()}: refund: {$error->getMessage()}");
        }
        Schedule::plan($this->record);
        $refund = $this->record->refunds[$n];
        if ($refund['status'] === 'refused') {
            return new \WP_Error('daftar_refund', say('Nothing was refunded. Daftar answered: %s',
                $refund['why']));
        }
        if ($refund['status'] === 'failed') {
            return new \WP_Error('daftar_refund', $this->failure($refund));
        }
        if ($refund['status'] !== 'succeeded') {
            Notices::note($this->order,
                say('Daftar: the refund of %1$s is under way (%2$s). A note follows when it has ended.',
                Money::text($amount), $refund['reference']));
        }
        return true;
    }

    /** The refund that WooCommerce has just stored for this request; 0 where there is none. */
    private function newest(int $amount): int {
        $known = array_column($this->record->refunds, 'wc');
        foreach ($this->order->get_refunds() as $refund) {
            $isNew = !in_array($refund->get_id(), $known, true);
            if ($isNew && Money::of($refund->get_amount('edit')) === $amount
                && $refund->get_meta(self::MARK) === '' && !$refund->get_refunded_payment()) {
                return $refund->get_id();
            }
        }
        return 0;
    }

    /** Asks for a refund, again where the answer was lost. */
    private function send(int $n): void {
        $refund = &$this->record->refunds[$n];
        $fields = ['refund_reference' => $refund['reference'], 'amount' => $refund['amount']];
        if ($refund['reason'] !== '') {
            $fields['reason'] = $refund['reason'];
        }
        if ($refund['attempt'] !== null) {
            $fields['attempt'] = $refund['attempt']; // of two payments the one that paid this order
        }
        $api = $this->payments->api($refund['mode']);
        try {
            $answer = $api->refund($refund['intent'], $fields);
        } catch (ApiError $error) {
            // Without good credentials nothing was looked at: an owner gives them, and it is sent again.
            if ($error->isTransient() || $error->status === 401) {
                throw $error;
            }
            $refund['status'] = 'refused';
            $refund['why'] = $error->getMessage();
            $this->record->save();
            return;
        }
        if (array_intersect($api->differs(), ['payment_intent', 'amount']) !== []) {
            $refund['status'] = 'refused';
            $refund['why'] = say('This reference is that of another refund. Try once more.');
            $this->record->save();
            return;
        }
        $refund['uuid'] = $answer['uuid'];
        $this->take($n, $answer);
    }

    /** Finishes what is under way, and adds what people gave back in the dashboard. */
    public function look(): void {
        foreach ($this->record->refunds as $n => $refund) {
            if ($refund['status'] === 'sending') {
                $this->send($n);
                if ($this->record->refunds[$n]['status'] === 'refused') {
                    $this->remove($n, $this->record->refunds[$n]['why']);
                }
            }
        }
        foreach ($this->record->attempts as $attempt) {
            if ($attempt['status'] !== 'succeeded' || !Settings::isComplete($attempt['mode'])) {
                continue;
            }
            foreach ($this->payments->api($attempt['mode'])->refunds($attempt['uuid']) as $answer) {
                $n = array_search($answer['uuid'], array_column($this->record->refunds, 'uuid'), true);
                if ($n !== false) {
                    $this->take((int) $n, $answer);
                } elseif ($answer['status'] === 'succeeded') {
                    $this->takeForeign($attempt, $answer);
                }
            }
        }
    }

    private function take(int $n, array $answer): void {
        $refund = &$this->record->refunds[$n];
        $before = $refund['status'];
        if ($answer['status'] === $before) {
            return;
        }
        $refund['failure'] = $answer['failure_reason'] ?? null;
        if ($answer['status'] === 'succeeded') {
            $stored = $refund['wc'] > 0 ? wc_get_order($refund['wc']) : false;
            if ($stored instanceof \WC_Order_Refund && !$stored->get_refunded_payment()) {
                $stored->set_refunded_payment(true);
                $stored->save();
            }
            Notices::note($this->order, say('Daftar: %1$s went back to the customer (%2$s).',
                Money::text($refund['amount']), $refund['reference']));
        } elseif ($answer['status'] === 'failed' && $before !== 'sending') {
            $this->remove($n, $this->failure($refund));
        }
        $refund['status'] = $answer['status'];
        $this->record->save();
        if ($before === 'sending' && $answer['status'] === 'failed') {
            $this->remove($n, $this->failure($refund));
        }
    }

    private function failure(array $refund): string {
        return say('The payment provider gave nothing back (%s).', $refund['failure'] ?? '?');
    }

    /** Nothing went back: the refund in WooCommerce goes, and the order is what it was. */
    private function remove(int $n, string $why): void {
        $refund = $this->record->refunds[$n];
        $stored = $refund['wc'] > 0 ? wc_get_order($refund['wc']) : false;
        if ($stored instanceof \WC_Order_Refund) {
            $stored->delete(true);
            do_action('woocommerce_refund_deleted', $refund['wc'], $this->order->get_id());
        }
        if ($this->order->has_status('refunded') && $refund['before'] !== 'refunded') {
            $this->order->update_status($refund['before']);
        }
        Notices::alarm($this->order, say('The refund of %1$s failed and was removed from the order. %2$s '
            . 'Check the stock, if goods were put back.', Money::text($refund['amount']), $why));
    }

    /** A refund that was made in the dashboard is one in WooCommerce, too, once. */
    private function takeForeign(array $attempt, array $answer): void {
        foreach ($this->order->get_refunds() as $refund) {
            if ($refund->get_meta(self::MARK) === $answer['uuid']) {
                return;
            }
        }
        $isOfOrder = $attempt['uuid'] === $this->order->get_meta(Record::PAID)
            && ($attempt['paid'] === null || $attempt['paid'] === $answer['attempt']);
        $known = $this->order->get_meta('_daftar_seen');
        $known = is_array($known) ? $known : [];
        if (in_array($answer['uuid'], $known, true)) {
            return;
        }
        $amount = Money::text($answer['amount']);
        $left = Money::of($this->order->get_remaining_refund_amount());
        if ($isOfOrder && $left !== null && $answer['amount'] <= $left) {
            $mark = static function (\WC_Order_Refund $refund) use ($answer): void {
                $refund->update_meta_data(self::MARK, $answer['uuid']);
            };
            add_action('woocommerce_create_refund', $mark);
            wc_create_refund(['order_id' => $this->order->get_id(),
                'amount' => Money::decimal($answer['amount']),
                'reason' => say('Refunded in the Daftar dashboard')]);
            remove_action('woocommerce_create_refund', $mark);
        }
        Notices::note($this->order, sprintf($isOfOrder
            ? say('Daftar: %s was given back in the Daftar dashboard.')
            : say('Daftar: %s of the second payment was given back.'), $amount));
        $known[] = $answer['uuid'];
        $this->order->update_meta_data('_daftar_seen', $known);
        $this->order->save_meta_data();
    }
}
