"""Single steps of land units: their costs, and why they fail (Y-23 to Y-29)."""

import heapq
from collections.abc import Callable, Iterable, Iterator

from judge.games.yorktown.rules.board import (
    FA,
    Counter,
    CounterKind,
    HexTerrain,
    counters,
    hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import ALL, distance, neighbours, side_to
from judge.model.phrase import Phrase, phrase

FRENCH_ENTRY = "0118"
ENTRY_ROW = "24"


def terrain_fault(field: StepState, counter: Counter, before: str, to: str) -> Phrase | None:
    """Return why a land unit can never step between two hexes, or None (Y-4, Y-23)."""
    if before and side_to(before, to) is None:
        return phrase("ye04", at=before, to=to)
    terrain = hexes()[to].terrain
    if terrain is HexTerrain.RIVER:
        return phrase("ye09", at=to)
    if counter.kind is CounterKind.ART and terrain is HexTerrain.MARSH:
        is_paved = field.is_road(before, to) if before else bool(hexes()[to].edge)
        return None if is_paved else phrase("ye10", unit=counter.order_id)
    return None


def wall_fault(field: StepState, before: str, to: str, *, is_first: bool) -> Phrase | None:
    """Return why a wall keeps a unit from a step, or None (Y-26).

    A wall is free if the fort hex that owns it has a road, or in the turn in which the redoubt was
    built (Y-27). Otherwise the step must be the first.
    """
    for owner in field.walls_on(before, to):
        is_new = field.redoubts.get(owner) == field.moment.turn
        if not (hexes()[owner].roads or is_new or is_first):
            return phrase("ye08", at=before, to=to)
    return None


def find_stacking_fault(
    field: StepState, counter: Counter, to: str, *, is_last: bool
) -> Phrase | None:
    """Return why the units in a hex close it to a unit, or None (Y-24)."""
    there = field.all_in(to)
    others = [key for key in there if key != counter.key and not _passes(counter, key)]
    if not others:
        return None
    if is_last and field.is_redoubt(to) and counters()[others[0]].side == counter.side:
        if field.has_room(to, counter.side):
            return None
        return phrase("ye07", at=to)
    return phrase("ye06", at=to, unit=counters()[others[0]].order_id)


def _passes(counter: Counter, key: str) -> bool:
    """Return whether a unit may share a hex with another one (Y-24, Y-32).

    It may if the other one is friendly and not a frigate, and one of the two is a commander.
    """
    other = counters()[key]
    is_friend = other.side == counter.side and other.kind is not CounterKind.FRIG
    return is_friend and CounterKind.CMD in (counter.kind, other.kind)


def step_cost(field: StepState, before: str, to: str) -> int:
    """Return the movement points of a step (Y-20).

    From off the map they are those of the first hex.
    """
    if before:
        return field.cost(before, to)
    return 1 if hexes()[to].edge else field.cost(to, to)


def is_engaged(field: StepState, owner: str, pending: Iterable[str], but: str) -> bool:
    """Return whether an enemy is engaged by another unit that will not move (Y-29)."""
    busy = {*pending, but}
    around = neighbours(field.units[owner].at)
    side = counters()[but].side
    return any(
        owner in field.zone_owners(name, side)
        for name in around
        for key in field.units_in(name)
        if counters()[key].side == side and counters()[key].kind.attacks and key not in busy
    )


def stopped_by(field: StepState, key: str, at: str, pending: Iterable[str]) -> str:
    """Return the enemy whose zone stops a unit in a hex, or an empty string (Y-29)."""
    for owner in field.zone_owners(at, counters()[key].side):
        if not is_engaged(field, owner, pending, key):
            return owner
    return ""


def entry_hexes(field: StepState, counter: Counter) -> tuple[str, ...]:
    """Return the hexes by which a unit may enter from off the map (Y-20, Y-21)."""
    if counter.side != FA:
        return ()
    if counter.nation == "US":
        return tuple(n for n in ALL if n[2:] == ENTRY_ROW and _is_land(n))
    if not field.enemies_in(FRENCH_ENTRY, FA):
        return (FRENCH_ENTRY,)
    column = [n for n in ALL if n[:2] == "01" and _is_land(n) and field.is_free(n)]
    return tuple(sorted(column, key=lambda n: (distance(n, FRENCH_ENTRY), n))[:1])


def _is_land(name: str) -> bool:
    return hexes()[name].terrain is not HexTerrain.RIVER


def find_path(
    field: StepState,
    counter: Counter,
    starts: Iterable[str],
    is_goal: Callable[[str], bool],
    points: int,
    pending: Iterable[str] = (),
) -> tuple[str, ...]:
    """Return the cheapest legal path of a unit to a goal, without its own hex.

    The path is empty if no goal can be reached. *starts* has the unit's own hex, or the hexes it
    may enter by.
    """
    ways = ways_within(field, counter, starts, points, pending)
    return next((path for here, path in ways if path and is_goal(here)), ())


def ways_within(
    field: StepState,
    counter: Counter,
    starts: Iterable[str],
    points: int,
    pending: Iterable[str] = (),
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every hex that a unit can reach, cheapest first, with its path.

    The path is that of `find_path`, and empty for the unit's own hex.
    """
    is_in = field.units[counter.key].on_map
    heap: list[tuple[int, tuple[str, ...]]] = []
    for start in starts:
        if is_in:
            heap.append((0, (start,)))
        elif _may_step(field, counter, "", start, is_first=False):
            heap.append((step_cost(field, "", start), (start,)))
    heapq.heapify(heap)
    done: set[str] = set()
    while heap:
        spent, path = heapq.heappop(heap)
        here = path[-1]
        if here in done or spent > points:
            continue
        done.add(here)
        yield here, path[1:] if is_in else path
        moved = len(path) > 1 or not is_in
        if moved and stopped_by(field, counter.key, here, pending):
            continue
        if moved and counter.kind is not CounterKind.CMD and field.units_in(here):
            continue
        for to in neighbours(here):
            if to not in done and _may_step(field, counter, here, to, is_first=not moved):
                heapq.heappush(heap, (spent + step_cost(field, here, to), (*path, to)))


def _may_step(field: StepState, counter: Counter, before: str, to: str, *, is_first: bool) -> bool:
    if terrain_fault(field, counter, before, to) or find_stacking_fault(
        field, counter, to, is_last=True
    ):
        return False
    return not before or wall_fault(field, before, to, is_first=is_first) is None
