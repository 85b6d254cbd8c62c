"""Stored games: their seats, orders, history, pending texts and public views.

Position, orders and outcomes are text that only the game system reads. Times are aware
datetimes in UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple, TypedDict

from judge.model.clock_state import EMPTY_CLOCK, ClockState
from judge.model.letter import PictureRequest, PictureSlot
from judge.model.phrase import Phrase
from judge.model.seat_settings import DEFAULT_SETTINGS, SeatSettings

NO_ID = 0
"""`id` of a record that the store has not yet numbered."""


class GameState(Enum):
    """State of a game."""

    FORMING = "forming"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class Role(Enum):
    """Role of a seat."""

    PLAYER = "player"
    MASTER = "master"
    OBSERVER = "observer"
    MONITOR = "monitor"
    """An observer that receives results and notices, but no press."""


class SeatState(Enum):
    """State of a seat."""

    WAITING = "waiting"
    """Joined a forming game, whose powers are allocated at the start."""
    OCCUPIED = "held"
    VACANT = "vacant"
    """A power without a player, in civil disorder until taken over."""
    LEFT = "left"
    """A former observer, master or waiting player, stored for the records."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game, with a unique name in lower case."""

    id: int
    name: str
    system: str
    map: str
    state: GameState
    phase: str
    """Label of the phase to order for ("S1901M"), or of the opening while forming."""
    turn: int
    """Phases played so far, plus one. 0 while forming."""
    position: str
    settings: Mapping[str, object]
    """Settings and options of the system by name, as JSON values. Default if missing."""
    seed: bytes
    created: datetime
    started: datetime | None = None
    ended: datetime | None = None
    opened: datetime | None = None
    """Start of the present phase."""
    deadline: datetime | None = None
    grace_until: datetime | None = None
    due: datetime | None = None
    """Time of the resolver's next check of the game. None for never."""
    clock: ClockState = EMPTY_CLOCK
    """State of the clock in this phase, renewed with each phase."""
    result: str = ""
    """Outcome of the game as JSON text. Empty while it runs."""
    branch: int = 0
    """Number of changes to the past: rollbacks, rollforwards, edits of the position.

    Orders in replies to letters from before such a change would be for another position."""


class GameChanges(TypedDict, total=False):
    """Fields of a game that may change after its creation."""

    name: str
    map: str
    state: GameState
    phase: str
    turn: int
    position: str
    settings: Mapping[str, object]
    seed: bytes
    started: datetime | None
    ended: datetime | None
    opened: datetime | None
    deadline: datetime | None
    grace_until: datetime | None
    due: datetime | None
    clock: ClockState
    result: str
    branch: int


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat in one game."""

    id: int
    game: int
    role: Role
    state: SeatState
    power: str = ""
    """Full name. Empty for masters, observers and players without a power."""
    address: str = ""
    password: str = ""
    """Hash of its password (argon2id). Empty for none."""
    epoch: int = 1
    """Number raised with each new password, address or player to invalidate tokens."""
    preference: str = ""
    wait: bool = False
    ready: bool = False
    missed: int = 0
    """Number of consecutive phases without any order."""
    settings: SeatSettings = DEFAULT_SETTINGS
    """Settings of its player (zone …), and its sitter."""
    since: datetime | None = None


class Draw(NamedTuple):
    """One random draw in a turn.

    The `n`-th draw under a tag resulted in `value`, from 1 to `sides`.
    """

    tag: str
    n: int
    sides: int
    value: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One adjudicated phase, with all that is needed to replay and report it."""

    game: int
    number: int
    phase: str
    before: str
    orders: Mapping[str, str]
    """Orders by power, as dumped by the system."""
    outcome: str
    """Record of the adjudication by the game system, as JSON text."""
    after: str
    at: datetime
    options: Mapping[str, object] | None = None
    """Options of the system in force then. None if they were not recorded."""
    draws: tuple[Draw, ...] = ()
    """Random draws in it."""
    seed: bytes = b""
    """Random seed of its draws. Empty if unknown to this judge."""


@dataclass(frozen=True, slots=True)
class Event:
    """One HISTORY entry of a game: results, notice or press."""

    game: int
    at: datetime
    phase: str
    kind: str
    """Kind of letter (`X-Judge-Kind`), or "log" for an action of a master."""
    text: str
    """Whole text as sent to observers (or to `readers`)."""
    readers: tuple[str, ...] = ()
    """Powers (or "Master") that it was for. Empty for everyone, observers included."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """Vote of one seat in one matter."""

    game: int
    seat: int
    matter: str
    choice: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Orders that a power has on file for one future phase."""

    game: int
    phase: str
    power: str
    text: str
    """Orders as dumped by the game system."""
    wait: bool = False
    """True if that phase is not to be adjudicated before its deadline."""


