"""Example lines for unread lines of a side."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from judge.games.yorktown.language.names import names_in
from judge.games.yorktown.language.repair import correct_names, correct_type
from judge.games.yorktown.language.word_tables import SIDE, UNIT, find_meaning
from judge.games.yorktown.language.wording import plain_words
from judge.games.yorktown.rules.board import (
    FA,
    Counter,
    CounterKind,
    counters,
    counters_of,
    enemy_of,
    hexes,
    key_of,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import REACH, range_to
from judge.games.yorktown.rules.hexes import distance, neighbours, on_edge
from judge.games.yorktown.rules.orders import PlacementOrder
from judge.games.yorktown.rules.setup import placing_fault, to_place
from judge.games.yorktown.rules.state import OFF, SiegePosition, Step
from judge.games.yorktown.rules.walking import entry_hexes, ways_within

_TOWNS = {"yorktown": "Yorktown", "gloucester": "Gloucester"}


class Example(NamedTuple):
    """An example line, or the reason for its absence."""

    line: str = ""
    code: str = "ye01-none"
    """Phrase of the reason."""
    unit: str = ""


class _Subject(NamedTuple):
    """Readable parts of an unread line."""

    field: StepState
    side: str
    text: str
    """The line in plain words."""
    named: Counter | None

    @property
    def places(self) -> list[str]:
        """Hexes of the line, the last one first."""
        found = re.findall(r"(?<![0-9])[0-9]{4}(?![0-9])", self.text)
        return [at for at in reversed(found) if at in hexes()]

    @property
    def face(self) -> str:
        """Facing at the end of the line, such as " face NE", or an empty string."""
        found = re.search(rf"\b({SIDE})$", self.text)
        return f" face {found[1].upper()}" if found else ""

    def units(self, *kinds: CounterKind) -> list[Counter]:
        """Return the named unit, or all units of these types on the map."""
        if self.named:
            return [self.named]
        return [c for c, _ in self.field.on_map(self.side) if not kinds or c.kind in kinds]


def example_line(
    position: SiegePosition, side: str, text: str, is_legal: Callable[[str], bool]
) -> Example:
    """Return a legal line of the kind and unit of an unread line.

    Without one, return the reason for its absence.
    """
    field, names = StepState(position), names_in(position, side)
    text = correct_type(correct_names(text, names))
    plain = plain_words(text, names)
    units = (counters().get(key_of(side, word.upper())) for word in re.findall(UNIT, plain))
    named = next((unit for unit in units if unit), None)
    about = _Subject(field, side, plain, named)
    kind = ""
    if field.moment.step is Step.SETUP and field.moment.side == side:
        found = _placings(about)
    else:
        kind = find_meaning(about.text, "kind")
        if named and named.shots and kind == "attack":
            kind = "fire"
        found = _candidates(about, kind)
        is_ship = named is not None and named.kind is CounterKind.FRIG
        if named and is_ship and not kind and field.units[named.key].grounded:
            return Example(code="ye01-aground", unit=named.order_id)
    if line := next(filter(is_legal, found), ""):
        return Example(line)
    return _no_example(about, kind) if named and field.moment.step is not Step.SETUP else Example()


def _no_example(about: _Subject, kind: str) -> Example:
    """Return the reason why the named unit has no example."""
    assert about.named
    unit = about.named
    if kind == "fire" and unit.shots and not [*_shots(about)]:
        return Example(code="ye01-no-fire", unit=unit.order_id)
    anywhere = about._replace(text="")
    if kind in ("attack", "advance") and unit.kind.attacks and not _enemies_beside(anywhere, unit):
        return Example(code="ye01-no-attack", unit=unit.order_id)
    return Example()


def _candidates(about: _Subject, kind: str) -> Iterable[str]:
    """Yield lines of a kind of order, the likeliest first."""
    field = about.field
    match kind:
        case "fire":
            yield from _shots(about)
        case "attack" | "advance":
            for unit in about.units(*_FIGHTERS):
                for at in _enemies_beside(about, unit):
                    name = unit.order_id
                    advance = f" advance {name}" if kind == "advance" else ""
                    yield f"attack {at} with {name}{advance}"
        case "losses" | "hold":
            wording = {"losses": "losses {}", "hold": "{} holds"}[kind]
            yield from (wording.format(unit.order_id) for unit in about.units(*_FIGHTERS))
        case "boards":
            ships = [c for c in counters_of(about.side) if c.kind is CounterKind.FRIG]
            yield from (f"{u.order_id} boards {s.order_id}"
                        for u in about.units(*_FIGHTERS) for s in ships)
        case "retreat":
            yield from _retreats(about)
        case "build":
            yield from (f"{u.order_id} builds redoubt" for u in about.units(CounterKind.PIO))
        case "exit":
            units = [(c, field.units[c.key]) for c in about.units()]
            yield from (f"{counter.order_id} exit {edge}" for counter, unit in units
                        for edge in "WES" if unit.on_map and on_edge(unit.at, edge))
        case _:
            for unit in about.units(CounterKind.INF):
                yield from _movements(about, unit)


_FIGHTERS = (CounterKind.INF, CounterKind.CAV, CounterKind.PIO)


def _shots(about: _Subject) -> Iterable[str]:
    for unit in about.units(CounterKind.ART, CounterKind.FRIG):
        gun = about.field.units[unit.key]
        if not gun.on_map or not unit.shots:
            continue
        enemies = {each.at for _, each in about.field.on_map(enemy_of(about.side))}
        near = sorted(enemies, key=lambda at: (at not in about.places, range_to(gun, at), at))
        verb = ": fire" if unit.kind is CounterKind.FRIG else " fires at"
        yield from (f"{unit.order_id}{verb} {at}" for at in near if range_to(gun, at) <= REACH)


def _enemies_beside(about: _Subject, unit: Counter) -> list[str]:
    here = about.field.units[unit.key]
    if not here.on_map:
        return []
    found = [at for at in neighbours(here.at) if about.field.enemies_in(at, about.side)]
    return [at for at in found if at in about.places] or ([] if about.places else found)


def _retreats(about: _Subject) -> Iterable[str]:
    if not about.named or not about.field.units[about.named.key].on_map:
        return
    here = about.field.units[about.named.key].at
    near = [at for at in neighbours(here) if about.field.has_room(at, about.side)]
    yield from (f"retreat {about.named.order_id} to {at}"
                for at in sorted(near, key=lambda at: at not in about.places))


def _movements(about: _Subject, counter: Counter) -> Iterable[str]:
    """Yield movements of one unit, to the hexes of the line if it has any."""
    field, name = about.field, counter.order_id
    unit = field.units[counter.key]
    if counter.kind is CounterKind.FRIG:
        yield f"{name}: F2"
        return
    if counter.kind is CounterKind.CMD:
        hosts = [c for c, _ in field.on_map(counter.side) if c.kind is CounterKind.INF]
        yield from (f"{name} with {host.order_id}" for host in hosts)
        return
    if goals := _goals(about, unit.at):
        yield from (f"{name} to {at}{about.face}" for at in goals)
        return
    if unit.at == OFF:
        yield from (f"{name} enters {at}" for at in _entries(field, counter))
    elif unit.on_map:
        if about.face:
            yield f"{name}{about.face}"
        ways = ways_within(field, counter, (unit.at,), counter.move)
        yield from (f"{name} to {path[-1]}" for _, path in ways if path)


def _goals(about: _Subject, here: str) -> list[str]:
    """Return the last hex of a line, or the hexes of a town in it, the nearest first."""
    if about.places:
        return about.places[:1]
    town = next((town for word, town in _TOWNS.items() if word in about.text), "")
    if not town or here not in hexes():
        return []
    return sorted(town_hexes(town), key=lambda at: distance(here, at))


def _placings(about: _Subject) -> Iterable[str]:
    """Yield lines of the set-up."""
    units = [about.named] if about.named else to_place(about.side)
    for counter in units:
        if counter.kind is CounterKind.CMD:
            yield from _movements(about, counter)
            continue
        for at in about.places[:1]:
            yield f"{counter.order_id} at {at}{about.face}"
        if line := not about.places and _setup_example(about.field, counter):
            yield line


def _setup_example(field: StepState, counter: Counter) -> str:
    if counter.kind is CounterKind.FRIG:
        return f"{counter.order_id} at 1508 1608"
    hexes = ("1512", "1612", "1711", "1404", "1405", "1505")
    free = (at for at in hexes if not placing_fault(field, PlacementOrder(counter.order_id, at)))
    at = next(free, "")
    return f"{counter.order_id} at {at} face S" if at else ""


def _entries(field: StepState, counter: Counter) -> list[str]:
    """Return the entry hexes of a unit, for American ones the middle hexes first."""
    found = entry_hexes(field, counter) if counter.side == FA else ()
    return sorted(found, key=lambda name: abs(int(name[:2]) - 19) if counter.nation == "US" else 0)
