"""A client for programs on asyncio."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import AsyncIterator, Mapping, NoReturn, Optional, TypeVar

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


# As many as other clients on asyncio have connections.
_CONNECTIONS = 100


class AsyncClient:
    """Client for asyncio: the same methods, as coroutines.

    Requests are sent by threads, up to a hundred at a time; the others wait for their turn. Nothing waits in
    a thread for the next try. Where a task is canceled its connection is closed at once, and it is not known
    whether the request was carried out: it may be sent again. Make one client per process, after a fork.
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
        self._sleep = asyncio.sleep
        self._threads = ThreadPoolExecutor(_CONNECTIONS, thread_name_prefix="daftar")

    @classmethod
    def from_environment(cls, *, timeout: float = 15.0, retry_for: float = 30.0) -> "AsyncClient":
        """Reads DAFTAR_API_URL, DAFTAR_API_KEY and DAFTAR_ACCESS_TOKEN."""
        return cls(
            environment("DAFTAR_API_URL"),
            environment("DAFTAR_API_KEY"),
            environment("DAFTAR_ACCESS_TOKEN"),
            timeout=timeout,
            retry_for=retry_for,
        )

    async def create_payment_intent(
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
        return await self._send(
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

    async def retrieve_payment_intent(self, uuid: str) -> PaymentIntent:
        """The intent as it stands now. An order is paid only when its status is SUCCEEDED."""
        return await self._send(_calls.retrieve_payment_intent(uuid))

    async def list_payment_intents(
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
        return await self._send(
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

    async def payment_intents(
        self,
        *,
        merchant_reference: Optional[str] = None,
        status: Optional[str] = None,
        customer_external_id: Optional[str] = None,
        created_from: Optional[str] = None,
        created_to: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> AsyncIterator[PaymentIntent]:
        """All of this application's intents that match, newest first, page after page."""
        cursor: Optional[str] = None
        while True:
            page = await self.list_payment_intents(
                merchant_reference=merchant_reference,
                status=status,
                customer_external_id=customer_external_id,
                created_from=created_from,
                created_to=created_to,
                limit=limit,
                cursor=cursor,
            )
            for intent in page.data:
                yield intent
            cursor = page.next_cursor
            if cursor is None:
                return

    async def expire_payment_intent(self, uuid: str) -> PaymentIntent:
        """Cancels an intent that nobody has begun to pay.

        One that is canceled already stays so; a ConflictError says that it is being paid or is paid.
        """
        return await self._send(_calls.expire_payment_intent(uuid))

    async def list_payment_intent_events(self, uuid: str) -> list[PaymentIntentEvent]:
        """What happened to an intent, oldest first."""
        return await self._send(_calls.list_payment_intent_events(uuid))

    async def create_refund(
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
        return await self._send(
            _calls.create_refund(
                intent, refund_reference=refund_reference, amount=amount, reason=reason, attempt=attempt
            )
        )

    async def list_refunds(self, intent: str) -> list[Refund]:
        """All refunds of an intent, oldest first, also those that people requested."""
        return await self._send(_calls.list_refunds(intent))

    async def retrieve_refund(self, uuid: str) -> Refund:
        """The refund as it stands now."""
        return await self._send(_calls.retrieve_refund(uuid))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._service.base_url!r})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("A client has credentials and cannot be pickled or copied.")

    async def _send(self, call: _calls.Call[T]) -> T:
        retries = Retries(self._service, call.retry_conflict)
        while True:
            try:
                return await self._attempt(call, retries.request_id)
            except DaftarError as error:
                wait = retries.wait_after(error)
                if wait is None:
                    raise
            await self._sleep(wait)

    async def _attempt(self, call: _calls.Call[T], request_id: str) -> T:
        attempt = Attempt()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._threads, self._service.attempt, call, request_id, attempt
            )
        except asyncio.CancelledError:
            attempt.end()
            raise
