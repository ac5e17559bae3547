"""Errors of the API, and what is no answer of the API."""

import json
import pickle
import time
from email.utils import formatdate
from typing import Any
from unittest import mock

import daftar
from daftar import ApiConnectionError, ApiError, DaftarError
from tests.clients import TestCase, client
from tests.fake import INTENT, UUID, Answer, Service, answer, refusal, refusing, reply


class TestErrors(TestCase):
    def error(self, given: Answer) -> Any:
        with Service(given) as service:
            with self.assertRaises(DaftarError) as caught:
                client(service.url, retry_for=0).retrieve_payment_intent(UUID)
            sent = service.requests[0].headers["X-Request-Id"]
        error: Any = caught.exception
        self.assertEqual(error.request_id, sent)
        copy = pickle.loads(pickle.dumps(error))  # as between processes
        self.assertEqual((type(copy), str(copy), vars(copy)), (type(error), str(error), vars(error)))
        return error

    def test_each_status_has_its_error(self) -> None:
        for status, kind in {
            "400 Bad Request": daftar.ApiError,
            "401 Unauthorized": daftar.AuthenticationError,
            "403 Forbidden": daftar.PermissionDeniedError,
            "404 Not Found": daftar.NotFoundError,
            "405 Method Not Allowed": daftar.ApiError,
            "408 Request Timeout": daftar.UnavailableError,
            "409 Conflict": daftar.ConflictError,
            "413 Content Too Large": daftar.ApiError,
            "422 Unprocessable Content": daftar.ValidationError,
            "429 Too Many Requests": daftar.RateLimitError,
            "500 Internal Server Error": daftar.UnavailableError,
            "503 Service Unavailable": daftar.UnavailableError,
            "599 X": daftar.UnavailableError,
            "304 Not Modified": daftar.ApiError,
        }.items():
            with self.subTest(status=status):
                error = self.error(refusal(status, "لا"))
                self.assertIs(type(error), kind)
                said = "The service answered 304." if status.startswith("304") else "لا"
                self.assertEqual((error.status, str(error)), (int(status[:3]), said))

    def test_what_is_wrong(self) -> None:
        body = {"message": "Wrong.", "errors": {"amount": ["Too small."], "metadata.k": ["No text."]}}
        error = self.error(reply(json.dumps(body).encode(), "422 X"))
        self.assertEqual(error.errors, body["errors"])
        self.assertEqual(self.error(reply(b'{"message": "Wrong.", "errors": 7}', "422 X")).errors, {})

    def test_the_field_of_a_wrong_key(self) -> None:
        error = self.error(reply(b'{"error": "Invalid API key."}', "401 X"))
        self.assertEqual(str(error), "Invalid API key.")

    def test_errors_without_words(self) -> None:
        for body in [b"", b"<html>", b"[]", b'{"message": 7}', b"\xff\xfe", b"[" * 100_000]:
            with self.subTest(body=body[:10]):
                error = self.error(reply(body, "404 Not Found"))
                self.assertEqual(str(error), "The service answered 404.")

    def test_redirects_are_not_followed(self) -> None:
        with Service() as elsewhere:
            error = self.error(reply(b"", "307 Temporary Redirect", Location=elsewhere.url))
            self.assertEqual(elsewhere.requests, [])
        self.assertEqual((type(error), error.status), (ApiError, 307))

    def test_retry_after(self) -> None:
        # Where the time is not UTC, a date without an offset still is.
        self.addCleanup(time.tzset)
        with mock.patch.dict("os.environ", {"TZ": "XXX-2"}), mock.patch("daftar._answer.time", lambda: 1e6):
            time.tzset()
            for value, seconds in {
                "7": 7.0,
                "0": 0.0,
                formatdate(1_000_060, usegmt=True): 60.0,
                "Monday, 12-Jan-70 13:47:40 GMT": 60.0,
                "Mon Jan 12 13:47:40 1970": 60.0,
                formatdate(999_000, usegmt=True): 0.0,
                "": None,
                "soon": None,
                "-1": None,
                "1.5": None,
                "9" * 10: None,
                "\u0663": None,  # sent as UTF-8
                "Tue, 99 Jan 1970 13:47:40 GMT": None,
            }.items():
                with self.subTest(value=value):
                    error = self.error(refusal("503 X", Retry_After=value))
                    self.assertEqual(error.retry_after, seconds)
        self.assertIsNone(self.error(refusal("503 X")).retry_after)


