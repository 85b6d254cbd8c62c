"""Commands as values, and the properties of each kind of command.

Every command has its line number and, where a reply needs it, its text as typed with secrets
replaced by `***`. Spellings with the same meaning give the same value: `SIGNON ?marco pw` and
`JOIN marco pw` are both a `Join`. `judge.play.commands` declares the commands. Those that lower
layers name are in `seats`, `orders`, `press` and `mastering`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypedDict

from judge.model.incoming import ConfirmationReply, Line
from judge.model.phrase import Complaint

PASSWORD_MASK = "***"
"""Replacement for a secret."""


MASTER_WORDS = ("m", "master")
"""Words for the master's seat."""


class SeatChange(NamedTuple):
    """Effect of a command on the seat to which the following lines apply."""

    game: str | None = None
    """Name of the game whose seat is open now. Empty: unknown game, None: no change."""
    variant: tuple[str, ...] = ()
    """Map and options of the game that the command creates."""
    is_masters: bool = False
    name: str = ""
    """New name of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Base class of commands.

    `text` is the line as typed, without secrets.
    """

    line: int
    text: str

    def seat_change(self) -> SeatChange | None:
        """Return the effect on the open seat, or None.

        It does not depend on whether a password is right.
        """
        return None

    def new_password(self) -> str:
        """Return the new password of the open seat, or an empty string.

        The password is hashed in advance.
        """
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockCommand(Command):
    """A command that may begin a block of lines."""

    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCommand(Command):
    """A command that begins a block of text.

    `body` is the text as typed.
    """

    body: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Words in sign-on-like lines. If one names a game, the text is refused."""


@dataclass(frozen=True, slots=True)
class ParsedMail:
    """A mail parsed into commands, in their order, and complaints.

    `complaints` are of the command language only. `unread` counts lines left unread on purpose
    (after SIGNOFF, or after a block that was never closed). `quoted` are the first of them as a
    reply may show them, `below` is the head of that block.
    """

    commands: tuple[Command, ...]
    complaints: tuple[Complaint, ...] = ()
    unread: int = 0
    quoted: tuple[str, ...] = ()
    below: str = ""
    consent: ConfirmationReply = ConfirmationReply.NOTHING
    """Reply that the mail gives to a question of the judge."""
    struck: tuple[str, ...] = ()
    """Struck-out text that was skipped, as a reply may show it."""


MAX_REPEATS = 3
"""Maximum number of equal commands in one mail that send letters to everyone.

Each sends a letter with a board."""


class EchoPolicy(Enum):
    """Part of an unreadable line that may be echoed after its command.

    Any word of such a line may be the password.
    """

    SEAT = "seat"
    """The seat or game in its place, if exactly one word follows."""
    NOTHING = "nothing"
    FIRST = "first"
    """The first word."""
    ALL = "all"


class Permission(Enum):
    """Permission needed for a command."""

    ANYBODY = "anybody"
    SEATED = "seated"
    """Any sender that has opened a seat."""
    MASTER = "master"


class AuditDetail(Enum):
    """Level of detail logged for a master's command, also if given as a power."""

    NOTHING = "nothing"
    """No entry: it changes no game, opens a seat, or concerns only the master."""
    LINE = "line"
    """The line as typed, without addresses and secrets."""
    UNITS = "units"
    """The powers whose orders changed, never the orders."""
    WORD = "word"
    """The first word, if given as a power. The rest is that power's secret."""
    LOOK = "look"
    """The fact that the master saw information hidden from players."""
    SETTING = "setting"
    """The setting, except the master's own settings and values for masters only."""
    PRESS = "press"
    """The fact that a power sent press, if all press in the game names its sender."""
    STANCE = "stance"
    """Like `LINE`, but nothing if given as a power: it only selects a seat or phase."""


class ConfirmationPolicy(Enum):
    """Rule by which a command waits for confirmation of its From address."""

    NEVER = "never"
    """No wait: it only asks or sends a letter, or needs a seat already opened."""
    SEATED = "seated"
    """Wait always, with all commands after it for the seat it would open or register."""
    LONG = "long"
    """Wait if the sender is unknown and has opened no seat, since its reply is long.

    It opens no seat itself."""
    AFTER = "after"
    """Wait if it opens no seat and a deferred command about its game may give it one."""
    PERSON = "person"
    """Wait unless the mail replies to a letter: it changes public facts about people.

    These belong to no single game. Commands after it do not wait."""


