"""What beancount finds in files, as JSON: the number of entries and the balances of each."""
import json
import sys

from beancount import loader
from beancount.core import data

answers = []
for name in sys.argv[1:]:
    entries, errors, _ = loader.load_file(name)
    for error in errors:
        print(error, file=sys.stderr)
    transactions = [e for e in entries if isinstance(e, data.Transaction)]
    balances: dict[str, int] = {}
    for t in transactions:
        for p in t.postings:
            balances[p.account] = balances.get(p.account, 0) + int(p.units.number * 1000)
    answers.append({"entries": len(transactions), "balances": {a: n for a, n in balances.items() if n}})
print(json.dumps(answers))
