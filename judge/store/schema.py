"""Every table, declared once: what it holds, by what its rows are told apart and found, what they
belong to.

Records that others know are in `judge.model`; those that only rows are stand here. How a database
comes to this form is said in `migrations`; a test holds what they make to what stands here.
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
    """The orders one power has on file for one phase, as the game system dumped them."""

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
    """By which rollback a turn was undone."""

    undone: int


UNDONE = Table("undone", Undone, refers=_OF_GAME, indexes={"game": "(game)"})
UNDONE_TURNS = Table(
    "undone_turns", Turn, ("undone", "number"), beside=Undoing,
    refers={"undone": UNDONE, **_OF_GAME},
)


class Ending(NamedTuple):
    """How a game ended, as it was worked out from its records; None: it had no result."""

    game: int
    ended: datetime
    told: Mapping[str, Any] | None


FINISHES = Table("finishes", Ending, ("game",), refers=_OF_GAME)
APPOINTMENTS = Table(
    "appointments", Appointment, ("game", "phase"), unkept=("name", "said"), refers=_OF_GAME
)


class Spoken(NamedTuple):
    """One text that a seat had sent or kept: when, and how long it was."""

    id: int
    seat: int
    at: datetime
    octets: int


PAPERS = Table(
    "papers", Paper, refers=_OF_GAME | _OF_SEAT, indexes={"game": "(game, kind)"}
)
SPOKEN = Table("spoken", Spoken, refers=_OF_SEAT, indexes={"seat": "(seat, at)"})


class Bundle(NamedTuple):
    """What a seat has not been told since an instant; `due` is None where no hour ends it."""

    seat: int
    since: datetime
    due: datetime | None


class Heard(NamedTuple):
    """When a master was last heard of, and when he was asked whether he is still there."""

    seat: int
    at: datetime
    asked: datetime | None = None
    again: datetime | None = EPOCH
    """When to look at him again; `EPOCH`: once he is silent for long enough, None: never."""


BUNDLES = Table("bundles", Bundle, ("seat",), refers=_OF_SEAT, indexes={"due": "(due)"})
HEARD = Table("heard", Heard, ("seat",), refers=_OF_SEAT, indexes={"again": "(again, at)"})
MOVES = Table("moves", Move, refers=_OF_SEAT, indexes={"seat": "(seat)"})


class Worked(NamedTuple):
    """What workers keep of a mail."""

    finished: datetime | None = None
    """When it was finished."""
    deaths: int = 0
    """How many judges had it as their first mail: where it is still new, they died of it."""
    failures: int = 0
    """How often the storage failed under it, and could be written to afterwards."""


class OnItsWay(NamedTuple):
    """What senders keep of an outgoing message."""

    finished: datetime | None = None
    """When it was sent or given up."""
    claimed: datetime | None = None
    """Until when a sender has it in hand."""
    owner: int = 0
    """The number of that sender; 0: nobody knows."""


class Bounces(NamedTuple):
    """An address whose letters came back: how badly, and since when nothing is sent to it."""

    address: str
    points: int
    last: datetime
    suspended: datetime | None


class KeptPicture(NamedTuple):
    """A `Sketch`, and what became of it: the drawn picture, or why there is none."""

    key: str
    system: str
    form: Form
    title: str
    source: str
    state: PictureState
    octets: bytes
    error: str
    asked: datetime
    """When a letter last wanted it."""
    finished: datetime | None
    asked_for: bool
    """Only letters that somebody asked for want it: results go first."""
    since: datetime
    """When it was first wanted, of those that wait to be drawn."""


class Arranged(NamedTuple):
    """A letter that somebody has another sent: whose doing, to whom, about what, from when on it
    may go; `letter` is its number in the outgoing queue, 0 before it is there."""

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
    """An address that wrote to us, in lower case, and since when it is confirmed."""

    id: int
    address: str
    confirmed: datetime | None


class Asked(NamedTuple):
    """When something that must not be asked too often was last asked."""

    what: str
    at: datetime


class HeldLine(NamedTuple):
    """A line of a mail that waits for its sender's address to be confirmed."""

    mail: int
    line: int
    address: str
    at: datetime
    game: str
    """The name of the game it is about, in lower case, where it names one."""
    asked: str
    """What it asks for, as the letter lists it that asks for a yes."""


class WrongSignOn(NamedTuple):
    """A sign-on with a wrong password: at which seat, from which address."""

    id: int
    seat: str
    address: str
    at: datetime


class Conduct(NamedTuple):
    """One deed of a person, in one phase, with one power."""

    game: int
    phase: str
    power: str
    deed: Deed
    address: str
    at: datetime
    undone: bool = False
    """The phase was rolled back: it counts neither for nor against anybody."""


class Served(NamedTuple):
    """Octets that were sent to an address because somebody asked for them."""

    id: int
    address: str
    at: datetime
    octets: int


class Alias(NamedTuple):
    """An address of a person who has several."""

    address: str
    person: int


class Ban(NamedTuple):
    """An address, or "@" and a domain, whose mail is kept and not carried out."""

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
    """One remembered value."""

    name: str
    value: bytes


MEMORY = Table("memory", Remembered, ("name",))

TABLES: tuple[Table[Any], ...] = (
    GAMES, SEATS, ORDERS, PLANS, TURNS, EVENTS, BALLOTS, UNDONE, UNDONE_TURNS, FINISHES,
    APPOINTMENTS, PAPERS, SPOKEN, BUNDLES, HEARD, MOVES, MAILS, OUTGOING, BOUNCES, PICTURES,
    OUTREACH, ADDRESSES, ASKED, HELD, WRONG, PERSONS, CONDUCT, SERVED, ALIASES, LINKS, BANS, MEMORY,
)
"""All of them: whatever a row refers to comes before it."""
