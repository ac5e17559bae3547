"""A client for programs that wait for the answer."""

import time
from typing import Iterator, Mapping, NoReturn, Optional, TypeVar

from daftar import _calls
from daftar._service import Retries, Service, environment
from daftar._transport import Attempt
from daftar.errors import DaftarError
from daftar.models import (
    CreatedPaymentIntent,
    CreatedRefund,
    PaymentIntent,
    PaymentIntentEvent,
    PaymentIntentPage,
    Refund,
)

T = TypeVar("T")


class Client:
    """A client of the Daftar payment service, for a merchant's server.

    What fails for a while is tried again with the same reference. All methods may be called again after any
    exception without anything being done twice. They raise an ApiError for what the API refuses and an
    ApiConnectionError where no answer came; a ValueError or a TypeError says that an argument is wrong.
    Threads and forked processes may share it.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        access_token: str,
        *,
        timeout: float = 15.0,
        retry_for: float = 30.0,
    ) -> None:
        """base_url has the version, such as https://pay.example.ly/api/v1. api_key (pk_…) identifies the
        application, access_token (at_…) the organisation.

        timeout is how long one attempt may take, in seconds. retry_for is for how long a request is tried
        again while the service cannot be reached or is busy, in seconds, without the last attempt; 0: once.
        Give a page that a customer waits for less, and a batch more.
        """
        self._service = Service(base_url, api_key, access_token, timeout, retry_for)
        self._sleep = time.sleep

    @classmethod
    def from_environment(cls, *, timeout: float = 15.0, retry_for: float = 30.0) -> "Client":
        """Reads DAFTAR_API_URL, DAFTAR_API_KEY and DAFTAR_ACCESS_TOKEN."""
        return cls(
            environment("DAFTAR_API_URL"),
            environment("DAFTAR_API_KEY"),
            environment("DAFTAR_ACCESS_TOKEN"),
            timeout=timeout,
            retry_for=retry_for,
        )

    def create_payment_intent(
        self,
        *,
        merchant_reference: str,
        amount: int,
        currency: str,
        description: str,
        customer_external_id: Optional[str] = None,
        return_url: Optional[str] = None,
        metadata: Optional[Mapping[str, str]] = None,
        expires_at: Optional[str] = None,
    ) -> CreatedPaymentIntent:
        """Creates an intent, or finds the one that was created with the same merchant_reference.

        Keep the reference with the order before you call: with it the call can be repeated. amount is in
        minor units: 5000 is 5.000 LYD. expires_at is ISO 8601 with an offset.
        """
        return self._send(
            _calls.create_payment_intent(
                merchant_reference=merchant_reference,
                amount=amount,
                currency=currency,
                description=description,
                customer_external_id=customer_external_id,
                return_url=return_url,
                metadata=metadata,
                expires_at=expires_at,
            )
        )

    def retrieve_payment_intent(self, uuid: str) -> PaymentIntent:
        """The intent as it stands now. An order is paid only when its status is SUCCEEDED."""
        return self._send(_calls.retrieve_payment_intent(uuid))

    def list_payment_intents(
        self,
        *,
        merchant_reference: Optional[str] = None,
        status: Optional[str] = None,
        customer_external_id: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
    ) -> PaymentIntentPage:
        """One page of this application's intents, newest first.

        Times are ISO 8601 with an offset; limit is 1 to 100.
        """
        return self._send(
            _calls.list_payment_intents(
                merchant_reference=merchant_reference,
                status=status,
                customer_external_id=customer_external_id,
                created_from=created_from,
                created_to=created_to,
                limit=limit,
                cursor=cursor,
            )
        )

    def payment_intents(
        self,
        *,
        merchant_reference: Optional[str] = None,
        status: Optional[str] = None,
        customer_external_id: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> Iterator[PaymentIntent]:
        """All of this application's intents that match, newest first, page after page."""
        cursor: Optional[str] = None
        while True:
            page = self.list_payment_intents(
                merchant_reference=merchant_reference,
                status=status,
                customer_external_id=customer_external_id,
                created_from=created_from,
                created_to=created_to,
                limit=limit,
                cursor=cursor,
            )
            yield from page.data
            cursor = page.next_cursor
            if cursor is None:
                return

    def expire_payment_intent(self, uuid: str) -> PaymentIntent:
        """Cancels an intent that nobody has begun to pay.

        One that is canceled already stays so; a ConflictError says that it is being paid or is paid.
        """
        return self._send(_calls.expire_payment_intent(uuid))

    def list_payment_intent_events(self, uuid: str) -> list[PaymentIntentEvent]:
        """What happened to an intent, oldest first."""
        return self._send(_calls.list_payment_intent_events(uuid))

    def create_refund(
        self,
        intent: str,
        *,
        refund_reference: str,
        amount: Optional[int] = None,
        reason: Optional[str] = None,
        attempt: Optional[str] = None,
    ) -> CreatedRefund:
        """Gives money of a paid intent back, or finds the refund that was created with the same
        refund_reference.

        intent is its uuid. Keep the reference with the order before you call: with it the call can be
        repeated. amount is in minor units, and without it all that is left goes back. A new refund is
        PENDING: how it ended is in a webhook, and in what retrieve_refund returns. It needs an access token
        with the scope refunds; a ConflictError says that this money cannot go back.
        """
        return self._send(
            _calls.create_refund(
                intent, refund_reference=refund_reference, amount=amount, reason=reason, attempt=attempt
            )
        )

    def list_refunds(self, intent: str) -> list[Refund]:
        """All refunds of an intent, oldest first, also those that people requested."""
        return self._send(_calls.list_refunds(intent))

    def retrieve_refund(self, uuid: str) -> Refund:
        """The refund as it stands now."""
        return self._send(_calls.retrieve_refund(uuid))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._service.base_url!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client has credentials and cannot be pickled or copied.")

    def _send(self, call: _calls.Call[T]) -> T:
        retries = Retries(self._service, call.retry_conflict)
        while True:
            try:
                return self._service.attempt(call, retries.request_id, Attempt())
            except DaftarError as error:
                wait = retries.wait_after(error)
                if wait is None:
                    raise
            self._sleep(wait)
