"""A game as anybody may look at it: what the pages of the public archive are made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from judge.words.picture import Sketch
from judge.words.reason import Reason


class Board(NamedTuple):
    """A picture on a page: from what it is drawn, and what stands below it."""

    sketch: Sketch
    caption: str


class Leaf(NamedTuple):
    """One phase that was played."""

    phase: str
    turn: str
    """"Spring of 1901"."""
    title: str
    """"Movement"."""
    boards: tuple[Board, ...]
    results: Mapping[str, object]
    entries: tuple[Mapping[str, object], ...]
    """Press, diaries and notices of that phase, in order of time, as HISTORY has them."""


class Year(NamedTuple):
    """How much each power owned at the end of a year, in the order of the map."""

    year: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Headline:
    """One game as a list of games shows it."""

    id: int
    name: str
    system: str
    variant: str
    state: str
    phase: str
    started: datetime | None
    ended: datetime | None
    deadline: datetime | None
    ending: Reason | None
    comment: str
    stamp: str
    """Changes with everything that could be on the pages of a game that is over; empty while it
    goes on."""


@dataclass(frozen=True, slots=True)
class Showcase:
    """One game, whole."""

    headline: Headline
    board: Board | None
    """Where it stands."""
    leaves: tuple[Leaf, ...]
    powers: tuple[tuple[str, str], ...]
    """Name and letter of each."""
    years: tuple[Year, ...]
    pending: tuple[Mapping[str, object], ...]
    """What happened in no phase that was played: now, or after the last one."""
