"""A letter to be sent as a value: its recipient, its facts and its attachments."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum, IntEnum
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from judge.model.phrase import Phrase


class PictureFormat(Enum):
    """Formats of a picture."""

    PNG = "png"
    SVG = "svg"
    SMALL = "small"
    """The whole board at the size of a phone."""
    FRONT = "front"
    """Part of a board at the size of a phone, sent with a picture of the whole."""
    CHART = "chart"
    """Score over the years."""

    @property
    def ending(self) -> str:
        """File extension."""
        return "svg" if self is PictureFormat.SVG else "png"


class PictureState(Enum):
    """State of a requested picture."""

    NEW = "new"
    DRAWN = "drawn"
    FAILED = "failed"


class PictureRequest(NamedTuple):
    """Everything that a picture is drawn from. Equal requests share one picture.

    `source` is text that only the game system reads, `title` is printed above the board.
    """

    system: str
    source: str
    title: str = ""
    form: PictureFormat = PictureFormat.PNG

    @property
    def key(self) -> str:
        """Key of this picture, unique among all."""
        return _digest(self.system, self.form.value, self.title, self.source)


@lru_cache(maxsize=32)
def _digest(*told: str) -> str:
    """Return a key of the given texts, cached because a game's letters need it often."""
    return sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class LetterPicture:
    """A picture as one letter carries it."""

    sketch: PictureRequest
    name: str
    """File name without extension: "marco-S1901M-orders"."""
    shows: Phrase | str
    """Description that follows "a picture of"."""
    is_file: bool = False
    """True if it is only attached, not shown in the HTML page of the letter."""


class PictureSlot(NamedTuple):
    """Position of a picture in a finished message.

    It is an offset in bytes (`at`), so that no text can be mistaken for it. `cid` names the picture
    for the other parts of the message, and is empty if none refers to it.
    """

    at: int
    key: str
    form: str
    name: str
    shows: str
    cid: str = ""


NOTE = "note"
"""Form of a position in a text, filled with a note if a picture cannot be drawn.

`shows` is that note, encoded."""

NO_SLOT = PictureSlot(-1, "", "", "", "")
"""Position in no message, for a stored position that cannot be read."""


@dataclass(frozen=True, slots=True)
class CalendarEntry:
    """Deadline of one phase of a game, as last reported to its readers.

    It holds no private facts, so that it is the same for all readers of the game.
    """

    game: int
    name: str
    """Name of the game."""
    phase: str
    clock: str
    """Kind of phase that ends then, as in `PhaseInfo`."""
    turn: str
    """The turn in English: "Spring of 1901"."""
    at: datetime
    sequence: int
    """Number of changes since it was first reported (RFC 5545, 3.8.7.4)."""
    is_on: bool
    """False if the deadline was cancelled."""
    told: datetime
    """Time of its last change."""
    said: Phrase | str = field(default="", compare=False)
    """The turn as a phrase, for all languages. Empty until prepared for a letter."""


class LetterKind(Enum):
    """Kinds of letters, as in the header `X-Judge-Kind`."""

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


_OPTIONAL_TEMPLATES = ("digest", "reminder")


class LetterPriority(IntEnum):
    """Order in which letters are sent if a mail account limits them."""

    ESSENTIAL = 0
    """Turn letters, receipts, confirmations and all others not named below."""
    PRESS = 1
    OPTIONAL = 2
    """Digests, reminders, and letters to observers."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A text file attached to a letter.

    `type` is its Content-Type.
    """

    name: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter to one address.

    `template` names a file of `mailtemplates/<system>/` or else `mailtemplates/common/`, without
    its extension, and `facts` fill it. Texts in facts may come from players. Only the renderer
    cleans and escapes them.
    """

    kind: LetterKind
    to: str
    subject: Phrase | str
    template: str
    facts: Mapping[str, object] = field(default_factory=dict)
    game: str = ""
    phase: str = ""
    power: str = ""
    """Full name of the seat's power, or Master or Observer. Empty without a seat."""
    system: str = ""
    token: str = ""
    """Detail of the Reply-To address (reply token). Empty if it opens no seat."""
    unsubscribe: str = ""
    """Detail of the List-Unsubscribe address, valid from any sender. Empty for none."""
    answers: str = ""
    """Message-ID of the mail that this letter answers.

    "-" for a mail without a Message-ID, empty for a letter that answers no mail."""
    seat: int = 0
    """Seat it is for, whose settings may delay or drop the letter. 0 for no seat."""
    threads: tuple[str, ...] = ()
    """Stable names of its threads, widest first: "marco.game", "marco.S1901M"."""
    pictures: tuple[LetterPicture, ...] = ()
    files: tuple[Enclosure, ...] = ()
    appointments: tuple[CalendarEntry, ...] = ()
    """Changes for the calendars of its readers."""
    plain: bool = False
    """True for a letter with text only, without HTML."""
    language: str = ""
    """Code of the letter's language. Empty for English."""
    due: datetime | None = None
    """Earliest time of sending. None for at once."""
    outreach: int = 0
    """Number in the log of letters sent to others on one person's request, or 0."""

    @property
    def priority(self) -> LetterPriority:
        """Priority among letters that wait for the limits of a mail account."""
        if self.answers and self.kind is not LetterKind.PRESS:
            return LetterPriority.ESSENTIAL
        if self.unsubscribe or self.template in _OPTIONAL_TEMPLATES:
            return LetterPriority.OPTIONAL
        is_press = self.kind is LetterKind.PRESS
        return LetterPriority.PRESS if is_press else LetterPriority.ESSENTIAL
