<?php

namespace Daftar\WooCommerce;

/**
 * What the money of one succeeded intent does to its order. It is repeated where PHP was killed in it: the
 * mark Record::PAID is on disk before the order changes, so that the second time finds its own work.
 */
final class Application {
    private Record $record;
    private \WC_Order $order;
    private array $attempt;

    public function __construct(Record $record, array $attempt) {
        $this->record = $record;
        $this->order = $record->order;
        $this->attempt = $attempt;
    }

    public function apply(): void {
        $amount = Money::text($this->attempt['amount']);
        if ($this->attempt['mode'] === 'test' && Settings::mode() === 'live') {
            Notices::note($this->order, say('Daftar: a test payment came after the shop went live. No '
                . 'money moved.'));
            return;
        }
        $mark = (string) $this->order->get_meta(Record::PAID);
        $transaction = (string) $this->order->get_transaction_id();
        $isPaid = $this->order->is_paid() || $this->order->get_date_paid('edit') !== null
            || $this->order->has_status('refunded');
        $isOurs = $mark === $this->attempt['uuid'] && in_array($transaction, ['', $mark], true);
        if ($isOurs && ($isPaid || ($transaction !== '' && $this->order->has_status('on-hold')))) {
            if ($transaction === '') {
                $this->order->set_transaction_id($mark);
                $this->order->save();
            }
            return; // killed after it was done
        }
        if ($isPaid || ($mark !== '' && !$isOurs)) {
            Notices::alarm($this->order, say('This order was paid already, and now %1$s came for it, too '
                . '(%2$s). Give it back: in the Daftar dashboard, under "To decide" or on the page of the '
                . 'payment.', $amount, $this->attempt['reference']));
            return;
        }
        $this->order->update_meta_data(Record::PAID, $this->attempt['uuid']);
        $this->order->save_meta_data();
        if ($this->attempt['amount'] !== $this->record->total()) {
            $this->hold(say('%1$s was paid, and the order is now %2$s: it was changed meanwhile. Decide '
                . 'whether to deliver.', $amount, $this->order->get_total('edit') . ' '
                . $this->order->get_currency()));
            return;
        }
        $isLate = $this->order->has_status(['cancelled', 'failed']);
        if ($isLate && !Stock::covers($this->order)) {
            $this->hold(say('%s was paid late, and the goods are gone. Deliver later, or give the money '
                . 'back.', $amount));
            return;
        }
        if ($isLate) {
            Notices::note($this->order, say('Daftar: the money came after the order had ended. It is paid '
                . 'now.'));
        }
        $this->pay($amount);
    }

    private function pay(string $amount): void {
        if ($this->order->get_payment_method() !== Gateway::ID) {
            // The customer chose another way in between, and paid by this one.
            $this->order->set_payment_method(Gateway::ID);
            $this->order->set_payment_method_title(Settings::text('title'));
        }
        $this->order->payment_complete($this->attempt['uuid']);
        if (!$this->order->is_paid() && $this->order->get_date_paid('edit') === null) {
            Notices::alarm($this->order,
                say('%1$s was paid, and the order could not be marked as paid. Its status is %2$s.', $amount,
                $this->order->get_status()));
        }
    }

    /** The money is there, and a person has to decide. Stock stays as it is until then. */
    private function hold(string $why): void {
        Notices::alarm($this->order, $why); // first: killed after it, the shop hears twice rather than never
        $this->order->set_transaction_id($this->attempt['uuid']);
        add_filter('woocommerce_can_reduce_order_stock', '__return_false', 99);
        try {
            $this->order->update_status('on-hold');
        } finally {
            remove_filter('woocommerce_can_reduce_order_stock', '__return_false', 99);
        }
    }
}
