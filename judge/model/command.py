"""A command as a value, and what is known of a kind of command.

Every command knows its line number and, where it matters for an answer, its text as typed with
secrets replaced by `***`. Whatever the sender wrote that means the same is the same value: `SIGNON
?marco pw` and `JOIN marco pw` are both a `Join`. `judge.play.commands` declares the commands.
Those that lower layers name are in `seats`, `orders`, `press` and `mastering`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypedDict

from judge.model.incoming import Consent, Line
from judge.model.phrase import Complaint

HIDDEN = "***"
"""What stands where a secret stood."""


MASTER_WORDS = ("m", "master")
"""Words for the master's seat."""


class SeatChange(NamedTuple):
    """The effect of a command on the seat that the lines after it are for."""

    game: str | None = None
    """The game whose seat is open now; empty: no known game; None: the same as before."""
    variant: tuple[str, ...] = ()
    """The map and options of a game that the command makes."""
    is_masters: bool = False
    name: str = ""
    """The new name of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing asked for; `text` is the line as typed, without secrets."""

    line: int
    text: str

    def seat_change(self) -> SeatChange | None:
        """Return the effect on the open seat, whether or not a password is right; None: none."""
        return None

    def new_password(self) -> str:
        """Return the password that the open seat is to get, which is hashed ahead, or nothing."""
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockCommand(Command):
    """A command that may be the head of a block of lines."""

    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCommand(Command):
    """A command that is the head of a block of text; `body` as typed."""

    body: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Words that may be names of games in lines like sign-ons: if one is, the text is refused."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A mail as commands: what was understood, in order, and what was not.

    `complaints` are of the command language only. `unread` counts lines left unread on purpose
    (after SIGNOFF, or after a block that was never closed); `quoted` are the first of them as an
    answer may show them, `below` is the head of that block.
    """

    commands: tuple[Command, ...]
    complaints: tuple[Complaint, ...] = ()
    unread: int = 0
    quoted: tuple[str, ...] = ()
    below: str = ""
    consent: Consent = Consent.NOTHING
    """What the mail says where it answers a question of ours."""
    struck: tuple[str, ...] = ()
    """What was struck out and left out, as an answer may show it."""


MOST_ALIKE = 3
"""Acts of a kind among those in one mail: each is a letter to everybody, with a board."""


class Shown(Enum):
    """What is shown of a line that could not be read, behind its command: nobody knows which of
    its words was the password."""

    SEAT = "seat"
    """It may hold a password: a seat or game in its place, where just one word follows."""
    NOTHING = "nothing"
    FIRST = "first"
    """One word."""
    ALL = "all"


class Who(Enum):
    """Who may give a command."""

    ANYBODY = "anybody"
    SEATED = "seated"
    """Whoever has opened a seat."""
    MASTER = "master"


class Log(Enum):
    """What the public log keeps of a command that a master gave, for himself or as a power."""

    NOTHING = "nothing"
    """It changes nothing in a game, opens a seat, or is his own affair."""
    LINE = "line"
    """As it was typed, without addresses and secrets."""
    UNITS = "units"
    """Whose orders were changed, never what they are."""
    WORD = "word"
    """Given as a power, its first word: the rest is the power's secret."""
    LOOK = "look"
    """That the master saw what players may not."""
    SETTING = "setting"
    """What was set; not his own affairs, and no value that only masters may see."""
    PRESS = "press"
    """Given as a power, that it wrote, where all press names its writer."""
    STANCE = "stance"
    """As `LINE`; given as a power nothing, for it only says what the next lines are for."""


class Waits(Enum):
    """Whether a command waits for a yes from the address in its From line."""

    NEVER = "never"
    """It only asks or sends a letter, or needs a seat that a token or password has opened."""
    SEATED = "seated"
    """Always, with all that follows it for the seat it would open or register."""
    LONG = "long"
    """From somebody who has opened no seat: its answer is long. It opens none itself."""
    AFTER = "after"
    """Where it opens nothing, and something about its game waits that may give it its seat."""
    PERSON = "person"
    """Unless the mail answers a letter: it changes what is public of the sender, in no one game.
    What follows it does not wait."""


