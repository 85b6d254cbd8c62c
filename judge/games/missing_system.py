"""Placeholder for a game system that is not installed.

With it, stored games of that system still have names, people and phases; their positions are
unknown. All that needs the rules raises `DataError`. Code that may meet such a game checks
`judge.games.is_installed` first.
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
    PowerInfo,
    Table,
    Viewer,
)
from judge.model.incoming import Line
from judge.model.phrase import phrase

_CLOCK = "turn"


class _Maps(dict[str, str]):
    """Maps with no title but their name."""

    def __missing__(self, name: str) -> str:
        return name


class MissingTable(Table):
    """A position that cannot be read."""

    def __init__(self, system: "MissingSystem") -> None:
        self._system = system

    @property
    def phase(self) -> PhaseInfo:
        """A phase without facts. Its label is in the game's record."""
        unknown = phrase("phase-unknown")
        return PhaseInfo("", _CLOCK, unknown, unknown)

    @property
    def has_hidden_information(self) -> bool:
        """True, because what is unknown must not be shown."""
        return True

    def powers_due(self) -> frozenset[str]:
        """Return no powers: the game cannot continue."""
        return frozenset()

    def powers_alive(self) -> tuple[str, ...]:
        """Return no powers, since they are unknown."""
        return ()

    def missing_orders(self, power: str, sheet: str) -> tuple[str, ...]:
        """Return no missing orders."""
        return ()

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Raise DataError."""
        self._system.fail()

    def show_sheet(self, power: str, sheet: str) -> Never:
        """Raise DataError."""
        self._system.fail()

    def position_facts(self, reader: Viewer) -> Never:
        """Raise DataError."""
        self._system.fail()

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Raise DataError."""
        self._system.fail()


class MissingSystem(GameSystem):
    """A system of stored games that is unusable here.

    `why` is the reason.
    """

    clocks = (ClockKind(_CLOCK, ("TURN",), phrase("phase-unknown"), is_main=True),)
    tables = (MissingTable,)

    def __init__(self, name: str, why: str) -> None:
        self.name = self.title = name  # type: ignore[misc]
        self._why = why

    def fail(self) -> Never:
        """Raise DataError with the name of the system and the reason."""
        raise DataError(self._why)

    def find_phase(self, words: str) -> str | None:
        """Return None, since no label is known."""
        return None

    def sort_phases(self, labels: Iterable[str]) -> list[str]:
        """Return the labels in the order given."""
        return list(labels)

    def maps(self) -> Mapping[str, str]:
        """Return a mapping that has every name, with the name as title."""
        return _Maps()

    def map_title(self, map_name: str) -> str:
        """Return the name of the map."""
        return map_name

    def map_fault(self, map_name: str) -> str:
        """Return why the system is missing."""
        return self._why

    def powers(self, map_name: str, options: Options) -> tuple[PowerInfo, ...]:
        """Return no powers, since they are unknown."""
        return ()

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return no options, since they are unknown."""
        return ()

    def initial_position(self, map_name: str, options: Options, dice: Dice) -> str:
        """Raise DataError."""
        self.fail()

    def table(self, map_name: str, position: str, options: Options) -> Table:
        """Return a table without facts."""
        return MissingTable(self)

    def turn(self, map_name: str, record: str) -> Never:
        """Raise DataError."""
        self.fail()
