"""What becomes of many random sheets, with every reason, and what a power sees of many boards.

`rulings.tsv` has the digest of each as it was: no rule, reason or sight changes unseen. To see what
changed, have the test print it before and after. With WRITE_RULINGS=1 in the environment the table
is written anew.
"""

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from random_boards import random_case
from test_blind import context

from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.views.adjudicate_json import adjudicate_line
from judge.games.diplomacy.views.record import dump_text
from judge.games.diplomacy.views.visibility import in_sight, seen_position
from judge.games.system import Reader, Watcher

FILE = Path(__file__).with_name("rulings.tsv")
MANY = 120


def rulings() -> Iterator[tuple[str, str]]:
    """Yield the name of each case, and what came of it."""
    for seed in range(MANY):
        on, at, orders = random_case(seed)
        case = {
            "map": on.name, "phase": "S1901M",
            "units": {power: [str(unit) for unit in units] for power, units in at.units.items()},
            "orders": {power: [order_text(one) for one in own] for power, own in orders.items()},
        }
        yield f"orders {seed}", adjudicate_line(json.dumps(case))
        on, at, power = context(seed)
        sight = in_sight(on, at, power)
        seen = dump_text(seen_position(on, at, Reader(Watcher.POWER, power)))
        yield f"sight {seed}", "\n".join([*sorted(sight), seen])
        after = {
            "map": on.name, "phase": str(at.phase),
            "units": {side: [str(unit) for unit in units] for side, units in at.units.items()},
            "centers": {
                side: sorted(centre.upper() for centre, of in at.owners.items() if of == side)
                for side in sorted({*at.owners.values()})
            },
            "dislodged": {
                side: [{"unit": str(one.unit), "from": one.origin.upper()} for one in beaten]
                for side, beaten in at.dislodged.items()
            },
        }
        yield f"{at.phase} {seed}", adjudicate_line(json.dumps(after))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:12]


def test_what_becomes_of_a_sheet_and_what_is_seen_is_as_it_was() -> None:
    found = dict(rulings())
    if os.environ.get("WRITE_RULINGS"):
        rows = [f"{name}\t{digest(text)}\n" for name, text in found.items()]
        FILE.write_text("".join(rows), "utf-8")
    known = dict(line.split("\t") for line in FILE.read_text("utf-8").splitlines())
    assert known.keys() == found.keys()
    changed = [name for name, text in found.items() if digest(text) != known[name]]
    assert not changed, f"{changed}: {found[changed[0]]}"