class BlockForm(NamedTuple):
    """The block that a form of a command is the head of: lines that are the command's own."""

    end: str
    """How its end is written, as whoever forgot it is told."""
    ends: str
    """A pattern for all that closes it, alone on a line."""
    head: str = ""
    """A pattern for the whole first line, where not each such line is the head of a block."""
    first: str = ""
    """A pattern for how the lines must begin."""
    name: str = ""
    """What the block is called, where not by the word that begins it."""
    max_lines: int = 10_000
    """Lines of one block. A longer one is refused whole."""


class Form(NamedTuple):
    """One way to write a command."""

    words: str
    """What begins it, in capitals: "LIST, WHOGAME, WHO GAME", the usual word first."""
    line: str
    """A line that could be sent, and does no harm: what is shown to whoever wrote it wrong."""
    shown: Shown = Shown.FIRST
    block: BlockForm | None = None

    @property
    def spellings(self) -> tuple[str, ...]:
        """What begins it, one by one."""
        return tuple(self.words.split(", "))


@dataclass(frozen=True, slots=True)
class CommandKind:
    """A kind of command; what has no form nobody writes as a command, such as orders.

    A game's master and its players, the public log, and whoever guards passwords and seats each
    want to know something of every command: it stands here, and in no list of theirs.
    `judge.play.commands` has the table of all kinds.
    """

    value: type[Command]
    forms: tuple[Form, ...] = ()
    grammar: str = ""
    """The rule of a command that the command language does not have of itself."""
    readers: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    """Rules of the grammar, and the functions that make commands from their parts, where these
    are not simply the fields in their order."""
    rule: str = ""
    """The name of its rule in the grammar, where that is not its first word."""
    who: Who = Who.SEATED
    opens: bool = False
    """It opens a seat; after one that failed nothing counts until the next."""
    shuts: bool = False
    """Where it cannot be read, nothing counts until a seat is opened."""
    registers: str = ""
    """The seat it registers the sender's address for: the letter of a seat ("m", "o"), "?" for one
    that waits for the start, or "who" for the one it names."""
    waits: Waits = Waits.NEVER
    log: Log = Log.LINE
    told: bool = False
    """Everybody in the game gets letters of it."""
    most_alike: int = MOST_ALIKE
    """How often a master may give it in one mail, where everybody is told."""
    as_power: bool = False
    """A master may give it while he acts as a power."""
    frozen: str = ""
    """What must not be frozen in a game for it: "orders" or "votes"."""
    makes: bool = False
    """It makes a game."""
    about: str = ""
    """What HELP's list says of it, where no topic tells of it."""
    personal: bool = False
    """A person may say it without a game, and every game may heed it."""

    @property
    def verb(self) -> str:
        """Return the usual word that begins it; empty for what nobody writes as a command."""
        return self.forms[0].spellings[0] if self.forms else ""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.forms[0].spellings[0] if self.forms else ""

    @property
    def spellings(self) -> tuple[str, ...]:
        """All words that begin it."""
        return tuple(word for form in self.forms for word in form.spellings)

    @property
    def rule_name(self) -> str:
        """The name of its rule in the grammar."""
        return self.rule or self.name.lower().replace(" ", "_")


Kinds = Mapping[type[Command], CommandKind]
"""The kinds of commands that there are, by their values."""


Words = tuple[str, ...]
"""Words as typed."""
Spans = tuple[str, Words]
"""A keyword with the words behind it, such as FROM with a date."""


class Where(TypedDict):
    """The place of a command in its mail."""

    line: int
    text: str


class Typed(str):
    """A word as typed; `type` is the name of its terminal in the grammar."""

    type: str


def plain_words(typed: Words) -> Words:
    """Return words in lower case, freed of commas between them."""
    return tuple(word for word in (each.lower().strip(",") for each in typed) if word)


def bare_address(typed: str) -> str:
    """Return an address freed of what people put around it.

    >>> bare_address("<ann@example.org>,")
    'ann@example.org'
    """
    return typed.strip("<>,;:.'\"()")
