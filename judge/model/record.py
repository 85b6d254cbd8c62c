"""A game as remembered: itself, its seats, orders, history, papers, and as anybody may see it.

Position, orders and outcomes are text that only the game system reads. Instants are aware and
in UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import NamedTuple, Protocol, TypedDict

from judge.model.clockstate import AT_REST, ClockState
from judge.model.letter import Place, Sketch
from judge.model.phrase import Phrase
from judge.model.seatsettings import NOTHING_SAID, SeatSettings

UNSTORED = 0
"""The `id` of a record before the store has numbered it."""


class GameState(Enum):
    """Where a game is in its life."""

    FORMING = "forming"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class Role(Enum):
    """What a seat is for."""

    PLAYER = "player"
    MASTER = "master"
    OBSERVER = "observer"
    MONITOR = "monitor"
    """An observer who gets results and notices, but no press."""


class SeatState(Enum):
    """Whether somebody sits on a seat."""

    WAITING = "waiting"
    """Joined a forming game; has no power yet."""
    HELD = "held"
    VACANT = "vacant"
    """A power without a player, in civil disorder until taken over."""
    LEFT = "left"
    """An observer, master or waiting player who went; kept for the records."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game."""

    id: int
    name: str
    """Lower case, unique."""
    system: str
    map: str
    state: GameState
    phase: str
    """Label of the phase to order for ("S1901M"); while forming, of the opening."""
    turn: int
    """Phases played so far, plus one; 0 while forming."""
    position: str
    settings: Mapping[str, object]
    """Settings and the system's options by name; JSON values. Missing: default."""
    seed: bytes
    created: datetime
    started: datetime | None = None
    ended: datetime | None = None
    opened: datetime | None = None
    """When the present phase began."""
    deadline: datetime | None = None
    grace_until: datetime | None = None
    due: datetime | None = None
    """When the resolver must look at this game next; None: never by itself."""
    clock: ClockState = AT_REST
    """What was done in this phase; new with each phase."""
    result: str = ""
    """How it ended, as JSON text; empty while it goes on."""
    branch: int = 0
    """Raised when turns are undone or brought back, or the position is edited: orders in replies
    to letters of before would be for another position."""


class GameChanges(TypedDict, total=False):
    """Fields of a game that come to be something else; those that it is made with stay."""

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


class GameView(Protocol):
    """What a stored game and one in hand both tell."""

    __slots__ = ()

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def name(self) -> str:
        """Lower case, unique."""

    @property
    def system(self) -> str:
        """The name of its game system."""

    @property
    def map(self) -> str:
        """The name of its map."""

    @property
    def state(self) -> GameState:
        """Where it is in its life."""

    @property
    def phase(self) -> str:
        """The label of the phase to order for."""

    @property
    def turn(self) -> int:
        """Phases played so far, plus one."""

    @property
    def position(self) -> str:
        """The position, as the system wrote it."""

    @property
    def settings(self) -> Mapping[str, object]:
        """What was set, by name."""

    @property
    def seed(self) -> bytes:
        """What its dice are made from."""

    @property
    def created(self) -> datetime:
        """When it was made."""

    @property
    def started(self) -> datetime | None:
        """When it began."""

    @property
    def ended(self) -> datetime | None:
        """When it was over."""

    @property
    def opened(self) -> datetime | None:
        """When the present phase began."""

    @property
    def deadline(self) -> datetime | None:
        """When the orders of the present phase are due."""

    @property
    def grace_until(self) -> datetime | None:
        """Until when late orders are taken."""

    @property
    def due(self) -> datetime | None:
        """When the resolver must look at it next."""

    @property
    def clock(self) -> ClockState:
        """What was done in the present phase."""

    @property
    def result(self) -> str:
        """How it ended, as JSON text."""

    @property
    def branch(self) -> int:
        """How often its past was changed."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat in one game."""

    id: int
    game: int
    role: Role
    state: SeatState
    power: str = ""
    """Full name; empty for master and observers, and for a player while waiting."""
    address: str = ""
    password: str = ""
    """argon2id hash; empty where none was given."""
    epoch: int = 1
    """Raised with each new password, address or player: older tokens die."""
    preference: str = ""
    wait: bool = False
    ready: bool = False
    missed: int = 0
    """Phases without any order, in a row."""
    settings: SeatSettings = NOTHING_SAID
    """What its person has set (zone …), and who sits there for whom."""
    since: datetime | None = None


