<?php
// Doubles of orders and refunds. An order is read as a whole, and saving it writes what was changed, as
// WooCommerce does: what another process wrote meanwhile stays.

/** What orders and refunds have in common. */
abstract class Stored {
    protected array $data;
    protected array $changes = [];
    private array $metaChanges = [];

    public function __construct(array $data) {
        $this->data = $data;
    }

    public static function read(int $id): ?self {
        $row = $GLOBALS['store']->rows('SELECT data FROM orders WHERE id = ?', [$id])[0] ?? null;
        $data = $row === null ? null : json_decode($row['data'], true);
        if ($data === null) {
            return null;
        }
        return $data['type'] === 'refund' ? new WC_Order_Refund($data) : new WC_Order($data);
    }

    public static function insert(array $data): int {
        return $GLOBALS['store']->atomically(static function (PDO $pdo) use ($data): int {
            $id = 1 + (int) $pdo->query('SELECT coalesce(max(id), 1041) FROM orders')->fetchColumn();
            $pdo->prepare('INSERT INTO orders VALUES (?, ?)')->execute([$id, json_encode(['id' => $id] + $data)]);
            return $id;
        });
    }

    public function get_id(): int {
        return $this->data['id'];
    }

    public function get_meta(string $key) {
        return $this->metaChanges[$key] ?? $this->data['meta'][$key] ?? '';
    }

    public function update_meta_data(string $key, $value): void {
        $this->metaChanges[$key] = $value;
    }

    public function delete_meta_data(string $key): void {
        $this->metaChanges[$key] = null;
    }

    public function read_meta_data(bool $force): void {
    }

    public function save_meta_data(): void {
        $this->write([]);
    }

    public function save(): int {
        $this->write($this->changes);
        $this->changes = [];
        return $this->data['id'];
    }

    private function write(array $changes): void {
        $meta = $this->metaChanges;
        $this->metaChanges = [];
        $this->data = $GLOBALS['store']->atomically(function (PDO $pdo) use ($changes, $meta): array {
            $statement = $pdo->prepare('SELECT data FROM orders WHERE id = ?');
            $statement->execute([$this->data['id']]);
            $data = json_decode($statement->fetchColumn(), true);
            if ($data['status'] !== 'processing' && ($changes['status'] ?? '') === 'processing') {
                $pdo->exec("INSERT INTO paid VALUES ({$data['id']}, " . time() . ')');
            }
            $data = array_merge($data, $changes);
            $data['meta'] = array_merge($data['meta'], $meta);
            $pdo->prepare('UPDATE orders SET data = ? WHERE id = ?')->execute([json_encode($data), $data['id']]);
            return $data;
        });
    }

    public function delete(bool $force): void {
        $GLOBALS['store']->rows('DELETE FROM orders WHERE id = ?', [$this->data['id']]);
    }

    protected function prop(string $name) {
        return $this->changes[$name] ?? $this->data[$name] ?? null;
    }
}

class WC_Order extends Stored {
    public static function make(string $total = '5.000', array $more = []): self {
        $id = self::insert(array_merge(['type' => 'order', 'status' => 'pending', 'total' => $total,
            'currency' => 'LYD', 'key' => 'wc_order_' . bin2hex(random_bytes(6)), 'transaction' => '',
            'date_paid' => null, 'method' => 'daftar', 'customer' => 0, 'email' => 'salem@example.com',
            'cart' => 'cart-1', 'items' => [], 'stock_reduced' => false, 'meta' => []], $more));
        return self::read($id);
    }

    public function get_status(): string {
        return $this->prop('status');
    }

    public function has_status($of): bool {
        return in_array($this->get_status(), (array) $of, true);
    }

    public function get_total(string $context): string {
        return $this->prop('total');
    }

    public function set_total(string $total): void {
        $this->changes['total'] = $total;
    }

    public function get_currency(): string {
        return $this->prop('currency');
    }

