"""refunds.py FROM TO INTENT...: gives money of the intents back, in refunds with these numbers, one after
the other, and prints what it was told of each. No two refunds have the same amount."""

import json
import os
import sys

sys.path.insert(0, os.environ["SDK"])

from daftar import Client

client = Client.from_environment(retry_for=60)
begin, end, *intents = sys.argv[1:]
for n in range(int(begin), int(end)):
    reference = f"refund-{n}"
    created = client.create_refund(intents[n % len(intents)], refund_reference=reference, amount=100 + n)
    refund = created.refund
    print(json.dumps({
        "reference": reference, "uuid": refund.uuid, "named": refund.refund_reference,
        "intent": refund.payment_intent, "amount": refund.amount,
        "replayed": created.replayed, "differs": created.differs,
    }))  # fmt: skip