class Draw(NamedTuple):
    """One draw of chance in a turn: the `n`-th under a tag came out as `value`, of 1 to `sides`."""

    tag: str
    n: int
    sides: int
    value: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One adjudicated phase: enough to play it again and to tell it."""

    game: int
    number: int
    phase: str
    before: str
    orders: Mapping[str, str]
    """By power, as the system dumped them."""
    outcome: str
    """The system's record of the adjudication, JSON text."""
    after: str
    at: datetime
    options: Mapping[str, object] | None = None
    """The system's options in force then; None: nobody wrote them down."""
    draws: tuple[Draw, ...] = ()
    """What chance decided in it."""
    seed: bytes = b""
    """Random seed of its draws; empty where this judge does not know it."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a game, for HISTORY: results, notices, press."""

    game: int
    at: datetime
    phase: str
    kind: str
    """As `X-Judge-Kind`, or "log" for an act of a master."""
    text: str
    """The whole text as observers (or those in `readers`) were sent it."""
    readers: tuple[str, ...] = ()
    """Names of the powers (or "Master") it was for; empty: everybody, observers too."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """One seat's standing vote in one matter."""

    game: int
    seat: int
    matter: str
    choice: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a power has on file for one phase still to come."""

    game: int
    phase: str
    power: str
    text: str
    """As the system wrote it."""
    wait: bool = False
    """Not to be adjudicated before its deadline then."""


class MailState(Enum):
    """What became of a stored mail."""

    NEW = "new"
    DONE = "done"
    IGNORED = "ignored"
    """Machine mail or a repeat: kept, never answered."""
    SHUNTED = "shunted"
    """Set aside after a fault of ours."""


@dataclass(frozen=True, slots=True)
class StoredMail:
    """One message of the incoming queue."""

    id: int
    accepted: datetime
    sender: str
    recipients: tuple[str, ...]
    raw: bytes
    state: MailState = MailState.NEW
    digest: str = ""
    note: str = ""
    peer: str = ""
    """Where it came from: the peer's address, the protocol, and the name it greeted with."""
    part: str = ""
    """The lines this stands for, "5-9", when it is a part of a mail that was set aside alone."""


class OutState(Enum):
    """What became of an outgoing message."""

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
    """When to try next."""
    game: str = ""
    kind: str = ""
    answers: int = 0
    """Queue number of the mail this answers; 0 for none."""
    tries: int = 0
    state: OutState = OutState.QUEUED
    error: str = ""
    places: tuple[Place, ...] = ()
    """Where pictures are put into the message before it is sent."""
    waits: bool = False
    """One of them is not drawn yet."""


class Undone(NamedTuple):
    """The instant of a rollback, and how the game stood before it."""

    id: int
    game: int
    at: datetime
    turn: int
    phase: str
    position: str
    orders: Mapping[str, Mapping[str, str]]
    """What was on file: phase → power → text."""
    state: str
    ended: datetime | None
    result: str


class PaperKind(Enum):
    """What a paper waits for."""

    DIARY = "diary"
    """The end of the game."""
    POSTAL = "postal"
    """The next results."""
    STATEMENT = "statement"
    """The end of the talk after the game."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A text that waits: a note of a diary, postal press, or what is said of a game at its end."""

    id: int
    game: int
    seat: int
    kind: PaperKind
    phase: str
    at: datetime
    text: str
    """Of a diary or a statement as typed; of press as it will be an event."""


class Board(NamedTuple):
    """A picture on a page: from what it is drawn, and what stands below it."""

    sketch: Sketch
    caption: str


class Leaf(NamedTuple):
    """One phase that was played."""

    phase: str
    turn: Phrase
    """"Spring of 1901"."""
    title: Phrase
    """"Movement"."""
    boards: tuple[Board, ...]
    results: object
    entries: tuple[Mapping[str, object], ...]
    """Press, diaries and notices of that phase, in order of time, as HISTORY has them."""


class Year(NamedTuple):
    """How much each power owned at the end of a year, in the order of the map."""

    year: str
    counts: tuple[int, ...]


class Chapter(NamedTuple):
    """A year of a game, or a turn where it has no years, with the phases that were played in it."""

    heading: str | Phrase
    says: Phrase | None
    """What the year came to; None while it goes on, and where no score is told."""
    leaves: tuple[Leaf, ...]


@dataclass(frozen=True, slots=True)
class Headline:
    """One game as a list of games shows it."""

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
    """Changes with everything that could be on the pages of a game that is over; empty while it
    goes on."""
    winners: tuple[str, ...] = ()
    """The powers that won or shared, once it is over."""


@dataclass(frozen=True, slots=True)
class Showcase:
    """One game, whole."""

    headline: Headline
    board: Board | None
    """Where it stands."""
    leaves: tuple[Leaf, ...]
    powers: tuple[tuple[str, str], ...]
    """Name and letter of each."""
    bots: tuple[str, ...]
    """Those that bots play."""
    years: tuple[Year, ...]
    chapters: tuple[Chapter, ...]
    story: tuple[Phrase, ...]
    """How it went, in a few sentences; empty while it goes on."""
    chart: Sketch | None
    """How the score went; None for less than two years."""
    pending: tuple[Mapping[str, object], ...]
    """What happened in no phase that was played: now, or after the last one."""
