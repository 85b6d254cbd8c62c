"""Commands about seats: who takes them, speaks from them, sits in or leaves, and their settings."""

from dataclasses import dataclass

from judge.model.command import MASTER_WORDS, Command, SeatChange


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOn(Command):
    """Open a seat by password: `SIGNON Nmarco pw`, `SIGNON india@marco pw`, `SIGNON Mmarco pw`.

    `who` is a power letter or name, "master" or "observer", in lower case; a single letter is
    given as it is ("n", "m", "o").
    """

    who: str
    game: str
    password: str
    behind: tuple[str, ...] = ()
    """Words after the password: the map, as nJudge has it; anything else may be part of a secret.
    """

    def seat_change(self) -> SeatChange:
        """Return the seat that is open now."""
        return SeatChange(self.game, is_masters=self.who in MASTER_WORDS)


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

    def seat_change(self) -> SeatChange:
        """Return the seat that is open now."""
        return SeatChange(self.game, self.variant, is_masters=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Join(Command):
    """Take part: `JOIN marco pw`, `SIGNON ?marco pw`; `power` where one was asked for."""

    game: str
    """Empty for `SIGNON ? pw`, `SIGNON ? pw youngstown`: the next forming game."""
    password: str
    power: str = ""
    again: bool = False
    """`JOIN marco pw AGAIN`: a second power for the same person."""
    variant: tuple[str, ...] = ()

    def seat_change(self) -> SeatChange:
        """Return the seat that is open now."""
        return SeatChange(self.game)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observe(Command):
    """Subscribe: OBSERVE and WATCH with press, MONITOR for results only."""

    game: str
    password: str = ""
    results_only: bool = False

    def seat_change(self) -> SeatChange:
        """Return the seat that is open now."""
        return SeatChange(self.game)


@dataclass(frozen=True, slots=True, kw_only=True)
class Takeover(Command):
    """Take a vacant power: `TAKEOVER Nmarco newsecret`, `TAKEOVER india@marco newsecret`.

    `words` after the password: the word of a game by invitation.
    """

    who: str
    game: str
    password: str
    words: tuple[str, ...] = ()

    def seat_change(self) -> SeatChange:
        """Return the seat that is open now."""
        return SeatChange(self.game, is_masters=self.who in MASTER_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Command):
    """Leave the seat that is open (RESIGN, WITHDRAW), in the game that is named or in any."""

    game: str = ""

    def seat_change(self) -> SeatChange | None:
        """Return nothing: a sign-on may be in the same line."""
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsubscribe(Command):
    """Leave as an observer: `UNSUBSCRIBE`, `UNOBSERVE polo`, `OBSERVE polo OFF`."""

    game: str = ""
    """Empty for the open seat's game or, without a seat, all that the sender observes."""



@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSetting(Command):
    """`SET …`: the words after SET as typed, SET and NO/NOT taken apart.

    `SET NO WAIT`, `SET NOWAIT` are `words=("WAIT",), off=True`. The settings table knows the rest.
    """

    words: tuple[str, ...]
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Command):
    """A `REGISTER … END` block, or `NAME Ann Example`: `fields` as (name in lower case, value)."""

    fields: tuple[tuple[str, str], ...] = ()
