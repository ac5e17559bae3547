"""Sends requests to the API, once each, and opens a connection for each.

A connection that is kept may be closed by the other side at the moment in which it is used again, and must
not be shared by threads or by forked processes. None of this can happen to one that is used once.
"""

import io
import socket
import ssl
import threading
import time
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, HTTPResponse, IncompleteRead
from typing import Callable, Optional, cast

from daftar._address import Address, Proxy

Clock = Callable[[], float]

# More than any answer of the API has.
_LARGEST = 16 << 20


@dataclass(frozen=True)
class Reply:
    """An answer, of the API or of what is in between."""

    status: int
    headers: Message
    body: bytes


class NoReply(Exception):
    """There is no answer, or none that could be read to its end. Its text is the reason."""


class Attempt:
    """A request that is under way, which another thread may end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None
        self._ended = False

    def uses(self, connection: socket.socket) -> None:
        with self._lock:
            if self._ended:
                raise OSError("the request was canceled")
            self._socket = connection

    def end(self) -> None:
        """Wakes up the thread that sends and waits."""
        with self._lock:
            self._ended = True
            if self._socket is not None:
                try:
                    # Not that of SSLSocket, which is for the thread that uses the connection.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
                except OSError:
                    pass  # it is not connected yet, or not any more


class Transport:
    """Reaches one address."""

    def __init__(
        self, address: Address, proxy: Optional[Proxy], timeout: float, clock: Clock = time.monotonic
    ) -> None:
        self._address = address
        self._proxy = proxy
        self._timeout = timeout
        self._clock = clock
        self._tls: Optional[ssl.SSLContext] = None
        if address.tls:
            self._tls = ssl.create_default_context()
            self._tls.minimum_version = ssl.TLSVersion.TLSv1_2

    def exchange(
        self,
        method: str,
        path: str,
        fields: Callable[[], dict[str, str]],
        body: Optional[bytes],
        attempt: Attempt,
    ) -> Reply:
        """Sends a request and reads the answer, within the timeout, whatever it is. Follows no redirect.

        fields is called for the header's fields where they are sent: what reports errors together with the
        variables of all functions, as Sentry does, must find no credentials.
        """
        try:
            with _Connection(attempt, self._clock, self._clock() + self._timeout) as connection:
                target, more = self._open(connection)
                if method != "GET":
                    # Some proxies insist on the length of a POST without a body, too.
                    more["Content-Length"] = str(len(body or b""))
                connection.send(
                    memoryview(
                        _head(f"{method} {target}{path}", self._address.authority, {**fields(), **more})
                        + (body or b"")
                    )
                )
                return connection.receive(method)
        except (OSError, HTTPException, ValueError) as error:
            raise NoReply(str(error) or type(error).__name__) from error

    def _open(self, connection: "_Connection") -> tuple[str, dict[str, str]]:
        """Connects, and returns what comes before the path of a request, and more fields for its header."""
        address, proxy = self._address, self._proxy
        if proxy is None:
            connection.open(address.host, address.port)
        else:
            connection.open(proxy.host, proxy.port)
            if self._tls is None:
                return f"http://{address.authority}{address.path}", proxy.fields()
            host = f"[{address.host}]" if ":" in address.host else address.host
            tunnel = f"{host}:{address.port}"
            connection.send(memoryview(_head(f"CONNECT {tunnel}", tunnel, proxy.fields())))
            connection.expect_tunnel()
        if self._tls is not None:
            connection.secure(self._tls, address.host)
        return address.path, {}


def _head(request: str, host: str, fields: dict[str, str]) -> bytes:
    lines = [f"{request} HTTP/1.1", f"Host: {host}", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("ascii")


class _Connection:
    """A connection that is used once. Each of its operations ends at the deadline."""

    def __init__(self, attempt: Attempt, clock: Clock, deadline: float) -> None:
        self._attempt = attempt
        self._clock = clock
        self._deadline = deadline
        self._socket: Optional[socket.socket] = None

    def __enter__(self) -> "_Connection":
        return self

    def __exit__(self, *_: object) -> None:
        if self._socket is not None:
            self._socket.close()

    def open(self, host: str, port: int) -> None:
        """Connects. The time that the system takes to resolve a name is the only one without a limit."""
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        for n, (family, kind, protocol, _, to) in enumerate(found):
            made = socket.socket(family, kind, protocol)
            self._take(made)
            try:
                made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                # An address that does not answer leaves time for the others.
                self._within(len(found) - n).connect(to)
                break
            except OSError:
                if n + 1 == len(found):
                    raise

    def secure(self, tls: ssl.SSLContext, host: str) -> None:
        plain = self._within()
        secured = tls.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)
        self._take(secured)
        self._within()
        secured.do_handshake()

    def send(self, request: memoryview) -> None:
        self._within().sendall(request)

    def receive(self, method: str) -> Reply:
        """Reads an answer to its end."""
        source = _Source(self, io.DEFAULT_BUFFER_SIZE)
        informational = []
        while (response := source.response(method)).status < 200:
            informational.append(response)  # kept: one that is not used any more closes the source
        body = b""
        while part := response.read(1 << 16):
            body += part
            if len(body) > _LARGEST:
                raise OSError("the answer is too large")
        if response.length:
            raise IncompleteRead(body, response.length)
        return Reply(response.status, response.headers, body)

    def expect_tunnel(self) -> None:
        """Reads the answer of a proxy to CONNECT, and not one byte of what comes after it."""
        response = _Source(self, 1).response("CONNECT")
        if response.status != 200:
            raise OSError(f"the proxy answered {response.status}")

    def read_into(self, buffer: memoryview) -> int:
        return self._within().recv_into(buffer)

    def _take(self, connection: socket.socket) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = connection
        self._attempt.uses(connection)

    def _within(self, parts: int = 1) -> socket.socket:
        """The socket, whose next operation has the time that is left, or a part of it."""
        assert self._socket is not None
        left = self._deadline - self._clock()
        if left <= 0:
            raise socket.timeout("timed out")
        self._socket.settimeout(left / parts)
        return self._socket


class _Source(io.RawIOBase):
    """What HTTPResponse reads a connection from."""

    def __init__(self, connection: _Connection, buffer_size: int) -> None:
        self._connection = connection
        self._buffer_size = buffer_size
        self._buffered: Optional[io.BufferedReader] = None

    def response(self, method: str) -> HTTPResponse:
        """The next answer, whose header has been read."""
        response = HTTPResponse(cast(socket.socket, self), method=method)
        response.begin()
        return response

    def makefile(self, _mode: str) -> io.BufferedReader:
        self._buffered = self._buffered or io.BufferedReader(self, self._buffer_size)
        return self._buffered

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        return self._connection.read_into(buffer)
