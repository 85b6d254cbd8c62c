"""Commands about results held back, turns undone, positions set up, and games taken along.

They are commands like those of `judge.words.command`, kept apart for their number; beside them
stands what is remembered of turns that were undone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from judge.words.command import Command
from judge.words.incoming import Line


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Command):
    """Master: `RELEASE S1901M` lets the result of a held phase go; empty where none was named."""

    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turning(Command):
    """`ROLLBACK S1901M`: to which phase, and once asked back `ROLLBACK marco F1901M TO S1901M`.

    `turn` counts the phases instead, as nJudge does; empty and 0 where nothing was named.
    """

    game: str = ""
    present: str = ""
    phase: str = ""
    turn: int = 0
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


class Undone(NamedTuple):
    """The instant of a rollback, and how the game stood before it."""

    id: int
    game: int
    at: datetime
    turn: int
    phase: str
    position: str
    orders: Mapping[str, Mapping[str, str]]
    """What was on file: phase → power → text."""
    state: str
    ended: datetime | None
    result: str
