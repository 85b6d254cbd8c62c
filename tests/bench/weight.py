"""What one mail and one deadline cost: statements to the database, modules passed through.

`make bench` prints the figures with the others; `python -m tests.bench.weight` prints them alone,
and each statement with `--statements`. Counted are the statements that SQLite carries out, those
that begin and end transactions apart.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import judge
from judge.games import find_system
from tests.journeys.rig import Rig

_ROOT = str(Path(judge.__file__).parent)
_TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")
_ORDERS = "SIGNON Fmarco wfra\nA Par - Bur\nA Mar - Spa\nF Bre - Mid\n"


class Weight(NamedTuple):
    """What a piece of work cost."""

    statements: Counter[str]
    """How often each statement was carried out, its values left out."""
    inside: Counter[str]
    """Those of them inside a transaction, which everybody else who writes waits for."""
    modules: int
    """Modules of the judge whose functions were called."""
    steps: int
    """Calls and returns that led from one module into another."""

    @property
    def many(self) -> int:
        """All statements."""
        return self.statements.total()

    @property
    def listed(self) -> str:
        """The statements, a line each: how often, and how often of that inside a transaction."""
        return "\n".join(
            f"{times:7} {self.inside[statement]:4} {statement}"
            for statement, times in self.statements.most_common()
        )


def weighed(rig: Rig, work: Callable[[], object]) -> Weight:
    """Do a piece of work and return what it cost."""
    statements: list[str] = []
    path: list[str] = []

    def passed(frame: FrameType, event: str, argument: object) -> None:
        file = frame.f_code.co_filename
        if event in ("call", "return") and file.startswith(_ROOT):
            module = file[len(_ROOT) + 1:]
            if not path or path[-1] != module:
                path.append(module)

    connection: Any = rig.application.store.database.connection()
    connection.set_trace_callback(statements.append)
    sys.setprofile(passed)
    try:
        work()
    finally:
        sys.setprofile(None)
        connection.set_trace_callback(None)
    told, inside, is_inside = Counter[str](), Counter[str](), False
    for text in statements:
        if text.startswith("BEGIN") or text in ("COMMIT", "ROLLBACK"):
            is_inside = text.startswith("BEGIN")
        elif not text.startswith(_TRANSACTION):
            told[_shape(text)] += 1
            inside[_shape(text)] += is_inside
    return Weight(told, inside, len(set(path)), len(path) - 1)


def _shape(statement: str) -> str:
    """Return a statement's verb, table and condition, without the columns it names.

    >>> _shape('SELECT "id", "name" FROM "games" WHERE id = 7')
    'SELECT "games" WHERE id = 7'
    """
    verb, _, rest = statement.partition(" ")
    for word in ("FROM", "INTO") if verb != "UPDATE" else ():
        _, found, after = statement.partition(f"{word} ")
        if found:
            rest = after
            break
    table, _, more = rest.partition(" ")
    condition = more[more.find("WHERE"):] if "WHERE" in more else ""
    return " ".join([verb, table, condition[:70]]).strip()


def game_of(rig: Rig, variant: str) -> list[str]:
    """Have a game begin in which each power has a player; return their letters."""
    system = find_system("diplomacy")
    sides = system.sides(variant, {})
    rig.mail("gm@example.org", f"CREATE ?marco masterpw {variant}\nSET POWER CHOICE\n")
    for side in sides:
        word = f"w{side.letter.lower()}ra"
        rig.mail(
            f"{side.letter.lower()}@example.org", f"JOIN {side.name}@marco {word}".replace(" ", " ")
        )
    rig.boxes.clear()
    return [side.letter for side in sides]


def order_mail() -> Weight:
    """Weigh a mail that signs on and orders three units."""
    rig = Rig()
    try:
        game_of(rig, "standard")
        rig.mail("f@example.org", "SIGNON Fmarco wfra\nA Par H\n")
        rig.mails += 1
        raw = (
            f"From: f@example.org\nTo: {rig.config.judge.address}\nSubject: orders\n"
            f"Message-ID: <w@example.org>\n\n{_ORDERS}"
        ).encode()
        rig.store(raw, "f@example.org")
        weight = weighed(rig, rig.worker.step)
        receipt = rig.application.post.due_out(rig.clock.now(), 50)[-1]
        assert b"Mid" in receipt.message and receipt.to == "f@example.org", receipt
        return weight
    finally:
        rig.close()


def deadline() -> Weight:
    """Weigh an ordinary deadline of Youngstown: ten players, who have all ordered, and the master.
    """
    return _ended(ordered=True)[0]


def late_deadline() -> tuple[Weight, Weight]:
    """Weigh a deadline that finds everybody late, and the end of the grace that follows."""
    return _ended(ordered=False)


def _ended(*, ordered: bool) -> tuple[Weight, Weight]:
    rig = Rig()
    try:
        letters = game_of(rig, "youngstown")
        game = rig.application.games.find("marco")
        assert game is not None and game.deadline is not None and game.grace_until is not None
        system = find_system(game.system)
        table = system.table(game.map, game.position, {})
        for side in system.sides(game.map, {}) if ordered else ():
            letter = side.letter.lower()
            orders = "".join(f"{unit} H\n" for unit in table.missing(side.name, ""))
            text = f"SIGNON {letter}marco w{letter}ra\n{orders}SET WAIT\n"
            rig.mail(f"{letter}@example.org", text)
        # The reminder goes out before.
        rig.clock.set(game.deadline - timedelta(hours=1))
        rig.run()
        rig.boxes.clear()
        weights = []
        for instant in (game.deadline, game.grace_until):
            rig.clock.set(instant + timedelta(seconds=1))
            weights.append(weighed(rig, lambda: rig.resolving.tick(rig.clock.now())))
            rig.run()
            if instant == game.deadline:
                assert len(rig.boxes) == len(letters) + 1, sorted(rig.boxes)
        return weights[0], weights[1]
    finally:
        rig.close()


def weights() -> dict[str, Weight]:
    """Return what each piece of work costs."""
    late, over = late_deadline()
    return {
        "order mail": order_mail(), "deadline": deadline(), "deadline, all late": late,
        "grace over, all late": over,
    }


def lines(found: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return the figures as a person reads them."""
    return [
        f"{name}: {told['statements']} statements, {told['inside']} of them in transactions;"
        f" {told['modules']} modules, {told['steps']} changes of module"
        for name, told in found.items()
    ]


def figures(found: Mapping[str, Weight]) -> dict[str, dict[str, int]]:
    """Return the figures as `make bench` stores them."""
    return {
        name: {"statements": weight.many, "inside": weight.inside.total(),
               "modules": weight.modules, "steps": weight.steps}
        for name, weight in found.items()
    }


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.weight", description=__doc__)
    asked.add_argument(
        "--statements", action="store_true", help="each, how often, and how often in transactions"
    )
    said = asked.parse_args()
    found = weights()
    for line, weight in zip(lines(figures(found)), found.values(), strict=True):
        print(line)
        if said.statements:
            print(weight.listed)


if __name__ == "__main__":
    main()
