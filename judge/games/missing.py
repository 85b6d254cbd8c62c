"""What stands in for a game system that is not installed, so that its games can still be named.

Their names, people and phases are known without it; of the position nothing is. Whatever would need
the rules raises, and whoever may meet such a game asks `judge.games.is_installed` before.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Never

from judge.dice import Dice
from judge.errors import DataError
from judge.games.system import (
    Adjudication,
    ClockKind,
    GameSystem,
    Option,
    Options,
    OrdersRead,
    PhaseInfo,
    Reader,
    Side,
    Table,
)
from judge.model.incoming import Line
from judge.model.phrase import phrase

_CLOCK = "turn"


class _Maps(dict[str, str]):
    """Maps of which nothing is known but the name."""

    def __missing__(self, name: str) -> str:
        return name


class MissingTable(Table):
    """A position that nobody here can read."""

    def __init__(self, system: "MissingSystem") -> None:
        self._system = system

    @property
    def phase(self) -> PhaseInfo:
        """A phase of which only the label is known, which the game has."""
        unknown = phrase("phase-unknown")
        return PhaseInfo("", _CLOCK, unknown, unknown)

    @property
    def hides(self) -> bool:
        """What is not known is not shown to anybody."""
        return True

    def due(self) -> frozenset[str]:
        """Return nobody: the game stands still."""
        return frozenset()

    def alive(self) -> tuple[str, ...]:
        """Return nobody of whom it is known."""
        return ()

    def missing(self, power: str, sheet: str) -> tuple[str, ...]:
        """Return nothing: nobody owes orders."""
        return ()

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Raise DataError."""
        self._system.fail()

    def show_sheet(self, power: str, sheet: str) -> Never:
        """Raise DataError."""
        self._system.fail()

    def standing(self, reader: Reader) -> Never:
        """Raise DataError."""
        self._system.fail()

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Raise DataError."""
        self._system.fail()


class MissingSystem(GameSystem):
    """A system that games are stored of, and that cannot be used here; `why` says why."""

    clocks = (ClockKind(_CLOCK, ("TURN",), phrase("phase-unknown"), is_main=True),)
    tables = (MissingTable,)

    def __init__(self, name: str, why: str) -> None:
        self.name = self.title = name  # type: ignore[misc]
        self._why = why

    def fail(self) -> Never:
        """Raise DataError, saying which system is missing, and why."""
        raise DataError(self._why)

    def find_phase(self, words: str) -> str | None:
        """Return None: no label is known."""
        return None

    def in_order(self, labels: Iterable[str]) -> list[str]:
        """Return labels as they come."""
        return list(labels)

    def maps(self) -> Mapping[str, str]:
        """Return maps that are all called by their names."""
        return _Maps()

    def sides(self, map_name: str, options: Options) -> tuple[Side, ...]:
        """Return none: they are not known."""
        return ()

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return none: they are not known."""
        return ()

    def opening(self, map_name: str, options: Options, dice: Dice) -> str:
        """Raise DataError."""
        self.fail()

    def table(self, map_name: str, position: str, options: Options) -> Table:
        """Return a table on which nothing can be done."""
        return MissingTable(self)

    def turn(self, map_name: str, record: str) -> Never:
        """Raise DataError."""
        self.fail()
