"""A service on this machine that answers as a test wants."""

import json
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from types import TracebackType
from typing import Any, Callable, Iterator, Optional, Union

UUID = "b3d6f0a4-52c7-5e18-a1f9-0d4c6e7b8a91"
INTENT: dict[str, Any] = {
    "uuid": UUID,
    "reference": "7k3m9qz2wx",
    "merchant_reference": "order-1",
    "amount": 5000,
    "currency": "LYD",
    "status": "requires_payment_method",
    "description": "قهوة",
    "customer": {"external_id": "customer-77"},
    "return_url": None,
    "metadata": {"branch": "طرابلس"},
    "expires_at": None,
    "checkout_url": "https://pay.example/c",
    "created_at": "2026-11-20T09:30:00.123456Z",
    "updated_at": None,
}
REFUND: dict[str, Any] = {
    "uuid": "11111111-52c7-5e18-a1f9-0d4c6e7b8a91",
    "refund_reference": "refund-1",
    "payment_intent": UUID,
    "attempt": "a1",
    "amount": 1500,
    "currency": "LYD",
    "status": "pending",
    "reason": None,
    "failure_reason": None,
    "created_at": "2026-11-20T09:30:00.123456Z",
    "updated_at": "2026-11-20T09:30:00.123456Z",
}


@dataclass
class Request:
    """What came."""

    method: str
    target: str
    headers: Message
    body: bytes


Answer = Union[bytes, None, Callable[[socket.socket], None]]


def answer(data: object, status: str = "200 OK", **headers: str) -> bytes:
    """An answer of the API."""
    return reply(json.dumps({"data": data}).encode(), status, **headers)


def refusal(status: str, message: str = "No.", **headers: str) -> bytes:
    return reply(json.dumps({"message": message}).encode(), status, **headers)


def reply(body: bytes, status: str = "200 OK", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


class Service:
    """Gives each request the next of the answers; None closes the connection without one."""

    def __init__(self, *answers: Answer) -> None:
        self._answers = list(answers)
        self.requests: list[Request] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.url = f"http://{self.address}/api/v1"
        self.otherwise: Answer = None  # where there are no more answers
        self._closing = False
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> "Service":
        self._thread.start()
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], _error: Optional[BaseException], _: Optional[TracebackType]
    ) -> None:
        self._closing = True
        socket.create_connection(self._listener.getsockname()).close()  # wakes up accept
        self._thread.join()
        self._listener.close()
        if kind is None and self._answers:
            raise AssertionError(f"{len(self._answers)} answers were not asked for")

    def _serve(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            with connection:
                request = self._read(connection)
                if request is None:
                    if self._closing:
                        return
                    continue  # the client did not wait
                self.requests.append(request)
                given = self._answers.pop(0) if self._answers else self.otherwise
                try:
                    if callable(given):
                        given(connection)
                    elif given is not None:
                        connection.sendall(given)
                except OSError:
                    pass  # the client did not wait

    @staticmethod
    def _read(connection: socket.socket) -> Optional[Request]:
        with connection.makefile("rb") as stream:
            first = stream.readline().decode()
            if not first:
                return None
            head = b""
            while (line := stream.readline()).strip():
                head += line
            headers = message_from_bytes(head)
            method, target, _ = first.split(" ")
            return Request(method, target, headers, stream.read(int(headers.get("Content-Length", "0"))))


@contextmanager
def refusing() -> Iterator[int]:
    """A port that refuses connections, and that nobody else can take."""
    with socket.socket() as unheard:
        unheard.bind(("127.0.0.1", 0))
        yield unheard.getsockname()[1]


class Time:
    """A clock that moves when somebody sleeps, and by so much whenever it is read."""

    def __init__(self, step: float = 0) -> None:
        self.now = 1000.0
        self.step = step
        self.slept: list[float] = []

    def clock(self) -> float:
        self.now += self.step
        return self.now

    def sleep(self, secs: float) -> None:
        self.slept.append(secs)
        self.now += secs

    async def sleep_async(self, secs: float) -> None:
        self.sleep(secs)
