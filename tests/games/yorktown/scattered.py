"""Positions and orders drawn by lot: units strewn about the town, told to do all that they could be
told, and much that they cannot do."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from judge.games.yorktown.rules.board import (
    AP,
    FA,
    YORKTOWN,
    Counter,
    Kind,
    Terrain,
    counters,
    counters_of,
    enemy_of,
    hexes,
    town_hexes,
)
from judge.games.yorktown.rules.hexes import ALL, distance, neighbours, on_edge
from judge.games.yorktown.rules.orders import (
    Attack,
    Board,
    Build,
    Enter,
    Fire,
    Hold,
    Join,
    Land,
    Losses,
    March,
    Order,
    Retreat,
    RetreatAll,
    Sail,
    Standing,
    Stay,
    WhenHit,
)
from judge.games.yorktown.rules.ships import berths
from judge.games.yorktown.rules.state import DEAD, LEFT, Moment, Position, Step, Unit, blank

_LAND = tuple(name for name in ALL if hexes()[name].terrain is not Terrain.RIVER)
_NEAR = tuple(name for name in _LAND if min(distance(name, at) for at in town_hexes(YORKTOWN)) < 5)
_BOATS = tuple(berth for berth in berths() if 8 < int(berth[0][:2]) < 22)
"""Berths before the town."""
_ENTRIES = tuple(name for name in _LAND if name[2:] == "24" or name[:2] == "01")


def strewn(seed: int) -> Position:
    """Return a position of some FIRE or MOVE step."""
    luck = Random(f"yorktown {seed}")
    side, step = (FA, AP)[seed % 2], (Step.FIRE, Step.MOVE)[seed // 2 % 2]
    moment = Moment(luck.randint(2, 20), side, step)
    units = dict(blank().units)
    redoubts = {at: luck.randint(1, 4) for at in luck.sample(_NEAR, 4)
                if hexes()[at].terrain is Terrain.CLEAR and not hexes()[at].feature}
    free = [*luck.sample(_NEAR, len(_NEAR)), *luck.sample(_LAND, 12)]
    for key, counter in counters().items():
        if counter.kind is Kind.FRIG:
            taken = {at for other in units.values() for at in other.hexes}
            berth = luck.choice([each for each in _BOATS if taken.isdisjoint(each)])
            units[key] = _put(luck, counter, moment, berth[0])._replace(bow=berth[1])
        elif counter.kind is not Kind.CMD:
            where = luck.choices((free.pop(0), DEAD, LEFT if counter.side == AP else "off"),
                                 (16, 3, 2))[0]
            units[key] = _put(luck, counter, moment, where) if where in ALL else Unit(at=where)
    _go_aboard(luck, units)
    for key, counter in counters().items():
        if counter.kind is Kind.CMD:
            hosts = [other for other in units if counters()[other].side == counter.side
                     and units[other].on_map and counters()[other].kind.is_combat
                     and all(units[each].attached != other for each in units)]
            host = luck.choice(hosts)
            tied = bool(units[host].marked) and luck.random() < 0.7
            units[key] = Unit(at=units[host].at, attached=host, tied=tied)
    return replace(blank(), moment=moment, units=units, redoubts=redoubts, drawn=seed)


def _put(luck: Random, counter: Counter, moment: Moment, at: str) -> Unit:
    """Return a unit in a hex, in some state."""
    unit = Unit(at=at, facing=luck.randrange(6))
    if luck.random() < 0.2:
        unit = unit._replace(marked=luck.choice((moment.day, 99)))
    if counter.kind is Kind.PIO:
        unit = unit._replace(still=luck.randint(0, 3))
    if counter.shots and moment.step is Step.MOVE and luck.random() < 0.4:
        unit = unit._replace(shots=1)
    if counter.kind is Kind.FRIG:
        grounded = luck.random() < 0.2
        unit = unit._replace(spent=15 if grounded else luck.choice((0, 0, 3, 14)),
                             grounded=grounded)
    return unit


def _go_aboard(luck: Random, units: dict[str, Unit]) -> None:
    """Have some of AP be on its ships."""
    ships = [key for key in units if counters()[key].kind is Kind.FRIG]
    foot = [key for key in units if counters()[key].side == AP and units[key].on_map
            and counters()[key].kind is Kind.INF]
    for key in luck.sample(foot, min(3, len(foot))):
        units[key] = Unit(at=luck.choice(ships))


def drawn_orders(seed: int, position: Position) -> list[Order]:
    """Return orders for the step of a position, in an order drawn by lot."""
    luck = Random(f"orders {seed}")
    side = position.moment.side
    makes = _fire if position.moment.step is Step.FIRE else _moves
    orders = [*makes(luck, position, side)]
    luck.shuffle(orders)
    return orders


def _fire(luck: Random, position: Position, side: str) -> Iterator[Order]:
    enemies = [unit.at for key, unit in position.units.items()
               if unit.on_map and counters()[key].side == enemy_of(side)]
    for counter in counters_of(side):
        if counter.kind is Kind.PIO:
            yield Build(counter.order_id)
        elif counter.kind is Kind.FRIG:
            yield Sail(counter.order_id, _steps(luck, enemies))
        elif counter.shots:
            at = position.units[counter.key].at
            near = sorted(enemies, key=lambda name: distance(name, at) if at in ALL else 0)
            yield Fire(counter.order_id, luck.choice(near[:4]))


def _steps(luck: Random, enemies: Sequence[str]) -> tuple[str, ...]:
    steps: list[str] = []
    for _ in range(luck.randint(1, 7)):
        steps += luck.choice((["F"], ["F"], ["L"], ["R"], ["F", "beach"],
                              [f"fire {luck.choice(enemies)}"]))
    return tuple(steps)


def _moves(luck: Random, position: Position, side: str) -> Iterator[Order]:
    enemies = {unit.at for key, unit in position.units.items()
               if unit.on_map and counters()[key].side == enemy_of(side)}
    for counter in counters_of(side):
        unit = position.units[counter.key]
        if counter.kind is Kind.CMD:
            yield from _of_staff(luck, position, counter)
        elif counter.kind is Kind.FRIG:
            yield Sail(counter.order_id, _steps(luck, sorted(enemies)))
        elif unit.ship:
            shore = neighbours(luck.choice(position.units[unit.ship].hexes))
            yield Land(counter.order_id, luck.choice(shore), luck.choice((None, 2)))
        elif not unit.on_map:
            yield Enter(counter.order_id, _path(luck, luck.choice(_ENTRIES), 3))
        elif luck.random() < 0.6:
            face = luck.choice((None, *range(6)))
            edge = next((each for each in "WES" if on_edge(unit.at, each)), "")
            yield March(counter.order_id, _path(luck, unit.at, 4)[1:], face, edge)
        elif side == AP and counter.kind.is_combat and luck.random() < 0.3:
            yield Board(counter.order_id, f"FRIG {luck.randint(1, 2)}")
        elif luck.random() < 0.1:
            yield Hold(counter.order_id)
    yield from _attacks(luck, position, side, sorted(enemies))


def _of_staff(luck: Random, position: Position, counter: Counter) -> Iterator[Order]:
    host = counters()[position.units[counter.key].attached]
    others = [each for each in counters_of(counter.side) if each.kind.is_combat]
    yield luck.choice((
        Stay(counter.order_id), Join(counter.order_id, luck.choice(others).order_id),
        Join(counter.order_id, host.order_id),
        March(counter.order_id, _path(luck, position.units[counter.key].at, 3)),
    ))


def _path(luck: Random, start: str, most: int) -> tuple[str, ...]:
    path = [start]
    for _ in range(luck.randint(1, most)):
        near = neighbours(path[-1])
        dry = [name for name in near if name in _LAND]
        path.append(luck.choice(dry if dry and luck.random() < 0.9 else near))
    return tuple(path)


def _attacks(
    luck: Random, position: Position, side: str, enemies: Sequence[str]
) -> Iterator[Attack]:
    for at in luck.sample(enemies, min(9, len(enemies))):
        near = [counters()[key].order_id for key, unit in position.units.items()
                if counters()[key].side == side and unit.at in neighbours(at)]
        if near:
            also = [other for other in neighbours(at) if other in enemies]
            where = (at, *luck.sample(also, min(len(also), luck.randint(0, 1))))
            yield Attack(where, tuple(near), tuple(luck.sample(near, min(2, len(near)))))


def drawn_standing(seed: int, position: Position) -> Mapping[str, tuple[Standing, ...]]:
    """Return standing orders of both sides."""
    luck = Random(f"standing {seed}")
    found: dict[str, tuple[Standing, ...]] = {}
    for side in (FA, AP):
        mine = [each for each in counters_of(side) if each.kind.is_combat]
        staff = [each for each in counters_of(side) if each.kind is Kind.CMD]
        some = luck.sample(mine, 6)
        retreats = [
            Retreat(each.order_id, tuple(luck.sample(neighbours(at), 2)))
            for each in some if (at := position.units[each.key].at) in ALL
        ]
        found[side] = (
            *retreats, RetreatAll(tuple(luck.sample(range(6), 3))),
            WhenHit(staff[0].order_id, tuple(each.order_id for each in some[:2])),
            Losses(tuple(each.order_id for each in some)),
        )
    return found
