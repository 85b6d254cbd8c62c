"""Content of a picture of a board of provinces: sides, tokens, strokes.

A game system names everything by places of the base. Positions and style are decided by the other
modules of this package.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from judge.drawing.base import BoardGeometry
from judge.drawing.links import Link


class Side(NamedTuple):
    """An owner of areas or units, shown by a colour of the palette and a letter.

    `note` is next to the name in the legend ("3 centres, 4 units").
    """

    name: str
    letter: str
    colour: int
    note: str = ""


class TokenShape(Enum):
    """Appearance of a token."""

    BLOCK = "block"
    """A wooden block, for armies."""
    BOAT = "boat"
    """A ship, for fleets."""


class TokenState(Enum):
    """Condition of a token."""

    STANDING = "standing"
    BEATEN = "beaten"
    NEW = "new"
    GONE = "gone"


class Token(NamedTuple):
    """A unit of a side, by the side's name.

    `aside`: drawn next to its place, where another unit may be now.
    """

    place: str
    side: str
    form: TokenShape
    state: TokenState = TokenState.STANDING
    aside: bool = False


class StrokeKind(Enum):
    """Meaning of a stroke."""

    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"


class Stroke(NamedTuple):
    """A line from a unit to a place.

    `through` are places it passes. A stroke with `aim` helps another one, which leads from `aim` to
    `to`, and ends at its middle. With `aside` it begins at a token drawn so.
    """

    way: StrokeKind
    start: str
    to: str
    failed: bool = False
    through: tuple[str, ...] = ()
    aim: str = ""
    aside: bool = False
    ghost: bool = False
    """True for an order of the past, drawn faintly."""


class HoldMark(NamedTuple):
    """A unit that was ordered to hold."""

    place: str


class Sample(Enum):
    """Signs that the key below a picture can explain."""

    BLOCK = "block"
    BOAT = "boat"
    BEATEN = "beaten"
    NEW = "new"
    GONE = "gone"
    MOVE = "move"
    FAILED = "failed"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    HOLD = "hold"
    DOT = "dot"
    OWNED = "owned"
    CONTESTED = "contested"
    SHUT = "shut"
    TINTED = "tinted"
    BAND = "band"
    CARRIER = "carrier"
    UNSEEN = "unseen"
    PASS = "pass"
    CROSSING = "crossing"
    MOUNTAINS = "mountains"
    CLOSED = "closed"
    GHOST = "ghost"
    WALK = "walk"
    SAIL = "sail"
    WALK_AND_SAIL = "walk-and-sail"


class Head(NamedTuple):
    """Texts above a board: left and right, large and small."""

    title: str
    phase: str
    subtitle: str = ""
    aside: str = ""


@dataclass(frozen=True)
class Captions:
    """Texts around a board of any type."""

    head: Head
    sides: tuple[Side, ...] = ()
    """Owners in the order of the legend."""
    key: tuple[tuple[Sample, str], ...] = ()
    """Signs to explain, with the texts of the game."""
    describes: str = ""
    """Description of the picture in one sentence, for readers who cannot see it."""


@dataclass(frozen=True)
class Picture:
    """One picture of a board of provinces."""

    base: BoardGeometry
    head: Head
    sides: tuple[Side, ...] = ()
    """Owners in the order of the legend."""
    tints: Mapping[str, str] = field(default_factory=dict)
    """Areas tinted in the colour of a side → the side's name."""
    bands: Mapping[str, str] = field(default_factory=dict)
    """Areas with a band of a side's colour inside their border → the side's name."""
    owners: Mapping[str, str] = field(default_factory=dict)
    """Areas with a dot → the name of the side that owns the centre."""
    tokens: tuple[Token, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    holds: tuple[HoldMark, ...] = ()
    contested: tuple[str, ...] = ()
    """Areas that no unit may enter now."""
    unseen: frozenset[str] = frozenset()
    """Areas whose units the viewer does not know."""
    key: tuple[tuple[Sample, str], ...] = ()
    """Signs to explain, with the texts of the game."""
    links: Mapping[frozenset[str], Link] = field(default_factory=dict)
    """Two areas → the type of their link. Empty if each border may be crossed."""
    describes: str = ""
    """Description of the picture in one sentence, for readers who cannot see it."""

    @property
    def captions(self) -> Captions:
        """Texts around the board."""
        return Captions(self.head, self.sides, self.key, self.describes)
