"""Clients whose time is a test's."""

import os
import unittest
from typing import Optional
from unittest import mock

from daftar import AsyncClient, Client
from tests.fake import Time

KEY, TOKEN = "pk_secret_of_the_key", "at_secret_of_the_token"


def client(url: str, time: Optional[Time] = None, timeout: float = 15, retry_for: float = 30) -> Client:
    made = Client(url, KEY, TOKEN, timeout=timeout, retry_for=retry_for)
    if time is not None:
        made._service.clock = time.clock
        made._service._transport._clock = time.clock
        made._sleep = time.sleep
    return made


def async_client(url: str, time: Time, timeout: float = 15, retry_for: float = 30) -> AsyncClient:
    made = AsyncClient(url, KEY, TOKEN, timeout=timeout, retry_for=retry_for)
    made._service.clock = time.clock
    made._service._transport._clock = time.clock
    made._sleep = time.sleep_async  # type: ignore[assignment]
    return made


class TestCase(unittest.TestCase):
    """Without the proxies of the machine."""

    def setUp(self) -> None:
        names = [name for name in os.environ if name.lower().endswith("_proxy")]
        patch = mock.patch.dict(os.environ)
        patch.start()
        self.addCleanup(patch.stop)
        for name in names:
            del os.environ[name]
