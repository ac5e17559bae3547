<?php
// Doubles of what the plugin uses of WooCommerce and of Action Scheduler. An order is read as a whole, and
// saving it writes what was changed, as WooCommerce does: what another process wrote meanwhile stays.

/** What orders and refunds have in common. */
abstract class Stored {
    protected array $data;
    protected array $changes = [];
    private array $metaChanges = [];

    public function __construct(array $data) {
        $this->data = $data;
    }

    public static function read(int $id): ?self {
        $row = $GLOBALS['wpdb']->rows('SELECT data FROM orders WHERE id = ?', [$id])[0] ?? null;
        $data = $row === null ? null : json_decode($row['data'], true);
        if ($data === null) {
            return null;
        }
        return $data['type'] === 'refund' ? new WC_Order_Refund($data) : new WC_Order($data);
    }

    public static function insert(array $data): int {
        return $GLOBALS['wpdb']->atomically(static function (PDO $pdo) use ($data): int {
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
        $this->data = $GLOBALS['wpdb']->atomically(function (PDO $pdo) use ($changes, $meta): array {
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
        $GLOBALS['wpdb']->rows('DELETE FROM orders WHERE id = ?', [$this->data['id']]);
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
        $GLOBALS['wpdb']->rows('INSERT INTO notes VALUES (?, ?)', [$this->get_id(), $text]);
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
        foreach ($GLOBALS['wpdb']->rows('SELECT id FROM orders ORDER BY id DESC') as $row) {
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

final class WC_Order_Item_Product {
    private array $item;

    public function __construct(array $item) {
        $this->item = $item;
    }

    public function get_product(): ?WC_Product {
        return wc_get_product($this->item['product']);
    }

    public function get_quantity(): int {
        return $this->item['quantity'];
    }
}

final class WC_Product {
    public static array $stock = [];
    private int $id;

    public function __construct(int $id) {
        $this->id = $id;
    }

    public function get_id(): int {
        return $this->id;
    }

    public function managing_stock(): bool {
        return true;
    }

    public function get_stock_managed_by_id(): int {
        return $this->id;
    }

    public function get_stock_quantity(): int {
        return self::$stock[$this->id];
    }

    public function backorders_allowed(): bool {
        return false;
    }
}

final class WC_Data_Store {
    public static function load(string $what): self {
        return new self();
    }

    public function clear_cached_data(array $ids): void {
    }

    public function get_stock_reduced(int $id): bool {
        return (bool) json_decode($GLOBALS['wpdb']->rows('SELECT data FROM orders WHERE id = ?', [$id])[0]['data'],
            true)['stock_reduced'];
    }
}

abstract class WC_Payment_Gateway {
    public string $id = '';
    public string $enabled = 'no';
    public string $title = '';
    public string $description = '';
    public string $method_title = '';
    public string $method_description = '';
    public bool $has_fields = false;
    public array $supports = [];
    public array $form_fields = [];

    public function init_settings(): void {
        $this->enabled = $this->get_option('enabled');
    }

    public function get_option(string $name): string {
        return get_option('woocommerce_daftar_settings', [])[$name] ?? '';
    }

    public function process_admin_options(): void {
    }

    public function get_field_key(string $key): string {
        return "woocommerce_daftar_$key";
    }

    public function supports($feature) {
        return in_array($feature, $this->supports, true);
    }

    public function can_refund_order($order) {
        return $this->supports('refunds');
    }
}

/** WC(): the session, the cart and mails. */
final class WooCommerceDouble {
    public ?object $session = null;
    public ?object $cart = null;

    public function mailer(): object {
        return new class {
            public function send(string $to, string $subject, string $body): void {
                $GLOBALS['wpdb']->rows('INSERT INTO mails VALUES (?, ?)', [$to, "$subject\n$body"]);
            }

            public function wrap_message(string $subject, string $body): string {
                return $body;
            }
        };
    }
}

function WC(): WooCommerceDouble {
    static $one;
    return $one = $one ?? new WooCommerceDouble();
}

function wc_get_order(int $id) {
    return Stored::read($id) ?? false;
}

function wc_get_product(int $id): ?WC_Product {
    return isset(WC_Product::$stock[$id]) ? new WC_Product($id) : null;
}

function wc_get_held_stock_quantity(WC_Product $product, int $order): int {
    return 0;
}

function wc_get_logger(): object {
    return new class {
        public function warning(string $text, array $context): void {
            $GLOBALS['log'][] = $text;
        }
    };
}

function wc_add_notice(string $text, string $kind): void {
    $GLOBALS['notices'][] = $text;
}

function wc_clean(string $text): string {
    return trim(strip_tags($text));
}

function wc_get_page_permalink(string $page): string {
    return home_url("/$page");
}

function get_woocommerce_currency(): string {
    return get_option('woocommerce_currency', 'LYD');
}

function is_wc_endpoint_url(string $endpoint): bool {
    return false;
}

/** As WooCommerce does: the refund is stored, then the gateway is asked, and what it refuses is deleted. */
function wc_create_refund(array $of) {
    $refund = new WC_Order_Refund(['id' => 0]);
    $id = Stored::insert(['type' => 'refund', 'parent' => $of['order_id'], 'amount' => $of['amount'],
        'status' => 'completed', 'refunded' => false, 'meta' => []]);
    $refund = Stored::read($id);
    do_action('woocommerce_create_refund', $refund, $of);
    $refund->save();
    $order = wc_get_order($of['order_id']);
    if ($of['refund_payment'] ?? false) {
        $done = (new Daftar\WooCommerce\Gateway())->process_refund($of['order_id'], $of['amount'], 'برد');
        if (is_wp_error($done)) {
            $refund->delete(true);
            return $done;
        }
        $refund->set_refunded_payment(true);
        $refund->save();
    }
    $order = wc_get_order($of['order_id']);
    if ($order->get_remaining_refund_amount() <= 0) {
        $order->update_status('refunded');
    }
    return $refund;
}

function as_get_scheduled_actions(array $query, string $what): array {
    return $GLOBALS['wpdb']->rows('SELECT rowid FROM actions WHERE hook = ? AND args = ? AND status = ? AND at <= ?',
        [$query['hook'], json_encode($query['args']), $query['status'], strtotime($query['date'] . ' UTC')]);
}

function as_schedule_single_action(int $at, string $hook, array $args, string $group): void {
    $GLOBALS['wpdb']->rows('INSERT INTO actions (hook, args, at) VALUES (?, ?, ?)', [$hook, json_encode($args), $at]);
}

function wc_get_orders(array $query): array {
    $ids = [];
    foreach ($GLOBALS['wpdb']->rows('SELECT id, data FROM orders') as $row) {
        $next = json_decode($row['data'], true)['meta'][$query['meta_key']] ?? null;
        if ($next !== null && $next < $query['meta_value']) {
            $ids[] = $row['id'];
        }
    }
    return $ids;
}

/** Where a test has PHP killed. */
function crash(string $where): void {
    if (($GLOBALS['crash'] ?? '') === $where) {
        throw new Killed($where);
    }
}

final class Killed extends Error {
}
