"""Count the code, and the work of one mail and of one deadline.

`make bench` prints the figures with the others. `python -m tests.bench.weight` prints them alone,
and each statement with `--statements`. Statements are those that SQLite executes, without those
that begin and end transactions.
"""

import argparse
import ast
import sys
import time
import tokenize
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import judge
from judge.games import find_system
from tests.journeys.rig import Rig
from tests.outbox import due_out

_ROOT = str(Path(judge.__file__).parent)
_TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK", "PRAGMA busy_timeout")
_ORDERS = "SIGNON Fmarco wfra\nA Par - Bur\nA Mar - Spa\nF Bre - Mid\n"


class Weight(NamedTuple):
    """The cost of a piece of work."""

    statements: Counter[str]
    """Number of executions of each statement, without its values."""
    inside: Counter[str]
    """Number of them inside a transaction, which blocks all other writers."""
    modules: int
    """Modules of the judge whose functions were called."""
    functions: int
    calls: int
    """Calls of functions of the judge."""
    milliseconds: float
    """Processor time of the same work when nothing is counted."""

    @property
    def many(self) -> int:
        """Number of all statements."""
        return self.statements.total()

    @property
    def listed(self) -> str:
        """Statements, a line each, with their number and the number in transactions."""
        return "\n".join(
            f"{times:7} {self.inside[statement]:4} {statement}"
            for statement, times in self.statements.most_common()
        )


Measure = Callable[[Rig, Callable[[], object]], Weight]


def count(rig: Rig, work: Callable[[], object]) -> Weight:
    """Do a piece of work, and count its statements and calls."""
    statements: list[str] = []
    called = Counter[tuple[str, str]]()

    def count_call(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(_ROOT):
            called[code.co_filename, code.co_qualname] += 1

    connection: Any = rig.application.store.database.connection()
    connection.set_trace_callback(statements.append)
    sys.setprofile(count_call)
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
    modules = {file for file, _ in called}
    return Weight(told, inside, len(modules), len(called), called.total(), 0.0)


def count_and_time(work_on: Callable[[Measure], Weight], rounds: int = 5) -> Weight:
    """Return the cost of a piece of work, with the least processor time."""
    counted, least = work_on(count), float("inf")

    def clock(rig: Rig, work: Callable[[], object]) -> Weight:
        began = time.process_time()
        work()
        return counted._replace(milliseconds=1000 * (time.process_time() - began))

    for _ in range(rounds):
        least = min(least, work_on(clock).milliseconds)
    return counted._replace(milliseconds=least)


def count_code_lines(folder: Path) -> int:
    """Return the lines of code below a folder: no docstrings, comments, blanks."""
    found = 0
    for file in folder.rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        texts = {
            line
            for node in ast.walk(tree)
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        with file.open("rb") as source:
            tokens = [*tokenize.tokenize(source.readline)]
        skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT,
                   tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER)
        lines = {
            line
            for token in tokens if token.type not in skipped
            for line in range(token.start[0], token.end[0] + 1)
        }
        found += len(lines - texts)
    return found


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
    """Start a game in which each power has a player and return the powers' letters."""
    system = find_system("diplomacy")
    sides = system.powers(variant, {})
    rig.mail("gm@example.org", f"CREATE ?marco masterpw {variant}\nSET POWER CHOICE\n")
    for side in sides:
        word = f"w{side.letter.lower()}ra"
        rig.mail(
            f"{side.letter.lower()}@example.org", f"JOIN {side.name}@marco {word}".replace(" ", " ")
        )
    rig.boxes.clear()
    return [side.letter for side in sides]


def order_mail(measure: Measure) -> Weight:
    """Measure a mail that signs on and orders three units."""
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
        weight = measure(rig, rig.worker.work_one)
        receipt = due_out(rig.application.post, rig.clock.now(), 50)[-1]
        assert b"Mid" in receipt.message and receipt.to == "f@example.org", receipt
        return weight
    finally:
        rig.close()


def deadline(measure: Measure) -> Weight:
    """Measure a deadline of Youngstown at which all ten players have ordered."""
    return _weigh_end(measure, ordered=True)[0]


def late_deadline(measure: Measure) -> tuple[Weight, Weight]:
    """Measure a deadline at which all orders are missing, and the grace period."""
    return _weigh_end(measure, ordered=False)


def _weigh_end(measure: Measure, *, ordered: bool) -> tuple[Weight, Weight]:
    rig = Rig()
    try:
        letters = game_of(rig, "youngstown")
        game = rig.application.games.find("marco")
        assert game is not None and game.deadline is not None and game.grace_until is not None
        system = find_system(game.system)
        table = system.table(game.map, game.position, {})
        for side in system.powers(game.map, {}) if ordered else ():
            letter = side.letter.lower()
            orders = "".join(f"{unit} H\n" for unit in table.missing_orders(side.name, ""))
            text = f"SIGNON {letter}marco w{letter}ra\n{orders}SET WAIT\n"
            rig.mail(f"{letter}@example.org", text)
        # The reminder is sent before.
        rig.clock.set(game.deadline - timedelta(hours=1))
        rig.run()
        rig.boxes.clear()
        weights = []
        for instant in (game.deadline, game.grace_until):
            rig.clock.set(instant + timedelta(seconds=1))
            weights.append(measure(rig, lambda: rig.resolving.tick(rig.clock.now())))
            rig.run()
            if instant == game.deadline:
                assert len(rig.boxes) == len(letters) + 1, sorted(rig.boxes)
        return weights[0], weights[1]
    finally:
        rig.close()


def weights() -> dict[str, Weight]:
    """Return the cost of each piece of work."""
    late, over = late_deadline(count)
    return {
        "order mail": count_and_time(order_mail), "deadline": count_and_time(deadline, rounds=3),
        "deadline, all late": late, "grace over, all late": over,
    }


def lines(found: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return the figures as lines of text."""
    return [
        f"{name}: {each['statements']} statements, {each['inside']} of them in transactions;"
        f" {each['modules']} modules, {each['functions']} functions, {each['calls']} calls"
        + (f"; {each['ms']:.1f} ms of processor time" if each["ms"] else "")
        for name, each in found.items()
    ]


def figures(found: Mapping[str, Weight]) -> dict[str, dict[str, float]]:
    """Return the figures as `make bench` stores them."""
    return {
        name: {"statements": weight.many, "inside": weight.inside.total(),
               "modules": weight.modules, "functions": weight.functions, "calls": weight.calls,
               "ms": weight.milliseconds}
        for name, weight in found.items()
    }


def main() -> None:
    """Print the figures."""
    asked = argparse.ArgumentParser(prog="python -m tests.bench.weight", description=__doc__)
    asked.add_argument(
        "--statements", action="store_true", help="each, how often, and how often in transactions"
    )
    said = asked.parse_args()
    packages = sorted(path for path in Path(_ROOT).iterdir() if path.is_dir())
    counts = {path.name: count_code_lines(path) for path in packages}
    counts = {name: count for name, count in counts.items() if count}
    print(f"lines of code: {count_code_lines(Path(_ROOT))};",
          ", ".join(f"{name} {count}" for name, count in counts.items()))
    found = weights()
    for line, weight in zip(lines(figures(found)), found.values(), strict=True):
        print(line)
        if said.statements:
            print(weight.listed)


if __name__ == "__main__":
    main()
