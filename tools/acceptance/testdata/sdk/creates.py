"""creates.py FROM TO: creates intents of the orders with these numbers, one after the other, and prints
what it was told of each."""

import json
import os
import sys

sys.path.insert(0, os.environ["SDK"])

from daftar import Client

client = Client.from_environment(retry_for=60)
for n in range(int(sys.argv[1]), int(sys.argv[2])):
    reference = f"order-{n}"
    created = client.create_payment_intent(
        merchant_reference=reference, amount=5000, currency="LYD", description="Two coffees"
    )
    intent = created.intent
    print(json.dumps({
        "reference": reference, "uuid": intent.uuid, "named": intent.merchant_reference,
        "replayed": created.replayed, "differs": created.differs,
    }))  # fmt: skip
