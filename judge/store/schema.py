"""Declarations of all tables: columns, keys, indexes and references.

Records that other modules use are in `judge.model`. Those that are only rows are here. The module
`migrations` makes the tables. A test compares its result with these declarations.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from judge.model.letter import Appointment, Form, PictureState
from judge.model.person import Deed, Link, Move, Person
from judge.model.record import (
    Ballot,
    Event,
    GameRecord,
    Outgoing,
    Paper,
    Plan,
    Seat,
    StoredMail,
    Turn,
    Undone,
)
from judge.store.table import EPOCH, Table


class Sheet(NamedTuple):
    """Orders of a power on file for one phase, as dumped by the game system."""

    game: int
    phase: str
    power: str
    text: str


GAMES = Table(
    "games", GameRecord, named={"clock": "marks"}, unique=("name",),
    indexes={"due": "(state, due)"},
)
_OF_GAME = {"game": GAMES}
SEATS = Table(
    "seats", Seat, refers=_OF_GAME, indexes={"game": "(game)", "address": "(LOWER(address))"}
)
_OF_SEAT = {"seat": SEATS}
ORDERS = Table("orders", Sheet, ("game", "phase", "power"), refers=_OF_GAME)
PLANS = Table("plans", Plan, ("game", "phase", "power"), refers=_OF_GAME)
TURNS = Table("turns", Turn, ("game", "number"), refers=_OF_GAME)
EVENTS = Table("events", Event, refers=_OF_GAME, indexes={"game": "(game, at)"})
BALLOTS = Table("ballots", Ballot, ("game", "seat", "matter"), refers=_OF_GAME | _OF_SEAT)


class Undoing(NamedTuple):
    """Rollback by which a turn was undone."""

    undone: int


UNDONE = Table("undone", Undone, refers=_OF_GAME, indexes={"game": "(game)"})
UNDONE_TURNS = Table(
    "undone_turns", Turn, ("undone", "number"), beside=Undoing,
    refers={"undone": UNDONE, **_OF_GAME},
)


class Ending(NamedTuple):
    """Result of a game, derived from its records, or None without a result."""

    game: int
    ended: datetime
    told: Mapping[str, Any] | None


FINISHES = Table("finishes", Ending, ("game",), refers=_OF_GAME)
APPOINTMENTS = Table(
    "appointments", Appointment, ("game", "phase"), unkept=("name", "said"), refers=_OF_GAME
)


class Spoken(NamedTuple):
    """Time and size of one text that a seat has sent or stored."""

    id: int
    seat: int
    at: datetime
    octets: int


PAPERS = Table(
    "papers", Paper, refers=_OF_GAME | _OF_SEAT, indexes={"game": "(game, kind)"}
)
SPOKEN = Table("spoken", Spoken, refers=_OF_SEAT, indexes={"seat": "(seat, at)"})


class Bundle(NamedTuple):
    """Pending digest of a seat: the time span it covers, and when it is due.

    A digest without a fixed hour has no `due` (None).
    """

    seat: int
    since: datetime
    due: datetime | None


class Heard(NamedTuple):
    """Last activity of a master and time of the last inquiry."""

    seat: int
    at: datetime
    asked: datetime | None = None
    again: datetime | None = EPOCH
    """Time of the next check; `EPOCH`: after enough inactivity, None: never."""


BUNDLES = Table("bundles", Bundle, ("seat",), refers=_OF_SEAT, indexes={"due": "(due)"})
HEARD = Table("heard", Heard, ("seat",), refers=_OF_SEAT, indexes={"again": "(again, at)"})
MOVES = Table("moves", Move, refers=_OF_SEAT, indexes={"seat": "(seat)"})


class Worked(NamedTuple):
    """Columns of a mail that only workers use."""

    finished: datetime | None = None
    """Time when it was finished, or None."""
    deaths: int = 0
    """Number of processes that began with it. If it is still new, they crashed."""
    failures: int = 0
    """Number of storage failures during it that passed afterwards."""


class OnItsWay(NamedTuple):
    """Columns of an outgoing message that only senders use."""

    finished: datetime | None = None
    """Time when it was sent or given up, or None."""
    claimed: datetime | None = None
    """End of the claim, or None."""
    owner: int = 0
    """Number of the sender that claimed it, or 0 if unknown."""


class Bounces(NamedTuple):
    """Bounce points of an address, and the time of its suspension."""

    address: str
    points: int
    last: datetime
    suspended: datetime | None


class KeptPicture(NamedTuple):
    """Requested picture (`Sketch`), with its octets or the error of rendering."""

    key: str
    system: str
    form: Form
    title: str
    source: str
    state: PictureState
    octets: bytes
    error: str
    asked: datetime
    """Time when a letter last requested it."""
    finished: datetime | None
    asked_for: bool
    """True if only letters that a person asked for want it; results have priority."""
    since: datetime
    """Time when it was first requested, of the pictures to be rendered."""


class Arranged(NamedTuple):
    """Letter that a person has another sent.

    `asker` requested it, `due` is its earliest time. `letter` is its id in the outgoing queue, or 0
    before it is queued.
    """

    id: int
    asker: str
    address: str
    about: str
    due: datetime
    letter: int = 0


MAILS = Table(
    "mails", StoredMail, beside=Worked,
    indexes={
        "state": "(state, id)",
        "accepted": "(state, accepted)",
        "digest": "(digest) WHERE digest <> ''",
    },
)
OUTGOING = Table(
    "outgoing", Outgoing, beside=OnItsWay,
    indexes={
        "due": "(state, due)",
        "to": '(LOWER("to"))',
        "answers": """(LOWER("to"), queued) WHERE game = ''""",
        "message_id": "(message_id)",
        "strangers": "(queued) WHERE game = ''",
        "finished": "(finished) WHERE finished IS NOT NULL",
        "claimed": "(owner) WHERE claimed IS NOT NULL",
        "waiting": "(waits) WHERE waits <> 0",
    },
)
BOUNCES = Table("bounces", Bounces, ("address",))
PICTURES = Table(
    "pictures", KeptPicture, ("key",),
    indexes={
        "state": "(state, asked)",
        "turn": "(asked_for, since, key) WHERE state = 'new'",
    },
)
OUTREACH = Table(
    "outreach", Arranged,
    indexes={
        "asker": "(asker, due)", "address": "(address, due)", "about": "(about)", "due": "(due)",
    },
)


class Known(NamedTuple):
    """Address known to the judge, in lower case, and the time of its confirmation."""

    id: int
    address: str
    confirmed: datetime | None


class Asked(NamedTuple):
    """Time of the last question of a kind that must not be repeated too often."""

    what: str
    at: datetime


class HeldLine(NamedTuple):
    """Line of a mail that waits for its sender's address to be confirmed."""

    mail: int
    line: int
    address: str
    at: datetime
    game: str
    """Name of the game it is about, in lower case, or ""."""
    asked: str
    """Request of the line, as worded in the letter that asks for confirmation."""


