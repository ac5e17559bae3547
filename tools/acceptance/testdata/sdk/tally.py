"""tally.py FILE: what the sample shop for Python has done, in the shape of sampleTally."""

import json
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1], timeout=10)


def column(query):
    return [value for (value,) in db.execute(query)]


print(json.dumps({
    "fulfilled": column("SELECT reference FROM fulfilments ORDER BY id"),
    "canceled": column("SELECT reference FROM orders WHERE state = 'canceled'"),
    "waiting": column("SELECT count(*) FROM inbox WHERE dealt_at IS NULL")[0],
}))  # fmt: skip
