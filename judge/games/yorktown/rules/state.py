"""Positions: where every unit is, what has happened to it, and whose step it is (Y-101).

Where units began their turn is not kept: land units move in the MOVE step only, so that they begin
it where they began the turn. Hits that are added up live inside a FIRE step (Y-41).
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
"""The number of the rules that new games are played by.

1: a retreat of two hexes might end where it began, the last step of a game went on to the day after
it, and a game lasted 22 days where nobody chose. 2: none of this (Y-73, Y-81).
"""
OFF = "off"
"""Not yet on the map."""
LEFT = "left"
"""Left the map for good (Y-33)."""
DEAD = "dead"

SOUTH = 3


class Step(Enum):
    """The steps of a turn (Y-13), and the set-up before the first."""

    SETUP = "S"
    FIRE = "F"
    MOVE = "M"


class Moment(NamedTuple):
    """A step of a side's turn: what is ordered for.

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
        """Something by which moments follow each other; AP sets up before FA (Y-18)."""
        second = FA if self.step is Step.SETUP else AP
        return self.day, self.side == second, list(Step).index(self.step)

    @property
    def turn(self) -> int:
        """The number of the player turn; 0 is the set-up."""
        return 0 if self.step is Step.SETUP else 2 * self.day - (self.side == FA)


_LABEL = re.compile(r"(FA|AP)[ -]?([0-9]{1,2})[ -]?([SFM])", re.IGNORECASE)


def parse_moment(label: str) -> Moment | None:
    """Read a label back, or return None.

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


class Unit(NamedTuple):
    """What is the matter with one counter.

    `at` is a hex, the key of the ship it is aboard, or `OFF`, `LEFT`, `DEAD`. A frigate's `at` is
    its stern.
    """

    at: str = OFF
    bow: str = ""
    facing: int = SOUTH
    marked: int = 0
    """It has a hit marker, which goes at the end of its owner's turn of this day (Y-44)."""
    still: int = 0
    """A pioneer's turns of standing still (Y-34)."""
    attached: str = ""
    """The key of the unit a commander is with."""
    tied: bool = False
    """A commander who stayed with a unit that was hit (Y-45)."""
    spent: int = 0
    """A frigate's movement points spent this turn."""
    shots: int = 0
    """Shots fired this turn."""
    grounded: bool = False

    @property
    def on_map(self) -> bool:
        """It stands or lies in a hex."""
        return is_number(self.at)

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes it is in: two for a frigate, none off the map."""
        if not self.on_map:
            return ()
        return (self.at, self.bow) if self.bow else (self.at,)

    @property
    def ship(self) -> str:
        """The key of the ship it is aboard, if it is."""
        return self.at if "FRIG" in self.at else ""

    @property
    def in_play(self) -> bool:
        """It is neither dead nor gone; it may still wait off the map."""
        return self.at not in (DEAD, LEFT)


@dataclass(frozen=True)
class Position:
    """A game between two steps."""

    moment: Moment
    units: Mapping[str, Unit]
    redoubts: Mapping[str, int] = field(default_factory=dict)
    """Built redoubts: hex → the turn they were built in."""
    drawn: int = 0
    """How many dice have been drawn (Y-96)."""
    standing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Standing orders in force, by side, as lines that can be sent (Y-77)."""
    rules: int = 1
    """The number of the rules it is played by; positions of old games name none."""

    @property
    def exits(self) -> int:
        """How many combat units of AP have left the map (Y-83)."""
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


def blank() -> Position:
    """Return the position before anybody has set up: every unit off the map."""
    moment = Moment(0, AP, Step.SETUP)
    units = dict.fromkeys(counters(), Unit())
    return Position(moment, units, standing=no_standing(), rules=RULES)


def no_standing() -> dict[str, tuple[str, ...]]:
    """Return standing orders for nobody."""
    return dict.fromkeys(SIDE_NAMES, ())


def dump(position: Position) -> str:
    """Return a position as JSON text."""
    numbered = {"rules": position.rules} if position.rules > 1 else {}
    return json.dumps(
        {
            "moment": str(position.moment),
            "units": {key: _shown(unit) for key, unit in position.units.items()},
            "redoubts": dict(position.redoubts),
            "drawn": position.drawn,
            "standing": {side: list(lines) for side, lines in position.standing.items()},
            **numbered,
        }
    )


def _shown(unit: Unit) -> dict[str, object]:
    """Return a unit as JSON: what is out of the ordinary, and where it is."""
    plain = Unit()._asdict()
    told = {name: value for name, value in unit._asdict().items() if value != plain[name]}
    return {"at": unit.at, **told}


@lru_cache(maxsize=32)
def load(text: str) -> Position:
    """Read back what `dump` wrote; letters of one game ask again and again."""
    stored = json.loads(text)
    moment = parse_moment(stored["moment"])
    assert moment
    return Position(
        moment,
        {key: Unit(**unit) for key, unit in stored["units"].items()},
        stored["redoubts"],
        stored["drawn"],
        {side: tuple(lines) for side, lines in stored["standing"].items()},
        stored.get("rules", 1),
    )


def listed(keys: Iterable[str]) -> list[str]:
    """Return keys of one side by type and number, as the table of counters has them."""
    ranks = {key: rank for rank, key in enumerate(counters())}
    return sorted(keys, key=lambda key: ranks[key])
