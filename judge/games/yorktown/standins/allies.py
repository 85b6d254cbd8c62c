"""FA by rule: it digs, brings its guns into the works, batters a breach, and storms with its foot.

Until the storm foot keeps out of reach of the guns. A commander stays behind with a unit that does
not come at all: his death would cost more than he adds.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from judge.games.yorktown.rules.assaults import attack_fault, differential
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    YORKTOWN,
    Counter,
    Kind,
    Terrain,
    counters,
    counters_of,
    hexes,
    hits_at,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import IN_REDOUBT, Field
from judge.games.yorktown.rules.fire import REACH, range_to
from judge.games.yorktown.rules.hexes import ALL, distance, neighbours
from judge.games.yorktown.rules.orders import Enter, Join, March, Order
from judge.games.yorktown.rules.state import OFF, Position
from judge.games.yorktown.rules.strength import factor_now
from judge.games.yorktown.standins.assault import attacks
from judge.games.yorktown.standins.marching import FAR, brought, costs_to, is_foot

BREACH = "1412"
"""The part of the walls that the guns gather round."""
DIG = (6, 8)
"""How far from the breach redoubts are dug."""
NEAR = 8
"""How far from the breach a gun may well stand."""
STORM_DAY, LAST_DAY = 11, 15
"""When the town may be stormed, and when it is, however few are there."""
ENOUGH, WORN = 9, 9
"""So many foot near the walls are enough; so few defenders of the town are an invitation."""
WORTH_IT, HOLD = 8, 0
"""The differential at which an attack is made, and at which a unit goes into the town, where it
must attack."""
STAGE = 5
"""How many points from the walls foot waits for the rest."""
GUARDS = {"US": "FA-INF12", "FR": "FA-ART25"}
"""Who stays off the map with the commander of a nation."""
NORTH = 0


def moves(position: Position) -> Sequence[Order]:
    """Return the orders of a MOVE step: who can attack where it stands stays, the others move, and
    then all attack who can."""
    field = Field(position)
    busy = {unit for attack in attacks(field, FA, WORTH_IT) for unit in attack.units}
    idle = [counter for counter in _movable(field) if counter.order_id not in busy]
    foot = [counter for counter in idle if is_foot(counter)]
    orders: list[Order] = [
        *_staff(field),
        *_dig_and_bring_guns(field, [counter for counter in idle if not is_foot(counter)]),
        *(_storm(field, foot) if _is_time(field) else _wait(field, foot)),
    ]
    return [*orders, *attacks(field, FA, WORTH_IT)]


def _movable(field: Field) -> list[Counter]:
    """Return who may move, those ahead first: they make room for those behind."""
    found = []
    for counter in counters_of(FA):
        unit = field.units[counter.key]
        if not counter.kind.is_combat or counter.key in GUARDS.values():
            continue
        is_coming = unit.at == OFF and counter.setup.startswith("enter")
        is_here = unit.on_map and not unit.shots and unit.at not in north_bank()
        if is_coming or is_here:
            found.append(counter)
    ahead = costs_to(frozenset(town_hexes(YORKTOWN)))
    return sorted(found, key=lambda c: (ahead.get(field.units[c.key].at, FAR), -c.move, c.key))


def _staff(field: Field) -> Iterator[Join]:
    """Have commanders stay behind with those who do not enter."""
    for counter in counters_of(FA):
        if counter.kind is Kind.CMD and field.units[counter.key].at == OFF:
            host = GUARDS[counter.nation]
            if field.units[counter.key].attached != host:
                yield Join(counter.order_id, counters()[host].order_id)


def _wait(field: Field, foot: Sequence[Counter]) -> Iterator[March | Enter]:
    """Keep foot where guns do not reach it, as near to the town as that allows."""
    for counter in foot:
        order = brought(field, counter, lambda name: _exposed(field, name), NORTH)
        if order:
            yield order


def _exposed(field: Field, name: str, *, guns: bool = False) -> float:
    """Return how much worse a hex is to wait in: shot at first of all, then far from the town."""
    shot_at = sum(
        counter.shots * sum(hits_at(max(1, far))) / 6
        for counter, unit in field.on_map(AP)
        if counter.shots and (far := range_to(unit, name)) <= REACH
    )
    return 10 * shot_at + costs_to(frozenset(town_hexes(YORKTOWN)), guns=guns).get(name, FAR)


def _dig_and_bring_guns(field: Field, units: Sequence[Counter]) -> Iterator[March | Enter]:
    """Have pioneers go to sites and dig, and guns go into works."""
    for counter in units:
        unit = field.units[counter.key]
        if counter.kind is Kind.ART:
            order = None if _is_in_works(field, unit.at) else _gun_order(field, counter)
        elif unit.on_map and (unit.still > 0 or _is_site(field, unit.at)):
            order = None
        else:
            order = _digging_order(field, counter)
        if order:
            yield order


def _digging_order(field: Field, counter: Counter) -> March | Enter | None:
    """Bring a pioneer to the nearest site that is free."""
    to = costs_to(frozenset(n for n in ALL if _is_site(field, n) and field.is_free(n)))
    return brought(field, counter, lambda name: to.get(name, FAR), NORTH)


def _gun_order(field: Field, counter: Counter) -> March | Enter | None:
    """Bring a gun to the nearest works by the breach; without any it keeps out of reach."""
    works = _works(field)
    if not works:
        return brought(field, counter, lambda name: _exposed(field, name, guns=True), NORTH)
    nearest = max(NEAR, min(distance(name, BREACH) for name in works))
    to = costs_to(frozenset(n for n in works if distance(n, BREACH) <= nearest), guns=True)
    return brought(field, counter, lambda name: to.get(name, FAR), NORTH)


def _is_in_works(field: Field, at: str) -> bool:
    return at != OFF and field.is_redoubt(at)


def _works(field: Field) -> list[str]:
    """Return the redoubts with room for a gun, out of the enemy's immediate reach."""
    return [
        name
        for name in ALL
        if field.is_redoubt(name)
        and name not in north_bank()
        and not any(field.enemies_in(near, FA) for near in (name, *neighbours(name)))
        and len(field.units_in(name)) < IN_REDOUBT
    ]


