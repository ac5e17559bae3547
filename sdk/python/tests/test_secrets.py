"""Credentials are nowhere but in the requests."""

import copy
import pickle
import traceback
from typing import Any, Callable
from unittest import mock

from daftar import AsyncClient, Client, DaftarError
from tests.clients import KEY, TOKEN, TestCase, client
from tests.fake import UUID, Service, Time, reply
from tests.test_requests import ORDER


def shown(thing: object, depth: int = 6) -> str:
    """What debuggers show of an object and all that it has."""
    text = repr(thing)
    if depth > 0 and not isinstance(thing, (str, bytes, int, float, type)):
        for name in getattr(thing, "__slots__", None) or vars(thing) if hasattr(thing, "__dict__") else ():
            text += shown(getattr(thing, name, None), depth - 1)
    return text


class TestSecrets(TestCase):
    def test_clients(self) -> None:
        with mock.patch.dict("os.environ", {"https_proxy": "http://user:secret@proxy:1"}):
            kinds: tuple[type[Any], ...] = (Client, AsyncClient)
            clients = [make("https://pay.example/api/v1", KEY, TOKEN) for make in kinds]
        for made in clients:
            self.assertEqual(repr(made), f"{type(made).__name__}('https://pay.example/api/v1')")
            self.assertNotIn("secret", shown(made))
            spreads: list[Callable[[Any], Any]] = [pickle.dumps, copy.copy, copy.deepcopy]
            for spread in spreads:
                with self.assertRaisesRegex(TypeError, "credentials"):
                    spread(made)

    def test_errors_with_the_variables_of_all_functions(self) -> None:
        for given in (None, reply(b"<html>"), reply(b"{}", "422 X"), b"HTTP/1.1 200 OK\r\n\r\n{"):
            with Service(given) as service, self.assertRaises(DaftarError) as caught:
                client(service.url, Time(), retry_for=0).create_payment_intent(**ORDER)
            self.assertNotIn("secret", self.everything(caught.exception))
        with mock.patch("socket.socket.sendall", mock.Mock(side_effect=OSError("broken pipe"))):
            with Service() as service, self.assertRaises(DaftarError) as caught:
                client(service.url, retry_for=0).retrieve_payment_intent(UUID)
        self.assertIn("broken pipe", self.everything(caught.exception))
        self.assertNotIn("secret", self.everything(caught.exception))

    @staticmethod
    def everything(error: BaseException) -> str:
        told: Any = traceback.TracebackException.from_exception(error, capture_locals=True)
        text = "".join(told.format()) + repr(error) + str(vars(error))
        return text.replace(__file__, "").replace("test_secrets", "").replace("TestSecrets", "")

    def test_wrong_credentials_are_not_told(self) -> None:
        with self.assertRaises(ValueError) as caught:
            Client("https://pay.example", KEY + "\n", TOKEN)
        self.assertNotIn("secret", str(caught.exception))