class TestAnswers(TestCase):
    def no_answer(self, given: Answer) -> str:
        with Service(given) as service:
            with self.assertRaises(ApiConnectionError) as caught:
                client(service.url, retry_for=0).retrieve_payment_intent(UUID)
            self.assertIn(service.url, str(caught.exception))
        error = caught.exception
        self.assertIsNotNone(error.__cause__)
        self.assertEqual(vars(pickle.loads(pickle.dumps(error))), vars(error))
        return str(error)

    def test_what_is_not_the_api(self) -> None:
        good = answer(INTENT)
        for name, given in {
            "a page": reply(b"<html>Sign in to this network</html>"),
            "nothing": None,
            "no content": reply(b"", "204 No Content"),
            "half a header": b"HTTP/1.1 200 OK\r\nContent-",
            "half a body": good[:-10],
            "half an error": refusal("404 Not Found")[:-5],
            "half a chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{",
            "no chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "another protocol": b"SSH-2.0-OpenSSH_9.2\r\n",
            "a header without end": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
            "a long line": b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000,
            "not UTF-8": reply('{"data": "é"}'.encode("latin-1")),
            "UTF-16": reply(json.dumps({"data": INTENT}).encode("utf-16")),
            "a list": reply(b"[]"),
            "no data": reply(b'{"date": {}}'),
            "data that is a text": answer("text"),
            "a list of data": answer([INTENT]),
            "another object": answer({"id": 1}),
            "not a number": reply(json.dumps({"data": INTENT}).replace("5000", "NaN").encode()),
            "an amount that is true": answer({**INTENT, "amount": True}),
            "an amount with a fraction": answer({**INTENT, "amount": 5000.0}),
            "a status that is a number": answer({**INTENT, "status": 1}),
            "depth": reply(b'{"data":' + b"[" * 100_000),
            "an unknown encoding": reply(b"\x1f\x8b", Content_Encoding="gzip"),
        }.items():
            with self.subTest(name):
                self.no_answer(given)

    def test_a_huge_answer(self) -> None:
        with mock.patch("daftar._transport._LARGEST", 1000):
            self.assertIn("too large", self.no_answer(reply(b" " * 1001)))
            self.assertIn("too large", self.no_answer(b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 1001))

    def test_nobody(self) -> None:
        with refusing() as port, self.assertRaises(ApiConnectionError) as caught:
            url = f"http://127.0.0.1:{port}/api/v1"
            client(url, retry_for=0).retrieve_payment_intent(UUID)
        self.assertRegex(str(caught.exception), f"^No answer from {url}: .*refused")

    def test_ways_to_write_an_answer(self) -> None:
        body = json.dumps({"data": {**INTENT, "status": "succeeded"}}, ensure_ascii=False).encode()
        chunks = b"".join(b"%x;a=b\r\n%s\r\n" % (len(part), part) for part in (body[:150], body[150:]))
        early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3 + b"HTTP/1.1 100 Continue\r\n\r\n"
        for given in [
            b"HTTP/1.1 200 OK\r\n\r\n" + body,
            b"HTTP/1.0 200\r\n\r\n" + body,
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + b"0\r\nX: y\r\n\r\n",
            early + reply(body),
            reply(body + b"\n", Content_Type="text/html"),
        ]:
            with self.subTest(given=given[:40]), Service(given) as service:
                intent = client(service.url, retry_for=0).retrieve_payment_intent(UUID)
                self.assertIs(intent.status, daftar.Status.SUCCEEDED)

    def test_what_later_versions_add(self) -> None:
        later = {**INTENT, "status": "on_hold", "fee": 7, "customer": {"external_id": None, "name": "x"}}
        with Service(answer(later)) as service:
            intent = client(service.url).retrieve_payment_intent(UUID)
        self.assertEqual((intent.status, intent.customer_external_id), ("on_hold", None))
        with Service(answer([{"sequence": 1, "type": "new", "at": "t", "x": None}])) as service:
            (event,) = client(service.url).list_payment_intent_events(UUID)
        self.assertEqual((event.type, event.fields["x"]), ("new", None))
