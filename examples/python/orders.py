"""Orders, and the rule by which they are fulfilled: at most once, and only if the API says that they are
paid."""

import sqlite3
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional, Union

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "sdk" / "python"))  # with pip: not needed

from daftar import (
    Client,
    NotFoundError,
    PaymentIntent,
    PermissionDeniedError,
    Status,
    WebhookEvent,
)


@dataclass(frozen=True)
class Product:
    names: dict[str, str]
    amount: int
    currency: str = "LYD"


# What the shop sells. The price comes from here, never from the form.
PRODUCTS = {
    "coffee": Product({"ar": "قهوة عربية", "en": "Arabic coffee"}, 5000),
    "dates": Product({"ar": "علبة تمر", "en": "Box of dates"}, 42500),
}

DAY = 24 * 60 * 60

TABLES = """
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
    CREATE TABLE IF NOT EXISTS fulfilments (
        id INTEGER PRIMARY KEY AUTOINCREMENT, reference TEXT NOT NULL, at INTEGER NOT NULL
    );
    -- Webhooks, by their webhook-id.
    CREATE TABLE IF NOT EXISTS inbox (
        id TEXT PRIMARY KEY, type TEXT NOT NULL, uuid TEXT, reference TEXT, received_at INTEGER NOT NULL,
        dealt_at INTEGER
    );
"""


@dataclass(frozen=True)
class Order:
    reference: str
    product: str
    amount: int
    currency: str
    state: str
    uuid: Optional[str]
    checkout_url: Optional[str]


