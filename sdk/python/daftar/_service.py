"""What Client and AsyncClient share: who asks whom, one attempt, and when there is another."""

import math
import os
import platform
import random
import re
import secrets
import time
from typing import Callable, Optional, TypeVar

from daftar._address import address_of, proxy_of
from daftar._answer import answer_of
from daftar._calls import Call
from daftar._transport import Attempt, NoReply, Transport
from daftar._version import __version__
from daftar.errors import ApiConnectionError, ConflictError, DaftarError, UnavailableError

T = TypeVar("T")

# The first wait and the longest, in seconds, without what the service asks for.
_FIRST_WAIT = 0.2
_LONGEST_WAIT = 5.0
# What all systems can wait for, and nobody does.
_LONGEST_TIMEOUT = 24 * 60 * 60

Clock = Callable[[], float]


class Service:
    """The API, for one application. It may be used by several threads."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        access_token: str,
        timeout: float,
        retry_for: float,
        clock: Clock = time.monotonic,
    ) -> None:
        # What a header can carry: a line end read from a file would fail every request.
        for credential in (api_key, access_token):
            if not isinstance(credential, str) or not re.fullmatch("[\x21-\x7e]+", credential):
                raise ValueError("api_key and access_token are needed, without spaces or line ends.")
        if not 0 < _seconds(timeout, "timeout") <= _LONGEST_TIMEOUT:
            raise ValueError("timeout must be a number of seconds, more than 0 and at most a day.")
        if not 0 <= _seconds(retry_for, "retry_for") < math.inf:
            raise ValueError("retry_for must be a number of seconds, 0 or more.")
        address = address_of(base_url)
        self.base_url = base_url.rstrip("/")
        self.retry_for = retry_for
        self.clock = clock
        self._transport = Transport(address, proxy_of(address), timeout, clock)
        # A function, because the fields of an object are what debuggers and error reports show.
        self._credentials: Callable[[], dict[str, str]] = lambda: {
            "Authorization": f"Bearer {access_token}",
            "X-API-Key": api_key,
        }

    def attempt(self, call: Call[T], request_id: str, attempt: Attempt) -> T:
        """Sends a request once. What is not the API's, such as the page of a proxy, is no answer."""
        try:
            reply = self._transport.exchange(
                call.method, call.path, lambda: self._fields(call, request_id), call.body, attempt
            )
        except NoReply as error:
            raise ApiConnectionError(f"No answer from {self.base_url}: {error}", request_id) from error
        try:
            return call.read(answer_of(reply, request_id))
        except ValueError as error:
            message = f"{self.base_url} answered {reply.status} with something that is not the API's: {error}"
            raise ApiConnectionError(message, request_id) from error

    def _fields(self, call: Call[T], request_id: str) -> dict[str, str]:
        fields = {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            **self._credentials(),
            "X-Request-Id": request_id,
            "User-Agent": f"daftar-python/{__version__} python/{platform.python_version()}",
            "Connection": "close",
        }
        if call.body is not None:
            fields["Content-Type"] = "application/json"
        return fields


class Retries:
    """When a request is sent again: until it is answered, or is refused for good, or another try would begin
    later than retry_for seconds after the first."""

    def __init__(self, service: Service, retry_conflict: bool) -> None:
        # The same on every attempt, so that support finds all of them.
        self.request_id = secrets.token_hex(16)
        self._clock = service.clock
        self._end = service.clock() + service.retry_for
        self._retry_conflict = retry_conflict
        self._tries = 0

    def wait_after(self, error: DaftarError) -> Optional[float]:
        """How long to wait before the next try, in seconds; None where there is none."""
        transient = isinstance(error, (ApiConnectionError, UnavailableError)) or (
            isinstance(error, ConflictError) and self._retry_conflict
        )
        # What the service asks for, and a random time that grows, so that clients that failed together do
        # not come back together.
        asked = error.retry_after or 0.0 if isinstance(error, UnavailableError) else 0.0
        wait = asked + min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(self._tries, 10)) * random.uniform(0.5, 1)
        self._tries += 1
        return wait if transient and self._clock() + wait <= self._end else None


def environment(name: str) -> str:
    return os.environ.get(name, "")


def _seconds(value: float, name: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number of seconds.")
    return value
