"""Wrong arguments are refused before anything is sent."""

import math
from typing import Any, Callable

from daftar import AsyncClient, Client
from tests.clients import KEY, TOKEN, TestCase, client
from tests.fake import UUID
from tests.test_requests import ORDER

URL = "https://pay.example.ly/api/v1"


class TestArguments(TestCase):
    def refused(self, error: type[Exception], call: Callable[[], object]) -> str:
        with self.assertRaises(error) as caught:
            call()
        self.assertFalse(set(str(caught.exception)) & {"\n", "\r"})
        return str(caught.exception)

    def test_addresses(self) -> None:
        bad = [
            "", "pay.example", "ftp://pay.example", "https://", "https://:443", "https://pay.example\n",
            "https://pay.example/ x", "https://pay.example:x", "https://pay.example:99999", "https://a..b",
            "https://user:password@pay.example", "https://pay.example/?a=b", "https://pay.example/#a",
            "https://دفتر.example", "https://[::1",
        ]  # fmt: skip
        for url in bad:
            with self.subTest(url=url):
                self.assertNotIn("password", self.refused(ValueError, lambda: Client(url, KEY, TOKEN)))
                self.refused(ValueError, lambda: AsyncClient(url, KEY, TOKEN))
        self.refused(TypeError, lambda: Client(None, KEY, TOKEN))  # type: ignore[arg-type]
        for url in [URL, URL + "/", "http://[::1]:8080", "HTTPS://pay.example".lower()]:
            Client(url, KEY, TOKEN)

    def test_credentials(self) -> None:
        for bad in ["", "pk_x\n", "pk x", "pk_\x00", "pk_é", "pk_\r\nX-Y: z", None]:
            with self.subTest(credential=bad):
                self.refused(ValueError, lambda: Client(URL, bad, TOKEN))  # type: ignore[arg-type]
                self.refused(ValueError, lambda: Client(URL, KEY, bad))  # type: ignore[arg-type]

    def test_times(self) -> None:
        for bad in [-1, math.nan, math.inf]:
            with self.subTest(seconds=bad):
                self.refused(ValueError, lambda: Client(URL, KEY, TOKEN, timeout=bad))
                self.refused(ValueError, lambda: Client(URL, KEY, TOKEN, retry_for=bad))
        for bad in (0, 86_401, 1e300):
            self.refused(ValueError, lambda: Client(URL, KEY, TOKEN, timeout=bad))
        self.refused(TypeError, lambda: Client(URL, KEY, TOKEN, timeout="15"))  # type: ignore[arg-type]
        self.refused(TypeError, lambda: Client(URL, KEY, TOKEN, retry_for=True))
        Client(URL, KEY, TOKEN, retry_for=0, timeout=86_400)

    def test_uuids(self) -> None:
        shop = client(URL)
        calls: list[Callable[[Any], object]] = [
            shop.retrieve_payment_intent,
            shop.expire_payment_intent,
            shop.list_payment_intent_events,
            shop.list_refunds,
            shop.retrieve_refund,
            lambda uuid: shop.create_refund(uuid, refund_reference="r"),
        ]
        for call in calls:
            for bad in ["", "../payment-intents", UUID + "\n", UUID[:-1] + "/", UUID[:-1] + "٣", "x\ud800"]:
                with self.subTest(uuid=bad):
                    self.refused(ValueError, lambda: call(bad))
            self.refused(TypeError, lambda: call(None))
            self.refused(TypeError, lambda: call(UUID.encode()))

    def test_amounts(self) -> None:
        shop: Any = client(URL)
        for bad in [True, 5000.0, "5000", math.nan, None]:
            with self.subTest(amount=bad):
                self.refused(TypeError, lambda: shop.create_payment_intent(**{**ORDER, "amount": bad}))
        for bad in [True, 1.5, "1500"]:
            with self.subTest(amount=bad):
                self.refused(TypeError, lambda: shop.create_refund(UUID, refund_reference="r", amount=bad))

    def test_what_cannot_be_json(self) -> None:
        shop = client(URL)
        create: Any = shop.create_payment_intent
        self.refused(ValueError, lambda: create(**{**ORDER, "description": "half \ud83d"}))
        self.refused(ValueError, lambda: create(**ORDER, metadata={"k": math.nan}))
        self.refused(TypeError, lambda: create(**{**ORDER, "description": b"bytes"}))
        self.refused(TypeError, lambda: create(**ORDER, metadata={"k": object()}))
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        self.refused(ValueError, lambda: create(**ORDER, metadata={"k": deep}))
        deep.append(deep)
        self.refused(ValueError, lambda: create(**ORDER, metadata={"k": deep}))
        self.refused(ValueError, lambda: shop.list_payment_intents(merchant_reference="\ud83d"))

    def test_names_are_needed(self) -> None:
        shop: Any = client(URL)
        self.refused(TypeError, lambda: shop.create_payment_intent(ORDER))
        self.refused(TypeError, lambda: shop.create_payment_intent(**ORDER, custmer="x"))
        self.refused(TypeError, lambda: shop.list_payment_intents(state="succeeded"))
        self.refused(TypeError, lambda: shop.create_refund(UUID))
