"""What the API answers. The fields are named as in the API.

Later versions of the service may have more fields, which are left out here, and more statuses, which are
kept as the strings that they are.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, Mapping, Optional, Union


class _Text(str, Enum):
    """An enum whose members are their values in all respects, in every version of Python."""

    def __str__(self) -> str:
        return str.__str__(self)

    def __format__(self, format_spec: str) -> str:
        return str.__format__(self, format_spec)

    def __hash__(self) -> int:
        return str.__hash__(self)


class Status(_Text):
    """How an intent stands. Fulfil an order only when it is SUCCEEDED."""

    REQUIRES_PAYMENT_METHOD = "requires_payment_method"
    """Waiting for the customer to pay, or to try again after a failed attempt."""
    PROCESSING = "processing"
    """A payment attempt is under way. It may outlast expires_at."""
    SUCCEEDED = "succeeded"
    """Paid. Final."""
    CANCELED = "canceled"
    """Expired unpaid. A late payment still makes it SUCCEEDED."""


class RefundStatus(_Text):
    """How a refund stands."""

    PENDING = "pending"
    """The payment provider is to be asked, or is being asked."""
    SUCCEEDED = "succeeded"
    """The money went back. Final."""
    FAILED = "failed"
    """Nothing went back. The amount can be refunded again, under a new reference."""
    UNKNOWN = "unknown"
    """It is not known whether the money went back. A person finds out; until then the amount is reserved."""


@dataclass(frozen=True)
class PaymentIntent:
    """What the customer is asked to pay."""

    uuid: str
    reference: Optional[str]
    """What the receipt shows, in capitals."""
    merchant_reference: Optional[str]
    amount: int
    """In minor units: 5000 is 5.000 LYD."""
    currency: str
    status: Union[Status, str]
    description: Optional[str]
    customer_external_id: Optional[str]
    """Your identifier for the customer."""
    return_url: Optional[str]
    metadata: Optional[Mapping[str, str]]
    expires_at: Optional[str]
    """When the checkout stops; times are RFC 3339 in UTC."""
    checkout_url: str
    created_at: Optional[str]
    updated_at: Optional[str]


@dataclass(frozen=True)
class CreatedPaymentIntent:
    """The answer to a create."""

    intent: PaymentIntent
    replayed: bool
    """The intent existed before: this merchant_reference was used already. After a lost answer that is how
    a repeated create ends, and nothing is wrong."""
    differs: tuple[str, ...]
    """The fields in which this request differs from the intent that exists. They were ignored. If there are
    any, two different orders have the same reference."""


@dataclass(frozen=True)
class PaymentIntentPage:
    """One page of a list, newest first."""

    data: tuple[PaymentIntent, ...]
    next_cursor: Optional[str]
    """To be given to the next call; None on the last page."""


@dataclass(frozen=True)
class PaymentIntentEvent:
    """Something that happened to an intent."""

    sequence: int
    """The number of the event in the life of its intent, from 1."""
    type: str
    at: str
    fields: Mapping[str, Any]
    """All there are, which depend on the type."""


@dataclass(frozen=True)
class Refund:
    """Money that goes back to a customer, or was to."""

    uuid: str
    refund_reference: Optional[str]
    """None of a refund that a person requested in the dashboard."""
    payment_intent: str
    """The uuid of the intent."""
    attempt: str
    """The payment whose money goes back."""
    amount: int
    """In minor units: 5000 is 5.000 LYD."""
    currency: str
    status: Union[RefundStatus, str]
    reason: Optional[str]
    failure_reason: Optional[str]
    """Why nothing went back, of one that is FAILED."""
    created_at: str
    updated_at: str


@dataclass(frozen=True)
class CreatedRefund:
    """The answer to a create of a refund."""

    refund: Refund
    replayed: bool
    """The refund existed before: this refund_reference was used already. After a lost answer that is how a
    repeated create ends, and nothing is wrong."""
    differs: tuple[str, ...]
    """The fields in which this request differs from the refund that exists. They were ignored. If there are
    any, two different refunds have the same reference; with payment_intent among them the refund is that of
    another intent."""
