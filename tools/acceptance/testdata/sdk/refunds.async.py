"""refunds.async.py FROM TO INTENT...: gives money of the intents back, in refunds with these numbers, sixteen
at a time, and prints what it was told of each. No two refunds have the same amount."""

import asyncio
import json
import os
import sys

sys.path.insert(0, os.environ["SDK"])

from daftar import AsyncClient

begin, end, *intents = sys.argv[1:]
numbers = iter(range(int(begin), int(end)))


async def refund_all(client):
    for n in numbers:
        reference = f"refund-{n}"
        created = await client.create_refund(
            intents[n % len(intents)], refund_reference=reference, amount=100 + n
        )
        refund = created.refund
        print(json.dumps({
            "reference": reference, "uuid": refund.uuid, "named": refund.refund_reference,
            "intent": refund.payment_intent, "amount": refund.amount,
            "replayed": created.replayed, "differs": created.differs,
        }))  # fmt: skip


async def main():
    client = AsyncClient.from_environment(retry_for=60)
    await asyncio.gather(*(refund_all(client) for _ in range(16)))


asyncio.run(main())
