"""Verifies the signatures of webhooks (Standard Webhooks v1)."""

import base64
import binascii
import hashlib
import hmac
import re
import time
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Optional, Protocol, Union

from daftar._json import load_object
from daftar.errors import SignatureError


class _HasItems(Protocol):
    def items(self) -> Iterable[tuple[Any, Any]]: ...


WebhookHeaders = Union[_HasItems, Iterable[tuple[Any, Any]]]
"""The headers of a request: a dict, email.message.Message (http.server), those of Flask, Django and
Starlette, the environ of WSGI, or the pairs of ASGI. Upper and lower case are the same."""


@dataclass(frozen=True)
class WebhookEvent:
    """What happened, as a webhook tells it. It has no status: retrieve the intent."""

    id: str
    """The webhook-id: the same however often this event is sent."""
    type: str
    """Such as payment_intent.succeeded. Ignore types that you do not know."""
    timestamp: str
    """When it happened."""
    data: Mapping[str, Any]
    """uuid, reference, merchant_reference, sequence; late of a late payment, refund (uuid, amount, currency,
    failure_reason) of one that is about a refund. A webhook.test has no uuid."""


def verify_webhook(
    body: bytes,
    headers: WebhookHeaders,
    secret: Union[str, Iterable[str]],
    tolerance: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Returns the event of a webhook whose signature is good.

    body has the bytes of the request, before any JSON parsing: what was parsed and written again has other
    bytes. secret is the webhook secret (whsec_…); several while a new one is being introduced. tolerance is
    how far the webhook's time may be from now, both in seconds; without now, by this machine's clock.

    Raises SignatureError where no signature is good: answer 401. A secret that is empty or malformed is a
    ValueError, a body that is text a TypeError.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError("body must be bytes: those of the request, before they are decoded or parsed.")
    keys = _keys(secret)
    del secret  # reports of errors show variables
    webhook_id, timestamp, signatures = _signed(headers)
    # [0-9]: str.isdigit takes the digits of all scripts. Fifteen, so that no number is too large to compare.
    if not re.fullmatch("[0-9]{1,15}", timestamp):
        raise SignatureError("The webhook has no timestamp.")
    distance = abs((time.time() if now is None else now) - int(timestamp))
    if not distance <= tolerance:  # also where one of them is NaN
        raise SignatureError("The timestamp of the webhook is too far from now.")
    text = b".".join([webhook_id.encode("ascii"), timestamp.encode("ascii"), bytes(body)])
    given = [signature.encode("utf-8", "backslashreplace") for signature in signatures.split(" ")]
    if not any(_is_signed(text, key, given) for key in keys):
        raise SignatureError("None of the signatures of the webhook is right.")
    return _event(webhook_id, bytes(body))


def _is_signed(text: bytes, key: hmac.HMAC, given: list[bytes]) -> bool:
    signing = key.copy()
    signing.update(text)
    expected = b"v1," + base64.b64encode(signing.digest())
    return any(hmac.compare_digest(expected, signature) for signature in given)


def _keys(secret: Union[str, Iterable[str]]) -> list[hmac.HMAC]:
    secrets = [secret] if isinstance(secret, (str, bytes)) else list(secret)
    if not secrets:
        raise ValueError("There is no webhook secret.")
    return [_key(one) for one in secrets]


def _key(secret: object) -> hmac.HMAC:
    if not isinstance(secret, str):
        raise TypeError("The webhook secret must be text.")
    encoded = secret.strip()
    if encoded.startswith("whsec_"):
        encoded = encoded[len("whsec_") :]
    try:
        key = base64.b64decode(encoded.rstrip("=") + "=" * (-len(encoded.rstrip("=")) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("The webhook secret is not whsec_ and base64.") from None
    if not key:
        # Anybody could sign with an empty key.
        raise ValueError("The webhook secret is empty.")
    return hmac.new(key, digestmod=hashlib.sha256)


def _signed(headers: WebhookHeaders) -> tuple[str, str, str]:
    """The id, the timestamp and the signatures."""
    if isinstance(headers, (str, bytes)):
        raise TypeError("headers must be a mapping or pairs.")
    found: dict[str, list[str]] = {"webhook-id": [], "webhook-timestamp": [], "webhook-signature": []}
    for name, value in headers.items() if hasattr(headers, "items") else headers:
        key = _text(name).lower().replace("_", "-")  # the environ of WSGI has HTTP_WEBHOOK_ID
        values = found.get(key[len("http-") :] if key.startswith("http-") else key)
        if values is not None:
            values.extend(map(_text, value if isinstance(value, (list, tuple)) else [value]))
    if any(len(values) > 1 for values in found.values()):
        # Which of the two counts must not be the choice of the sender.
        raise SignatureError("The webhook has a header twice.")
    webhook_id, timestamp, signature = ("".join(values) for values in found.values())
    if not webhook_id.isascii():
        raise SignatureError("The webhook has an id that is not ours.")
    return webhook_id, timestamp, signature


def _text(value: object) -> str:
    """A name or a value of a header; the pairs of ASGI are bytes."""
    if isinstance(value, (bytes, bytearray)):
        return value.decode("latin-1")
    return value if isinstance(value, str) else ""


def _event(webhook_id: str, body: bytes) -> WebhookEvent:
    event = load_object(body) or {}
    kind, data, timestamp = event.get("type"), event.get("data"), event.get("timestamp")
    if not isinstance(kind, str) or not isinstance(data, dict):
        raise SignatureError("The webhook is signed, but its body is no event.")
    return WebhookEvent(webhook_id, kind, timestamp if isinstance(timestamp, str) else "", data)
