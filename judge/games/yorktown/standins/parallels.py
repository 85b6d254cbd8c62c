"""Where FA by rule digs, and where its guns stand: in range of the enemy's batteries, in works
where there are any."""

from collections.abc import Iterator, Sequence
from functools import partial

from judge.games.yorktown.rules.board import (
    AP,
    FA,
    YORKTOWN,
    Counter,
    Kind,
    Terrain,
    hexes,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import Field
from judge.games.yorktown.rules.hexes import ALL, distance, neighbours
from judge.games.yorktown.rules.orders import Enter, March
from judge.games.yorktown.rules.state import OFF
from judge.games.yorktown.standins.marching import FAR, brought, costs_to

RANGE, GIVE = 6, 1.5
"""How far from the enemy's batteries guns stand in the mean, and how much more or less will do."""
DAWDLES = 0.5
"""How much worse a place may be for a gun to stay and fire."""
NORTH = 0


def dig_and_bring_guns(field: Field, units: Sequence[Counter]) -> Iterator[March | Enter]:
    """Have guns go into range, and pioneers to sites."""
    for counter in units:
        unit = field.units[counter.key]
        if counter.kind is Kind.ART:
            order = _gun_order(field, counter)
        elif unit.on_map and (unit.still > 0 or _is_site(field, unit.at, _batteries(field))):
            order = None
        else:
            order = _digging_order(field, counter)
        if order:
            yield order


def is_in_place(field: Field, at: str) -> bool:
    """Tell whether a gun may as well stay in a hex and fire."""
    return _gun_place(field, at, _batteries(field)) <= DAWDLES


def _batteries(field: Field) -> list[str]:
    """Return where the enemy's guns stand; the town, where he has none."""
    guns = [unit.at for counter, unit in field.on_map(AP) if counter.kind is Kind.ART]
    return guns or [*town_hexes(YORKTOWN)]


def _gun_place(field: Field, name: str, foes: Sequence[str]) -> float:
    """Return how much worse than in range of these hexes one is for a gun."""
    if any(field.enemies_in(near, FA) for near in neighbours(name)):
        return FAR
    mean = sum(distance(name, at) for at in foes) / len(foes)
    off = abs(mean - RANGE)
    return off if off > GIVE else 0


def _gun_order(field: Field, counter: Counter) -> March | Enter | None:
    """Bring a gun into range, into works if there are any; one that is in works stays there."""
    at = field.units[counter.key].at
    if at != OFF and field.is_redoubt(at) and is_in_place(field, at):
        return None
    worse = partial(_worse, field, _works(field), _batteries(field))
    return brought(field, counter, worse, NORTH)


def _worse(field: Field, works: set[str], foes: Sequence[str], name: str) -> float:
    off = _gun_place(field, name, foes)
    return off - (1 if off <= DAWDLES and name in works else 0)


def _digging_order(field: Field, counter: Counter) -> March | Enter | None:
    """Bring a pioneer to the nearest site that is free."""
    foes = _batteries(field)
    to = costs_to(frozenset(n for n in ALL if _is_site(field, n, foes) and field.is_free(n)))
    return brought(field, counter, lambda name: to.get(name, FAR), NORTH)


def _works(field: Field) -> set[str]:
    """Return the redoubts out of the enemy's immediate reach; nobody is brought into a full one.
    """
    return {
        name
        for name in ALL
        if field.is_redoubt(name)
        and name not in north_bank()
        and not any(field.enemies_in(near, FA) for near in (name, *neighbours(name)))
    }


def _is_site(field: Field, name: str, foes: Sequence[str]) -> bool:
    """Tell whether a redoubt may well be dug in a hex."""
    if hexes()[name].terrain not in (Terrain.CLEAR, Terrain.WOODS) or name in north_bank():
        return False
    if hexes()[name].feature or _gun_place(field, name, foes) > 0:
        return False
    return not any(field.is_redoubt(near) for near in (name, *neighbours(name)))
