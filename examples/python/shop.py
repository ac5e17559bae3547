"""A shop that is paid through Daftar: its pages, and the address for webhooks. README.md says how to start
it and what it shows."""

import os
import re
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable, Optional
from urllib.parse import parse_qs, urlsplit

from orders import PRODUCTS, Shop, log  # finds the SDK
from page import away_page, missing_page, order_page, shop_page

from daftar import Client, DaftarError, SignatureError, verify_webhook

LARGEST = 1 << 20


def setting(name: str, default: str = "") -> str:
    """An environment variable, or what holds without it."""
    return os.environ.get(name) or default


PORT = int(setting("PORT", "3000"))
# A customer waits for the page: better "try again" after ten seconds than a blank one.
SHOP = Shop(
    setting("SHOP_DATABASE", "shop.sqlite"),
    Client.from_environment(timeout=5, retry_for=5),
    setting("SHOP_URL", f"http://127.0.0.1:{PORT}"),
    int(setting("RECONCILE_SECONDS", "60")),
)
# Two, with a space between them, while a new one is being introduced.
SECRETS = setting("DAFTAR_WEBHOOK_SECRET").split(" ")


class Handler(BaseHTTPRequestHandler):
    timeout = 30  # for a request to come

    def do_GET(self) -> None:
        self.handle_with(self.get)

    def do_POST(self) -> None:
        self.handle_with(self.post)

    def get(self) -> None:
        path, lang = self.where()
        if path == "/":
            self.answer(200, shop_page(lang))
        elif path.startswith("/orders/"):
            self.show(path[len("/orders/") :], lang)
        else:
            self.answer(404, missing_page(lang))

    def post(self) -> None:
        path, lang = self.where()
        length = int(self.headers.get("Content-Length", "0"))
        if length > LARGEST:
            self.answer(413)
            return
        body = self.rfile.read(length)
        if path == "/orders":
            self.buy({name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()})
        elif path == "/webhooks":
            self.receive(body)
        else:
            self.answer(404, missing_page(lang))

    def buy(self, form: dict[str, str]) -> None:
        """The customer buys."""
        lang, reference, product = language(form), form.get("reference", ""), form.get("product", "")
        if product not in PRODUCTS or not re.fullmatch("order-[0-9a-f]{32}", reference):
            self.answer(400, missing_page(lang))
            return
        order = SHOP.place(reference, product)
        query = "?lang=en" if lang == "en" else ""
        try:
            self.answer(303, location=SHOP.ask(order, query) + query)
        except DaftarError as error:
            log(f"Order {reference}: {error}")
            self.answer(503, away_page(lang, order))

    def show(self, reference: str, lang: str) -> None:
        """The customer has come back. That proves nothing: anybody can open this page."""
        order = SHOP.order(reference)
        if order is not None and order.state != "fulfilled" and order.uuid is not None:
            try:
                SHOP.refresh(order.uuid)
                order = SHOP.order(reference)
            except DaftarError as error:
                log(f"Order {reference}: {error}")  # the page says what the shop knows
        if order is None:
            self.answer(404, missing_page(lang))
        else:
            self.answer(200, order_page(lang, order))

    def receive(self, body: bytes) -> None:
        """A webhook is verified, written down and answered. What it means is found out afterwards."""
        try:
            event = verify_webhook(body, self.headers, SECRETS)
        except SignatureError:
            self.answer(401)
            return
        SHOP.receive(event)
        self.answer(204)

    def where(self) -> tuple[str, str]:
        url = urlsplit(self.path)
        return url.path, language({name: values[0] for name, values in parse_qs(url.query).items()})

    def handle_with(self, method: Callable[[], None]) -> None:
        try:
            method()
        except Exception:
            # What was not written down is sent again.
            log(f"{self.command} {self.path}: {traceback.format_exc()}")
            self.answer(500)

    def answer(self, status: int, page: str = "", location: Optional[str] = None) -> None:
        body = page.encode()
        self.send_response(status)
        if location is not None:
            self.send_header("Location", location)
        if status != 204:
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Nothing: what matters is logged where it happens."""


class Server(ThreadingHTTPServer):
    request_queue_size = 128


def language(fields: dict[str, str]) -> str:
    return "en" if fields.get("lang") == "en" else "ar"


def follow() -> None:
    """What the shop does in the background: it deals with the webhooks that were written down, and asks
    about orders of which it heard nothing. Several may run at once."""
    while True:
        pause = 0.2
        try:
            SHOP.read_inbox()
            SHOP.reconcile()
        except Exception as error:
            # The service is away or busy, a credential is being changed, the disk is full. What is not dealt
            # with stays where it is.
            log(f"Not now: {error!r}")
            pause = 1.0
        time.sleep(pause)


if __name__ == "__main__":
    threading.Thread(target=follow, daemon=True).start()
    with Server(("127.0.0.1", PORT), Handler) as server:
        log(f"The shop is open at http://127.0.0.1:{PORT}")
        server.serve_forever()
