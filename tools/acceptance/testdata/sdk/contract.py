"""Does what a merchant does, and prints what came of it: contract.php prints the same."""

import json
import os
import re
import sys

sys.path.insert(0, os.environ["SDK"])

import daftar

ORDER = {
    "merchant_reference": "order-1", "amount": 5000, "currency": "LYD", "description": "قهوة",
    "customer_external_id": "customer-77", "metadata": {"branch": "طرابلس"},
    "return_url": "https://shop.example/orders/1",
}
NOBODY = "00000000-0000-4000-8000-000000000000"
# What the other SDKs call these kinds.
COMMON = {"ApiConnection": "Connection", "PermissionDenied": "Permission"}


def as_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def told(created):
    return f"replayed {as_json(created.replayed)}, differs {as_json(created.differs)}"


def fails(what, call):
    try:
        call()
        print(f"{what}: no error")
    except (ValueError, TypeError):
        print(f"{what}: argument")
    except daftar.DaftarError as e:
        kind = re.sub("Error$", "", type(e).__name__)
        status = f" {e.status} {e}" if isinstance(e, daftar.ApiError) else ""
        fields = " " + " ".join(e.errors) if isinstance(e, daftar.ValidationError) else ""
        request_id = ", with request id" if e.request_id else ""
        print(f"{what}: {COMMON.get(kind, kind)}{status}{fields}{request_id}")


def main(Client):
    env = os.environ
    url, key, token = env["DAFTAR_API_URL"], env["DAFTAR_API_KEY"], env["DAFTAR_ACCESS_TOKEN"]
    others, paid = env["OTHERS"], env["PAID"]
    client = Client.from_environment()
    first = client.create_payment_intent(**ORDER)
    intent = first.intent
    print(f"first: {told(first)}, {intent.status}, {intent.amount}, {intent.customer_external_id}, {as_json(intent.metadata)}")
    print(f"again: {told(client.create_payment_intent(**ORDER))}")
    other = client.create_payment_intent(**{**ORDER, "amount": 9000, "description": "شاي"})
    print(f"other: {told(other)}, {other.intent.amount}")
    print(f"retrieved: {'the same' if client.retrieve_payment_intent(intent.uuid) == intent else 'another'}")

    for n in (1, 2, 3):
        client.create_payment_intent(
            **{**ORDER, "merchant_reference": f"listed-{n}", "customer_external_id": "customer-88"}
        )
    listed = {"customer_external_id": "customer-88", "limit": 2}
    page = client.list_payment_intents(**listed)
    everything = list(client.payment_intents(**listed))
    more = "" if page.next_cursor is None else " and more"
    print(f"listed: {len(page.data)}{more}, {' '.join(one.merchant_reference for one in everything)}")
    newest = everything[0].uuid
    ended, again = client.expire_payment_intent(newest), client.expire_payment_intent(newest)
    print(f"expired: {ended.status}, {again.status}")
    events = client.list_payment_intent_events(newest)
    print("events: " + ", ".join(f"{e.sequence} {e.type} {e.fields.get('amount') or e.fields['reason']}" for e in events))
    fails("filter", lambda: client.list_payment_intents(limit=0))
    fails("expire", lambda: client.expire_payment_intent(NOBODY))
    fails("events of others", lambda: client.list_payment_intent_events(others))

    part = {"refund_reference": "refund-1", "amount": 1500, "reason": "برد"}
    given = client.create_refund(paid, **part)
    refund = given.refund
    print(f"refund: {told(given)}, {refund.status}, {refund.amount} {refund.currency}, {refund.reason}, {as_json(refund.failure_reason)}")
    print(f"refund again: {told(client.create_refund(paid, **part))}")
    elsewhere = client.create_refund(intent.uuid, **{**part, "amount": 900})
    print(f"refund elsewhere: {told(elsewhere)}, {'the first' if elsewhere.refund.payment_intent == paid else 'another'}")
    refunds = " ".join(one.refund_reference for one in client.list_refunds(paid))
    print(f"refunds: {refunds}, {client.retrieve_refund(refund.uuid).refund_reference}")
    fails("refund too much", lambda: client.create_refund(paid, refund_reference="refund-2", amount=3501))
    fails("refund unpaid", lambda: client.create_refund(intent.uuid, refund_reference="refund-2"))
    fails("refund of others", lambda: client.create_refund(others, refund_reference="refund-2"))
    fails("no refund", lambda: client.retrieve_refund(NOBODY))
    fails("no uuid of a refund", lambda: client.retrieve_refund("refund-1"))

    wrong = {**ORDER, "merchant_reference": "order-2", "amount": 1, "metadata": {"k": 7}}
    fails("unknown", lambda: client.retrieve_payment_intent(NOBODY))
    fails("others", lambda: client.retrieve_payment_intent(others))
    fails("key", lambda: Client(url, "pk_wrong", token).retrieve_payment_intent(intent.uuid))
    fails("token", lambda: Client(url, key, "at_wrong").retrieve_payment_intent(intent.uuid))
    fails("fields", lambda: client.create_payment_intent(**wrong))
    fails("no uuid", lambda: client.retrieve_payment_intent("../payment-intents"))
    fails("no address", lambda: Client("pay.example", key, token))
    fails("line end", lambda: Client(url, key, token + "\n"))
    fails("nobody", lambda: Client(env["NOWHERE"], key, token, retry_for=0).create_payment_intent(**ORDER))
    fails("redirect", lambda: Client(env["REDIRECT"], key, token).create_payment_intent(**ORDER))


if __name__ == "__main__":
    main(daftar.Client)
