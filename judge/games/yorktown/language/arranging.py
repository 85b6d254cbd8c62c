"""SETUP: a position built from a master's lines, and the lines of a position.

    PHASE AP6F                              the step under way
    CLEAR                                   every unit off the map, no built redoubt
    FA INF 3 at 1520 face N half 7          a unit; half strength until the end of day 7
    FA PIO 1 at 1520 dug 2                  turns of digging
    AP FRIG 1 at 1508 1608 aground          a frigate, stern and bow
    AP INF 5 aboard FRIG 1                  also: off, left, dead
    FA CMD 1 with INF 7 tied                a commander and the unit with it
    REDOUBT 1520 4                          a built redoubt, and the turn it was built in
    NO REDOUBT 1520
    DRAWN 12                                dice drawn so far
    FA STANDING retreat all S               a standing order; FA STANDING none drops them
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from judge.digits import is_number
from judge.games.system import LineRead
from judge.games.yorktown.language.checking import OrderChecker
from judge.games.yorktown.language.grammar import clean, parse
from judge.games.yorktown.language.sheets import (
    amend_standing_orders,
    read_standing,
    standing_in_force,
    write_standing,
)
from judge.games.yorktown.language.verdicts import refusal
from judge.games.yorktown.rules.board import (
    REDOUBT,
    CounterKind,
    HexTerrain,
    counters,
    hexes,
    key_of,
)
from judge.games.yorktown.rules.field import IN_REDOUBT
from judge.games.yorktown.rules.hexes import SIDES, is_hex, neighbours
from judge.games.yorktown.rules.orders import Standing
from judge.games.yorktown.rules.redoubts import MAX
from judge.games.yorktown.rules.ships import CARRIES, POINTS
from judge.games.yorktown.rules.state import (
    DEAD,
    LEFT,
    OFF,
    CounterState,
    SiegePosition,
    parse_moment,
)
from judge.model.incoming import Line
from judge.model.phrase import Phrase, phrase

_UNIT = re.compile(r"(fa|ap) (inf|cav|art|pio|cmd|frig) ?([0-9]{1,2})[: ] ?(.+)")
_PLACES = {"off": OFF, "left": LEFT, "dead": DEAD}
_NUMBERS = {"half": "marked", "dug": "still", "spent": "spent", "shots": "shots"}
_FLAGS = {"aground": "grounded", "tied": "tied"}


class _Fault(Exception):
    """Raised for a line that cannot be carried out, with the reason."""

    def __init__(self, reason: Phrase) -> None:
        super().__init__(reason)
        self.reason = reason


class Arranger:
    """Builder of a position from SETUP lines, one after the other."""

    def __init__(self, position: SiegePosition) -> None:
        self.position = position

    def read(self, lines: Sequence[Line]) -> tuple[LineRead, ...]:
        """Carry out lines and return the verdict on each.

        If none is refused, a fault of the whole position becomes a complaint about the last line.
        """
        told: list[LineRead] = []
        for line in lines:
            try:
                changes = self._changes(clean(line.text), line.text)
                self.position = replace(self.position, **changes)
                told.append(LineRead(line, (line.text.strip(),)))
            except _Fault as fault:
                told.append(refusal(line, fault.reason))
        if told and not any(read.complaint for read in told):
            for wrong in self._impossible():
                told[-1] = refusal(lines[-1], wrong)
                break
        return tuple(told)

    def _changes(self, text: str, raw: str) -> dict[str, Any]:
        """Return the fields of the position that a line changes, with their new values."""
        match text.split():
            case []:
                return {}
            case ["clear"]:
                return {"units": dict.fromkeys(counters(), CounterState()), "redoubts": {}}
            case ["phase", *label]:
                moment = parse_moment(" ".join(label))
                if not moment:
                    raise _Fault(phrase("setup-no-step", word=" ".join(label).upper()))
                return {"moment": moment}
            case ["redoubt", at, *turn] if is_hex(at) and is_number("".join(turn or "0")):
                return {"redoubts": {**self.position.redoubts, at: int(turn[0]) if turn else 0}}
            case ["no", "redoubt", at] if is_hex(at):
                built = self.position.redoubts
                return {"redoubts": {name: built[name] for name in built if name != at}}
            case ["drawn", number] if is_number(number):
                return {"drawn": int(number)}
            case [("fa" | "ap") as side, "standing", *rest]:
                kept = self._standing(side.upper(), " ".join(rest))
                return {"standing": {**self.position.standing, side.upper(): write_standing(kept)}}
        return {"units": self._units(text, raw)}

    def _standing(self, side: str, text: str) -> tuple[Standing, ...]:
        """Return the standing orders of a side after a line about them."""
        if text == "none":
            return ()
        order = parse(text)
        if not isinstance(order, Standing):
            raise _Fault(phrase("setup-no-standing", line=text))
        checked = OrderChecker(self.position, side).check(order, now=True)
        if checked.refused or not isinstance(checked.order, Standing):
            raise _Fault(checked.refused or phrase("setup-no-standing", line=text))
        kept = read_standing(self.position.standing.get(side, ()))
        return amend_standing_orders(kept, [checked.order])

    def _units(self, text: str, raw: str) -> dict[str, CounterState]:
        """Return all units after a line about one of them."""
        found = _UNIT.fullmatch(text)
        if not found:
            raise _Fault(phrase("setup-unread", line=raw.strip()))
        side, order_id = found[1].upper(), f"{found[2].upper()} {int(found[3])}"
        key = key_of(side, order_id)
        if key not in counters():
            raise _Fault(phrase("ye02-theirs", unit=order_id))
        unit = self._parse_placement(key, side, found[4].split())
        units = {**self.position.units, key: unit}
        for staff, other in units.items():
            if other.attached == key:
                units[staff] = other._replace(at=unit.at)
        return units

    def _parse_placement(self, key: str, side: str, words: list[str]) -> CounterState:
        """Return a unit with the place and state in the words after its name."""
        counter = counters()[key]
        match words:
            case ["at", at, *rest] if is_hex(at):
                unit = CounterState(at=at)
                if counter.kind is CounterKind.FRIG:
                    bow, rest = (rest or [""])[0], rest[1:]
                    if not is_hex(bow) or bow not in neighbours(at):
                        raise _Fault(phrase("ye29-water", unit=counter.order_id))
                    unit = unit._replace(bow=bow)
            case ["aboard", "frig", number, *rest]:
                unit = CounterState(at=key_of(side, f"FRIG {number}"))
            case ["with", kind, number, *rest]:
                host = key_of(side, f"{kind.upper()} {number}")
                if counter.kind is not CounterKind.CMD or host not in counters():
                    raise _Fault(phrase("ye38", unit=counter.order_id))
                unit = CounterState(at=self.position.units[host].at, attached=host)
            case [("off" | "left" | "dead") as place, *rest]:
                unit = CounterState(at=_PLACES[place])
            case _:
                raise _Fault(phrase("setup-no-place", unit=counter.order_id))
        return _with_state(unit, rest, counter.order_id)

    def _impossible(self) -> Iterator[Phrase]:
        """Yield the faults of the whole position."""
        built = self.position.redoubts
        if len(built) > MAX:
            yield phrase("ye17-most", at=[*built][-1], most=MAX)
        there: dict[str, list[str]] = {}
        for key, unit in self.position.units.items():
            counter = counters()[key]
            if counter.kind is CounterKind.CMD:
                if unit.on_map and not unit.attached:
                    yield phrase("ye37", unit=counter.order_id, at=unit.at)
                continue
            is_ship = counter.kind is CounterKind.FRIG
            for at in unit.hexes:
                there.setdefault(at, []).append(key)
                if not is_ship and hexes()[at].terrain is HexTerrain.RIVER:
                    yield phrase("ye09", at=at)
            if unit.ship:
                there.setdefault(unit.ship, []).append(key)
        for at, keys in there.items():
            is_works = is_hex(at) and (hexes()[at].feature == REDOUBT or at in built)
            room = IN_REDOUBT if is_works else CARRIES if not is_hex(at) else 1
            if len(keys) > room or len({counters()[key].side for key in keys}) > 1:
                yield phrase("ye06", at=at, unit=counters()[keys[0]].order_id)


def _with_state(unit: CounterState, words: list[str], order_id: str) -> CounterState:
    """Return a unit with the facing, markers and flags in the words after its place."""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "face" and rest and rest[0].upper() in SIDES:
            unit = unit._replace(facing=SIDES.index(rest.pop(0).upper()))
        elif word in _NUMBERS and rest and is_number(rest[0]):
            unit = unit._replace(**{_NUMBERS[word]: int(rest.pop(0))})  # type: ignore[arg-type]
        elif word in _FLAGS:
            unit = unit._replace(**{_FLAGS[word]: True})  # type: ignore[arg-type]
        else:
            raise _Fault(phrase("setup-no-word", word=word, unit=order_id))
    return unit._replace(spent=POINTS) if unit.grounded else unit


def arrangement(position: SiegePosition) -> tuple[str, ...]:
    """Return the SETUP lines that turn any position into this one."""
    lines = [f"PHASE {position.moment}", "CLEAR"]
    lines += [f"REDOUBT {at} {turn}" for at, turn in position.redoubts.items()]
    staffs: list[str] = []
    for key, unit in position.units.items():
        line = f"{counters()[key].side} {counters()[key].order_id} {_line_of(key, unit)}"
        (staffs if counters()[key].kind is CounterKind.CMD else lines).append(line)
    lines += [*staffs, f"DRAWN {position.drawn}"]
    for side in position.standing:
        lines.append(f"{side} STANDING none")
        orders = write_standing(standing_in_force(position, side))
        lines += [f"{side} STANDING {order}" for order in orders]
    return tuple(lines)


def _line_of(key: str, unit: CounterState) -> str:
    words = [_place_of(unit)]
    if counters()[key].kind not in (CounterKind.CMD, CounterKind.FRIG):
        words.append(f"face {SIDES[unit.facing]}")
    values = unit._asdict()
    words += [f"{word} {values[name]}" for word, name in _NUMBERS.items() if values[name]]
    words += [word for word, name in _FLAGS.items() if values[name]]
    return " ".join(words)


def _place_of(unit: CounterState) -> str:
    if unit.attached:
        return f"with {counters()[unit.attached].order_id}"
    if unit.ship:
        return f"aboard {counters()[unit.ship].order_id}"
    return f"at {' '.join(unit.hexes)}" if unit.on_map else unit.at
