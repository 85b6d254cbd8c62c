"""The contract between the judge and a game system.

The judge keeps positions, orders and outcomes as text it never reads; only the system looks
inside. Everything here is pure: the same arguments give the same answer, chance comes from the
`Dice` handed in, and nothing knows of mail, clocks or databases. What a reader may see (blind
games, fog) is decided here too: whatever tells something takes the `Reader`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from judge.dice import Dice
from judge.words.complaint import Complaint
from judge.words.incoming import Body, Line
from judge.words.reason import Reason

Options = Mapping[str, object]
"""A game's options by name, JSON values; missing ones have the system's default."""


class Side(NamedTuple):
    """A power as the judge needs to know it: name, sign-on letter, adjective, further spellings."""

    name: str
    letter: str
    adjective: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a system: its values (first = default), and one line of help.

    `values` empty: a whole number, with `default`.
    """

    name: str
    values: tuple[str, ...]
    help: str
    default: int = 0


class Watcher(Enum):
    """In what quality somebody reads."""

    POWER = "power"
    MASTER = "master"
    OBSERVER = "observer"


class Reader(NamedTuple):
    """Who is told something."""

    quality: Watcher
    power: str = ""


class PhaseInfo(NamedTuple):
    """A phase as letters and clocks need it.

    `clock` names the clock that runs ("move", "retreat", "adjust"); `turn` is "Spring of 1901",
    `title` "Movement".
    """

    label: str
    clock: str
    turn: str
    title: str


@dataclass(frozen=True, slots=True)
class LineRead:
    """The verdict on one line of orders: what was filed, what is to be said, or why not.

    `filed` are order texts as the receipt shows them ("A DEL - KAS"). `ignored`: the line was
    no order at all (prose) and is only counted.
    """

    line: Line
    filed: tuple[str, ...] = ()
    notes: tuple[Reason, ...] = ()
    complaint: Complaint | None = None
    ignored: bool = False


@dataclass(frozen=True, slots=True)
class OrdersRead:
    """What a mail's order lines did: the new sheets, by power, and the verdict on each line.

    `sheets` has an entry only for powers whose sheet changed.
    """

    sheets: Mapping[str, str]
    lines: tuple[LineRead, ...]


@dataclass(frozen=True, slots=True)
class PlanRead:
    """What lines for a phase still to come did: the new plan, and the verdict on each line."""

    plan: str
    lines: tuple[LineRead, ...]


class Menu(NamedTuple):
    """The orders one unit (or a power's builds) may be given: `title` says whose they are.

    `more` counts those left out because there are so many.
    """

    title: str
    orders: tuple[str, ...]
    more: int = 0


class Ending(NamedTuple):
    """How a game ends by its own rules: who shares in it, and why."""

    winners: tuple[str, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class Adjudication:
    """One adjudicated phase: the position in the next phase in which somebody has a choice,
    the record from which the result can be told again, and the ending, if this was it."""

    after: str
    record: str
    ending: Ending | None = None


class Table(Protocol):
    """One game's position at hand: everything that can be asked of it."""

    @property
    def phase(self) -> PhaseInfo:
        """The phase to order for."""
        ...

    def due(self) -> frozenset[str]:
        """Return the powers that have something to decide in this phase."""
        ...

    def alive(self) -> tuple[str, ...]:
        """Return the powers still in the game (units or centres), in the map's order."""
        ...

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines as orders of a power (None: the master, who may order any unit) and merge
        them, unit by unit, into the sheets on file."""
        ...

    def phase_called(self, label: str) -> PhaseInfo | Reason:
        """Return the present or a later phase by its label, or why there is none such to come."""
        ...

    def in_order(self, labels: Iterable[str]) -> list[str]:
        """Return labels of phases as they follow each other in the game."""
        ...

    def plan_orders(self, body: Body, power: str, label: str, plan: str) -> PlanRead:
        """Read lines and IF blocks of a power for a phase still to come, whatever may stand
        where by then, and lay them over the plan on file."""
        ...

    def show_plan(self, plan: str) -> tuple[str, ...]:
        """Return a plan as lines that could be sent again."""
        ...

    def carry_out(self, plan: str, power: str, sheets: Mapping[str, str]) -> OrdersRead:
        """Read a plan as orders for the phase that has begun; its conditions are judged now."""
        ...

    def menus(self, power: str | None, words: str) -> tuple[Menu, ...] | Reason:
        """Return the orders that a power's units (None: anybody's) may be given now.

        `words` name a unit or a power; empty: all of the power's. A Reason says what is wrong
        with them.
        """
        ...

    def missing(self, power: str, sheet: str) -> tuple[str, ...]:
        """Return what a power has yet to decide ("A DEL", "1 build"); empty: its orders are in."""
        ...

    def show_sheet(self, power: str, sheet: str) -> Mapping[str, object]:
        """Return the facts of a receipt: every unit with its order, warnings, builds due."""
        ...

    def standing(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of the position: units, centres, counts."""
        ...

    def leaders(self) -> tuple[str, ...]:
        """Return the power that is ahead by what wins the game, or those that are level."""
        ...

    def stand_in(self, power: str, sheet: str) -> str:
        """Return the sheet of a power without a player, completed so that it defends itself."""
        ...

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Decide the phase; powers without a sheet get the default orders of the rules."""
        ...


class GameSystem(Protocol):
    """A family of games with the same rules on one or more maps."""

    name: str
    """One lower-case word; also the folder of its letters."""
    title: str

    def maps(self) -> Mapping[str, str]:
        """Return name → title of its maps; names are what CREATE takes."""
        ...

    def sides(self, map_name: str) -> tuple[Side, ...]:
        """Return the powers of a map, in its order."""
        ...

    def options(self) -> tuple[Option, ...]:
        """Return the options a game may be created with."""
        ...

    def opening(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the position a game starts from."""
        ...

    def table(self, map_name: str, position: str, options: Options) -> Table:
        """Return a position at hand."""
        ...

    def retell(self, map_name: str, record: str, reader: Reader) -> Mapping[str, object]:
        """Return the facts of an adjudicated phase as one reader may know them."""
        ...

    def chronicle(
        self, map_name: str, turns: Sequence[tuple[str, str]], reader: Reader
    ) -> Mapping[str, object]:
        """Return the facts of SUMMARY from (phase, position after it) of every turn."""
        ...
