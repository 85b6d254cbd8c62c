"""Commands about people and their seats: who they are, whom a game lets in, who sits in for whom.

They are commands like those of `judge.words.command`, kept apart for their number.
"""

from dataclasses import dataclass

from judge.words.command import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Command):
    """A `REGISTER … END` block: `fields` as (name in lower case, value as typed)."""

    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InfoPlayer(Command):
    """`INFO PLAYER`, `INFO PLAYER ann@example.org`, `INFO PLAYER N`: reliability figures."""

    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandBy(Command):
    """`STANDBY`, `STANDBY youngstown`, `SET NO STANDBY`: hear of vacancies; `maps` empty: all."""

    maps: tuple[str, ...] = ()
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite(Command):
    """Master: `INVITE ann@example.org [N]` keeps a seat for somebody; UNINVITE takes it back."""

    address: str
    power: str = ""
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve(Command):
    """Master: `APPROVE ann@example.org`, `REFUSE ann@example.org`: answer one who asked to play."""

    who: str
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitter(Command):
    """`SITTER ann@example.org UNTIL 3 Mar`: ask somebody to sit in; `SITTER OFF` ends it."""

    address: str = ""
    until: tuple[str, ...] = ()
    """The date as typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sit(Command):
    """`SIT india@marco`: yes to sitting in for the player of a power."""

    who: str
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(Command):
    """`CONFIRM`: still here and ready to begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IAmAlso(Command):
    """`IAMALSO ann@work.example`: another address of the same person; OFF takes one away."""

    address: str = ""
    off: bool = False
