"""Scripted sides, which write their orders as the lines of a player.

`play` has two scripts play a game to its end through the order language.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from judge.dice import Dice
from judge.games import find_system
from judge.games.yorktown.default_orders.marching import FAR, brought, costs_to
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    GLOUCESTER,
    YORKTOWN,
    Counter,
    CounterKind,
    counters_of,
    hexes,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import ALL, on_edge
from judge.games.yorktown.rules.orders import MarchOrder, Order, PlacementOrder, order_text
from judge.games.yorktown.rules.state import SiegePosition, Step, load
from judge.games.yorktown.views.moments import POWERS
from judge.model.incoming import Line

Script = Callable[[SiegePosition], Sequence[Order]]
FAR_WEST = "0512"
REDOUBTS = tuple(name for name in ALL if hexes()[name].feature == "redoubt")


class Outcome(NamedTuple):
    """Result of a scripted game: the last position, the end and the number of steps."""

    position: SiegePosition
    end: str
    winners: tuple[str, ...]
    steps: int


def play(scripts: Mapping[str, Script], options: Mapping[str, object]) -> Outcome:
    """Play a game line by line to its end. No line may be refused."""
    system = find_system("yorktown")
    position = system.initial_position("yorktown", options, Dice(bytes(32), 0))
    sheets: dict[str, str] = {}
    for number in range(1, 200):
        table = system.table("yorktown", position, options)
        side = load(position).moment.side
        texts = [*map(order_text, scripts[side](load(position))), "done"]
        lines = [Line(n, text) for n, text in enumerate(texts, 1)]
        read = table.read_orders(lines, POWERS[side], sheets)
        assert [line.complaint for line in read.lines if line.complaint] == []
        found = table.adjudicate({**sheets, **read.sheets}, Dice(bytes(32), number))
        position, sheets = found.after, dict(found.carried)
        if found.ending:
            end = found.ending
            return Outcome(load(position), end.reason.code, end.winners, number)
    raise AssertionError("the game comes to no end")


def idle(position: SiegePosition) -> Sequence[Order]:
    """Return no orders."""
    return ()


def marching_out(position: SiegePosition) -> Iterator[Order]:
    """AP: march all units in Yorktown to the west edge, and leave the map there."""
    if position.moment.step is not Step.MOVE:
        return
    field = StepState(position)
    edge = costs_to(frozenset(name for name in ALL if on_edge(name, "W")))
    for counter in _south(field, AP):
        unit = field.units[counter.key]
        if on_edge(unit.at, "W"):
            yield MarchOrder(counter.order_id, leaves="W")
        elif order := brought(field, counter, lambda name: edge.get(name, FAR), 0):
            yield order


def leaving_the_town(position: SiegePosition) -> Iterator[Order]:
    """AP: occupy the redoubts, and leave Yorktown empty step by step."""
    if position.moment.step is Step.SETUP:
        foot = [c for c in counters_of(AP) if c.kind.is_combat][3:]
        places = [name for name in REDOUBTS for _ in range(2)] + [*town_hexes(YORKTOWN)]
        for counter, at in zip(foot, places, strict=False):
            yield PlacementOrder(counter.order_id, at)
    if position.moment.step is not Step.MOVE:
        return
    field = StepState(position)
    away = costs_to(frozenset({FAR_WEST}))
    for counter in _south(field, AP):
        if hexes()[field.units[counter.key].at].feature == "redoubt":
            continue
        if order := brought(field, counter, lambda name: away.get(name, FAR), 0):
            yield order


def marching_in(position: SiegePosition) -> Iterator[Order]:
    """FA: approach from the south, wait until the town is empty, and enter its gates."""
    if position.moment.step is not Step.MOVE:
        return
    field = StepState(position)
    town = frozenset(town_hexes(YORKTOWN))
    inside = costs_to(frozenset(name for name in town if not field.all_in(name)))
    ready = position.moment.day >= 5 and not any(field.enemies_in(name, FA) for name in town)

    def worse(name: str) -> float:
        if name in town:
            return -inside.get(name, FAR) if ready else FAR
        return abs(inside.get(name, FAR) - (0 if ready else 12))

    for counter in counters_of(FA):
        unit = field.units[counter.key]
        if counter.nation == "US" and counter.kind is CounterKind.INF and unit.at not in town:
            if order := brought(field, counter, worse, 0):
                yield order


def _south(field: StepState, side: str) -> Iterator[Counter]:
    """Yield a side's combat units outside Gloucester Point, the western first."""
    found = [counter for counter, _ in field.on_map(side) if counter.kind.is_combat]
    for counter in sorted(found, key=lambda c: field.units[c.key].at):
        if field.units[counter.key].at not in town_hexes(GLOUCESTER):
            yield counter