    public function get_order_key(): string {
        return $this->prop('key');
    }

    public function get_order_number(): string {
        return (string) $this->get_id();
    }

    public function get_customer_id(): int {
        return $this->prop('customer');
    }

    public function get_billing_email(): string {
        return $this->prop('email');
    }

    public function get_transaction_id(): string {
        return $this->prop('transaction');
    }

    public function set_transaction_id(string $id): void {
        $this->changes['transaction'] = $id;
    }

    public function get_date_paid(string $context): ?int {
        return $this->prop('date_paid');
    }

    public function get_payment_method(): string {
        return $this->prop('method');
    }

    public function set_payment_method(string $method): void {
        $this->changes['method'] = $method;
    }

    public function set_payment_method_title(string $title): void {
    }

    public function get_cart_hash(): string {
        return $this->prop('cart');
    }

    public function has_cart_hash(string $hash): bool {
        return $this->prop('cart') === $hash;
    }

    public function is_paid(): bool {
        return $this->has_status(['processing', 'completed']);
    }

    public function needs_payment(): bool {
        return $this->has_status(['pending', 'failed']) && $this->prop('total') > 0;
    }

    public function get_checkout_order_received_url(): string {
        return home_url("/order-received/{$this->get_id()}?key={$this->get_order_key()}");
    }

    public function get_checkout_payment_url(): string {
        return home_url("/order-pay/{$this->get_id()}?key={$this->get_order_key()}");
    }

    public function get_edit_order_url(): string {
        return home_url("/wp-admin/order/{$this->get_id()}");
    }

    public function add_order_note(string $text): void {
        $GLOBALS['store']->rows('INSERT INTO notes VALUES (?, ?)', [$this->get_id(), $text]);
    }

    public function update_status(string $status): void {
        $from = $this->get_status();
        $this->changes['status'] = $status;
        if (in_array($status, ['processing', 'completed'], true) && $this->prop('date_paid') === null) {
            $this->changes['date_paid'] = time();
        }
        $reduces = in_array($status, ['on-hold', 'processing', 'completed'], true);
        if ($reduces && !$this->prop('stock_reduced')
            && apply_filters('woocommerce_can_reduce_order_stock', true, $this)) {
            $this->changes['stock_reduced'] = true;
        }
        $this->save();
        do_action('woocommerce_order_status_changed', $this->get_id(), $from, $status, $this);
    }

    public function payment_complete(string $transaction): bool {
        crash('before payment_complete');
        if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
            $this->set_transaction_id($transaction);
            $this->update_status('processing');
            crash('after payment_complete');
        }
        return true;
    }

    public function get_refunds(): array {
        $refunds = [];
        foreach ($GLOBALS['store']->rows('SELECT id FROM orders ORDER BY id DESC') as $row) {
            $one = self::read($row['id']);
            if ($one instanceof WC_Order_Refund && $one->get_parent_id() === $this->get_id()) {
                $refunds[] = $one;
            }
        }
        return $refunds;
    }

    public function get_remaining_refund_amount(): float {
        $left = (float) $this->prop('total');
        foreach ($this->get_refunds() as $refund) {
            $left -= (float) $refund->get_amount('edit');
        }
        return round($left, 3);
    }

    public function get_items(): array {
        return array_map(static function (array $item): WC_Order_Item_Product {
            return new WC_Order_Item_Product($item);
        }, $this->prop('items'));
    }

    public function get_data_store(): WC_Data_Store {
        return new WC_Data_Store();
    }
}

final class WC_Order_Refund extends Stored {
    public function get_parent_id(): int {
        return $this->prop('parent');
    }

    public function get_amount(string $context): string {
        return $this->prop('amount');
    }

    public function get_refunded_payment(): bool {
        return $this->prop('refunded');
    }

    public function set_refunded_payment(bool $is): void {
        $this->changes['refunded'] = $is;
    }
}
