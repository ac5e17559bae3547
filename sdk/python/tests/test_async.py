"""AsyncClient: the same, as coroutines."""

import asyncio
import inspect
import socket
import threading
import unittest
from typing import Any, Callable, get_type_hints

from daftar import ApiConnectionError, AsyncClient, Client, NotFoundError, UnavailableError
from tests.clients import TestCase, async_client
from tests.fake import INTENT, REFUND, UUID, Service, Time, answer, refusal
from tests.test_requests import ORDER


class TestAsync(TestCase, unittest.IsolatedAsyncioTestCase):
    async def test_the_same_requests_and_results(self) -> None:
        """Whatever Client does with an answer, AsyncClient does too."""
        more = {"customer_external_id": "c", "return_url": "u", "metadata": {"a": "b"}, "expires_at": "e"}
        every = {**ORDER, **more}
        names = "merchant_reference status customer_external_id created_from created_to cursor"
        filters: dict[str, Any] = {**dict.fromkeys(names.split(), "x"), "limit": 1}
        part = {"refund_reference": "r", "amount": 1, "reason": "r", "attempt": "a"}
        calls: list[tuple[str, tuple[Any, ...], dict[str, Any], object]] = [
            ("create_payment_intent", (), every, INTENT),
            ("retrieve_payment_intent", (UUID,), {}, INTENT),
            ("expire_payment_intent", (UUID,), {}, INTENT),
            ("list_payment_intent_events", (UUID,), {}, [{"sequence": 1, "type": "t", "at": "a"}]),
            ("list_payment_intents", (), filters, [INTENT]),
            ("create_refund", (UUID,), part, REFUND),
            ("list_refunds", (UUID,), {}, [REFUND]),
            ("retrieve_refund", (UUID,), {}, REFUND),
        ]
        for name, arguments, fields, data in calls:
            with self.subTest(name), Service(answer(data), answer(data)) as service:
                want = getattr(Client(service.url, "pk", "at"), name)(*arguments, **fields)
                got = await getattr(AsyncClient(service.url, "pk", "at"), name)(*arguments, **fields)
                self.assertEqual(got, want)
                first, second = [(sent.method, sent.target, sent.body) for sent in service.requests]
                self.assertEqual(first, second)

    async def test_pages(self) -> None:
        last = answer([INTENT])
        first = answer([INTENT, INTENT]).replace(b']}', b'], "next_cursor": "c"}').split(b"\r\n\r\n")[1]
        with Service(b"HTTP/1.1 200 OK\r\n\r\n" + first, last) as service:
            shop = async_client(service.url, Time())
            found = [one async for one in shop.payment_intents(status="succeeded")]
        self.assertEqual(len(found), 3)
        self.assertTrue(service.requests[1].target.endswith("?status=succeeded&cursor=c"))

    async def test_retries(self) -> None:
        time = Time()
        with Service(None, refusal("503 X", Retry_After="2"), answer(INTENT)) as service:
            await async_client(service.url, time).retrieve_payment_intent(UUID)
        self.assertEqual(len(time.slept), 2)
        self.assertGreater(time.slept[1], 2)
        self.assertEqual(len({one.headers["X-Request-Id"] for one in service.requests}), 1)
        with Service(refusal("503 X")) as service, self.assertRaises(UnavailableError):
            await async_client(service.url, Time(), retry_for=0).retrieve_payment_intent(UUID)
        with Service(refusal("404 X")) as service, self.assertRaises(NotFoundError):
            await async_client(service.url, Time()).retrieve_payment_intent(UUID)

    async def test_many_at_a_time(self) -> None:
        with Service(*[answer(INTENT)] * 300) as service:
            shop = async_client(service.url, Time())
            found = await asyncio.gather(*(shop.create_payment_intent(**ORDER) for _ in range(300)))
        self.assertEqual(len(found), 300)

    async def test_a_canceled_task_ends_at_once_and_its_connection_too(self) -> None:
        loop = asyncio.get_running_loop()
        came, gone = asyncio.Event(), asyncio.Event()

        def hang(connection: socket.socket) -> None:
            loop.call_soon_threadsafe(came.set)
            connection.settimeout(60)
            if connection.recv(1) == b"":
                loop.call_soon_threadsafe(gone.set)

        with Service(hang) as service:
            shop = async_client(service.url, Time(), timeout=600)
            task = asyncio.create_task(shop.retrieve_payment_intent(UUID))
            await asyncio.wait_for(came.wait(), 60)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            await asyncio.wait_for(gone.wait(), 60)
        self.assertEqual(len(service.requests), 1)  # and it is not sent again

    async def test_a_canceled_task_that_waits_for_its_turn_sends_nothing(self) -> None:
        with Service() as service:
            shop = async_client(service.url, Time())
            release = threading.Event()
            for _ in range(100):
                shop._threads.submit(release.wait)
            task = asyncio.create_task(shop.retrieve_payment_intent(UUID))
            await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            release.set()
            shop._threads.shutdown()
        self.assertEqual(service.requests, [])

    async def test_a_canceled_wait_sends_nothing_more(self) -> None:
        waits = asyncio.Event()

        async def forever(_: float) -> None:
            waits.set()
            await asyncio.Event().wait()

        with Service(refusal("503 X")) as service:
            shop = async_client(service.url, Time())
            shop._sleep = forever  # type: ignore[assignment]
            task = asyncio.create_task(shop.retrieve_payment_intent(UUID))
            await asyncio.wait_for(waits.wait(), 60)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

    async def test_one_client_in_several_loops(self) -> None:
        with Service(answer(INTENT), answer(INTENT)) as service:
            shop = async_client(service.url, Time())
            await shop.retrieve_payment_intent(UUID)
            other: Callable[[], object] = lambda: asyncio.run(shop.retrieve_payment_intent(UUID))
            await asyncio.get_running_loop().run_in_executor(None, other)

    async def test_errors_keep_their_cause(self) -> None:
        with Service(None) as service, self.assertRaises(ApiConnectionError) as caught:
            await async_client(service.url, Time(), retry_for=0).retrieve_payment_intent(UUID)
        self.assertIsNotNone(caught.exception.__cause__)


class TestTwins(unittest.TestCase):
    def test_both_clients_have_the_same_methods(self) -> None:
        def public(of: type) -> dict[str, inspect.Signature]:
            methods = inspect.getmembers(of, inspect.isroutine)
            return {
                name: inspect.signature(method).replace(return_annotation=None)
                for name, method in methods
                if name == "__init__" or not name.startswith("_")
            }

        self.assertEqual(public(Client), public(AsyncClient))
        for name in public(Client):
            self.assertEqual(getattr(Client, name).__doc__, getattr(AsyncClient, name).__doc__, name)
            get_type_hints(getattr(AsyncClient, name))  # in every version of Python
