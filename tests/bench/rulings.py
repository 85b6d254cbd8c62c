"""Order lines read, positions adjudicated, and deadlines: all in this process."""

import json
import lzma
import time
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from judge.board.position import load_position
from judge.config import Config, StoreSection
from judge.dice import Dice
from judge.games import find_system
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.orders import order_text
from judge.model.incoming import Line
from judge.model.record import GameRecord, Outgoing, Role, Seat, SeatState
from judge.terminal import adjudicating
from tests.journeys.rig import Rig
from tests.outbox import newest_out
from tests.random_orders import Luck, orders_for

UNITS = {"standard": 18, "youngstown": 27}
"""Number of units in an adjudicated position."""
GAMES = 12
TURNS = 40
FAR = timedelta(days=1000)


def play_scripted_games(map_name: str) -> tuple[list[dict[str, object]], int, float]:
    """Play games with scripted players, every order sent as a line of text.

    Returns the movement phases as `judge adjudicate` reads them, the number of lines read, and the
    seconds that reading took.
    """
    system, on = find_system("diplomacy"), board(map_name)
    cases: list[dict[str, object]] = []
    lines, took = 0, 0.0
    for seed in range(GAMES):
        dice = Dice(seed.to_bytes(32, "big"), 0)
        text = system.initial_position(map_name, {}, dice)
        for turn in range(TURNS):
            table = system.table(map_name, text, {})
            position = load_position(json.loads(text))
            sheets: dict[str, str] = {}
            orders: dict[str, list[str]] = {}
            for power in table.powers_due():
                mine = orders_for(on, position, power, Luck(seed, turn, power))
                orders[power] = [order_text(order) for order in mine]
                sent = [Line(number, one) for number, one in enumerate(orders[power], start=1)]
                began = time.perf_counter()
                read = table.read_orders(sent, power, sheets)
                took += time.perf_counter() - began
                lines += len(sent)
                sheets.update(read.sheets)
            if position.phase.kind.title == "Movement":
                cases.append(_case(map_name, text, orders, Luck(seed, turn, "")))
            done = table.adjudicate(sheets, Dice(seed.to_bytes(32, "big"), turn))
            if done.ending:
                break
            text = done.after
    return cases, lines, took


def _case(map_name: str, text: str, orders: dict[str, list[str]], luck: Luck) -> dict[str, object]:
    """Return one position with the wanted number of units, and their orders."""
    position = json.loads(text)
    standing = [(power, unit) for power, units in position["units"].items() for unit in units]
    units: dict[str, list[str]] = {}
    for power, unit in luck.shuffle(standing)[: UNITS[map_name]]:
        units.setdefault(power, []).append(unit)
    kept = {
        power: [one for one in orders.get(power, []) if one.startswith(tuple(some))]
        for power, some in units.items()
    }
    return {
        "id": 0, "map": map_name, "phase": position["phase"], "units": units, "orders": kept,
    }


def dense(map_name: str) -> list[str]:
    """Return 1,000 positions rich in supports, convoys and head-to-head moves."""
    file = Path(__file__).parent / "dense" / f"{map_name}.jsonl.xz"
    return lzma.decompress(file.read_bytes()).decode("ascii").splitlines()


def rulings(map_name: str) -> dict[str, float]:
    """Return order lines and positions per second, from played and dense games."""
    cases, lines, took = play_scripted_games(map_name)
    verdicts, reasons = _rates([json.dumps(case) for case in cases] * 4, map_name)
    dense_verdicts, dense_reasons = _rates(dense(map_name), map_name)
    return {
        "lines": lines / took,
        "positions": verdicts,
        "positions_reasons": reasons,
        "dense": dense_verdicts,
        "dense_reasons": dense_reasons,
    }


def _rates(texts: list[str], map_name: str) -> tuple[float, float]:
    """Return positions per second, with verdicts alone and with all reasons.

    Both are the best of three.
    """
    found = [adjudicating.bench(texts, map_name) for _ in range(3)]
    return max(one.verdicts for one in found), max(one.reasons for one in found)


def house(folder: Path, name: str) -> Rig:
    """Return a judge on a database of its own."""
    url = f"sqlite:///{folder}/{name}.sqlite3"
    return Rig(Config(store=StoreSection(url)))


def deadline(folder: Path) -> float:
    """Return the seconds from a full Youngstown deadline to the last report queued."""
    rig = due_game(folder, "deadline")
    began = time.perf_counter()
    rig.resolving.tick(_due(rig))
    took = time.perf_counter() - began
    reports_of(rig)
    rig.close()
    return took


def reports_of(rig: Rig) -> list[Outgoing]:
    """Return the results letters: one for each player, the master and the observer."""
    reports = [out for out in newest_out(rig.application.post, 100) if out.kind == "results"]
    assert len(reports) >= 12
    return reports


def due_game(folder: Path, name: str) -> Rig:
    """Return a judge with a full Youngstown game that is to be adjudicated now."""
    rig = house(folder, name)
    letters = [power.letter for power in board("youngstown").powers]
    rig.mail("gm@example.org", "CREATE ?marco gmsecret youngstown")
    for letter in letters:
        text = f"SIGNON ?marco secret{letter}\nSET PREFERENCE {letter}"
        rig.mail(f"{letter.lower()}@example.org", text)
    rig.mail("eve@example.org", "OBSERVE marco")
    position = load_position(json.loads(game_of(rig).position))
    on = board("youngstown")
    for power in on.powers[:-1]:
        orders = orders_for(on, position, power.name, Luck(1, 1, power.name))
        text = "\n".join(order_text(order) for order in orders)
        seats = rig.application.games.seats(game_of(rig).id)
        seat = next(s for s in seats if s.power == power.name)
        rig.mail(
            seat.address, f"SIGNON {power.letter}marco secret{seat.address[0].upper()}\n{text}"
        )
    to_the_end_of_its_grace(rig)
    return rig


def to_the_end_of_its_grace(rig: Rig) -> None:
    """Advance to the end of the grace period, at which the phase is played."""
    while (game := game_of(rig)).due != game.grace_until:
        rig.clock.set(_due(rig))
        rig.resolving.tick(_due(rig))
    rig.clock.set(_due(rig))


def _due(rig: Rig) -> datetime:
    due = game_of(rig).due
    assert due is not None
    return due


def game_of(rig: Rig) -> GameRecord:
    """Return the game that was made."""
    found = rig.application.games.find("marco")
    assert found is not None
    return found


def measure_resolving(folder: Path, many: int, due: int = 10) -> float:
    """Return the seconds to process *due* due games while *many* games are stored."""
    rig = house(folder, f"stored-{many}")
    rig.mail("gm@example.org", "CREATE ?marco gmsecret standard\nSTART")
    games, model = rig.application.games, game_of(rig)
    turns = games.turns(model.id)
    assert model.due is not None
    with rig.application.store.transaction():
        for number in range(many):
            when = model.due if number < due else model.due + FAR
            copy = games.add(replace(model, id=0, name=f"g{number}", due=when, deadline=when))
            assert copy is not None
            games.add_seat(
                Seat(0, copy.id, Role.MASTER, SeatState.OCCUPIED, address=f"gm{number}@example.org")
            )
            for turn in turns:
                games.add_turn(replace(turn, game=copy.id))
        games.save(replace(model, due=model.due + FAR, deadline=model.due + FAR))
    rig.clock.set(model.due)
    began = time.perf_counter()
    attended = rig.resolving.tick(model.due)
    took = time.perf_counter() - began
    assert attended == due, attended
    rig.close()
    return took
