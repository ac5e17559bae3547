<?php

declare(strict_types=1);

use Daftar\Client;
use Daftar\Exception\NotFoundException;
use Daftar\Exception\PermissionException;
use Daftar\PaymentIntent;
use Daftar\Status;
use Daftar\WebhookEvent;

/** Orders, and the rule by which they are fulfilled: at most once, and only if the API says that they are paid. */
final class Shop
{
    /** What the shop sells. The price comes from here, never from the form. */
    public const PRODUCTS = [
        'coffee' => ['ar' => 'قهوة عربية', 'en' => 'Arabic coffee', 'amount' => 5000, 'currency' => 'LYD'],
        'dates' => ['ar' => 'علبة تمر', 'en' => 'Box of dates', 'amount' => 42500, 'currency' => 'LYD'],
    ];

    private const DAY = 24 * 60 * 60;

    private const TABLES = <<<'SQL'
        CREATE TABLE IF NOT EXISTS orders (
            reference TEXT PRIMARY KEY, -- what Daftar knows as merchant_reference
            product TEXT NOT NULL, amount INTEGER NOT NULL, currency TEXT NOT NULL,
            state TEXT NOT NULL DEFAULT 'open', -- open, fulfilled, canceled
            uuid TEXT, checkout_url TEXT, -- of the intent, once it is known
            placed_at INTEGER NOT NULL,
            checked_at INTEGER NOT NULL, -- when the API was last asked without a webhook
            paid_twice INTEGER NOT NULL DEFAULT 0 -- the second payment is to be given back
        );
        -- What is to be packed and sent.
        CREATE TABLE IF NOT EXISTS fulfilments (id INTEGER PRIMARY KEY AUTOINCREMENT, reference TEXT NOT NULL, at INTEGER NOT NULL);
        -- Webhooks, by their webhook-id.
        CREATE TABLE IF NOT EXISTS inbox (
            id TEXT PRIMARY KEY, type TEXT NOT NULL, uuid TEXT, reference TEXT, received_at INTEGER NOT NULL, dealt_at INTEGER
        );
        SQL;

    private readonly PDO $db;

    /**
     * @param string $url where customers find the shop
     * @param int $every how often an order is asked about at most, in seconds
     */
    public function __construct(
        string $file,
        private readonly Client $daftar,
        private readonly string $url,
        private readonly int $every = 60,
    ) {
        $this->db = new PDO("sqlite:$file", options: [PDO::ATTR_DEFAULT_FETCH_MODE => PDO::FETCH_ASSOC]);
        // What is committed survives a loss of power; who finds the database locked waits.
        $this->db->exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
        $this->db->exec(self::TABLES);
    }

    /** Places an order once, however often the form is sent. It is on disk before Daftar is asked. */
    public function place(string $reference, string $product): array
    {
        ['amount' => $amount, 'currency' => $currency] = self::PRODUCTS[$product];
        $this->run(
            'INSERT OR IGNORE INTO orders (reference, product, amount, currency, placed_at, checked_at) VALUES (?, ?, ?, ?, ?, ?)',
            [$reference, $product, $amount, $currency, time(), time()],
        );
        return $this->order($reference);
    }

    /** @return array<string, mixed>|null */
    public function order(string $reference): ?array
    {
        return $this->run('SELECT * FROM orders WHERE reference = ?', [$reference])->fetch() ?: null;
    }

    /**
     * Asks for an order's intent. It may be repeated with the same reference: there is only ever one.
     *
     * @return string the page where the customer pays
     */
    public function ask(array $order, string $query = ''): string
    {
        if ($order['checkout_url'] !== null) {
            return $order['checkout_url'];
        }
        $created = $this->daftar->createPaymentIntent([
            'merchant_reference' => $order['reference'],
            'amount' => $order['amount'],
            'currency' => $order['currency'],
            'description' => self::PRODUCTS[$order['product']]['ar'],
            'return_url' => "$this->url/orders/{$order['reference']}$query",
        ]);
        // The page to come back to may be in the other language.
        if (array_diff($created->differs, ['return_url']) !== []) {
            throw new LogicException("Two orders have the reference {$order['reference']}: " . implode(', ', $created->differs));
        }
        $intent = $created->intent;
        $this->run('UPDATE orders SET uuid = ?, checkout_url = ? WHERE reference = ?', [$intent->uuid, $intent->checkout_url, $order['reference']]);
        return $intent->checkout_url;
    }