class WrongSignOn(NamedTuple):
    """Failed sign-on, by seat and address."""

    id: int
    seat: str
    address: str
    at: datetime


class Conduct(NamedTuple):
    """Conduct of a person in one phase, with one power."""

    game: int
    phase: str
    power: str
    deed: Deed
    address: str
    at: datetime
    undone: bool = False
    """True if the phase was rolled back, so that the entry does not count."""


class Served(NamedTuple):
    """Octets that were sent to an address on demand."""

    id: int
    address: str
    at: datetime
    octets: int


class Alias(NamedTuple):
    """Address of a person who has several."""

    address: str
    person: int


class Ban(NamedTuple):
    """Address, or "@" and a domain, whose mail is stored but not executed."""

    address: str
    at: datetime


ADDRESSES = Table("addresses", Known, unique=("address",))
ASKED = Table("asked", Asked, ("what",))
HELD = Table(
    "held", HeldLine, ("mail", "line"), refers={"mail": MAILS}, indexes={"address": "(address)"}
)
WRONG = Table(
    "wrong_signons", WrongSignOn, indexes={"seat": "(seat, at)", "address": "(address, at)"}
)
PERSONS = Table(
    "persons", Person, ("address",),
    indexes={
        "look": "(look) WHERE look <> ''",
        "named": "(address) WHERE name <> '' AND look = ''",
    },
)
CONDUCT = Table(
    "conduct", Conduct, ("game", "phase", "power", "deed"), refers=_OF_GAME,
    indexes={"address": "(address, deed)"},
)
SERVED = Table("served", Served, indexes={"address": "(address, at)"})
ALIASES = Table("aliases", Alias, ("address",), indexes={"person": "(person)"})
LINKS = Table("links", Link, indexes={"asked": "(asked)"})
BANS = Table("bans", Ban, ("address",))


class Remembered(NamedTuple):
    """Named value."""

    name: str
    value: bytes


MEMORY = Table("memory", Remembered, ("name",))

TABLES: tuple[Table[Any], ...] = (
    GAMES, SEATS, ORDERS, PLANS, TURNS, EVENTS, BALLOTS, UNDONE, UNDONE_TURNS, FINISHES,
    APPOINTMENTS, PAPERS, SPOKEN, BUNDLES, HEARD, MOVES, MAILS, OUTGOING, BOUNCES, PICTURES,
    OUTREACH, ADDRESSES, ASKED, HELD, WRONG, PERSONS, CONDUCT, SERVED, ALIASES, LINKS, BANS, MEMORY,
)
"""All tables, each after those that it refers to."""
