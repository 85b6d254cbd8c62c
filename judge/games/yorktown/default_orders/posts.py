"""Default set-up of AP.

The best foot is at the walls, guns are behind it, and the rest is in redoubts.
"""

from collections.abc import Iterator, Sequence

from judge.games.yorktown.rules.board import AP, Counter, CounterKind, counters_of
from judge.games.yorktown.rules.orders import JoinOrder, Order, PlacementOrder

GLOUCESTER_POSTS = ("1505", "1605", "1606")
QUIET = ("1411", "1511", "1611", "1711")
"""Hexes of Yorktown at the water, for guns."""
WALLS = ("1612", "1812", "1312", "1412", "1512", "1712", "1311", "1811")
"""Hexes of Yorktown with walls, the gates first."""
WORKS = ("1613", "1613", "1316", "1316", "2014", "2014", "1116", "1116", "1011")
"""Redoubts, the nearest to the town first. Most of them take two units."""
MOORINGS = (("1308", "1309"), ("1808", "1809"))
NORTH, SOUTH = 0, 3


def posts(side: str) -> Sequence[Order]:
    """Return the set-up orders of a side.

    FA has none: its three units are placed by the rules.
    """
    return [*_garrison()] if side == AP else []


def _garrison() -> Iterator[Order]:
    foot = sorted(
        (c for c in counters_of(AP) if c.kind in (CounterKind.INF, CounterKind.CAV)), key=_rank
    )
    guns = [c for c in counters_of(AP) if c.kind is CounterKind.ART]
    pioneers = [c for c in counters_of(AP) if c.kind is CounterKind.PIO]
    ships = [c for c in counters_of(AP) if c.kind is CounterKind.FRIG]
    middling = foot[len(WALLS) : len(WALLS) + len(GLOUCESTER_POSTS)]
    rest = [c for c in (*foot[len(WALLS) :], *pioneers) if c not in middling]
    yield from _place_units(middling, GLOUCESTER_POSTS, NORTH)
    yield from _place_units(foot, WALLS, SOUTH)
    yield from _place_units(guns, QUIET, SOUTH)
    yield from _place_units(rest, WORKS, SOUTH)
    for counter, (stern, bow) in zip(ships, MOORINGS, strict=True):
        yield PlacementOrder(counter.order_id, stern, bow)
    for counter in counters_of(AP):
        if counter.kind is CounterKind.CMD:
            safe = (c for c in middling if c.nation == counter.nation)
            yield JoinOrder(counter.order_id, next(safe, guns[0]).order_id)


def _place_units(
    units: Sequence[Counter], hexes: Sequence[str], face: int
) -> Iterator[PlacementOrder]:
    for counter, at in zip(units, hexes, strict=False):
        yield PlacementOrder(counter.order_id, at, face=face)


def _rank(counter: Counter) -> tuple[int, str]:
    return -counter.combat, counter.key
