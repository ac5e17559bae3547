"""The requests of the API, and how their answers are read: for Client and AsyncClient alike."""

import re
from dataclasses import dataclass
from typing import Any, Callable, Generic, Mapping, Optional, TypeVar, Union
from urllib.parse import quote, urlencode

from daftar import _read
from daftar._answer import Answer
from daftar._json import dump
from daftar.models import (
    CreatedPaymentIntent,
    CreatedRefund,
    PaymentIntent,
    PaymentIntentEvent,
    PaymentIntentPage,
    Refund,
)

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, which may be sent several times."""

    method: str
    path: str
    read: Callable[[Answer], T]
    """Raises a ValueError for an answer that is not the API's."""
    body: Optional[bytes] = None
    retry_conflict: bool = False
    """Whether a 409 says that nothing was done yet."""


def create_payment_intent(
    *, amount: int, customer_external_id: Optional[str], **fields: Any
) -> Call[CreatedPaymentIntent]:
    sent = _present(fields, amount=_checked_amount(amount))
    if customer_external_id is not None:
        sent["customer"] = {"external_id": customer_external_id}
    # A conflict says that other requests were changing the reference, and that nothing was done.
    return Call("POST", "/payment-intents", _created_payment_intent, dump(sent), retry_conflict=True)


def retrieve_payment_intent(uuid: str) -> Call[PaymentIntent]:
    return Call("GET", _path_of(uuid), _payment_intent)


def list_payment_intents(**filters: Union[str, int, None]) -> Call[PaymentIntentPage]:
    query = urlencode(_present(filters), quote_via=quote)
    return Call("GET", "/payment-intents" + ("?" + query if query else ""), _payment_intent_page)


def expire_payment_intent(uuid: str) -> Call[PaymentIntent]:
    return Call("POST", _path_of(uuid) + "/expire", _payment_intent)


def list_payment_intent_events(uuid: str) -> Call[list[PaymentIntentEvent]]:
    return Call("GET", _path_of(uuid) + "/events", _payment_intent_events)


def create_refund(intent: str, *, amount: Optional[int], **fields: Any) -> Call[CreatedRefund]:
    if amount is not None:
        fields["amount"] = _checked_amount(amount)
    return Call("POST", _path_of(intent) + "/refunds", _created_refund, dump(_present(fields)))


def list_refunds(intent: str) -> Call[list[Refund]]:
    return Call("GET", _path_of(intent) + "/refunds", _refunds)


def retrieve_refund(uuid: str) -> Call[Refund]:
    return Call("GET", "/refunds/" + _checked_uuid(uuid, "refund"), _refund)


def _present(fields: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {name: value for name, value in {**fields, **more}.items() if value is not None}


def _checked_amount(amount: int) -> int:
    # A bool is an int to Python, and 50.00 is not 5000.
    if not isinstance(amount, int) or isinstance(amount, bool):
        raise TypeError(f"amount must be an int, in minor units, and is a {type(amount).__name__}.")
    return amount


def _path_of(intent: str) -> str:
    return "/payment-intents/" + _checked_uuid(intent, "payment intent")


def _checked_uuid(uuid: str, of: str) -> str:
    """A uuid that is none must not become another path."""
    if not isinstance(uuid, str):
        raise TypeError(f"The uuid of a {of} must be a str, and is a {type(uuid).__name__}.")
    if not re.fullmatch("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", uuid):
        raise ValueError(f"This is not the uuid of a {of}: {uuid!a}")
    return uuid


def _created_payment_intent(answer: Answer) -> CreatedPaymentIntent:
    return CreatedPaymentIntent(_payment_intent(answer), _replayed(answer), _differs(answer))


def _payment_intent(answer: Answer) -> PaymentIntent:
    return _read.payment_intent(answer.body["data"])


def _payment_intent_page(answer: Answer) -> PaymentIntentPage:
    data = tuple(map(_read.payment_intent, _read.items(answer.body["data"])))
    return PaymentIntentPage(data, _read.Fields(answer.body).text_or_none("next_cursor"))


def _payment_intent_events(answer: Answer) -> list[PaymentIntentEvent]:
    return [_read.payment_intent_event(one) for one in _read.items(answer.body["data"])]


def _created_refund(answer: Answer) -> CreatedRefund:
    return CreatedRefund(_refund(answer), _replayed(answer), _differs(answer))


def _refund(answer: Answer) -> Refund:
    return _read.refund(answer.body["data"])


def _refunds(answer: Answer) -> list[Refund]:
    return [_read.refund(one) for one in _read.items(answer.body["data"])]


def _replayed(answer: Answer) -> bool:
    return bool(answer.headers.get("Idempotent-Replayed") == "true")


def _differs(answer: Answer) -> tuple[str, ...]:
    differs = answer.headers.get("Idempotent-Replayed-Differs")
    return tuple(differs.split(", ")) if differs else ()
