"""Webhooks: good ones, forged ones, and headers in all their shapes."""

import base64
import hashlib
import hmac
import json
import math
from email.message import Message
from typing import Any, Iterable, Union
from unittest import TestCase, mock

from daftar import SignatureError, WebhookEvent, verify_webhook

NOW = 1_800_000_000
KEY = bytes(range(24))
SECRET = "whsec_" + base64.b64encode(KEY).decode()
OTHER = "whsec_" + base64.b64encode(KEY[::-1]).decode()
EVENT: dict[str, Any] = {"type": "payment_intent.succeeded", "timestamp": "t", "data": {"uuid": "طلب"}}
BODY = json.dumps(EVENT, ensure_ascii=False).encode()
ID, SENT = "evt_1", str(NOW)


def sign(body: bytes = BODY, key: bytes = KEY, webhook_id: str = ID, sent: str = SENT) -> str:
    text = f"{webhook_id}.{sent}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()


def headers(webhook_id: str = ID, sent: str = SENT, signature: str = sign()) -> dict[str, str]:
    return {"webhook-id": webhook_id, "webhook-timestamp": sent, "webhook-signature": signature}


def verify(
    given: Any = headers(),
    body: bytes = BODY,
    secret: Union[str, Iterable[str]] = SECRET,
    now: float = NOW,
    tolerance: float = 300,
) -> WebhookEvent:
    return verify_webhook(body, given, secret, tolerance=tolerance, now=now)


class TestWebhook(TestCase):
    def refused(self, *arguments: Any, **named: Any) -> None:
        with self.assertRaises(SignatureError):
            verify(*arguments, **named)

    def test_a_good_one(self) -> None:
        self.assertEqual(verify(), WebhookEvent(ID, EVENT["type"], "t", EVENT["data"]))
        with mock.patch("time.time", lambda: NOW + 299.5):
            verify_webhook(BODY, headers(), SECRET)
        with mock.patch("time.time", lambda: NOW + 300.5), self.assertRaises(SignatureError):
            verify_webhook(BODY, headers(), SECRET)

    def test_bodies(self) -> None:
        for body in (bytearray(BODY), memoryview(BODY)):
            self.assertEqual(verify(body=body).type, EVENT["type"])
        for text in (BODY.decode(), None, EVENT):
            with self.assertRaisesRegex(TypeError, "bytes"):
                verify(body=text)  # type: ignore[arg-type]
        self.refused(body=BODY + b"\n")

    def test_what_is_signed_and_no_event(self) -> None:
        for body in [
            b"", b"[]", b"{}", b"\xff", b'{"type":1,"data":{}}', b'{"type":"t","data":[]}', b"[" * 100_000,
            b'{"type":"t","data":{"a":NaN}}',
        ]:  # fmt: skip
            with self.subTest(body=body[:30]), self.assertRaisesRegex(SignatureError, "is signed"):
                verify(headers(signature=sign(body)), body)
        body = b'{"type":"new","data":{},"more":1}'
        self.assertEqual(verify(headers(signature=sign(body)), body), WebhookEvent(ID, "new", "", {}))

    def test_shapes_of_headers(self) -> None:
        message = Message()
        for name, value in headers().items():
            message[name.title()] = value
        pairs = list(headers().items())
        for given in [
            {name.upper(): value for name, value in pairs},
            {name.title(): [value] for name, value in pairs},
            message,
            pairs,
            [(name.encode(), value.encode()) for name, value in pairs],  # ASGI
            {"wsgi.input": object(), 7: 7, **{"HTTP_" + n.upper().replace("-", "_"): v for n, v in pairs}},
        ]:
            with self.subTest(kind=type(given)):
                self.assertEqual(verify(given).id, ID)
        for bad in ("webhook-id", None, 7):
            with self.assertRaises(TypeError):
                verify(bad)

    def test_headers_that_are_missing_or_twice(self) -> None:
        for name in headers():
            with self.subTest(name):
                self.refused({key: value for key, value in headers().items() if key != name})
                self.refused({**headers(), name: ""})
                self.refused({**headers(), name: None})
                twice: list[dict[str, Any]] = [{name.title(): headers()[name]}, {name: [headers()[name], ""]}]
                for more in twice:
                    with self.assertRaisesRegex(SignatureError, "twice"):
                        verify({**headers(), **more})
        self.refused({})

    def test_timestamps(self) -> None:
        arabic = SENT.translate({ord(str(n)): 0x660 + n for n in range(10)})
        for sent in [
            "", "x", "-1", "+1", " " + SENT, SENT + "\n", SENT + ".0", "1e9", "9" * 30, "9" * 5000, arabic,
            "²",
        ]:  # fmt: skip
            with self.subTest(sent=sent[:20]):
                self.refused(headers(sent=sent, signature=sign(sent=sent)))
        for late in (-300, 300):
            verify(now=NOW + late)
            self.refused(now=NOW + late * 1.001)
        self.refused(now=math.nan)
        self.refused(tolerance=math.nan)
        verify(now=NOW + 500, tolerance=500)

    def test_signatures(self) -> None:
        good, other = sign(), sign(key=KEY[::-1])
        for signatures in [f"{other} {good}", f"{good} {other}", f"v1a,AAAA {good}", f"  {good} "]:
            verify(headers(signature=signatures))
        for signatures in [
            "v1,", "v1", good[3:], good[:-1], good + "=", "v2" + good[2:], f"{other},{good}", good.lower(),
            "v1,توقيع", "v1,\ud83d", "v1,\x00", other,
        ]:  # fmt: skip
            with self.subTest(signatures):
                self.refused(headers(signature=signatures))
        self.refused(headers(webhook_id="evt_2"))
        self.refused(headers(webhook_id="حدث", signature=sign(webhook_id="حدث")))
        self.refused(headers(sent=str(NOW + 1)))

    def test_secrets(self) -> None:
        both = [OTHER, SECRET]
        for secret in [SECRET, SECRET[6:], SECRET + "\n", both, tuple(both), iter(both)]:
            verify(secret=secret)
        unpadded = base64.b64encode(KEY[:20]).decode()
        for secret in (unpadded, unpadded.rstrip("=")):
            verify(headers(signature=sign(key=KEY[:20])), secret="whsec_" + secret)
        self.refused(secret=OTHER)
        self.refused(secret=[OTHER, OTHER])
        empty = sign(key=b"")
        for bad in [
            "", "whsec_", " ", "=", [], [""], [SECRET, ""], "whsec_%%%%", "whsec_سر", "whsec_A", "\ud83d",
        ]:  # fmt: skip
            with self.subTest(secret=bad), self.assertRaises(ValueError) as caught:
                verify(headers(signature=empty), secret=bad)
            self.assertNotIn("%", str(caught.exception))
        for worse in [KEY, SECRET.encode(), None, [None], 7]:
            with self.subTest(secret=worse), self.assertRaises(TypeError):
                verify(secret=worse)  # type: ignore[arg-type]
