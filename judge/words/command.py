"""What a mail asks of the judge, line by line, as values; `judge.play` carries them out.

Every command knows its line number and, where it matters for an answer, its text as typed with
secrets replaced by `***`. Whatever the sender wrote that means the same is the same value here:
`SIGNON ?marco pw` and `JOIN marco pw` are both a `Join`.
"""

from dataclasses import dataclass

from judge.words.complaint import Complaint
from judge.words.consent import Consent
from judge.words.incoming import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing asked for; `text` is the line as typed, without secrets."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOn(Command):
    """Open a seat by password: `SIGNON Nmarco pw`, `SIGNON india@marco pw`, `SIGNON Mmarco pw`.

    `who` is a power letter or name, "master" or "observer", in lower case; a single letter is
    given as it is ("n", "m", "o").
    """

    who: str
    game: str
    password: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff(Command):
    """The end of commands: nothing after it is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Create(Command):
    """Make a game: `CREATE ?marco gmsecret youngstown`; the sender becomes its master.

    `variant` holds the words after the password, in lower case (map and options).
    """

    game: str
    password: str
    variant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Command):
    """Take part: `JOIN marco pw`, `SIGNON ?marco pw`; `power` where one was asked for."""

    game: str
    """Empty for `SIGNON ? pw`: the next forming game."""
    password: str
    power: str = ""
    again: bool = False
    """`JOIN marco pw AGAIN`: a second power for the same person."""
    variant: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observe(Command):
    """Subscribe: OBSERVE and WATCH with press, MONITOR for results only."""

    game: str
    password: str = ""
    results_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover(Command):
    """Take a vacant power: `TAKEOVER Nmarco newsecret`, `TAKEOVER india@marco newsecret`.

    `words` after the password: the word of a game by invitation.
    """

    who: str
    game: str
    password: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Command):
    """Leave the seat that is open (RESIGN, WITHDRAW)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsubscribe(Command):
    """Leave as an observer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GiveOrders(Command):
    """Lines that are no command: orders, as far as anybody knows here.

    Consecutive order lines of a mail are one value; the game system reads each by itself.
    """

    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading(Command):
    """The name of a phase alone on a line, as people put it above orders; no command.

    `phase` is empty for "next turn"; `season_only`: the kind of phase was not named.
    """

    phase: str = ""
    season_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Clear(Command):
    """Drop the orders on file: all, or those of one later phase."""

    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Command):
    """Show the seat: its orders on file, its position, the deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSetting(Command):
    """`SET …`: the words after SET as typed, SET and NO/NOT taken apart.

    `SET NO WAIT`, `SET NOWAIT` are `words=("WAIT",), off=True`. The settings table knows the rest.
    """

    words: tuple[str, ...]
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePassword(Command):
    """`SET PASSWORD new`, apart from the other settings because it is a secret."""

    password: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetPassword(Command):
    """`RESET PASSWORD Nmarco`: have the seat's registered address mailed the way to a new one.

    `who` is as in `SignOn`, or "?" for the sender's own seat before the start.
    """

    who: str
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ListGames(Command):
    """`LIST`, `LIST marco`, `LIST FULL`."""

    game: str = ""
    full: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Command):
    """`SUMMARY`, `SUMMARY marco`: who owned what, year by year."""

    game: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class History(Command):
    """`HISTORY [marco] [FROM date|phase] [TO date|phase] [LINES n]`; the bounds as typed.

    `without`: `EXCLSTART S1903M [EXCLEND F1905B]` leaves those phases out, and notices too,
    unless BROAD is said.
    """

    game: str = ""
    since: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    lines: int = 1000
    without: tuple[str, ...] = ()
    results_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Help(Command):
    """`HELP [topic]`, `GET file`; `HILFE` asks in German."""

    topic: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version(Command):
    """`VERSION`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote(Command):
    """`VOTE DRAW`, `SET DRAW`, `VOTE CLOCK …`: `matter` in lower case, `words` as typed."""

    matter: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Unvote(Command):
    """`UNVOTE`, `UNVOTE DRAW`, `SET NO DRAW`."""

    matter: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Command):
    """`READY` (units without order hold) or `UNREADY`, `NOT READY`."""

    ready: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Start(Command):
    """Master: begin, with empty powers if need be (START, FORCE BEGIN).

    `now`: also where the players were to confirm first.
    """

    now: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Process(Command):
    """Master: adjudicate now, if `phase` is still the phase; empty where none was named."""

    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause(Command):
    """Master: stop the clock (PAUSE, SUSPEND)."""


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
