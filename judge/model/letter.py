"""A letter to be sent, as a value: who gets it, the facts in it, and what goes with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from judge.model.phrase import Phrase


class Form(Enum):
    """The forms in which a picture is sent."""

    PNG = "png"
    SVG = "svg"
    SMALL = "small"
    """The whole board as a phone can show it."""
    FRONT = "front"
    """A part of a board, for a phone; it goes with a picture of the whole."""
    CHART = "chart"
    """How the score went over the years."""

    @property
    def ending(self) -> str:
        """The ending of its file."""
        return "svg" if self is Form.SVG else "png"


class PictureState(Enum):
    """What became of a picture that was asked for."""

    NEW = "new"
    DRAWN = "drawn"
    FAILED = "failed"


class Sketch(NamedTuple):
    """All that a picture is drawn from: whoever asks for the same is given the same picture.

    `source` is what the game system wrote, and nobody else reads; `title` stands above the board.
    """

    system: str
    source: str
    title: str = ""
    form: Form = Form.PNG

    @property
    def key(self) -> str:
        """The name of this picture among all others."""
        return _digest(self.system, self.form.value, self.title, self.source)


@lru_cache(maxsize=32)
def _digest(*told: str) -> str:
    """Return the same for the same texts: the letters of a game ask for it many times."""
    return sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as one letter carries it."""

    sketch: Sketch
    name: str
    """Of its file, without an ending: "marco-S1901M-orders"."""
    shows: Phrase | str
    """What it shows, in words that go on after "a picture of"."""
    is_file: bool = False
    """True if it is only attached, not shown in the page of the letter."""


class Place(NamedTuple):
    """Where a picture belongs in a finished message: an offset, so that no text can look like it.

    `cid` names it for the other parts of the message; empty where none refers to it.
    """

    at: int
    key: str
    form: str
    name: str
    shows: str
    cid: str = ""


NOTE = "note"
"""Form of a place in a text: `shows` goes there, encoded, if the picture cannot be drawn."""

NOWHERE = Place(-1, "", "", "", "")
"""In no message: what is written down of a place cannot be read."""


@dataclass(frozen=True, slots=True)
class Appointment:
    """The deadline of one phase of a game, as its readers were told it last.

    Nothing in it is anybody's own: all who read of the game may be told the same.
    """

    game: int
    name: str
    """Of the game."""
    phase: str
    clock: str
    """What is due then, as `PhaseInfo` has it."""
    turn: str
    """"Spring of 1901", in English."""
    at: datetime
    sequence: int
    """How often it was changed since it was first told (RFC 5545, 3.8.7.4)."""
    is_on: bool
    """False: it was called off."""
    told: datetime
    """When it came to be as it is."""
    said: Phrase | str = field(default="", compare=False)
    """Its turn, for readers of every language; empty where nobody has asked for it."""


class Kind(Enum):
    """The kinds of letter, as `X-Judge-Kind` shows them."""

    RECEIPT = "receipt"
    INFO = "info"
    START = "start"
    RESULTS = "results"
    PRESS = "press"
    REMINDER = "reminder"
    NOTICE = "notice"
    VOTE = "vote"
    VACANCY = "vacancy"
    ERROR = "error"
    HELP = "help"
    CONFIRM = "confirm"
    BOUNCE = "bounce"
    END = "end"


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A file of text that goes with a letter; `type` as in Content-Type."""

    name: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter to one address.

    `template` names a file of `mailtemplates/<system>/` or else `mailtemplates/common/`,
    without its ending; `facts` fill it. Texts in facts may come from players: the renderer
    cleans and escapes, nobody else has to.
    """

    kind: Kind
    to: str
    subject: Phrase | str
    template: str
    facts: Mapping[str, object] = field(default_factory=dict)
    game: str = ""
    phase: str = ""
    power: str = ""
    """The power of the seat it is for (full name), or Master, Observer; empty for no seat."""
    system: str = ""
    token: str = ""
    """Detail of the Reply-To address; empty for a letter that opens no seat."""
    unsubscribe: str = ""
    """Detail of the List-Unsubscribe address, which needs no From; empty where none is offered."""
    answers: str = ""
    """Message-ID of the mail this answers; "-" for a mail that had none, empty for letters nobody
    asked for."""
    seat: int = 0
    """The seat it is for, which may want it later or not at all; 0 for no seat."""
    threads: tuple[str, ...] = ()
    """Stable names of the threads it is part of, widest first: "marco.game", "marco.S1901M"."""
    pictures: tuple[Picture, ...] = ()
    files: tuple[Enclosure, ...] = ()
    appointments: tuple[Appointment, ...] = ()
    """What changed for the calendars of its readers."""
    plain: bool = False
    """Text alone, no HTML beside it."""
    language: str = ""
    """Code of the language it is written in; empty for English."""
    due: datetime | None = None
    """When it may go at the earliest; None: at once."""
    outreach: int = 0
    """Its number among the letters that somebody has others sent; 0 for none of those."""
