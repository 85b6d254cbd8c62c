"""Commands of masters: to a game, about each other and its powers, and about whole games."""

from dataclasses import dataclass

from judge.model.command import Command
from judge.model.incoming import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Command):
    """Master: begin, with empty powers if need be (START, FORCE BEGIN).

    `now`: also where the players were to confirm first. `bots` play the powers nobody has.
    """

    now: bool = False
    bots: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Process(Command):
    """Master: adjudicate now, if `phase` is still the phase; empty where none was named."""

    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Command):
    """Master: stop the clock (PAUSE, SUSPEND), until he says RESUME, or until a date."""

    until: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(Command):
    """Master: go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Eject(Command):
    """Master: take a power from its player, or drop an observer's address."""

    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminate(Command):
    """Master: end without result; `game` and `phase` named once asked back."""

    game: str = ""
    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Command):
    """Master: `RELEASE S1901M` lets the result of a held phase go; empty where none was named."""

    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turning(Command):
    """`ROLLBACK S1901M`: to which phase, and once asked back `ROLLBACK marco F1901M TO S1901M`.

    `words` are those as typed; a number may count the phases instead, as nJudge does.
    """

    words: tuple[str, ...] = ()
    restore: bool = False
    """The orders given then are on file again."""
    full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RollBack(Turning):
    """Master: undo what was adjudicated since the beginning of a phase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollForward(Turning):
    """Master: bring back what was undone, up to a phase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp(Command):
    """Master: a `SETUP … ENDSETUP` block, or `SETUP word` which says yes to the one shown."""

    word: str = ""
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Export(Command):
    """`EXPORT marco`, `EXPORT marco ORDERS`: the whole game as a file."""

    game: str = ""
    orders: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Import(Command):
    """`IMPORT trial marco`: a game that is over once more, to play with; or a block with one."""

    name: str
    """What the new game is called."""
    game: str = ""
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fork(Command):
    """`FORK marco S1905M`: a board of one's own from that position; empty parts: the open seat's
    game, its present phase."""

    game: str = ""
    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Become(Command):
    """`BECOME N`: what follows is for that power; `BECOME MASTER` ends it."""

    who: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Promote(Command):
    """`PROMOTE ann@example.org` makes one more master; DEMOTE an observer of a master.

    `owner`: `PROMOTE ann@example.org OWNER` makes a master the first of them.
    """

    who: str
    off: bool = False
    owner: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Announce(Command):
    """An `OFFICIAL subject … ENDOFFICIAL` block: a letter to everybody; `body` as typed."""

    subject: str = ""
    body: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dummy(Command):
    """`DUMMY N`, `DUMMY N SUPPORT`: a power without a player on purpose."""

    who: str
    stance: str = ""
    """"hold", "support", or empty: as the game has it for powers without a player."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot(Command):
    """`BOT N` has a bot play a power without a player, `BOT N OFF` no longer."""

    who: str
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Revive(Command):
    """`REVIVE N` gives a power back to its last player, `REVIVE N ann@example.org` to another."""

    who: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unstart(Command):
    """`UNSTART S1901M`: back to before the start, if that is still the phase."""

    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(Command):
    """`RENAME polo`: another name for a game that has not begun."""

    name: str
