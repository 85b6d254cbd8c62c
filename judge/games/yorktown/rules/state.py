"""Positions: units, redoubts, standing orders and the current step (Y-101).

The hexes where units began their turn are not stored: land units move in the MOVE step only, so
they begin it where they began the turn. Running hits exist only within a FIRE step (Y-41).
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from judge.digits import is_number
from judge.games.yorktown.rules.board import AP, FA, SIDE_NAMES, counters

RULES = 2
"""Version number of the rules for new games.

In version 1 a retreat of two hexes could end where it began, the last step of a game advanced to
the following day, and a game had 22 days by default. Version 2 has none of this (Y-73, Y-81).
"""
OFF = "off"
"""Not yet on the map."""
LEFT = "left"
"""Left the map for good (Y-33)."""
DEAD = "dead"

SOUTH = 3


class Step(Enum):
    """Step of a turn (Y-13), or the set-up before the first."""

    SETUP = "S"
    FIRE = "F"
    MOVE = "M"


class Moment(NamedTuple):
    """A step of a side's turn, for which orders are given.

    >>> str(Moment(6, "AP", Step.MOVE))
    'AP6M'
    """

    day: int
    side: str
    step: Step

    def __str__(self) -> str:
        return f"{self.side}{self.day}{self.step.value}"

    @property
    def rank(self) -> tuple[int, bool, int]:
        """Sort key in playing order. AP sets up before FA (Y-18)."""
        second = FA if self.step is Step.SETUP else AP
        return self.day, self.side == second, list(Step).index(self.step)

    @property
    def turn(self) -> int:
        """Number of the player turn, 0 for the set-up."""
        return 0 if self.step is Step.SETUP else 2 * self.day - (self.side == FA)


_LABEL = re.compile(r"(FA|AP)[ -]?([0-9]{1,2})[ -]?([SFM])", re.IGNORECASE)


def parse_moment(label: str) -> Moment | None:
    """Parse the label of a moment. Return None if it is not one.

    >>> str(parse_moment("fa 12 m")), parse_moment("S1901M"), parse_moment("FA0F")
    ('FA12M', None, None)
    """
    found = _LABEL.fullmatch(label.strip())
    if not found:
        return None
    step = Step(found[3].upper())
    if (int(found[2]) == 0) != (step is Step.SETUP):
        return None
    return Moment(int(found[2]), found[1].upper(), step)


class CounterState(NamedTuple):
    """State of one counter.

    *at* is a hex, the key of the ship it is aboard, or `OFF`, `LEFT` or `DEAD`. A frigate's *at*
    is its stern.
    """

    at: str = OFF
    bow: str = ""
    facing: int = SOUTH
    marked: int = 0
    """Day of its owner's turn that ends its hit marker, 0 without one (Y-44)."""
    still: int = 0
    """Turns that a pioneer has not moved (Y-34)."""
    attached: str = ""
    """Key of the unit that a commander is with."""
    tied: bool = False
    """True for a commander who stayed with a unit that was hit (Y-45)."""
    spent: int = 0
    """Movement points that a frigate has spent this turn."""
    shots: int = 0
    """Shots fired this turn."""
    grounded: bool = False

    @property
    def on_map(self) -> bool:
        """True if it is in a hex."""
        return is_number(self.at)

    @property
    def hexes(self) -> tuple[str, ...]:
        """Hexes it is in: two for a frigate, none off the map."""
        if not self.on_map:
            return ()
        return (self.at, self.bow) if self.bow else (self.at,)

    @property
    def ship(self) -> str:
        """Key of the ship it is aboard, or an empty string."""
        return self.at if "FRIG" in self.at else ""

    @property
    def in_play(self) -> bool:
        """True if it is neither eliminated nor gone. It may still be off the map."""
        return self.at not in (DEAD, LEFT)


@dataclass(frozen=True)
class SiegePosition:
    """A game between two steps."""

    moment: Moment
    units: Mapping[str, CounterState]
    redoubts: Mapping[str, int] = field(default_factory=dict)
    """Built redoubts: hex → turn in which it was built."""
    drawn: int = 0
    """Number of dice rolled so far (Y-96)."""
    standing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Standing orders in force, by side, as lines that can be sent (Y-77)."""
    rules: int = 1
    """Version number of the game's rules. Stored positions of version 1 have no number."""

    @property
    def exits(self) -> int:
        """Number of AP combat units that have left the map (Y-83)."""
        return sum(
            unit.at == LEFT and counters()[key].kind.is_combat for key, unit in self.units.items()
        )

    def combat_units(self, side: str) -> tuple[str, ...]:
        """Return the keys of a side's combat units in play."""
        return tuple(
            key
            for key, unit in self.units.items()
            if unit.in_play and counters()[key].side == side and counters()[key].kind.is_combat
        )


def blank() -> SiegePosition:
    """Return the position before the set-up, with every unit off the map."""
    moment = Moment(0, AP, Step.SETUP)
    units = dict.fromkeys(counters(), CounterState())
    return SiegePosition(moment, units, standing=no_standing(), rules=RULES)


def no_standing() -> dict[str, tuple[str, ...]]:
    """Return empty standing orders for both sides."""
    return dict.fromkeys(SIDE_NAMES, ())


def dump(position: SiegePosition) -> str:
    """Return a position as JSON text."""
    numbered = {"rules": position.rules} if position.rules > 1 else {}
    return json.dumps(
        {
            "moment": str(position.moment),
            "units": {key: _dump_unit(unit) for key, unit in position.units.items()},
            "redoubts": dict(position.redoubts),
            "drawn": position.drawn,
            "standing": {side: list(lines) for side, lines in position.standing.items()},
            **numbered,
        }
    )


def _dump_unit(unit: CounterState) -> dict[str, object]:
    """Return a unit as JSON, with only its hex and the fields that are not default."""
    plain = CounterState()._asdict()
    told = {name: value for name, value in unit._asdict().items() if value != plain[name]}
    return {"at": unit.at, **told}


@lru_cache(maxsize=32)
def load(text: str) -> SiegePosition:
    """Parse what `dump` wrote.

    It is cached because the letters of one game load the same position repeatedly.
    """
    stored = json.loads(text)
    moment = parse_moment(stored["moment"])
    assert moment
    return SiegePosition(
        moment, {key: CounterState(**unit) for key, unit in stored["units"].items()},
        stored["redoubts"], stored["drawn"],
        {side: tuple(lines) for side, lines in stored["standing"].items()}, stored.get("rules", 1),
    )


def sort_keys(keys: Iterable[str]) -> list[str]:
    """Return keys of one side in the order of the table of counters."""
    ranks = {key: rank for rank, key in enumerate(counters())}
    return sorted(keys, key=lambda key: ranks[key])
