"""Declarations of all tables: columns, keys, indexes and references.

Records that other modules use are in `judge.model`. Those that are only rows are here. The module
`migrations` makes the tables. A test compares its result with these declarations.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from judge.model.letter import CalendarEntry, PictureFormat, PictureState
from judge.model.person import AddressChange, AliasLink, ConductKind, Person
from judge.model.record import (
    Ballot,
    Event,
    GameRecord,
    Outgoing,
    PendingText,
    Plan,
    RollbackRecord,
    Seat,
    StoredMail,
    Turn,
)
from judge.store.table import EPOCH, RecordTable


class OrdersRow(NamedTuple):
    """Orders of a power on file for one phase, as dumped by the game system."""

    game: int
    phase: str
    power: str
    text: str


GAMES = RecordTable(
    "games", GameRecord, named={"clock": "marks"}, unique=("name",),
    indexes={"due": "(state, due)"},
)
_OF_GAME = {"game": GAMES}
SEATS = RecordTable(
    "seats", Seat, refers=_OF_GAME, indexes={"game": "(game)", "address": "(LOWER(address))"}
)
_OF_SEAT = {"seat": SEATS}
ORDERS = RecordTable("orders", OrdersRow, ("game", "phase", "power"), refers=_OF_GAME)
PLANS = RecordTable("plans", Plan, ("game", "phase", "power"), refers=_OF_GAME)
TURNS = RecordTable("turns", Turn, ("game", "number"), refers=_OF_GAME)
EVENTS = RecordTable("events", Event, refers=_OF_GAME, indexes={"game": "(game, at)"})
BALLOTS = RecordTable("ballots", Ballot, ("game", "seat", "matter"), refers=_OF_GAME | _OF_SEAT)


class RollbackColumn(NamedTuple):
    """Rollback by which a turn was undone."""

    undone: int


UNDONE = RecordTable("undone", RollbackRecord, refers=_OF_GAME, indexes={"game": "(game)"})
UNDONE_TURNS = RecordTable(
    "undone_turns", Turn, ("undone", "number"), beside=RollbackColumn,
    refers={"undone": UNDONE, **_OF_GAME},
)


class FinishRow(NamedTuple):
    """Result of a game, derived from its records, or None without a result."""

    game: int
    ended: datetime
    told: Mapping[str, Any] | None


FINISHES = RecordTable("finishes", FinishRow, ("game",), refers=_OF_GAME)
APPOINTMENTS = RecordTable(
    "appointments", CalendarEntry, ("game", "phase"), unkept=("name", "said"), refers=_OF_GAME
)


class PressUsage(NamedTuple):
    """Time and size of one text that a seat has sent or stored."""

    id: int
    seat: int
    at: datetime
    octets: int


PAPERS = RecordTable(
    "papers", PendingText, refers=_OF_GAME | _OF_SEAT, indexes={"game": "(game, kind)"}
)
SPOKEN = RecordTable("spoken", PressUsage, refers=_OF_SEAT, indexes={"seat": "(seat, at)"})


class PendingDigest(NamedTuple):
    """Pending digest of a seat: the time span it covers, and when it is due.

    A digest without a fixed hour has no `due` (None).
    """

    seat: int
    since: datetime
    due: datetime | None


class MasterActivity(NamedTuple):
    """Last activity of a master and time of the last inquiry."""

    seat: int
    at: datetime
    asked: datetime | None = None
    again: datetime | None = EPOCH
    """Time of the next check; `EPOCH`: after enough inactivity, None: never."""


BUNDLES = RecordTable(
    "bundles", PendingDigest, ("seat",), refers=_OF_SEAT, indexes={"due": "(due)"}
)
HEARD = RecordTable(
    "heard", MasterActivity, ("seat",), refers=_OF_SEAT, indexes={"again": "(again, at)"}
)
MOVES = RecordTable("moves", AddressChange, refers=_OF_SEAT, indexes={"seat": "(seat)"})


class ProcessingColumns(NamedTuple):
    """Columns of a mail that only workers use."""

    finished: datetime | None = None
    """Time when it was finished, or None."""
    deaths: int = 0
    """Number of processes that began with it. If it is still new, they crashed."""
    failures: int = 0
    """Number of storage failures during it that passed afterwards."""


class DeliveryColumns(NamedTuple):
    """Columns of an outgoing message that only senders use."""

    finished: datetime | None = None
    """Time when it was sent or given up, or None."""
    claimed: datetime | None = None
    """End of the claim, or None."""
    owner: int = 0
    """Number of the sender that claimed it, or 0 if unknown."""
    also: str = ""
    """Message-ID that the next server named when it accepted it, or ""."""


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
    form: PictureFormat
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


class PlannedLetterRow(NamedTuple):
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


MAILS = RecordTable(
    "mails", StoredMail, beside=ProcessingColumns,
    indexes={
        "state": "(state, id)",
        "accepted": "(state, accepted)",
        "digest": "(digest) WHERE digest <> ''",
    },
)
OUTGOING = RecordTable(
    "outgoing", Outgoing, beside=DeliveryColumns,
    indexes={
        "due": "(state, due)",
        "to": '(LOWER("to"))',
        "answers": """(LOWER("to"), queued) WHERE game = ''""",
        "message_id": "(message_id)",
        "also": "(also) WHERE also <> ''",
        "strangers": "(queued) WHERE game = ''",
        "finished": "(finished) WHERE finished IS NOT NULL",
        "claimed": "(owner) WHERE claimed IS NOT NULL",
        "waiting": "(waits) WHERE waits <> 0",
    },
)


class FetchedRow(NamedTuple):
    """Mail that was fetched from a mailbox, by its queue number."""

    mail: int
    box: str
    validity: int
    uid: int
    size: int
    dated: datetime
    hash: str
    message_id: str
    seen: datetime
    """Time when it was stored, or last seen in the mailbox."""


class MailboxState(NamedTuple):
    """State of a mailbox that mail is fetched from."""

    box: str
    looked: datetime | None = None
    """Start of the last complete look: mail of before is stored. None before the first."""
    away_from: datetime | None = None
    """Start of the last outage of the mailbox, or None."""
    away_until: datetime | None = None
    """Start of the look that ended it."""
    faults: int = 0
    """Number of failed connections so far."""
    left_alone: int = 0
    """Number of mails in the mailbox that are not for the judge."""
    quota: int = -1
    """Used part of the quota in percent, or -1 if unknown."""
    junk: int = 0
    """Number of mails in the folder for junk that answer letters of the judge."""


FETCHED = RecordTable(
    "fetched", FetchedRow, ("mail",), refers={"mail": MAILS},
    indexes={
        "uid": "(box, validity, uid)", "hash": "(hash)", "message_id": "(message_id, dated)",
        "seen": "(seen)",
    },
)
MAILBOXES = RecordTable("mailboxes", MailboxState, ("box",))
BOUNCES = RecordTable("bounces", Bounces, ("address",))
PICTURES = RecordTable(
    "pictures", KeptPicture, ("key",),
    indexes={
        "state": "(state, asked)",
        "turn": "(state, asked_for, (form <> 'front'), since, key) WHERE state = 'new'",
    },
)
OUTREACH = RecordTable(
    "outreach", PlannedLetterRow,
    indexes={
        "asker": "(asker, due)", "address": "(address, due)", "about": "(about)", "due": "(due)",
    },
)


class KnownAddress(NamedTuple):
    """Address known to the judge, in lower case, and the time of its confirmation."""

    id: int
    address: str
    confirmed: datetime | None


class LastAsked(NamedTuple):
    """Time of the last question of a kind that must not be repeated too often."""

    what: str
    at: datetime


class PendingLineRow(NamedTuple):
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
    deed: ConductKind
    address: str
    at: datetime
    undone: bool = False
    """True if the phase was rolled back, so that the entry does not count."""


class ServedOctets(NamedTuple):
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


ADDRESSES = RecordTable("addresses", KnownAddress, unique=("address",))
ASKED = RecordTable("asked", LastAsked, ("what",))
HELD = RecordTable(
    "held", PendingLineRow, ("mail", "line"), refers={"mail": MAILS},
    indexes={"address": "(address)"},
)
WRONG = RecordTable(
    "wrong_signons", WrongSignOn, indexes={"seat": "(seat, at)", "address": "(address, at)"}
)
PERSONS = RecordTable(
    "persons", Person, ("address",),
    indexes={
        "look": "(look) WHERE look <> ''",
        "named": "(address) WHERE name <> '' AND look = ''",
    },
)
CONDUCT = RecordTable(
    "conduct", Conduct, ("game", "phase", "power", "deed"), refers=_OF_GAME,
    indexes={"address": "(address, deed)"},
)
SERVED = RecordTable("served", ServedOctets, indexes={"address": "(address, at)"})
ALIASES = RecordTable("aliases", Alias, ("address",), indexes={"person": "(person)"})
LINKS = RecordTable("links", AliasLink, indexes={"asked": "(asked)"})
BANS = RecordTable("bans", Ban, ("address",))


class KeyValueRow(NamedTuple):
    """Named value."""

    name: str
    value: bytes


MEMORY = RecordTable("memory", KeyValueRow, ("name",))


class AddedMap(NamedTuple):
    """Map that the operator added, in one version."""

    key: str
    """Name and the beginning of the hash, as in the column `map` of games."""
    name: str
    hash: str
    title: str
    added: datetime
    dropped: datetime | None
    """Time since when no game can be created on it, or None."""
    bundle: bytes
    """All its files as one compressed text."""


MAPS = RecordTable("maps", AddedMap, ("key",), unique=("name", "hash"))

TABLES: tuple[RecordTable[Any], ...] = (
    GAMES, SEATS, ORDERS, PLANS, TURNS, EVENTS, BALLOTS, UNDONE, UNDONE_TURNS, FINISHES,
    APPOINTMENTS, PAPERS, SPOKEN, BUNDLES, HEARD, MOVES, MAILS, FETCHED, MAILBOXES, OUTGOING,
    BOUNCES, PICTURES, OUTREACH, ADDRESSES, ASKED, HELD, WRONG, PERSONS, CONDUCT, SERVED, ALIASES,
    LINKS, BANS, MEMORY, MAPS,
)
"""All tables, each after those that it refers to."""
