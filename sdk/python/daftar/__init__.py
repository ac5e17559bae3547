"""A client of the Daftar payment service for a merchant's server: it creates and retrieves payment intents,
gives money back and verifies webhooks.

What fails for a while is tried again with the same reference, so nothing is done twice. What is refused is
raised as a typed error (daftar.errors).
"""

from daftar._version import __version__
from daftar.async_client import AsyncClient
from daftar.client import Client
from daftar.errors import (
    ApiConnectionError,
    ApiError,
    AuthenticationError,
    ConflictError,
    DaftarError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    SignatureError,
    UnavailableError,
    ValidationError,
)
from daftar.models import (
    CreatedPaymentIntent,
    CreatedRefund,
    PaymentIntent,
    PaymentIntentEvent,
    PaymentIntentPage,
    Refund,
    RefundStatus,
    Status,
)
from daftar.webhook import WebhookEvent, WebhookHeaders, verify_webhook

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "AsyncClient",
    "AuthenticationError",
    "Client",
    "ConflictError",
    "CreatedPaymentIntent",
    "CreatedRefund",
    "DaftarError",
    "NotFoundError",
    "PaymentIntent",
    "PaymentIntentEvent",
    "PaymentIntentPage",
    "PermissionDeniedError",
    "RateLimitError",
    "Refund",
    "RefundStatus",
    "SignatureError",
    "Status",
    "UnavailableError",
    "ValidationError",
    "WebhookEvent",
    "WebhookHeaders",
    "__version__",
    "verify_webhook",
]
