"""What is sent, and how what the API answers is read."""

import json
import platform
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit

import daftar
from daftar import Client, PaymentIntent, RefundStatus, Status
from tests.clients import KEY, TOKEN, TestCase, client
from tests.fake import INTENT, REFUND, UUID, Service, answer, reply

ORDER: dict[str, Any] = {
    "merchant_reference": "order-1",
    "amount": 5000,
    "currency": "LYD",
    "description": "قهوة",
}


class TestRequests(TestCase):
    def test_create(self) -> None:
        with Service(answer(INTENT, "201 Created")) as service:
            created = client(service.url).create_payment_intent(
                **ORDER, customer_external_id="customer-77", metadata={"branch": "طرابلس"}
            )
        self.assertEqual((created.replayed, created.differs), (False, ()))
        self.assertEqual(
            created.intent,
            PaymentIntent(
                **{name: value for name, value in INTENT.items() if name != "customer"},
                customer_external_id="customer-77",
            ),
        )
        self.assertIs(created.intent.status, Status.REQUIRES_PAYMENT_METHOD)
        (sent,) = service.requests
        self.assertEqual((sent.method, sent.target), ("POST", "/api/v1/payment-intents"))
        self.assertEqual(
            json.loads(sent.body),
            {**ORDER, "customer": {"external_id": "customer-77"}, "metadata": {"branch": "طرابلس"}},
        )
        self.assertIn("قهوة".encode(), sent.body)
        self.assertRegex(sent.headers["X-Request-Id"], "^[0-9a-f]{32}$")
        del sent.headers["X-Request-Id"]
        self.assertEqual(
            sorted(sent.headers.items()),
            [
                ("Accept", "application/json"),
                ("Accept-Encoding", "identity"),
                ("Authorization", f"Bearer {TOKEN}"),
                ("Connection", "close"),
                ("Content-Length", str(len(sent.body))),
                ("Content-Type", "application/json"),
                ("Host", service.address),
                ("User-Agent", f"daftar-python/0.1.0 python/{platform.python_version()}"),
                ("X-API-Key", KEY),
            ],
        )

    def test_replayed(self) -> None:
        differs = {"idempotent-REPLAYED-differs": "amount, description"}
        again = answer(INTENT, Idempotent_Replayed="true", **differs)
        with Service(again) as service:
            created = client(service.url).create_payment_intent(**ORDER)
        self.assertEqual((created.replayed, created.differs), (True, ("amount", "description")))

    def test_retrieve_and_expire(self) -> None:
        with Service(answer(INTENT), answer({**INTENT, "status": "canceled"})) as service:
            retrieved = client(service.url + "//").retrieve_payment_intent(UUID)
            expired = client(service.url).expire_payment_intent(UUID.upper())
        self.assertEqual((retrieved.amount, expired.status), (5000, Status.CANCELED))
        get, post = service.requests
        self.assertEqual((get.method, get.target), ("GET", f"/api/v1/payment-intents/{UUID}"))
        path = f"/api/v1/payment-intents/{UUID.upper()}/expire"
        self.assertEqual((post.method, post.target), ("POST", path))
        # The length of nothing is said, and its type is not; of a request that never has a body neither is.
        self.assertEqual((post.headers["Content-Length"], post.headers["Content-Type"]), ("0", None))
        self.assertEqual((get.headers["Content-Length"], get.headers["Content-Type"]), (None, None))

    def test_pages(self) -> None:
        def page(*references: str, cursor: object) -> bytes:
            data = [{**INTENT, "merchant_reference": reference} for reference in references]
            return reply(json.dumps({"data": data, "next_cursor": cursor}).encode())

        three = [page("3", "2", cursor="x+/&"), page(cursor="y"), page("1", cursor=None)]
        with Service(page("3", cursor="a b"), *three) as service:
            shop = client(service.url)
            first = shop.list_payment_intents(
                status=Status.SUCCEEDED, limit=2, cursor="z", created_from="+02:00"
            )
            found = [i.merchant_reference for i in shop.payment_intents(customer_external_id="زبون &=")]
        self.assertEqual((len(first.data), first.next_cursor, found), (1, "a b", ["3", "2", "1"]))
        targets = [urlsplit(one.target) for one in service.requests]
        self.assertEqual({one.path for one in targets}, {"/api/v1/payment-intents"})
        self.assertEqual(
            targets[0].query, "status=succeeded&created_from=%2B02%3A00&limit=2&cursor=z"
        )
        self.assertEqual(
            [parse_qs(one.query) for one in targets[1:]],
            [
                {"customer_external_id": ["زبون &="]},
                {"customer_external_id": ["زبون &="], "cursor": ["x+/&"]},
                {"customer_external_id": ["زبون &="], "cursor": ["y"]},
            ],
        )

    def test_events(self) -> None:
        told = {"sequence": 1, "type": "payment_intent.created", "at": "2026-11-20T09:30:00Z", "amount": 5000}
        with Service(answer([told])) as service:
            (event,) = client(service.url).list_payment_intent_events(UUID)
        self.assertEqual((event.sequence, event.type, event.at), (1, told["type"], told["at"]))
        self.assertEqual(event.fields, told)

    def test_refunds(self) -> None:
        other = answer(REFUND, Idempotent_Replayed="true", Idempotent_Replayed_Differs="payment_intent")
        answers = [answer(REFUND, "201 Created"), other, answer([REFUND]), answer(REFUND)]
        with Service(*answers) as service:
            shop = client(service.url)
            created = shop.create_refund(
                UUID, refund_reference="refund-1", amount=1500, reason="برد", attempt="a1"
            )
            again = shop.create_refund(UUID, refund_reference="refund-1")
            listed = shop.list_refunds(UUID)
            retrieved = shop.retrieve_refund(REFUND["uuid"])
        self.assertIs(created.refund.status, RefundStatus.PENDING)
        self.assertEqual((created.replayed, created.differs), (False, ()))
        self.assertEqual((again.replayed, again.differs), (True, ("payment_intent",)))
        self.assertEqual([created.refund, *listed], [retrieved, retrieved])
        self.assertEqual(
            [(one.method, one.target) for one in service.requests],
            [
                ("POST", f"/api/v1/payment-intents/{UUID}/refunds"),
                ("POST", f"/api/v1/payment-intents/{UUID}/refunds"),
                ("GET", f"/api/v1/payment-intents/{UUID}/refunds"),
                ("GET", f"/api/v1/refunds/{REFUND['uuid']}"),
            ],
        )
        self.assertEqual(
            [json.loads(one.body) for one in service.requests[:2]],
            [
                {"refund_reference": "refund-1", "amount": 1500, "reason": "برد", "attempt": "a1"},
                {"refund_reference": "refund-1"},
            ],
        )

    def test_large_amounts_are_for_the_service_to_refuse(self) -> None:
        with Service(answer({**INTENT, "amount": 10**30})) as service:
            order: dict[str, Any] = {**ORDER, "amount": 10**30}
            created = client(service.url).create_payment_intent(**order)
        self.assertEqual(json.loads(service.requests[0].body)["amount"], 10**30)
        self.assertEqual(created.intent.amount, 10**30)

    def test_environment(self) -> None:
        with Service(answer(INTENT)) as service:
            known = {"DAFTAR_API_URL": service.url, "DAFTAR_API_KEY": "pk_e", "DAFTAR_ACCESS_TOKEN": "at_e"}
            with mock.patch.dict("os.environ", known):
                shop = Client.from_environment(timeout=7, retry_for=3)
            shop.retrieve_payment_intent(UUID)
        headers = service.requests[0].headers
        self.assertEqual((headers["X-API-Key"], headers["Authorization"]), ("pk_e", "Bearer at_e"))
        self.assertEqual((shop._service._transport._timeout, shop._service.retry_for), (7, 3))

    def test_statuses_are_their_texts(self) -> None:
        self.assertEqual(f"{Status.SUCCEEDED} {RefundStatus.FAILED!s}", "succeeded failed")
        self.assertEqual({"succeeded": 1}[Status.SUCCEEDED], 1)
        self.assertEqual(json.dumps([Status.CANCELED]), '["canceled"]')

    def test_all_that_is_exported_is_there(self) -> None:
        for name in daftar.__all__:
            self.assertTrue(hasattr(daftar, name), name)