class BlockForm(NamedTuple):
    """Block of lines that belong to a command."""

    end: str
    """Line that ends it, as complaints about a missing end show it."""
    ends: str
    """Pattern of all lines that end it."""
    head: str = ""
    """Pattern of the whole first line, if not every such line begins a block."""
    first: str = ""
    """Pattern of the beginning of its first line that is not blank."""
    name: str = ""
    """Name of the block, if it differs from its first word."""
    max_lines: int = 10_000
    """Limit on lines. A longer block is refused whole."""


class CommandForm(NamedTuple):
    """One way to write a command."""

    words: str
    """Words that begin it, in capitals, the usual one first: "PAUSE, SUSPEND"."""
    line: str
    """Harmless example line, shown in the complaint about an unreadable command."""
    shown: EchoPolicy = EchoPolicy.FIRST
    block: BlockForm | None = None

    @property
    def spellings(self) -> tuple[str, ...]:
        """The words that begin it, as a tuple."""
        return tuple(self.words.split(", "))


@dataclass(frozen=True, slots=True)
class CommandKind:
    """Properties of one kind of command.

    All facts about a command that the game, the public log and the sign-on checks need are declared
    here. Commands that are never written as such, like orders, have no forms. `judge.play.commands`
    has the table of all kinds.
    """

    value: type[Command]
    forms: tuple[CommandForm, ...] = ()
    grammar: str = ""
    """Grammar rule, if the command language does not define it."""
    readers: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    """Grammar rules with the functions that make commands from their parts.

    They are needed only where the parts are not simply the fields in their order."""
    rule: str = ""
    """Name of its grammar rule, if it differs from its first word."""
    who: Permission = Permission.SEATED
    opens: bool = False
    """True if it opens a seat. If it fails, commands are ignored until the next one."""
    shuts: bool = False
    """True if commands after an unreadable one are ignored until a seat is opened."""
    registers: str = ""
    """Seat for which it registers the sender's address.

    It is the letter of a seat ("m", "o"), "?" for a seat that waits for the start, or "who" for the
    seat that the command names."""
    waits: ConfirmationPolicy = ConfirmationPolicy.NEVER
    log: AuditDetail = AuditDetail.LINE
    told: bool = False
    """True if everyone in the game receives letters about it."""
    most_alike: int = MAX_REPEATS
    """Maximum uses by a master in one mail, if everyone receives letters about it."""
    as_power: bool = False
    """True if a master may give it while acting as a power."""
    frozen: str = ""
    """Part of the game that must not be frozen for it: "orders" or "votes"."""
    makes: bool = False
    """True if it creates a game."""
    about: str = ""
    """Description in HELP's list, if no help topic describes it."""
    personal: bool = False
    """True if it needs no game and may affect every game."""

    @property
    def name(self) -> str:
        """Name of the command, or an empty string if it has no forms."""
        return self.forms[0].spellings[0] if self.forms else ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """All words that begin it."""
        return tuple(word for form in self.forms for word in form.spellings)

    @property
    def rule_name(self) -> str:
        """Name of its grammar rule."""
        return self.rule or self.name.lower().replace(" ", "_")


Kinds = Mapping[type[Command], CommandKind]
"""All kinds of commands by their classes."""


Words = tuple[str, ...]
"""Words as typed."""
Spans = tuple[str, Words]
"""A keyword with the words after it, such as FROM with a date."""


class Where(TypedDict):
    """Position of a command in its mail."""

    line: int
    text: str


class Typed(str):
    """A word as typed.

    `type` is the name of its terminal in the grammar.
    """

    type: str


def plain_words(typed: Words) -> Words:
    """Return words in lower case without the commas between them."""
    return tuple(word for word in (each.lower().strip(",") for each in typed) if word)


def bare_address(typed: str) -> str:
    """Return an address without surrounding punctuation.

    >>> bare_address("<ann@example.org>,")
    'ann@example.org'
    """
    return typed.strip("<>,;:.'\"()")