class Shop:
    """Any number of threads and processes may have the shop's database open."""

    def __init__(self, file: str, client: Client, url: str, every: int = 60) -> None:
        """url is where customers find the shop; every is how often an order is asked about at most, in
        seconds."""
        self._file = file
        # A connection that is kept: where the last one closes, SQLite tidies the whole database up.
        self._of_thread = threading.local()
        self._client = client
        self._url = url
        self._every = every
        with self._transaction() as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(TABLES)

    def place(self, reference: str, product: str) -> Order:
        """Places an order once, however often the form is sent. It is on disk before Daftar is asked."""
        sold, now = PRODUCTS[product], int(time.time())
        self._run(
            "INSERT OR IGNORE INTO orders (reference, product, amount, currency, placed_at, checked_at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (reference, product, sold.amount, sold.currency, now, now),
        )
        order = self.order(reference)
        assert order is not None
        return order

    def order(self, reference: str) -> Optional[Order]:
        found = self._run(
            "SELECT reference, product, amount, currency, state, uuid, checkout_url FROM orders"
            " WHERE reference = ?",
            (reference,),
        )
        return Order(*found[0]) if found else None

    def ask(self, order: Order, query: str = "") -> str:
        """Asks for an order's intent, and returns the page where the customer pays.

        It may be repeated with the same reference: there is only ever one.
        """
        if order.checkout_url is not None:
            return order.checkout_url
        created = self._client.create_payment_intent(
            merchant_reference=order.reference,
            amount=order.amount,
            currency=order.currency,
            description=PRODUCTS[order.product].names["ar"],
            return_url=f"{self._url}/orders/{order.reference}{query}",
        )
        # The page to come back to may be in the other language.
        if set(created.differs) - {"return_url"}:
            raise RuntimeError(f"Two orders have the reference {order.reference}: {created.differs}")
        intent = created.intent
        self._run(
            "UPDATE orders SET uuid = ?, checkout_url = ? WHERE reference = ?",
            (intent.uuid, intent.checkout_url, order.reference),
        )
        return intent.checkout_url

    def receive(self, event: WebhookEvent) -> None:
        """Writes a webhook down, once. When this returns a crash does not lose it."""
        self._run(
            "INSERT OR IGNORE INTO inbox (id, type, uuid, reference, received_at) VALUES (?, ?, ?, ?, ?)",
            (
                event.id,
                event.type,
                event.data.get("uuid"),
                event.data.get("merchant_reference"),
                int(time.time()),
            ),
        )

    def refresh(self, uuid: str) -> None:
        """Retrieves the intent of an order and brings the order to what it says."""
        self._settle(self._client.retrieve_payment_intent(uuid))

    def read_inbox(self) -> None:
        """Deals with the webhooks that are written down. Whether an order is paid only the API says."""
        for webhook_id, kind, uuid, reference in self._run(
            "SELECT id, type, uuid, reference FROM inbox"
            " WHERE dealt_at IS NULL ORDER BY received_at LIMIT 100"
        ):
            if uuid is not None and self.order(reference or "") is not None:
                try:
                    self.refresh(uuid)
                except (NotFoundError, PermissionDeniedError) as error:
                    # Of another application: asking again would not help.
                    log(f"Webhook {webhook_id}: {error}")
                if kind == "payment_intent.duplicate_payment":
                    self._run("UPDATE orders SET paid_twice = 1 WHERE reference = ?", (reference,))
            # Last: after a crash it is dealt with again, which changes nothing.
            self._run("UPDATE inbox SET dealt_at = ? WHERE id = ?", (int(time.time()), webhook_id))
        self._run("DELETE FROM inbox WHERE dealt_at < ?", (int(time.time()) - 30 * DAY,))

    def reconcile(self) -> None:
        """Asks about orders that are not fulfilled, without a webhook.

        Webhooks can be lost: the shop was away for days, or its address was wrong. Orders are asked about
        until nobody can pay for them any more, the older the rarer; canceled ones, too, because a late
        payment may come.
        """
        now = int(time.time())
        for (reference,) in self._run(
            "SELECT reference FROM orders"
            " WHERE state != 'fulfilled' AND placed_at > ? AND ? - checked_at >= max(?, (? - placed_at) / 4)"
            " ORDER BY checked_at LIMIT 100",
            (now - 40 * DAY, now, self._every, now),
        ):
            order = self.order(reference)
            assert order is not None
            if order.uuid is None:
                self.ask(order)  # the shop was killed before it knew
                order = self.order(reference)
            assert order is not None and order.uuid is not None
            self.refresh(order.uuid)
            self._run("UPDATE orders SET checked_at = ? WHERE reference = ?", (now, reference))

    def _settle(self, intent: PaymentIntent) -> None:
        """Brings an order to what the API says of its intent. This is the only place where an order is
        fulfilled. Of two threads that come at the same time, one changes the row and the other finds it
        changed."""
        reference = intent.merchant_reference or ""
        order = self.order(reference)
        if order is None:
            return  # not of this shop
        if (intent.amount, intent.currency) != (order.amount, order.currency):
            log(f"Order {reference} is not what intent {intent.uuid} was made for: a person must look.")
            return
        if intent.status == Status.CANCELED:
            self._run(
                "UPDATE orders SET state = 'canceled' WHERE reference = ? AND state = 'open'", (reference,)
            )
        if intent.status != Status.SUCCEEDED:
            return
        # Also where the order was canceled: a late payment is a payment. A shop that has sold the goods to
        # somebody else gives the money back instead.
        with self._transaction() as db:
            paid = db.execute(
                "UPDATE orders SET state = 'fulfilled' WHERE reference = ? AND state != 'fulfilled'",
                (reference,),
            ).rowcount
            if paid == 1:
                # In the same transaction, so that a crash leaves both or neither. If you call another system
                # instead, give it the reference, so that it can refuse the second call after a crash.
                db.execute(
                    "INSERT INTO fulfilments (reference, at) VALUES (?, ?)", (reference, int(time.time()))
                )
        if paid == 1:
            log(f"fulfilled {reference}")

    def _run(self, sql: str, values: tuple[Union[str, int, None], ...] = ()) -> list[tuple[Any, ...]]:
        with self._transaction() as db:
            return db.execute(sql, values).fetchall()

    def _transaction(self) -> sqlite3.Connection:
        """To be used in a with statement: committed at its end, unless something is raised."""
        db: Optional[sqlite3.Connection] = getattr(self._of_thread, "db", None)
        if db is None:
            # Who finds the database locked waits, for ten seconds at most.
            db = self._of_thread.db = sqlite3.connect(self._file, timeout=10)
            db.execute("PRAGMA synchronous = FULL")  # what is committed survives a loss of power
        return db


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
