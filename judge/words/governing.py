"""Commands of masters about each other, about powers, and about what a game is at all.

They are commands like those of `judge.words.command`, kept apart for their number.
"""

from dataclasses import dataclass

from judge.words.command import Command


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowLog(Command):
    """`LOG marco LINES 50`: all that the masters of a game did."""

    game: str = ""
    lines: int = 200
