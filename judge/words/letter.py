"""A letter the judge will send: who gets it and the facts in it. Its words come from a template."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from judge.words.appointment import Appointment
from judge.words.picture import Picture


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
    subject: str
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
    thread: str = ""
    """Stable name of the thread ("marco.S1901M"); empty for none."""
    pictures: tuple[Picture, ...] = ()
    files: tuple[Enclosure, ...] = ()
    appointments: tuple[Appointment, ...] = ()
    """What changed for the calendars of its readers."""
    talk: str = ""
    """Stable name of a conversation within it ("marco.talk.7"); empty for none."""
    plain: bool = False
    """Text alone, no HTML beside it."""
    language: str = ""
    """Code of the language it is written in; empty for English."""
    due: datetime | None = None
    """When it may go at the earliest; None: at once."""
    outreach: int = 0
    """Its number among the letters that somebody has others sent; 0 for none of those."""