def _is_site(field: Field, name: str) -> bool:
    """Tell whether a redoubt may well be dug in a hex."""
    if hexes()[name].terrain not in (Terrain.CLEAR, Terrain.WOODS) or name in north_bank():
        return False
    if hexes()[name].feature or not DIG[0] <= distance(name, BREACH) <= DIG[1]:
        return False
    near = [name, *neighbours(name)]
    return not any(field.enemies_in(n, FA) or field.is_redoubt(n) for n in near)


def _is_time(field: Field) -> bool:
    """Tell whether the town is to be stormed now."""
    held = sum(bool(field.enemies_in(name, FA)) for name in town_hexes(YORKTOWN))
    return field.moment.day >= STORM_DAY or held <= WORN


def _storm(field: Field, foot: Sequence[Counter]) -> Iterator[March | Enter]:
    """Bring foot to the walls, all in the same turn and the strongest first, and into gaps where it
    can hold its own; until enough are near they wait for each other."""
    inside = {name for name in town_hexes(YORKTOWN) if not field.enemies_in(name, FA)}
    walls = _outside_walls(field)
    to = costs_to(frozenset(walls))
    at = {counter.key: field.units[counter.key].at for counter in foot}
    near = [counter for counter in foot if to.get(at[counter.key], FAR) <= STAGE]
    there = sum(name in inside | walls for name in at.values())
    goes = there >= 3 or len(near) >= max(ENOUGH, len(foot) * 2 // 3)
    goes = goes or field.moment.day >= LAST_DAY

    def worse(counter: Counter, name: str) -> float:
        if name in inside:
            return -50 if _odds_inside(field, counter, name) >= HOLD else FAR
        if goes and name in walls:
            return -20 - _friends_beside(field, name)
        return abs(to.get(name, FAR) - (2 if goes else STAGE))

    for counter in sorted(foot, key=lambda c: (c not in near, -factor_now(field, c.key))):
        if at[counter.key] in inside:
            continue
        if goes and at[counter.key] in walls and not _gap(field, counter, inside):
            continue
        order = brought(field, counter, partial(worse, counter), NORTH)
        if order:
            yield order


def _outside_walls(field: Field) -> set[str]:
    """Return the hexes outside Yorktown's walls that units of FA may be in."""
    town = town_hexes(YORKTOWN)
    return {
        name
        for each in town
        for name in neighbours(each)
        if hexes()[name].terrain is not Terrain.RIVER
        and name not in town
        and not field.enemies_in(name, FA)
    }


def _gap(field: Field, counter: Counter, inside: set[str]) -> bool:
    """Tell whether a hex of the town is open in which a unit can hold its own."""
    free = (name for name in inside if field.is_free(name))
    return any(_odds_inside(field, counter, name) >= HOLD for name in free)


def _odds_inside(field: Field, counter: Counter, name: str) -> int:
    """Return the best differential of an attack that a unit may make from a hex of the town."""
    before = field.units[counter.key]
    field.place(counter.key, name)
    foes = [
        other
        for other in neighbours(name)
        if any(counters()[key].side == AP for key in field.units_in(other))
        and attack_fault(field, counter.key, other) is None
    ]
    odds = [differential(field, [other], _attackers(field, other)) for other in foes]
    field.put(counter.key, at=before.at, still=before.still)
    return max(odds, default=FAR)


def _attackers(field: Field, name: str) -> list[str]:
    """Return FA's units that may attack a hex from where they stand."""
    return [
        key
        for near in neighbours(name)
        for key in field.units_in(near)
        if counters()[key].side == FA and attack_fault(field, key, name) is None
    ]


def _friends_beside(field: Field, name: str) -> int:
    """Return how many units of FA stand beside a hex."""
    return sum(
        counters()[key].side == FA for near in neighbours(name) for key in field.units_in(near)
    )
