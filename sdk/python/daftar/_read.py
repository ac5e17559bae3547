"""Reads what the API answers into models."""

from typing import Any, Optional, Union

from daftar.models import PaymentIntent, PaymentIntentEvent, Refund, RefundStatus, Status


class Fields:
    """The fields of an answer. What has another type than the API promises is a ValueError."""

    def __init__(self, data: object) -> None:
        if not isinstance(data, dict):
            raise ValueError("an object is missing")
        self.all: dict[str, Any] = data

    def text(self, name: str) -> str:
        value = self.all.get(name)
        if not isinstance(value, str):
            raise ValueError(f"{name} is no text")
        return value

    def text_or_none(self, name: str) -> Optional[str]:
        return None if self.all.get(name) is None else self.text(name)

    def number(self, name: str) -> int:
        value = self.all.get(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ValueError(f"{name} is no whole number")
        return value


def items(data: object) -> list[object]:
    """The elements of a list of an answer."""
    if not isinstance(data, list):
        raise ValueError("a list is missing")
    return data


def _status(value: str) -> Union[Status, str]:
    return Status(value) if value in Status.__members__.values() else value


def _refund_status(value: str) -> Union[RefundStatus, str]:
    return RefundStatus(value) if value in RefundStatus.__members__.values() else value


def payment_intent(data: object) -> PaymentIntent:
    """The intent of an answer."""
    fields = Fields(data)
    metadata = fields.all.get("metadata")
    return PaymentIntent(
        uuid=fields.text("uuid"),
        reference=fields.text_or_none("reference"),
        merchant_reference=fields.text_or_none("merchant_reference"),
        amount=fields.number("amount"),
        currency=fields.text("currency"),
        status=_status(fields.text("status")),
        description=fields.text_or_none("description"),
        customer_external_id=Fields(fields.all.get("customer") or {}).text_or_none("external_id"),
        return_url=fields.text_or_none("return_url"),
        metadata=None if metadata is None else Fields(metadata).all,
        expires_at=fields.text_or_none("expires_at"),
        checkout_url=fields.text("checkout_url"),
        created_at=fields.text_or_none("created_at"),
        updated_at=fields.text_or_none("updated_at"),
    )


def refund(data: object) -> Refund:
    """The refund of an answer."""
    fields = Fields(data)
    return Refund(
        uuid=fields.text("uuid"),
        refund_reference=fields.text_or_none("refund_reference"),
        payment_intent=fields.text("payment_intent"),
        attempt=fields.text("attempt"),
        amount=fields.number("amount"),
        currency=fields.text("currency"),
        status=_refund_status(fields.text("status")),
        reason=fields.text_or_none("reason"),
        failure_reason=fields.text_or_none("failure_reason"),
        created_at=fields.text("created_at"),
        updated_at=fields.text("updated_at"),
    )


def payment_intent_event(data: object) -> PaymentIntentEvent:
    """The event of an answer."""
    fields = Fields(data)
    return PaymentIntentEvent(
        fields.number("sequence"), fields.text("type"), fields.text("at"), fields.all
    )
