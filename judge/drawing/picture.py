"""What is to be seen on a board of provinces, as a game system says it: sides, tokens, strokes.

Everything is named by places of the base; where and how it is drawn is the drawing room's affair.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from judge.drawing.base import Base
from judge.drawing.links import Link


class Side(NamedTuple):
    """Somebody who owns things: drawn in one of the palette's colours, and with a letter.

    `note` stands beside the name in the legend ("3 centres, 4 units").
    """

    name: str
    letter: str
    colour: int
    note: str = ""


class Form(Enum):
    """What a token looks like."""

    BLOCK = "block"
    """A wooden block: armies."""
    BOAT = "boat"
    """A ship: fleets."""


class State(Enum):
    """What is the matter with a token."""

    STANDING = "standing"
    BEATEN = "beaten"
    NEW = "new"
    GONE = "gone"


class Token(NamedTuple):
    """A unit of a side, by the side's name.

    `aside`: drawn beside its place, where another unit may stand now.
    """

    place: str
    side: str
    form: Form
    state: State = State.STANDING
    aside: bool = False


class Way(Enum):
    """What a stroke says."""

    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"


class Stroke(NamedTuple):
    """A line from a unit to a place.

    `through` are places it passes on the way. A stroke with `aim` helps another one, the one that
    leads from `aim` to `to`, and ends at its middle. With `aside` it begins at a token drawn so.
    """

    way: Way
    start: str
    to: str
    failed: bool = False
    through: tuple[str, ...] = ()
    aim: str = ""
    aside: bool = False
    ghost: bool = False
    """Of the past: it is only hinted at."""


class Hold(NamedTuple):
    """A unit that was told to stay."""

    place: str


class Sample(Enum):
    """What the key below a picture can explain."""

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


class Head(NamedTuple):
    """What stands above a board: left and right, large and small."""

    title: str
    phase: str
    subtitle: str = ""
    aside: str = ""


@dataclass(frozen=True)
class Captions:
    """What is written around a board, whatever it is made of."""

    head: Head
    sides: tuple[Side, ...] = ()
    """Everybody who may own something, in the order of the legend."""
    key: tuple[tuple[Sample, str], ...] = ()
    """What the key explains, in the words of the game."""
    describes: str = ""
    """The picture in one sentence, for those who cannot see it."""


@dataclass(frozen=True)
class Picture:
    """One picture of a board of provinces."""

    base: Base
    head: Head
    sides: tuple[Side, ...] = ()
    """Everybody who may own something, in the order of the legend."""
    tints: Mapping[str, str] = field(default_factory=dict)
    """Area → the side whose colour it has."""
    bands: Mapping[str, str] = field(default_factory=dict)
    """Area → the side in whose colour a band runs along its border, within it."""
    owners: Mapping[str, str] = field(default_factory=dict)
    """Area with a dot → the side that owns its centre."""
    tokens: tuple[Token, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    holds: tuple[Hold, ...] = ()
    contested: tuple[str, ...] = ()
    """Areas nobody may enter now."""
    unseen: frozenset[str] = frozenset()
    """Areas of which the reader does not know what stands there."""
    key: tuple[tuple[Sample, str], ...] = ()
    """What the key explains, in the words of the game."""
    links: Mapping[frozenset[str], Link] = field(default_factory=dict)
    """Two areas → the type of their link. Empty where each border may be crossed."""
    describes: str = ""
    """The picture in one sentence, for those who cannot see it."""

    @property
    def captions(self) -> Captions:
        """What is written around it."""
        return Captions(self.head, self.sides, self.key, self.describes)
