"""The engine and the `diplomacy` package: legal orders, processing, whole phases."""

import random
import time
import warnings
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

from judge.diplomacy import State, compat
from judge.diplomacy.saved import state_of

GAMES = 6
PHASES = 60
ROUNDS = 3

T = TypeVar("T")


class Watch:
    """Stopwatch that adds up processor seconds by name."""

    def __init__(self) -> None:
        self.took: dict[str, float] = {}

    def time_call(self, name: str, do: Callable[[], T]) -> T:
        """Run a function and add its time to a name."""
        began = time.process_time()
        found = do()
        self.took[name] = self.took.get(name, 0.0) + time.process_time() - began
        return found


def engines() -> dict[str, dict[str, float]] | None:
    """Return microseconds per phase for each engine and part.

    Each is the least of some rounds. None if the package is not installed. All three play the same
    states and orders.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            package = import_module("diplomacy")
    except ImportError:
        return None
    found: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        for name, costs in _round(package).items():
            best = found.setdefault(name, costs)
            found[name] = {part: min(best[part], cost) for part, cost in costs.items()}
    return found


def _round(package: Any) -> dict[str, dict[str, float]]:
    watches = {"diplomacy": Watch(), "judge": Watch(), "compat": Watch()}
    played: list[tuple[dict[str, Any], dict[str, list[str]]]] = []
    for seed in range(GAMES):
        luck, theirs = random.Random(seed), package.Game()
        for _ in range(PHASES):
            if theirs.is_game_done:
                break
            told = theirs.get_state()
            played.append((told, _play_random_phase(watches["diplomacy"], theirs, luck)))
    theirs = watches["diplomacy"].took
    theirs["whole phases"] = theirs["legal orders"] + theirs["processing"]
    for part in theirs:
        states = [(state_of(told, "standard", told["name"]), orders) for told, orders in played]
        for state, orders in states:
            watches["judge"].time_call(part, partial(_OURS[part], state, orders))
        game = compat.Game()
        for told, orders in played:
            game.set_state(told)
            watches["compat"].time_call(part, partial(_COMPAT[part], game, orders))
    return {
        name: {part: 1e6 * took / len(played) for part, took in watch.took.items()}
        for name, watch in watches.items()
    }


def _play_random_phase(watch: Watch, game: Any, luck: random.Random) -> dict[str, list[str]]:
    """Play a phase of the package with random legal orders and return the orders."""
    able = watch.time_call("legal orders", game.get_all_possible_orders)
    orders = {
        power: [luck.choice(sorted(able[place])) for place in places if able[place]]
        for power, places in game.get_orderable_locations().items()
    }
    watch.time_call("processing", lambda: _play(game, orders))
    return orders


def _play(game: Any, orders: dict[str, list[str]]) -> None:
    for power, texts in orders.items():
        game.set_orders(power, texts)
    game.process()


def _legal(state: State, orders: dict[str, list[str]]) -> None:
    state.legal_orders()


def _adjudicate_phase(state: State, orders: dict[str, list[str]]) -> None:
    """Play a phase and read all outcomes, as the package reports them."""
    result = state.adjudicate(orders)
    for verdicts in result.verdicts.values():
        for verdict in verdicts:
            verdict.outcomes  # noqa: B018
    result.state  # noqa: B018


def _phase(state: State, orders: dict[str, list[str]]) -> None:
    _legal(state, orders)
    _adjudicate_phase(state, orders)


def _possible(game: compat.Game, orders: dict[str, list[str]]) -> None:
    game.get_all_possible_orders()


def _turn(game: compat.Game, orders: dict[str, list[str]]) -> None:
    _possible(game, orders)
    _play(game, orders)


_OURS = {"legal orders": _legal, "processing": _adjudicate_phase, "whole phases": _phase}
_COMPAT = {"legal orders": _possible, "processing": _play, "whole phases": _turn}


def lines(found: dict[str, dict[str, float]] | None) -> list[str]:
    """Return the figures as lines of text."""
    if found is None:
        return ["the diplomacy package is not measured: it is not installed"]
    told = [f"{'engines, µs a phase':34}" + "".join(f"{name:>16}" for name in found)]
    for part in found["diplomacy"]:
        told.append(f"  {part:32}" + "".join(f"{found[name][part]:16,.0f}" for name in found))
    for name in ("judge", "compat"):
        ratios = ", ".join(f"{part} {found['diplomacy'][part] / cost:.1f}"
                           for part, cost in found[name].items())
        told.append(f"  times as fast as diplomacy, {name}: {ratios}")
    return told
