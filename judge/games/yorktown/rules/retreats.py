"""Retreats by the owner's standing orders or by default (Y-72 to Y-76)."""

from collections.abc import Mapping, Sequence

from judge.games.yorktown.rules.board import (
    FA,
    GLOUCESTER,
    YORKTOWN,
    Counter,
    counters,
    hexes,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import eliminate
from judge.games.yorktown.rules.hexes import NEIGHBOURS, distance, neighbours, opposite, side_to
from judge.games.yorktown.rules.orders import RetreatAll, RetreatPreference, Standing
from judge.games.yorktown.rules.walking import terrain_fault

SECTION = "combat"


def open_retreats(
    field: StepState, key: str, closed: Sequence[str] = (), *, is_last: bool
) -> list[str]:
    """Return the hexes a unit may retreat to in one step, except *closed* (Y-73).

    They are land hexes on the map, free, enterable, out of enemy zones, and not across the wall of
    a fort hex without a road. In the last step a hex with room is free enough.
    """
    counter, at = counters()[key], field.units[key].at
    return [
        name for name in neighbours(at)
        if name not in closed and _is_open(field, counter, at, name, is_last=is_last)
    ]


def _is_open(field: StepState, counter: Counter, at: str, name: str, *, is_last: bool) -> bool:
    if terrain_fault(field, counter, at, name):
        return False
    if not (field.is_free(name) or (is_last and field.has_room(name, counter.side))):
        return False
    if name in field.walls_on(at, name) and not hexes()[name].roads:
        return False
    return not field.zone_owners(name, counter.side)


def retreat(
    field: StepState,
    key: str,
    steps: int,
    foes: Sequence[str],
    standing: Mapping[str, Sequence[Standing]],
    *,
    dies: bool = True,
) -> None:
    """Retreat a unit by *steps* hexes. Eliminate it if it has no path (Y-75).

    Without *dies* it stays instead.
    """
    counter = counters()[key]
    way = [field.units[key].at]
    for number in range(steps):
        is_last = number == steps - 1
        closed = way[:1] if field.rules > 1 else []
        open_to = open_retreats(field, key, closed, is_last=is_last)
        if not open_to and not is_last:
            # A redoubt with one friendly unit may end the retreat early.
            open_to, is_last = open_retreats(field, key, closed, is_last=True), True
        if not open_to:
            break
        to = _find_wished_hex(field, counter, open_to, standing) or _default(
            field, key, open_to, foes
        )
        field.place(key, to)
        way.append(to)
        if is_last:
            break
    if len(way) > 1:
        field.told.ways.append((key, tuple(way)))
        field.record_event(SECTION, "retreated", unit=counter.order_id, path="-".join(way))
    elif dies:
        field.record_event(SECTION, "no-retreat", unit=counter.order_id, at=way[0])
        field.told.fought.append((way[0], key))
        eliminate(field, key, SECTION)
    else:
        field.record_event(SECTION, "stays-put", unit=counter.order_id, at=way[0])


def _find_wished_hex(
    field: StepState,
    counter: Counter,
    open_to: Sequence[str],
    standing: Mapping[str, Sequence[Standing]],
) -> str:
    """Return the first open hex in the owner's orders, or an empty string.

    The unit's own list is read before the list for all units.
    """
    orders = standing.get(counter.side, ())
    at = field.units[counter.key].at
    wishes: list[str] = []
    for order in orders:
        if isinstance(order, RetreatPreference) and order.unit == counter.order_id:
            wishes += order.to
    for order in orders:
        if isinstance(order, RetreatAll):
            wishes += [NEIGHBOURS[at][side] for side in order.sides]
    return next((name for name in wishes if name in open_to), "")


def _default(field: StepState, key: str, open_to: Sequence[str], foes: Sequence[str]) -> str:
    """Return the hex a unit retreats to without a standing order (Y-74)."""
    unit = field.units[key]
    where = [field.units[foe].at for foe in foes if field.units[foe].on_map]
    town = field.fort_of(unit.at)
    homes = _homes(counters()[key], unit.at)
    back = opposite(unit.facing)

    def merits(name: str) -> tuple[int, bool, int, int]:
        far = min((distance(name, foe) for foe in where), default=0)
        side = side_to(unit.at, name)
        assert side is not None
        home = min(distance(name, home) for home in homes)
        return -far, name not in town, home, (side - back) % 6

    return min(open_to, key=merits)


def _homes(counter: Counter, at: str) -> Sequence[str]:
    """Return the home hexes of a unit (Y-74).

    They are those of its nearer town (AP), or of the map edge it enters by (FA).
    """
    if counter.side != FA:
        towns = (town_hexes(YORKTOWN), town_hexes(GLOUCESTER))
        return min(towns, key=lambda town: min(distance(at, name) for name in town))
    if at in north_bank():
        return [name for name in hexes() if name[2:] == "01"]
    if counter.nation == "US":
        return [name for name in hexes() if name[2:] == "24"]
    return [name for name in hexes() if name[:2] == "01"]