class MailState(Enum):
    """State of a stored mail."""

    NEW = "new"
    DONE = "done"
    IGNORED = "ignored"
    """Automatic mail or a repeat, stored but never answered."""
    SHUNTED = "shunted"
    """Set aside after an internal error."""


@dataclass(frozen=True, slots=True)
class StoredMail:
    """One mail of the incoming queue."""

    id: int
    accepted: datetime
    sender: str
    recipients: tuple[str, ...]
    raw: bytes
    state: MailState = MailState.NEW
    digest: str = ""
    note: str = ""
    peer: str = ""
    """Peer's address, protocol and name in the SMTP greeting."""
    part: str = ""
    """Lines that this record covers ("5-9"), if only a part of a mail was shunted."""


class DeliveryState(Enum):
    """State of an outgoing message."""

    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One finished message of the outgoing queue."""

    id: int
    to: str
    sender: str
    """Envelope sender."""
    message_id: str
    message: bytes
    queued: datetime
    due: datetime
    """Time of the next attempt."""
    game: str = ""
    kind: str = ""
    answers: int = 0
    """Queue number of the mail that it answers. 0 for none."""
    tries: int = 0
    state: DeliveryState = DeliveryState.QUEUED
    error: str = ""
    places: tuple[PictureSlot, ...] = ()
    """Positions at which pictures are inserted before it is sent."""
    waits: bool = False
    """True if one of these pictures is not drawn yet."""
    priority: int = 0
    """Its `LetterPriority`."""


class RollbackRecord(NamedTuple):
    """A rollback, with the state of the game before it."""

    id: int
    game: int
    at: datetime
    turn: int
    phase: str
    position: str
    orders: Mapping[str, Mapping[str, str]]
    """Orders on file: phase → power → text."""
    state: str
    ended: datetime | None
    result: str


class PendingTextKind(Enum):
    """Kind of pending text, by the event that publishes it."""

    DIARY = "diary"
    """Published at the end of the game."""
    POSTAL = "postal"
    """Published with the next results."""
    STATEMENT = "statement"
    """Published at the end of the discussion after the game."""


@dataclass(frozen=True, slots=True)
class PendingText:
    """A text published later: diary note, postal press or statement."""

    id: int
    game: int
    seat: int
    kind: PendingTextKind
    phase: str
    at: datetime
    text: str
    """Diary note or statement as typed, or press as its event will have it."""


class PageBoard(NamedTuple):
    """A picture on a web page, with the caption below it."""

    sketch: PictureRequest
    caption: str


class PhasePage(NamedTuple):
    """One adjudicated phase on a web page."""

    phase: str
    turn: Phrase
    """Turn: "Spring of 1901"."""
    title: Phrase
    """Kind of phase: "Movement"."""
    boards: tuple[PageBoard, ...]
    results: object
    entries: tuple[Mapping[str, object], ...]
    """Press, diaries and notices of that phase in order of time, as in HISTORY."""


class YearCounts(NamedTuple):
    """Points of each power at the end of a year, in the order of the map."""

    year: str
    counts: tuple[int, ...]


class YearPage(NamedTuple):
    """A year of a game (or a turn, without years) with its adjudicated phases."""

    heading: str | Phrase
    says: Phrase | None
    """Summary of the year. None while it runs, and if no score is reported."""
    leaves: tuple[PhasePage, ...]


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One game in a list of games."""

    id: int
    name: str
    system: str
    variant: str
    state: str
    phase: str
    started: datetime | None
    ended: datetime | None
    deadline: datetime | None
    ending: Phrase | None
    comment: str
    stamp: str
    """Text that changes with the pages of a finished game. Empty while it runs."""
    winners: tuple[str, ...] = ()
    """Powers that won or shared the win, once it is over."""


@dataclass(frozen=True, slots=True)
class PublicGame:
    """One game with all public facts."""

    headline: GameSummary
    board: PageBoard | None
    """Present position."""
    leaves: tuple[PhasePage, ...]
    powers: tuple[tuple[str, str], ...]
    """Name and letter of each power."""
    bots: tuple[str, ...]
    """Powers played by bots."""
    years: tuple[YearCounts, ...]
    chapters: tuple[YearPage, ...]
    story: tuple[Phrase, ...]
    """Summary of the game in a few sentences. Empty while it runs."""
    chart: PictureRequest | None
    """Chart of the score. None for less than two years."""
    pending: tuple[Mapping[str, object], ...]
    """Entries of HISTORY outside all adjudicated phases: now, or after the last one."""
