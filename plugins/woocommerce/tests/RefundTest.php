<?php

use Daftar\WooCommerce\Gateway;
use Daftar\WooCommerce\Schedule;

/** The refund button, and refunds that people make in the dashboard. */
final class RefundTest extends TestCase {
    /** @return WC_Order_Refund|WP_Error */
    private function refund(WC_Order $order, string $amount) {
        return wc_create_refund(['order_id' => $order->get_id(), 'amount' => $amount, 'refund_payment' => true]);
    }

    private function statuses(WC_Order $order): array {
        return array_column($this->record($order)->refunds, 'status');
    }

    public function testPartialRefundTwice(): void {
        $order = $this->paidOrder();
        $this->refund($order, '1.500');
        $this->refund($order, '1.5');
        $this->same(2, count($this->daftar->refunds), 'two refunds of the same amount');
        $this->same(['pending', 'pending'], $this->statuses($order));
        $this->has('under way', $this->notes($order));
        $this->daftar->endRefund(0, 'succeeded');
        $this->daftar->endRefund(1, 'succeeded');
        $this->webhook('refunded', $order);
        $this->webhook('refunded', $order);
        $this->same(['succeeded', 'succeeded'], $this->statuses($order));
        $this->same(2, count($this->now($order)->get_refunds()));
        $this->same(2, substr_count($this->notes($order), 'went back to the customer'));
        $this->same("order-{$order->get_id()}.refund-2", array_column($this->daftar->refunds, 'refund_reference')[1]);
    }

    public function testRefundWhoseAnswerIsLost(): void {
        $order = $this->paidOrder();
        $this->daftar->faults = ['lost', 'cut'];
        $this->refund($order, '2.000');
        $this->same(['sending'], $this->statuses($order));
        $this->same(1, count($this->now($order)->get_refunds()), 'it may have gone back');
        Schedule::look($order->get_id());
        $this->same(1, count($this->daftar->refunds));
        $this->same(['pending'], $this->statuses($order));
    }

    public function testRefundThatIsRefusedIsRemoved(): void {
        $order = $this->paidOrder();
        $this->daftar->faults = [409];
        $this->has('fault 409', $this->refund($order, '2.000')->get_error_message());
        $this->same(0, $this->mails(), 'who clicked it was told');
        $this->same(0, count($this->now($order)->get_refunds()));
        $this->refund($order, '2.000');
        $this->same(['failed', 'pending'], $this->statuses($order));
        $this->same(1, count($this->daftar->refunds));
    }

    public function testRefundReferenceOfAnotherRefund(): void {
        $order = $this->paidOrder(); // the shop was set back to an older backup
        $uuid = $this->daftar->of("order-{$order->get_id()}")['uuid'];
        $this->daftar->addRefund($uuid, 999, "order-{$order->get_id()}.refund-1", 'pending');
        $this->has('another refund', $this->refund($order, '2.000')->get_error_message());
        $this->same(0, count($this->now($order)->get_refunds()));
        $this->refund($order, '2.000');
        $this->same(2000, array_values($this->daftar->refunds)[1]['amount']);
    }

    public function testRefundThatIsRefusedAfterALostAnswerIsRemoved(): void {
        $order = $this->paidOrder();
        $this->daftar->faults = ['cut', 'cut'];
        $this->refund($order, '2.000');
        $this->daftar->faults = [200 => null, 422];
        $this->daftar->faults = [null, null, 422];
        Schedule::look($order->get_id());
        $this->same(['failed'], $this->statuses($order));
        $this->same(0, count($this->now($order)->get_refunds()));
        $this->same(1, $this->mails());
    }

    public function testRefundThatFailsGivesTheOrderItsStatusBack(): void {
        $order = $this->paidOrder();
        $this->refund($order, '5.000');
        $this->same('refunded', $this->now($order)->get_status());
        $this->daftar->endRefund(0, 'failed');
        $this->webhook('refund_failed', $order);
        $this->webhook('refund_failed', $order);
        $this->same('processing', $this->now($order)->get_status());
        $this->same(0, count($this->now($order)->get_refunds()));
        $this->same(1, $this->mails());
        $this->has('(refused)', $this->notes($order));
    }

    public function testRefundThatIsUnknownStays(): void {
        $order = $this->paidOrder();
        $this->refund($order, '1.000');
        $this->daftar->endRefund(0, 'unknown');
        Schedule::look($order->get_id());
        $this->same(['unknown'], $this->statuses($order));
        $this->same(1, count($this->now($order)->get_refunds()));
        $this->daftar->endRefund(0, 'succeeded');
        Schedule::look($order->get_id());
        $this->same(['succeeded'], $this->statuses($order));
    }

    public function testRefundOfTheDashboardOnce(): void {
        $order = $this->paidOrder();
        $uuid = $this->daftar->of("order-{$order->get_id()}")['uuid'];
        $this->daftar->addRefund($uuid, 1250, null, 'succeeded');
        $this->webhook('refunded', $order);
        $this->webhook('refunded', $order);
        $refunds = $this->now($order)->get_refunds();
        $this->same(1, count($refunds));
        $this->same('1.250', $refunds[0]->get_amount('edit'));
        $killed = $this->now($order); // PHP was killed before it had noted what it had made
        $killed->delete_meta_data('_daftar_refunds');
        $killed->save_meta_data();
        $this->webhook('refunded', $order);
        $this->same(1, count($this->now($order)->get_refunds()));
        $this->same(1, count($this->daftar->refunds), 'it was asked for again');
    }

    public function testRefundOfASecondPaymentIsNoneOfTheOrder(): void {
        $order = $this->paidOrder();
        $this->daftar->payTwice("order-{$order->get_id()}");
        $this->webhook('duplicate_payment', $order);
        $uuid = $this->daftar->of("order-{$order->get_id()}")['uuid'];
        $this->daftar->addRefund($uuid, 5000, null, 'succeeded', 'attempt-2');
        $this->webhook('refunded', $order);
        $this->webhook('refunded', $order);
        $this->same(0, count($this->now($order)->get_refunds()));
        $this->same(1, substr_count($this->notes($order), 'second payment was given back'));
        $this->refund($order, '1.000');
        $this->same('attempt-1', array_values($this->daftar->refunds)[1]['attempt']);
    }

    public function testOnlyWhatDaftarHasPaidCanBeRefunded(): void {
        $order = $this->opened();
        $this->same(false, (new Gateway())->can_refund_order($order));
        $this->same(true, is_wp_error($this->refund($order, '1.000')));
        $paid = $this->paidOrder();
        $this->same(true, (new Gateway())->can_refund_order($this->now($paid)));
        foreach (['0', '0.0001', '-1', 'all'] as $amount) {
            $this->same(true, is_wp_error($this->refund($paid, $amount)), $amount);
        }
        $this->same(0, count($this->daftar->refunds));
    }
}
