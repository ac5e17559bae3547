"""contract.py with the coroutines of AsyncClient, each run to its end."""

import asyncio
import inspect

import contract
from daftar import AsyncClient

loop = asyncio.new_event_loop()


async def collect(results):
    return [one async for one in results]


class Waiting:
    def __init__(self, *arguments, **options):
        self._client = AsyncClient(*arguments, **options)

    @classmethod
    def from_environment(cls):
        waiting = cls.__new__(cls)
        waiting._client = AsyncClient.from_environment()
        return waiting

    def __getattr__(self, name):
        def run(*arguments, **fields):
            result = getattr(self._client, name)(*arguments, **fields)
            return loop.run_until_complete(collect(result) if inspect.isasyncgen(result) else result)

        return run


contract.main(Waiting)
