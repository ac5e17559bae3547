"""Credentials are nowhere but in the requests."""

import base64
import copy
import pickle
import traceback
from typing import Any, Callable
from unittest import mock

from daftar import AsyncClient, Client, DaftarError, verify_webhook
from tests import test_webhook
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
            with Service(given) as service:
                shop = client(service.url, Time(), retry_for=0)
                text = self.everything(lambda: shop.create_payment_intent(**ORDER))
            self.assertIn("retry_conflict", text)
            self.assertNotIn("secret", text)
        with mock.patch("socket.socket.sendall", mock.Mock(side_effect=OSError("broken pipe"))):
            with Service() as service:
                shop = client(service.url, retry_for=0)
                text = self.everything(lambda: shop.retrieve_payment_intent(UUID))
        self.assertIn("broken pipe", text)
        self.assertNotIn("secret", text)

    @staticmethod
    def everything(call: Callable[[], object]) -> str:
        """What a report of an error has where it shows variables."""
        try:  # assertRaises would clear them
            call()
        except DaftarError as error:
            told = traceback.TracebackException.from_exception(error, capture_locals=True)
            text = "".join(told.format()) + repr(error) + str(vars(error))
            return text.replace(__file__, "").replace("test_secrets", "").replace("TestSecrets", "")
        raise AssertionError("nothing is raised")

    def test_webhooks(self) -> None:
        key = bytes([65, 65, *range(48, 70)])
        known = ("whsec_" + base64.b64encode(key).decode(), test_webhook.sign(key=key), repr(key))
        for changed in ({"sent": "1"}, {"signature": "v1,AAAA"}):
            text = self.everything(
                lambda: verify_webhook(
                    test_webhook.BODY,
                    test_webhook.headers(**changed),
                    ["whsec_" + base64.b64encode(bytes([65, 65, *range(48, 70)])).decode()],
                    now=test_webhook.NOW,
                )
            )
            self.assertIn("tolerance = 300", text)
            for secret in known:
                self.assertNotIn(secret, text)

    def test_wrong_credentials_are_not_told(self) -> None:
        with self.assertRaises(ValueError) as caught:
            Client("https://pay.example", KEY + "\n", TOKEN)
        self.assertNotIn("secret", str(caught.exception))
