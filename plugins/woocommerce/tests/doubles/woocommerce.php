<?php
// Doubles of what the plugin uses of WooCommerce and of Action Scheduler.

require __DIR__ . '/orders.php';

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

    public function is_in_stock(): bool {
        return self::$stock[$this->id] > 0;
    }

    public function get_stock_managed_by_id(): int {
        return $this->id;
    }

    public function has_enough_stock(int $quantity): bool {
        return self::$stock[$this->id] >= $quantity;
    }
}

final class WC_Data_Store {
    public static function load(string $what): self {
        return new self();
    }

    public function clear_cached_data(array $ids): void {
    }

    public function get_stock_reduced(int $id): bool {
        return (bool) json_decode($GLOBALS['store']->rows('SELECT data FROM orders WHERE id = ?', [$id])[0]['data'],
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
    public array $settings = [];

    public function init_settings() {
        $this->settings = get_option('woocommerce_daftar_settings', []);
        $this->enabled = $this->settings['enabled'] ?? 'no';
    }

    public function admin_options() {
        foreach ($this->form_fields as $name => $field) {
            printf('<input name="%s" value="%s">', $name, $this->settings[$name] ?? $field['default'] ?? '');
        }
    }

    public function process_admin_options() {
        return true;
    }

    /** As WooCommerce does: what a form does not have is stored as it was read. */
    public function update_option(string $name, $value): void {
        $this->settings[$name] = $value;
        update_option('woocommerce_daftar_settings', $this->settings);
    }

    public function needs_setup() {
        return false;
    }

    protected function get_order_total(): float {
        return (float) WC()->cart->total;
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
                $GLOBALS['store']->rows('INSERT INTO mails VALUES (?, ?)', [$to, "$subject\n$body"]);
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
        try {
            (new Daftar\WooCommerce\Gateway())->process_refund($of['order_id'], $of['amount'], 'برد');
        } catch (Exception $e) {
            $refund->delete(true);
            return new WP_Error('error', $e->getMessage());
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

function as_schedule_single_action(int $at, string $hook, array $args, string $group): void {
    $GLOBALS['store']->rows('INSERT INTO actions (hook, args, at) VALUES (?, ?, ?)',
        [$hook, json_encode($args), $at]);
}

function as_schedule_recurring_action(int $at, int $interval, string $hook, array $args, string $group): void {
    as_schedule_single_action($at, $hook, $args, $group);
}

function as_has_scheduled_action(string $hook): bool {
    return $GLOBALS['store']->rows('SELECT 1 FROM actions WHERE hook = ?', [$hook]) !== [];
}

/** Without a hook those of the group: here there is one. */
function as_unschedule_all_actions(string $hook, array $args, string $group): void {
    $GLOBALS['store']->rows("DELETE FROM actions WHERE '' = ? OR (hook = ? AND args = ?)",
        [$hook, $hook, json_encode($args)]);
}

function as_enqueue_async_action(string $hook, array $args, string $group): void {
    as_schedule_single_action(time(), $hook, $args, $group);
}

function wc_get_orders(array $query): array {
    $ids = [];
    foreach ($GLOBALS['store']->rows('SELECT id, data FROM orders') as $row) {
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
