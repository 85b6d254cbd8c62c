"""The contract between the judge and a game system.

The judge keeps positions, orders and outcomes as text it never reads; only the system looks
inside. Everything here is pure: the same arguments give the same answer, chance comes from the
`Dice` handed in, and nothing knows of mail, clocks or databases. What a reader may see (blind
games, fog) is decided here too: whatever tells something takes the `Reader`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, Protocol

from judge.dice import Dice
from judge.drawing.picture import Picture
from judge.model.incoming import Body, Line
from judge.model.phrase import Complaint, Phrase


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a system: its values (first = default), and one line of help.

    `values` empty: a whole number from `least` to `most`, with `default`. `says` has a sentence
    for each value; for a number, one for the default and one that names `{n}`.
    """

    name: str
    values: tuple[str, ...]
    help: str
    default: int = 0
    says: tuple[str, ...] = ()
    least: int = 0
    most: int = 0
    at_any_time: bool = False
    """It may be changed in a running game; others only before the start."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Further words for it, in lower case → the value they set, empty if that follows them."""

    def told(self, value: object) -> str:
        """Return what a value means, as a sentence."""
        if self.values:
            return self.says[self.values.index(str(value))]
        return self.says[0] if value == self.default else self.says[1].format(n=value)


Options = Mapping[str, object]
"""A game's options by name, JSON values; missing ones have the system's default."""


class Side(NamedTuple):
    """A power as the judge needs to know it: name, sign-on letter, adjective, further spellings."""

    name: str
    letter: str
    adjective: str
    words: tuple[str, ...] = ()


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
    no order at all (prose); the answer only quotes it. `kept` are orders on file from before that
    stay in force although the line would have changed them.
    """

    line: Line
    filed: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()
    complaint: Complaint | None = None
    ignored: bool = False
    kept: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Arranged:
    """What lines of a master make of a position, and the verdict on each line.

    `position` counts only where no line has a complaint. `notes` are worth another look.
    """

    position: str
    lines: tuple[LineRead, ...]
    notes: tuple[Phrase, ...] = ()


class Menu(NamedTuple):
    """The orders one unit (or a power's builds) may be given: `title` says whose they are.

    `more` counts those left out because there are so many.
    """

    title: str
    orders: tuple[str, ...]
    more: int = 0


class Trust(NamedTuple):
    """A unit that its owner lets another power, the holder, order in this phase.

    `order` is what the holder has ordered, empty where nothing yet. Only the owner, the holder
    and the master may hear of it, and only the holder and the master of the order.
    """

    owner: str
    holder: str
    unit: str
    order: str = ""


class Ending(NamedTuple):
    """How a game ends by its own rules: who shares in it, and why."""

    winners: tuple[str, ...]
    reason: Phrase


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

    @property
    def hides(self) -> bool:
        """Tell whether readers see different things (blind games, fog)."""
        ...

    def seen_by(self, reader: Reader, sheets: Mapping[str, str] | None = None) -> "Table":
        """Return the table as a reader sees it, for what he tries out himself.

        By the `sheets` on file he may see more: what stands by units he orders for others.
        """
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

    def phase_called(self, label: str) -> PhaseInfo | Phrase:
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

    def menus(
        self, power: str | None, words: str, sheets: Mapping[str, str]
    ) -> tuple[Menu, ...] | Phrase:
        """Return the orders that a power's units (None: anybody's) may be given now.

        Units of others that it may order by the `sheets` on file are among them.
        `words` name a unit or a power; empty: all of the power's. A Phrase says what is wrong
        with them.
        """
        ...

    def missing(self, power: str, sheet: str) -> tuple[str, ...]:
        """Return what a power has yet to decide ("A DEL", "1 build"); empty: its orders are in."""
        ...

    def trusts(self, sheets: Mapping[str, str]) -> tuple[Trust, ...]:
        """Return the units that one power lets another order in this phase."""
        ...

    def known_to(self, power: str, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return what a power may know of all sheets: its own, and what was entrusted to it."""
        ...

    def published(self, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return what of all sheets the results tell: the orders that counted, and no others.

        They are adjudicated to the same record.
        """
        ...

    def show_sheet(self, power: str, sheet: str) -> Mapping[str, object]:
        """Return the facts of a receipt: every unit with its order, warnings, builds due."""
        ...

    def standing(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of the position: units, centres, counts."""
        ...

    def places(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of the whole board, place by place: a picture in words."""
        ...

    def sketch(self, reader: Reader) -> str:
        """Return what a picture of the position shows a reader, for `GameSystem.picture`.

        Empty where the reader may see nothing of it. The same for all who may see the same.
        """
        ...

    def sketch_orders(self, sheets: Mapping[str, str], reader: Reader) -> str:
        """Return what a picture shows of the position with these orders in it, and no others;
        nothing in it tells what becomes of them."""
        ...

    def leaders(self) -> tuple[str, ...]:
        """Return the power that is ahead by what wins the game, or those that are level."""
        ...

    def arrange(self, lines: Sequence[Line]) -> Arranged:
        """Lay lines over the position: who has what, and where; only what can be is allowed."""
        ...

    def arrangement(self) -> tuple[str, ...]:
        """Return the lines that `arrange` makes this position of."""
        ...

    def touching(self, power: str) -> frozenset[str]:
        """Return the powers that have a unit beside one of this power's."""
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

    def called(self, label: str) -> str:
        """Return the label of a phase as letters print it; it is read back as the same phase."""
        ...

    def maps(self) -> Mapping[str, str]:
        """Return name → title of its maps; names are what CREATE takes."""
        ...

    def sides(self, map_name: str) -> tuple[Side, ...]:
        """Return the powers of a map, in its order."""
        ...

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return the options a game on a map may be created with."""
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

    def result(self, map_name: str, record: str, reader: Reader) -> Mapping[str, object]:
        """Return an adjudicated phase for programs, as JSON values: what one reader may know.

        `map` and `phase` say what was played, `orders` lists for each power what its units did:
        `order` as a text that can be sent, `outcome` in words ("no order" where none was given).
        """
        ...

    def sketch_turn(
        self, map_name: str, record: str, reader: Reader, *, tried: bool = False
    ) -> str:
        """Return what a picture shows a reader of an adjudicated phase: the orders, and what
        became of them. `tried`: the picture says that nothing of it has happened."""
        ...

    def picture(self, sketch: str, title: str) -> Picture:
        """Return the picture of a sketch; the title stands above it."""
        ...

    def chronicle(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]], reader: Reader
    ) -> Mapping[str, object]:
        """Return the facts of SUMMARY from (phase, position after it) of every turn."""
        ...

    def years(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]]
    ) -> Sequence[tuple[str, Mapping[str, int]]]:
        """Return what each power owned, at first and at the end of each year, once all is open."""
        ...
