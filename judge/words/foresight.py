"""Commands about orders that are not for now, and about what orders could do.

They are commands like those of `judge.words.command`, kept apart for their number.
"""

from dataclasses import dataclass

from judge.words.command import Command
from judge.words.incoming import Choice, Line


@dataclass(frozen=True, slots=True, kw_only=True)
class ForPhase(Command):
    """`PHASE F1905M`: the orders that follow are for that phase.

    `phase` is empty where nobody could read it: what follows is then for no phase at all.
    """

    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditional(Command):
    """An IF block, after PHASE."""

    choice: Choice


@dataclass(frozen=True, slots=True, kw_only=True)
class Replace(Command):
    """`REPLACE`: the orders that follow are all there are; what is on file goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(Command):
    """`OPTIONS`, `OPTIONS A Par`: every order that can be given; `unit` as typed."""

    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview(Command):
    """`PREVIEW`, or `PREVIEW` … `ENDPREVIEW` with orders of anybody: what would happen."""

    lines: tuple[Line, ...] = ()
