"""What is sent again, when, and for how long."""

from typing import Any, Callable
from unittest import mock

from daftar import ApiConnectionError, Client, ConflictError, NotFoundError, RateLimitError, UnavailableError
from tests.clients import TestCase, client
from tests.fake import INTENT, REFUND, UUID, Answer, Service, Time, answer, refusal, reply
from tests.test_requests import ORDER

BUSY = refusal("503 Service Unavailable")


class TestRetries(TestCase):
    def send(self, *answers: Answer, call: Callable[[Client], Any], retry_for: float = 30) -> Time:
        """All of the answers are asked for, by requests that are the same."""
        time = Time()
        with Service(*answers) as service:
            try:
                call(client(service.url, time, retry_for=retry_for))
            finally:
                sent = {(one.target, one.headers.as_string(), one.body) for one in service.requests}
                self.assertEqual(len(sent), 1)
        return time

    @staticmethod
    def create(shop: Client) -> Any:
        return shop.create_payment_intent(**ORDER)

    @staticmethod
    def retrieve(shop: Client) -> Any:
        return shop.retrieve_payment_intent(UUID)

    @staticmethod
    def refund(shop: Client) -> Any:
        return shop.create_refund(UUID, refund_reference="refund-1")

    def test_what_passes_is_tried_again(self) -> None:
        faults = [
            None,
            b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
            reply(b"<html>"),
            refusal("408 Request Timeout"),
            refusal("429 Too Many Requests"),
            refusal("500 Internal Server Error"),
            BUSY,
            refusal("504 Gateway Timeout"),
        ]
        for call, good in ((self.create, INTENT), (self.retrieve, INTENT), (self.refund, REFUND)):
            time = self.send(*faults, answer(good), call=call)
            self.assertEqual(len(time.slept), len(faults))

    def test_what_is_refused_is_not(self) -> None:
        for status in ["400", "401", "403", "404", "405", "413", "415", "422", "307"]:
            with self.subTest(status=status), self.assertRaisesRegex(Exception, "No."):
                self.send(refusal(status + " X"), call=self.create)
        with self.assertRaises(NotFoundError):
            self.send(refusal("404 X"), call=self.retrieve)

    def test_a_conflict_on_create_of_an_intent(self) -> None:
        conflict = refusal("409 Conflict")
        self.assertEqual(len(self.send(conflict, answer(INTENT), call=self.create).slept), 1)
        for call in (self.refund, self.retrieve, lambda shop: shop.expire_payment_intent(UUID)):
            with self.assertRaises(ConflictError):
                self.send(conflict, call=call)

    def test_waits_double_and_are_random(self) -> None:
        for drawn in (0.5, 1.0):
            with mock.patch("random.uniform", lambda low, high: drawn if (low, high) == (0.5, 1) else 99):
                time = self.send(*[BUSY] * 7, answer(INTENT), call=self.create, retry_for=100)
            self.assertEqual(time.slept, [wait * drawn for wait in (0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0)])

    def test_no_wait_is_shorter_than_asked_for(self) -> None:
        asked = refusal("429 X", Retry_After="7")
        (first, second) = self.send(asked, asked, answer(INTENT), call=self.create).slept
        self.assertTrue(7.1 <= first <= 7.2 and 7.2 <= second <= 7.4, (first, second))

    def test_no_try_begins_after_the_end(self) -> None:
        with mock.patch("random.uniform", lambda low, high: high):
            with self.assertRaises(UnavailableError):
                self.send(*[BUSY] * 3, call=self.create, retry_for=0.7)  # after 0.2 and 0.6, not 1.4
            with self.assertRaises(ApiConnectionError):
                self.send(*[None] * 3, call=self.create, retry_for=0.6)
            with self.assertRaises(UnavailableError):
                self.send(*[BUSY] * 2, call=self.create, retry_for=0.59)

    def test_too_long_a_wait_is_told(self) -> None:
        with self.assertRaises(RateLimitError) as caught:
            self.send(refusal("429 X", Retry_After="3600"), call=self.create)
        self.assertEqual(caught.exception.retry_after, 3600)

    def test_once(self) -> None:
        with self.assertRaises(UnavailableError):
            self.send(BUSY, call=self.create, retry_for=0)

    def test_two_calls_have_two_ids(self) -> None:
        with Service(answer(INTENT), answer(INTENT)) as service:
            shop = client(service.url)
            for _ in range(2):
                shop.retrieve_payment_intent(UUID)
        self.assertEqual(len({one.headers["X-Request-Id"] for one in service.requests}), 2)