    /** Writes a webhook down, once. When this returns a crash does not lose it. */
    public function receive(WebhookEvent $event): void
    {
        $this->run(
            'INSERT OR IGNORE INTO inbox (id, type, uuid, reference, received_at) VALUES (?, ?, ?, ?, ?)',
            [$event->id, $event->type, $event->data['uuid'] ?? null, $event->data['merchant_reference'] ?? null, time()],
        );
    }

    /** Retrieves the intent of an order and brings the order to what it says. */
    public function refresh(string $uuid): void
    {
        $this->settle($this->daftar->retrievePaymentIntent($uuid));
    }

    /** Deals with the webhooks that are written down. Whether an order is paid only the API says. */
    public function readInbox(): void
    {
        foreach ($this->run('SELECT * FROM inbox WHERE dealt_at IS NULL ORDER BY received_at LIMIT 100')->fetchAll() as $webhook) {
            if ($webhook['uuid'] !== null && $this->order($webhook['reference'] ?? '') !== null) {
                try {
                    $this->refresh($webhook['uuid']);
                } catch (NotFoundException | PermissionException $e) {
                    // Of another application: asking again would not help.
                    error_log("Webhook {$webhook['id']}: {$e->getMessage()}");
                }
                if ($webhook['type'] === 'payment_intent.duplicate_payment') {
                    $this->run('UPDATE orders SET paid_twice = 1 WHERE reference = ?', [$webhook['reference']]);
                }
            }
            // Last: after a crash it is dealt with again, which changes nothing.
            $this->run('UPDATE inbox SET dealt_at = ? WHERE id = ?', [time(), $webhook['id']]);
        }
        $this->run('DELETE FROM inbox WHERE dealt_at < ?', [time() - 30 * self::DAY]);
    }

    /**
     * Webhooks can be lost: the shop was away for days, or its address was wrong. Orders that are not
     * fulfilled are asked about until nobody can pay for them any more, the older the rarer; canceled ones,
     * too, because a late payment may come.
     */
    public function reconcile(): void
    {
        $now = time();
        $due = $this->run(
            "SELECT * FROM orders WHERE state != 'fulfilled' AND placed_at > :now - :last AND :now - checked_at >= max(:every, (:now - placed_at) / 4)
             ORDER BY checked_at LIMIT 100",
            ['now' => $now, 'last' => 40 * self::DAY, 'every' => $this->every],
        );
        foreach ($due->fetchAll() as $order) {
            $this->ask($order); // the shop was killed before it knew
            $this->refresh($this->order($order['reference'])['uuid']);
            $this->run('UPDATE orders SET checked_at = ? WHERE reference = ?', [$now, $order['reference']]);
        }
    }

    /**
     * Brings an order to what the API says of its intent. This is the only place where an order is fulfilled.
     * Of two processes that come at the same time, one changes the row and the other finds it changed.
     */
    private function settle(PaymentIntent $intent): void
    {
        $reference = $intent->merchant_reference ?? '';
        $order = $this->order($reference);
        if ($order === null) {
            return; // not of this shop
        }
        if ($intent->amount !== $order['amount'] || $intent->currency !== $order['currency']) {
            error_log("Order $reference is not what intent $intent->uuid was made for: a person must look.");
            return;
        }
        if ($intent->status === Status::Canceled) {
            $this->run("UPDATE orders SET state = 'canceled' WHERE reference = ? AND state = 'open'", [$reference]);
        }
        if ($intent->status !== Status::Succeeded) {
            return;
        }
        // Also where the order was canceled: a late payment is a payment. A shop that has sold the goods to
        // somebody else gives the money back instead.
        $this->db->exec('BEGIN IMMEDIATE');
        try {
            $paid = $this->run("UPDATE orders SET state = 'fulfilled' WHERE reference = ? AND state != 'fulfilled'", [$reference])->rowCount();
            if ($paid === 1) {
                // In the same transaction, so that a crash leaves both or neither. If you call another system
                // instead, give it the reference, so that it can refuse the second call after a crash.
                $this->run('INSERT INTO fulfilments (reference, at) VALUES (?, ?)', [$reference, time()]);
            }
            $this->db->exec('COMMIT');
        } catch (Throwable $e) {
            $this->db->exec('ROLLBACK');
            throw $e;
        }
        if ($paid === 1) {
            error_log("fulfilled $reference");
        }
    }

    private function run(string $sql, array $values = []): PDOStatement
    {
        $statement = $this->db->prepare($sql);
        foreach ($values as $name => $value) {
            // A number that is bound as text is greater than any number.
            $statement->bindValue(is_int($name) ? $name + 1 : $name, $value, is_int($value) ? PDO::PARAM_INT : PDO::PARAM_STR);
        }
        $statement->execute();
        return $statement;
    }
}
