"""Measure mails of twenty orders processed a second, and the time of a deadline.

`python -m tests.bench.desk` measures this checkout. With `--beside PATH` another checkout is
measured in turn with it (A, B, B, A), by its own interpreter, with the same stored mails, and the
ratio is printed. Each is run with its own copy of this file, or with this one if it has none.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from statistics import median

from judge.board.map import Map
from judge.board.position import PhaseKind, Position, dump_position, load_position
from judge.clock import FixedClock
from judge.config import Config, StoreSection
from judge.daemon.application import open_application
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.dice import Dice
from judge.games import find_system
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.orders import order_text
from judge.model.incoming import Arrival, Line
from tests.random_orders import Luck, orders_for

ROOT = Path(__file__).parents[2]
START = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
YEAR = 365 * 24 * 3_600_000_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MASTER = "gm{0}@example.org"
PLAYED = {f"std{n}": "standard" for n in range(3)} | {f"yng{n}": "youngstown" for n in range(3)}
"""Map of each game, in which a player and the master order twenty units each."""
DUE = [f"due{n}" for n in range(4)]
"""Youngstown games with all orders on file.

The time of the first deadline is not counted.
"""
READERS = 11
ORDERS = 20
MAILS = 12
"""Mails of each sender that count.

One more comes before, to put the password into the cache.
"""
RUNS = 2


class House:
    """A judge on a database in a file, with a settable clock."""

    def __init__(self, file: Path, *, create: bool = False) -> None:
        self.file = file
        self.clock = FixedClock(START)
        config = Config(store=StoreSection(f"sqlite:///{file}"))
        self.application = open_application(config, self.clock, create=create)
        self.resolving = ResolverLoop(self.application)
        self.worker = Worker(self.application, self.resolving)
        self._address = config.judge.address

    def mail(self, sender: str, text: str) -> None:
        """Store a mail."""
        mail_id = sha256(f"{sender}\n{text}".encode()).hexdigest()
        raw = (
            f"Received: from mx.example.org by mx.example.net; Mon, 05 Jan 2026 12:00:01 +0000\n"
            f"From: Ann Other <{sender}>\nTo: The Judge <{self._address}>\nSubject: My orders\n"
            f"Date: Mon, 05 Jan 2026 12:00:00 +0000\nMessage-ID: <{mail_id}@mx.example.org>\n"
            "MIME-Version: 1.0\nUser-Agent: Mozilla Thunderbird\n"
            "Content-Type: text/plain; charset=UTF-8; format=flowed\n"
            f"Content-Transfer-Encoding: 7bit\n\n{text}\n"
        ).replace("\n", "\r\n")
        arrival = Arrival(raw.encode(), sender, (self._address,))
        self.application.post.accept([arrival], self.clock.now())

    def run(self) -> float:
        """Process the stored mails and return the seconds it took."""
        began = time.perf_counter()
        while self.worker.work_batch():
            pass
        return time.perf_counter() - began

    def ask(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """Run SQL on the database without the judge and return the rows."""
        with sqlite3.connect(self.file) as connection:
            found = connection.execute(statement, values).fetchall()
        connection.close()
        return found

    def close(self) -> None:
        """Close the database."""
        self.application.store.close()


def midgame(map_name: str, seed: int, phases: int) -> Position:
    """Return a position of a movement phase after at least *phases* phases.

    Scripted players play them.
    """
    system, on = find_system("diplomacy"), board(map_name)
    text = system.initial_position(map_name, {}, Dice(bytes(32), 0))
    for turn in range(phases + 5):
        position = load_position(json.loads(text))
        if turn >= phases and position.phase.kind is PhaseKind.MOVEMENT:
            return position
        table, sheets = system.table(map_name, text, {}), dict[str, str]()
        for power in table.powers_due():
            orders = orders_for(on, position, power, Luck(seed, turn, power))
            sent = [Line(number, order_text(one)) for number, one in enumerate(orders, start=1)]
            sheets.update(table.read_orders(sent, power, sheets).sheets)
        text = table.adjudicate(sheets, Dice(bytes(32), turn)).after
    raise AssertionError("a movement phase comes at least every third time")


def enlarge_position(position: Position, power: str) -> Position:
    """Return a position in which a power has twenty units, including units of others."""
    units = {name: list(mine) for name, mine in position.units.items()}
    for name, mine in units.items():
        while name != power and mine and len(units[power]) < ORDERS:
            units[power].append(mine.pop())
    return replace(position, units={name: tuple(mine) for name, mine in units.items()})


def order_lines(on: Map, position: Position, powers: list[str], luck: Luck) -> list[str]:
    """Return up to twenty orders of powers, written as people write them."""
    texts = [order_text(order) for one in powers for order in orders_for(on, position, one, luck)]
    return [_vary_order(on, text, luck) for text in texts[:ORDERS]]


def _vary_order(on: Map, text: str, luck: Luck) -> str:
    if luck.chance(3):
        return text.lower()
    if luck.chance(3):
        known = {abbr.upper(): name.name for abbr, name in on.provinces.items()}
        return " ".join(known.get(word, word) for word in text.split())
    return text


def build(folder: Path) -> None:
    """Store the games and write the mails of the measurement to a file.

    The file has rounds of sender and text.
    """
    house = House(folder / "judge.sqlite3", create=True)
    rounds: list[list[tuple[str, str]]] = [[] for _ in range(MAILS + 1)]
    for number, (game, map_name) in enumerate(PLAYED.items()):
        on = board(map_name)
        _fill(house, game, on)
        power = on.powers[2 * number % len(on.powers)]
        position = enlarge_position(midgame(map_name, number, 8 + 3 * number), power.name)
        _set_up(house, game, position)
        # The last of the others sends no orders, since the phase would end otherwise.
        others = [name for name, units in position.units.items() if units and name != power.name]
        for turn, mails in enumerate(rounds):
            for whose, sender, signon in (
                ([power.name], _player(game, power.letter), f"{power.letter}{game} secret"),
                ([*others[:-1], power.name], MASTER.format(game), f"M{game} gmsecret"),
            ):
                lines = order_lines(on, position, whose, Luck(turn, number, sender))
                mails.append((sender, "\n".join([f"SIGNON {signon}", *lines])))
    on = board("youngstown")
    for number, game in enumerate(DUE):
        _fill(house, game, on)
        position = midgame("youngstown", 100 + number, 6 + 2 * number)
        _set_up(house, game, position)
        for each in on.powers:
            lines = order_lines(on, position, [each.name], Luck(0, number, each.name))
            signon = f"SIGNON {each.letter}{game} secret"
            house.mail(_player(game, each.letter), "\n".join([signon, *lines, "SET WAIT"]))
        house.run()
    # Deadlines come in sequence, and none of them while the mails are processed.
    house.ask("UPDATE games SET due = deadline + 1000000 * id, deadline = deadline + 1000000 * id")
    house.ask("UPDATE games SET due = due + ?, deadline = due + ? WHERE name NOT LIKE 'due%'",
              YEAR, YEAR)
    house.ask("UPDATE outgoing SET state = 'sent'")
    house.close()
    (folder / "mails.json").write_text(json.dumps(rounds))


def _player(game: str, letter: str) -> str:
    return f"{letter.lower()}.{game}@example.org"


def _fill(house: House, game: str, on: Map) -> None:
    house.mail(MASTER.format(game), f"CREATE ?{game} gmsecret {on.name}\nSET NO GRACE")
    for power in on.powers:
        sender = _player(game, power.letter)
        house.mail(sender, f"SIGNON ?{game} secret\nSET PREFERENCE {power.letter}")
    house.run()


def _set_up(house: House, game: str, position: Position) -> None:
    text = json.dumps(dump_position(position), sort_keys=True)
    house.ask("UPDATE games SET position = ?, phase = ? WHERE name = ?",
              text, str(position.phase), game)


def measure_database(folder: Path) -> dict[str, float]:
    """Return mails per second and the milliseconds of a deadline on a built database.

    The figure of processor time alone leaves out one sync of the disk for each mail.
    """
    house = House(folder / "judge.sqlite3")
    dues = [int(str(row[0])) for row in house.ask(
        "SELECT due FROM games WHERE name LIKE 'due%' ORDER BY due"
    )]
    first, *rounds = json.loads((folder / "mails.json").read_text())
    for sender, text in first:
        house.mail(sender, text)
    house.run()
    mails = [mail for turn in rounds for mail in turn]
    for sender, text in mails:
        house.mail(sender, text)
    working = time.process_time()
    per_second = len(mails) / house.run()
    working = time.process_time() - working
    waits = []
    for due in dues:
        house.clock.set(now := EPOCH + timedelta(microseconds=due))
        began = time.perf_counter()
        house.resolving.tick(now)
        waits.append(1000 * (time.perf_counter() - began))
    ((many, failed),) = house.ask(
        "SELECT count(*), sum(kind = 'error') FROM outgoing WHERE state <> 'sent'"
    )
    house.close()
    assert not failed, f"{failed} mails were not carried out"
    assert int(str(many)) == len(first) + len(mails) + READERS * len(DUE), f"{many} letters"
    return {
        "mails": per_second,
        "mails_of_processor": len(mails) / working,
        "deadline_ms": median(waits[1:]),
    }


def run(checkout: Path, *words: str) -> str:
    """Run a checkout's own copy of this file, or this one if it has none."""
    own = checkout / "tests" / "bench" / "desk.py"
    file = own if own.is_file() else Path(__file__)
    done = subprocess.run(
        [checkout / ".venv" / "bin" / "python", file, *words], cwd=checkout, text=True,
        capture_output=True, env=os.environ | {"PYTHONPATH": str(checkout)}, check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout


def compare_checkouts(checkouts: list[Path]) -> Iterator[tuple[Path, dict[str, float]]]:
    """Measure checkouts in turn.

    The last one, which may be older, stores what is measured.
    """
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as temporary:
        built = Path(temporary) / "built"
        built.mkdir()
        run(checkouts[-1], "--build", str(built))
        for _ in range(RUNS):
            for checkout in [*checkouts, *reversed(checkouts)]:
                copy = Path(shutil.copytree(built, Path(temporary) / "copy"))
                yield checkout, json.loads(run(checkout, "--measure", str(copy)))
                shutil.rmtree(copy)


def main() -> None:
    """Build or measure a database for a run, or do the runs and print the figures."""
    match sys.argv[1:]:
        case ["--build", folder]:
            build(Path(folder))
        case ["--measure", folder]:
            print(json.dumps(measure_database(Path(folder))))
        case [] | ["--beside", _]:
            checkouts = [ROOT, *(Path(name).resolve() for name in sys.argv[2:])]
            found: dict[Path, list[dict[str, float]]] = {checkout: [] for checkout in checkouts}
            for checkout, figures in compare_checkouts(checkouts):
                found[checkout].append(figures)
                print(f"{checkout}: {format_figures(figures)}", flush=True)
            medians = [middle(runs) for runs in found.values()]
            print("\n".join(map(format_figures, medians)))
            if len(medians) > 1:
                ours, theirs = medians
                print(f"mails: {ours['mails'] / theirs['mails']:.2f} times as many,"
                      f" {ours['mails_of_processor'] / theirs['mails_of_processor']:.2f} times"
                      " as many of the processor;"
                      f" deadline: {theirs['deadline_ms'] / ours['deadline_ms']:.2f} times as fast")
        case _:
            sys.exit(__doc__)


def middle(runs: list[dict[str, float]]) -> dict[str, float]:
    """Return the median of each figure."""
    return {name: median(figures[name] for figures in runs) for name in runs[0]}


def format_figures(figures: dict[str, float]) -> str:
    """Return the figures as a sentence."""
    return (
        f"{figures['mails']:.1f} mails of {ORDERS} orders a second"
        f" ({figures['mails_of_processor']:.1f} a second of the processor),"
        f" {figures['deadline_ms']:.0f} ms for a Youngstown deadline of {READERS} readers"
    )


if __name__ == "__main__":
    main()
