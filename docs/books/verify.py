#!/usr/bin/env python3
"""Computes the books of an organisation from Daftar's log and compares an export of them, entry by entry:

    daftar events export | python3 verify.py books.journal [KEPT...]

It needs no database, and believes only the log that hashes to the checkpoints: that in the export, and
those that were kept elsewhere. What it does and does not prove: docs/accounting.md.
"""
import base64
import hashlib
import json
import re
import struct
import sys
from collections import defaultdict
from datetime import datetime, timedelta

PAID_INTO = {"intent.succeeded": "income:sales", "intent.late_succeeded": "liabilities:customers:late",
             "intent.duplicate_payment": "liabilities:customers:duplicate"}
KNOWN = {*PAID_INTO, "intent.created", "intent.attempt_started", "intent.attempt_failed", "intent.expired",
         "intent.refund_recorded", "intent.refund_failed", "settlement.recorded", "settlement.corrected",
         "fee.scheduled", "day.closed"}


def wrong(what):
    sys.exit("WRONG: " + what)


def leaf(e):
    """The hash of an event, by docs/transparency.md."""
    whole, _, part = e["recorded_at"].removesuffix("Z").partition(".")
    seconds = (datetime.fromisoformat(whole) - datetime(1970, 1, 1)) // timedelta(seconds=1)
    fields = [e["position"], bytes.fromhex(e["stream_id"].replace("-", "")), e["version"], e["type"].encode(),
              e["schema_version"], seconds * 10**6 + int(part.ljust(6, "0")),
              hashlib.sha256(e["payload"].encode()).digest(), hashlib.sha256(e["metadata"].encode()).digest()]
    fields = [struct.pack(">q", f) if isinstance(f, int) else f for f in fields]
    return hashlib.sha256(b"\0\1" + b"".join(struct.pack(">I", len(f)) + f for f in fields)).digest()


def root(tree):
    """The root over the whole trees that the leaves make, the largest first (RFC 6962)."""
    digest = tree[-1]
    for left in reversed(tree[:-1]):
        digest = hashlib.sha256(b"\1" + left + digest).digest()
    return base64.b64encode(digest).decode()


def read_export(path):
    """The head of an export in any of the three forms, and its entries by position."""
    head, entries, position = {}, defaultdict(lambda: defaultdict(int)), 0
    for line in open(path, encoding="utf-8"):
        if m := re.match(r' *(?:; )?position: "?(\d+)"?$|[\d-]{10},[^,]*,(\d+),', line):
            position = int(m[1] or m[2])
        if line[:2] in ("; ", "# "):
            word, _, rest = line[2:].partition(" ")
            head[word] = rest.split()
        elif position and (m := re.search(r"^[^;]*?([\w:-]+)[ ,]+(-?\d+)\.(\d{3})[ ,]LYD$", line)):
            entries[position][m[1].lower()] += int(m[2] + m[3])
    return head, entries


class Books:
    """The entries by position: what each changes an account by, in dirhams."""

    def __init__(self, organisation, mode, applications):
        self.tenant, self.applications = [organisation, mode], applications
        self.entries, self.intents, self.acquirers, self.into = {}, set(), {}, {}

    def add(self, e):
        kind, f, lines = e["type"], json.loads(e["payload"]), {}
        attempt = (e["stream_id"], f.get("attempt"))
        if kind not in KNOWN:
            wrong(f"position {e['position']} is of the unknown kind {kind}")
        if kind == "intent.created" and f["application"] in self.applications:
            self.intents.add(e["stream_id"])
        if kind.startswith("settlement.") and [f["organization"], f["mode"]] == self.tenant:
            gross, fees, net = (f[n] - f.get(n + "_before", 0) for n in ("gross", "fees", "net"))
            lines = {"assets:bank": net, "expenses:fees:" + f["acquirer"]: fees,
                     "assets:due:" + f["acquirer"]: -gross, "expenses:differences": gross - fees - net}
        elif e["stream_id"] in self.intents and kind == "intent.attempt_started":
            self.acquirers[attempt] = f["acquirer"]
        elif e["stream_id"] in self.intents and kind in PAID_INTO:
            self.into[attempt] = PAID_INTO[kind]
            lines = {"assets:due:" + self.acquirers[attempt]: f["amount"], self.into[attempt]: -f["amount"]}
        elif e["stream_id"] in self.intents and kind == "intent.refund_recorded":
            into = self.into[attempt].replace("income:sales", "expenses:refunds")
            lines = {"assets:due:" + self.acquirers[attempt]: -f["amount"], into: f["amount"]}
        if lines and e["schema_version"] != 1:
            wrong(f"position {e['position']} is of the unknown version {e['schema_version']}")
        if lines := {account: amount for account, amount in lines.items() if amount}:
            self.entries[e["position"]] = lines


def main(export, *kept):
    head, told = read_export(export)
    first, last = int(head["positions"][0]), int(head["positions"][2])
    books, tree, size, due = Books(*head["organisation"], *head["mode"], head["applications"]), [], 0, {}
    for path, note in [(export, head["checkpoint"])] + [(k, open(k).read().split("\n")) for k in kept]:
        due.setdefault(int(note[1]), []).append((path, note[2]))
    if max(due) < last:
        wrong(f"no checkpoint covers position {last}")
    for line in sys.stdin:
        e, size = json.loads(line), size + 1
        if e["position"] != size:
            wrong(f"position {e['position']} follows {size - 1}")
        tree.append(leaf(e))
        for _ in range((size & -size).bit_length() - 1):  # as many pairs of equal trees became one
            tree[-2:] = [hashlib.sha256(b"\1" + tree[-2] + tree[-1]).digest()]
        for path, want in due.pop(size, []):
            if root(tree) != want:
                wrong(f"the root of {size} events is {root(tree)}, and in {path} {want}")
            print(f"{size} events have the root of the checkpoint in {path}: {want}")
        if size <= last:
            books.add(e)
    if due:
        wrong(f"the log ends at position {size}, before a checkpoint")
    made = {position: lines for position, lines in books.entries.items() if position >= first}
    balances = defaultdict(int)
    for position in sorted(made.keys() | told.keys()):
        if made.get(position) != told.get(position):
            wrong(f"position {position}: {made.get(position)} in the log, {told.get(position)} in {export}")
        for account, amount in made[position].items():
            balances[account] += amount
    print(f"{len(made)} entries of positions {first} to {last} are those in {export}, with these balances:")
    for account, amount in sorted(balances.items()):
        if amount:
            sign, whole, rest = "-" if amount < 0 else "", *divmod(abs(amount), 1000)
            print(f"{account:36} {sign}{whole}.{rest:03} LYD")


if __name__ == "__main__":
    main(*sys.argv[1:]) if sys.argv[1:] else sys.exit(__doc__)
