"""One attempt: its time, its connection, and the proxies between."""

import base64
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from daftar import ApiConnectionError
from daftar._address import address_of, proxy_of
from daftar._calls import retrieve_payment_intent
from daftar._transport import Attempt
from tests.clients import TestCase, client
from tests.fake import INTENT, UUID, Service, Time, answer, refusing, reply


class TestTime(TestCase):
    def test_an_answer_that_does_not_come(self) -> None:
        def silence(connection: socket.socket) -> None:
            connection.recv(1)  # until the client goes away

        for begun in (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"):
            def begin(connection: socket.socket, begun: bytes = begun) -> None:
                connection.sendall(begun)
                silence(connection)

            with Service() as service, self.assertRaisesRegex(ApiConnectionError, "timed out"):
                service.otherwise = begin
                client(service.url, timeout=0.1, retry_for=0).retrieve_payment_intent(UUID)

    def test_an_answer_that_drips(self) -> None:
        # Each read of the clock is a second: there is always something to read, and never the end.
        endless = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + b" " * 1_000_000
        for given in (endless, b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100_000):
            with Service(given) as service, self.assertRaisesRegex(ApiConnectionError, "timed out"):
                client(service.url, Time(step=1), timeout=15, retry_for=0).retrieve_payment_intent(UUID)

    def test_each_operation_has_what_is_left(self) -> None:
        given: list[object] = []
        settimeout = socket.socket.settimeout

        def watch(connection: socket.socket, seconds: object) -> None:
            given.append(seconds)
            settimeout(connection, 10)

        with Service(answer(INTENT)) as service, mock.patch.object(socket.socket, "settimeout", watch):
            client(service.url, Time(step=1), timeout=15).retrieve_payment_intent(UUID)
        self.assertEqual(given[:3], [14, 13, 12])  # connect, send, read


class TestConnections(TestCase):
    def test_addresses_that_do_not_answer(self) -> None:
        with Service(answer(INTENT)) as service, refusing() as dead:
            port = int(service.address.split(":")[1])
            found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", one)) for one in (dead, port)]
            with mock.patch("socket.getaddrinfo", lambda *_, **__: found):
                client("http://pay.example/api/v1", retry_for=0).retrieve_payment_intent(UUID)
            self.assertEqual(service.requests[0].headers["Host"], "pay.example")

    def test_names_that_do_not_exist(self) -> None:
        with mock.patch("socket.getaddrinfo", mock.Mock(side_effect=socket.gaierror(-2, "unknown"))):
            with self.assertRaisesRegex(ApiConnectionError, "unknown"):
                client("https://pay.example", retry_for=0).retrieve_payment_intent(UUID)

    def test_threads_share_a_client(self) -> None:
        def one(n: int) -> bytes:
            return answer({**INTENT, "merchant_reference": str(n)})

        with Service(*map(one, range(64))) as service, ThreadPoolExecutor(16) as threads:
            shop = client(service.url)
            found = list(threads.map(lambda _: shop.retrieve_payment_intent(UUID), range(64)))
        self.assertEqual(sorted(int(i.merchant_reference or "") for i in found), list(range(64)))

    def test_a_request_that_was_ended_before_it_began(self) -> None:
        attempt = Attempt()
        attempt.end()
        with Service() as service, self.assertRaisesRegex(ApiConnectionError, "canceled"):
            client(service.url)._service.attempt(retrieve_payment_intent(UUID), "id", attempt)
        self.assertEqual(service.requests, [])

    def test_every_connection_is_closed(self) -> None:
        ended = threading.Event()

        def watch(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}")
            connection.settimeout(60)
            if connection.recv(1) == b"":
                ended.set()

        with Service(watch) as service, self.assertRaises(ApiConnectionError):
            client(service.url, retry_for=0).retrieve_payment_intent(UUID)
        self.assertTrue(ended.is_set())


class TestProxies(TestCase):
    def test_http(self) -> None:
        with Service(answer(INTENT)) as proxy:
            known = {"http_proxy": f"http://user:p%40ss@{proxy.address}", "no_proxy": "other.example"}
            with mock.patch.dict("os.environ", known):
                shop = client("http://pay.example:81/api/v1")
            shop.retrieve_payment_intent(UUID)
        (sent,) = proxy.requests
        self.assertEqual(sent.target, f"http://pay.example:81/api/v1/payment-intents/{UUID}")
        self.assertEqual(sent.headers["Host"], "pay.example:81")
        self.assertEqual(base64.b64decode(sent.headers["Proxy-Authorization"][6:]), b"user:p@ss")

    def test_https(self) -> None:
        hello: list[bytes] = []

        def tunnel(connection: socket.socket) -> None:
            connection.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            hello.append(connection.recv(1))

        with Service(tunnel) as proxy:
            with mock.patch.dict("os.environ", {"https_proxy": proxy.address}):
                shop = client("https://pay.example/api/v1", retry_for=0)
            self.assertRaises(ApiConnectionError, shop.retrieve_payment_intent, UUID)
        (sent,) = proxy.requests
        self.assertEqual((sent.method, sent.target), ("CONNECT", "pay.example:443"))
        self.assertEqual(sent.headers.keys(), ["Host"])  # and no credentials
        self.assertEqual(hello, [b"\x16"])  # TLS begins

    def test_what_comes_right_after_a_tunnel_is_for_tls(self) -> None:
        alert = b"\x15\x03\x03\x00\x02\x02\x28"
        with Service(b"HTTP/1.1 200 Connection established\r\n\r\n" + alert) as proxy:
            with mock.patch.dict("os.environ", {"https_proxy": proxy.address}):
                shop = client("https://pay.example/api/v1", retry_for=0)
            with self.assertRaisesRegex(ApiConnectionError, "(?i)alert.handshake.failure"):
                shop.retrieve_payment_intent(UUID)

    def test_a_proxy_that_refuses(self) -> None:
        with Service(reply(b"", "407 Proxy Authentication Required")) as proxy:
            with mock.patch.dict("os.environ", {"ALL_PROXY": f"http://{proxy.address}"}):
                shop = client("https://pay.example/api/v1", retry_for=0)
            with self.assertRaisesRegex(ApiConnectionError, "the proxy answered 407"):
                shop.retrieve_payment_intent(UUID)

    def test_which(self) -> None:
        address = address_of("https://pay.example/api/v1")
        for known, host in [
            ({}, None),
            ({"http_proxy": "http://a:1"}, None),
            ({"https_proxy": "http://b:1", "all_proxy": "http://c:1"}, "b"),
            ({"HTTPS_PROXY": "http://b:1"}, "b"),
            ({"all_proxy": "http://c:1"}, "c"),
            ({"https_proxy": "http://b:1", "no_proxy": ".example"}, None),
            ({"https_proxy": "http://b:1", "NO_PROXY": "*"}, None),
        ]:
            with self.subTest(known), mock.patch.dict("os.environ", known):
                found = proxy_of(address)
                self.assertEqual(found.host if found else None, host)
        with mock.patch.dict("os.environ", {"https_proxy": "socks5://user:secret@b:1"}):
            with self.assertRaises(ValueError) as caught:
                proxy_of(address)
        self.assertNotIn("secret", str(caught.exception))
