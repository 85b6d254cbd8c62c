"""Time of the bots' orders compared with a Youngstown deadline in the same run.

`python -m tests.bench.bots` prints these figures alone. The Youngstown phase is one of a game that
bots have played for some years. The games of Nations 1940 and Yorktown are whole games of bots.
"""

import tempfile
import time
from itertools import islice
from pathlib import Path
from statistics import median

from judge.board.position import PhaseKind
from judge.dice import BotRandom, Dice
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.bots import bot_orders
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.nations1940.rules.settings import Settings
from judge.games.yorktown.bots import bot_orders as yorktown_orders
from tests.bench.rulings import due_game, game_of, reports_of
from tests.games.diplomacy.bot_games import game
from tests.games.nations1940.bot_games import play
from tests.games.yorktown.test_bots import steps

YEARS = 5
ROUNDS = 5
BOUND = 2.0
"""Maximal ratio of the time for the orders of all bots to that of a deadline."""
NATIONS_BOUND = 0.5
"""The same for one bot's turn of Nations 1940 (20 ms if a deadline takes 40)."""
YORKTOWN_BOUND, YORKTOWN_MAX_BOUND = 1.25, 25.0
"""The same for a step of Yorktown: the median (50 ms) and the longest (1 s)."""
NATIONS_TURNS = 60


def _orders_took() -> float:
    """Return the processor seconds for the orders of all powers."""
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
            bot_orders(on, position, power.name, Rules(), BotRandom(dice, power.letter))
        took.append(time.process_time() - began)
    return median(took)


def _deadline_took(folder: Path, name: str) -> float:
    """Return the processor seconds from a deadline to the last report queued."""
    rig = due_game(folder, name)
    due = game_of(rig).due
    assert due is not None
    began = time.process_time()
    rig.resolving.tick(due)
    took = time.process_time() - began
    reports_of(rig)
    rig.close()
    return took


def _steps_took() -> list[float]:
    """Return the processor seconds for each step of a game of Yorktown."""
    return sorted(took for _, _, took in steps(1, yorktown_orders, yorktown_orders))


def bots(folder: Path) -> dict[str, float]:
    """Return milliseconds of the deadline and of bots, and their ratios."""
    deadline = 1000 * median(_deadline_took(folder, f"bots-{number}") for number in range(3))
    orders = 1000 * _orders_took()
    nations = 1000 * median(play(1, Settings(), turns=NATIONS_TURNS).seconds)
    yorktown = _steps_took()
    step, longest = 1000 * median(yorktown), 1000 * yorktown[-1]
    return {
        "orders_ms": orders, "deadline_ms": deadline, "ratio": orders / deadline,
        "nations_ms": nations, "nations_ratio": nations / deadline,
        "yorktown_ms": step, "yorktown_ratio": step / deadline,
        "yorktown_max_ms": longest, "yorktown_max_ratio": longest / deadline,
    }  # fmt: skip


def format_bots(found: dict[str, float]) -> str:
    """Return the figures as lines."""
    return (
        f"ten bots' orders for a Youngstown phase: {found['orders_ms']:.1f} ms of the processor,"
        f" {found['ratio']:.2f} times a deadline ({found['deadline_ms']:.0f} ms;"
        f" allowed: {BOUND:.0f})\n"
        f"a bot's turn of Nations 1940: {found['nations_ms']:.1f} ms,"
        f" {found['nations_ratio']:.3f} times a deadline (allowed: {NATIONS_BOUND:.1f})\n"
        f"a bot's step of Yorktown: {found['yorktown_ms']:.1f} ms,"
        f" {found['yorktown_ratio']:.3f} times a deadline (allowed: {YORKTOWN_BOUND:.2f});"
        f" the longest {found['yorktown_max_ms']:.0f} ms, {found['yorktown_max_ratio']:.2f} times"
        f" (allowed: {YORKTOWN_MAX_BOUND:.0f})"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as place:
        print(format_bots(bots(Path(place))))
