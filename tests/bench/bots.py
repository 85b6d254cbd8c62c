"""The orders of ten bots for a Youngstown phase beside the work of a deadline, in the same run.

`python -m tests.bench.bots` prints both alone. The phase is one of a game that bots have played for
some years, so that there is something to decide.
"""

import tempfile
import time
from itertools import islice
from pathlib import Path
from statistics import median

from judge.board.position import PhaseKind
from judge.dice import Dice, Luck
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.standins import bot_orders
from tests.bench.rulings import due_game, game_of, reports_of
from tests.games.diplomacy.bot_games import game

YEARS = 5
ROUNDS = 5
BOUND = 2.0
"""How many times the work of a deadline the orders of all bots may take."""


def _orders_took() -> float:
    """Return the seconds of the processor for the orders of all powers."""
    on = board("youngstown")
    names = [power.name for power in on.powers]
    played = (each.position for each in game(on, names, 7, years=YEARS + 1))
    movements = (one for one in played if one.phase.kind is PhaseKind.MOVEMENT)
    position = next(islice(movements, 2 * YEARS, None))
    took = []
    for number in range(ROUNDS):
        dice = Dice(bytes(32), number)
        began = time.process_time()
        for power in on.powers:
            bot_orders(on, position, power.name, Rules(), Luck(dice, power.letter))
        took.append(time.process_time() - began)
    return median(took)


def _deadline_took(folder: Path, name: str) -> float:
    """Return the seconds of the processor from a deadline to the last report queued."""
    rig = due_game(folder, name)
    due = game_of(rig).due
    assert due is not None
    began = time.process_time()
    rig.resolving.tick(due)
    took = time.process_time() - began
    reports_of(rig)
    rig.close()
    return took


def bots(folder: Path) -> dict[str, float]:
    """Return the milliseconds of both, and what part of the one the other is."""
    deadline = 1000 * median(_deadline_took(folder, f"bots-{number}") for number in range(3))
    orders = 1000 * _orders_took()
    return {"orders_ms": orders, "deadline_ms": deadline, "ratio": orders / deadline}


def told(found: dict[str, float]) -> str:
    """Return the figures as a line."""
    return (
        f"ten bots' orders for a Youngstown phase: {found['orders_ms']:.1f} ms of the processor,"
        f" {found['ratio']:.2f} times a deadline ({found['deadline_ms']:.0f} ms;"
        f" allowed: {BOUND:.0f})"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as place:
        print(told(bots(Path(place))))
