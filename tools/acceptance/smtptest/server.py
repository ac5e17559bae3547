"""An SMTP server for tests. It takes each mail and prints it as a line of JSON.

What it does with a mail goes by how the recipient's address begins:
  never  550, every time
  later  451 the first time, then taken
  lost   the first time taken and then cut off without an answer, then taken
"""

import asyncio
import base64
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

options = json.loads(sys.argv[1])
seen = set()


def first(address):
    known = address in seen
    seen.add(address)
    return not known


class Handler:
    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address.startswith("never"):
            return "550 5.1.1 nobody of that name"
        if address.startswith("later") and first(address):
            return "451 4.7.1 greylisted, try again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {
            "From": envelope.mail_from,
            "To": envelope.rcpt_tos,
            "Data": base64.b64encode(envelope.content).decode(),
            "TLS": server.transport.get_extra_info("sslcontext") is not None,
            "User": session.auth_data.login.decode() if session.auth_data else "",
        }
        print(json.dumps(mail), flush=True)
        if envelope.rcpt_tos[0].startswith("lost") and first(envelope.rcpt_tos[0]):
            server.transport.abort()
        return "250 OK"


def authenticate(server, session, envelope, mechanism, auth_data):
    right = options["User"].encode() == auth_data.login and options["Password"].encode() == auth_data.password
    return AuthResult(success=right, handled=False, auth_data=auth_data)


async def main():
    tls = None
    if options["Certificate"]:
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(options["Certificate"], options["Key"])
    implicit = tls if options["ImplicitTLS"] else None
    starttls = None if implicit else tls
    arguments = {"enable_SMTPUTF8": True, "tls_context": starttls, "require_starttls": starttls is not None}
    if options["User"]:
        arguments.update(authenticator=authenticate, auth_required=True, auth_require_tls=starttls is not None)
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(Handler(), **arguments), "127.0.0.1", options["Port"], ssl=implicit
    )
    print(json.dumps({"Port": server.sockets[0].getsockname()[1]}), flush=True)
    await server.serve_forever()


asyncio.run(main())
