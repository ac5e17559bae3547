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

    public function process_admin_options() {
        return true;
    }

    public function get_errors(): array {
        return [];
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
