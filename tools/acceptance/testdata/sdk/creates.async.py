"""creates.async.py FROM TO: creates intents of the orders with these numbers, sixteen at a time, and prints
what it was told of each."""

import asyncio
import json
import os
import sys

sys.path.insert(0, os.environ["SDK"])

from daftar import AsyncClient

numbers = iter(range(int(sys.argv[1]), int(sys.argv[2])))


async def create_all(client):
    for n in numbers:
        reference = f"order-{n}"
        created = await client.create_payment_intent(
            merchant_reference=reference, amount=5000, currency="LYD", description="Two coffees"
        )
        intent = created.intent
        print(json.dumps({
            "reference": reference, "uuid": intent.uuid, "named": intent.merchant_reference,
            "replayed": created.replayed, "differs": created.differs,
        }))  # fmt: skip


async def main():
    client = AsyncClient.from_environment(retry_for=60)
    await asyncio.gather(*(create_all(client) for _ in range(16)))


asyncio.run(main())
