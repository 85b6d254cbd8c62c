"""The contract between the judge and a game system, the part every system has.

The judge stores positions, orders and outcomes as text that only the system parses. All methods are
pure: the same arguments give the same result, random numbers come from the `Dice` argument, and
there is no access to mail, clocks or databases. The system also decides what a viewer may see
(blind games, fog): every method that shows something takes the `Viewer`.

A system is a `GameSystem` whose games are `Table`s. Features that not every game has (future
orders, order lists, pictures) are classes of `capabilities`, from which a system or its tables
inherit. The judge offers a game only the capabilities it has.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib.resources.abc import Traversable
from typing import ClassVar, NamedTuple

from judge.dice import Dice
from judge.games.letter_facts import Brief, PositionFacts, Results, SheetFacts
from judge.model.incoming import Line
from judge.model.order_words import NO_ORDER_WORDS, OrderWords, PhaseHead
from judge.model.phrase import Complaint, Phrase, phrase


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a system, with its values and a help line.

    `values` are its values, the default first. Empty: a whole number from `least` to `most`, with
    `default`. `says` has a sentence for each value; for a number the first is that of the default,
    and the last has the number as `n`.
    """

    name: str
    values: tuple[str, ...]
    help: Phrase
    default: int = 0
    says: tuple[Phrase, ...] = ()
    least: int = 0
    most: int = 0
    at_any_time: bool = False
    """True if it may be changed in a running game, not only before the start."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Further words for it, in lower case → the value they set.

    The value is empty if it follows the words.
    """

    def describe_value(self, value: object) -> Phrase:
        """Return the meaning of a value, as a sentence."""
        if self.values:
            return self.says[self.values.index(str(value))]
        return self.says[0] if value == self.default else self.describe_number(int(str(value)))

    def describe_number(self, number: int | str) -> Phrase:
        """Return the meaning of a number other than the default, as a sentence."""
        said = self.says[-1]
        return Phrase(said.code, {**said.facts, "n": number})


Options = Mapping[str, object]
"""A game's options by name, as JSON values.

Missing ones have the system's default.
"""


class PowerInfo(NamedTuple):
    """A power as the judge knows it: name, sign-on letter, adjective, spellings.

    On a map with more powers than letters each power has a code of up to four letters instead: the
    seat Nmarco has N, the seat BRI@marco has BRI.
    """

    name: str
    letter: str
    adjective: str
    words: tuple[str, ...] = ()


class MapDetails(NamedTuple):
    """An added map, as its author describes it."""

    name: str
    hash: str
    """SHA-256 of its content, in hexadecimal digits."""
    author: str = ""
    notes: tuple[str, ...] = ()
    """Lines of its text for players."""


class ViewerRole(Enum):
    """Role of a viewer."""

    POWER = "power"
    MASTER = "master"
    OBSERVER = "observer"


class Viewer(NamedTuple):
    """The viewer that facts are for."""

    quality: ViewerRole
    power: str = ""


@dataclass(frozen=True, slots=True)
class ClockKind:
    """One of the clocks of a system, which runs during one kind of phase.

    `name` is one lower-case word, under which settings are stored ("move.next"). `words` precede
    NEXT, GRACE and so on in SET, the usual one first. `title` names the kind of its phases
    ("movement"). `hours` is the default duration of such a phase; `delay` is the default number of
    hours between the last orders and an early deadline.
    """

    name: str
    words: tuple[str, ...]
    title: Phrase
    hours: float = 24.0
    delay: float = 0.0
    is_main: bool = False
    """True if players negotiate in its phases.

    Hours of negotiation come before them, press is open in them even if minor phases restrict it,
    and orders sent early wait for the next of them.
    """


class PhaseInfo(NamedTuple):
    """A phase as letters and clocks need it.

    `clock` names the clock that runs, one of `GameSystem.clocks`. `turn` is a phrase such as
    "Spring of 1901", `title` one such as "Movement".
    """

    label: str
    clock: str
    turn: Phrase
    title: Phrase


@dataclass(frozen=True, slots=True)
class LineRead:
    """The result of one line of orders: orders filed, notes, or a complaint.

    `filed` are order texts in the form of the receipt ("A DEL - KAS"). A line with `notes` alone
    requests what is the case already: it changes nothing and is no error. `ignored`: the line was
    no order at all (prose), and the reply only quotes it. `kept` are orders on file that stay in
    force although the line would have changed them. `withdrawn` are orders that the line took off
    file.
    """

    line: Line
    filed: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()
    complaint: Complaint | None = None
    ignored: bool = False
    kept: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrdersRead:
    """The result of a mail's order lines: new sheets by power, and verdicts.

    `lines` has the verdict on each line. `sheets` has an entry only for powers whose sheet changed;
    an empty sheet deletes it. `later` has the sheets of future phases that lines named, by label,
    and only if the table is `LaterSheets`, which can show them. `ready`: the lines declared the
    power's orders complete, or withdrew that. It has the effect of READY and UNREADY, which remain
    available.
    """

    sheets: Mapping[str, str]
    lines: tuple[LineRead, ...]
    later: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ready: bool | None = None


class Ending(NamedTuple):
    """End of a game by its own rules: the powers that share in it, and the reason."""

    winners: tuple[str, ...]
    reason: Phrase


@dataclass(frozen=True, slots=True)
class Adjudication:
    """An adjudicated phase: position, record and ending.

    `after` is the position in the next phase in which a power has a choice. `record` is the text
    from which the results can be shown again. `ending`: None if the game goes on.

    `carried` are sheets that are on file when the next phase begins, by power. Their powers count
    as having ordered, so a phase for which everything is carried ends early. A sheet sent earlier
    for that phase replaces the carried one. An order that is in force until it is changed, and that
    is no activity of its player, belongs in the position instead: the system writes it there when
    it adjudicates, and it is rolled back, exported and imported with the position.
    """

    after: str
    record: str
    ending: Ending | None = None
    carried: Mapping[str, str] = field(default_factory=dict)


class Table(ABC):
    """The rules of a system applied to one game's position."""

    @property
    @abstractmethod
    def phase(self) -> PhaseInfo:
        """The phase that orders are for."""

    @property
    def has_hidden_information(self) -> bool:
        """True if viewers see different things (blind games, fog)."""
        return False

    def as_seen_by(self, reader: Viewer, sheets: Mapping[str, str] | None = None) -> "Table":
        """Return the table as a viewer sees it, for their previews.

        With the `sheets` on file the viewer may see more: the surroundings of others' units that
        they may order.
        """
        return self

    @abstractmethod
    def powers_due(self) -> frozenset[str]:
        """Return the powers that have a choice in this phase."""

    @abstractmethod
    def powers_alive(self) -> tuple[str, ...]:
        """Return the powers that are not eliminated, in the map's order."""

    @abstractmethod
    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines as orders of a power and merge them into the sheets on file.

        A `power` of None is the master, who may order for any power. A power's name and a colon may
        then precede an order ("France: A Par H"), as in order lists.
        """

    @abstractmethod
    def missing_orders(self, power: str, sheet: str) -> tuple[str | Phrase, ...]:
        """Return a power's missing orders ("A DEL", "1 build"), empty if none are.

        A power with missing orders is reminded before the deadline and is late at the deadline. It
        can still send them in the grace period, after which the game's NMR policy applies. The
        phase ends early once no orders are missing, unless the table also requires a
        `OrderCompletion`.
        """

    def select_public_orders(self, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return the sheets as the results publish them: only the orders that counted.

        They are adjudicated to the same record.
        """
        return sheets

    @abstractmethod
    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt: orders on file, warnings, missing orders."""

    @abstractmethod
    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the position facts that a viewer may see."""

    @abstractmethod
    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Adjudicate the phase.

        Powers without a sheet get the default orders of the rules.
        """


class PlayedTurn(ABC):
    """An adjudicated phase, read once from its record and shown to any viewer."""

    @abstractmethod
    def results(self, reader: Viewer) -> Results:
        """Return the facts of the phase for letters, HISTORY and pages."""

    @abstractmethod
    def values(self, reader: Viewer) -> Mapping[str, object]:
        """Return the phase for programs, as JSON values.

        `map` and `phase` name the adjudicated phase. `orders` lists the orders of each power's
        units: `order` as a text that can be sent, `outcome` in words ("no order" if none was
        given).
        """

    def brief(self, reader: Viewer) -> Brief | None:
        """Return the head of a results letter: the phase in the viewer's perspective.

        It has the same facts as `results` and no others. None: letters of the system have no head.
        """
        return None

    def sketch(self, reader: Viewer, *, tried: bool = False) -> str:
        """Return the facts of a picture of the orders and outcomes, for `Drawn.picture`.

        Empty if the viewer may see nothing of it. `tried`: the picture is a preview, and says that
        nothing of it has happened.
        """
        return ""


class GameSystem(ABC):
    """A family of games with the same rules on one or more maps."""

    name: ClassVar[str]
    """One lower-case word; also the folder of its letters."""
    title: ClassVar[str]
    order_words: ClassVar[OrderWords] = NO_ORDER_WORDS
    """Words and blocks of its orders that could be taken for something else.

    At a seat of its games they belong to orders. It may claim none of
    `judge.model.order_words.ALWAYS_COMMANDS` (`forbidden`).
    """
    texts: ClassVar[Traversable]
    """Folder of its templates and phrases, which override the common ones.

    Names are those of `mailtemplates/common`. It has a folder for each language, and `help` for
    topics of HELP.
    """
    clocks: ClassVar[tuple[ClockKind, ...]]
    """Clocks that `PhaseInfo.clock` names; exactly one is the main one."""
    keeps_english: ClassVar[bool] = False
    """True if positions, sheets and results are in English in every language.

    Programs read them.
    """
    numbered_dice: ClassVar[bool] = False
    """True if its rules roll `Dice.numbered`.

    Start letters then have the hash of that stream too.
    """
    misses: ClassVar[int] = 2
    """Missed turns in a row after which a power becomes vacant under NMR HOLD.

    Under the other NMR policies it becomes vacant at once.
    """

    def ends_turn(self, label: str) -> bool:
        """Return whether a phase is the last one of a power's turn.

        A missed turn counts there. A phase that does not end its turn is reported in one letter
        with the next phase if both are adjudicated together.
        """
        return True

    tables: ClassVar[tuple[type[Table], ...]]
    """Classes of the tables that `table` returns.

    A capability that all of them inherit is one of the system.
    """

    def has_capability(self, capability: type) -> bool:
        """Return whether the system, or each of its tables, has a capability."""
        return isinstance(self, capability) or all(
            issubclass(table, capability) for table in self.tables
        )

    @property
    def main_clock(self) -> ClockKind:
        """The clock of the phases in which players negotiate."""
        return next(kind for kind in self.clocks if kind.is_main)

    def clocks_on(self, map_name: str) -> tuple[ClockKind, ...]:
        """Return the clocks of a map. A preset may give them other hours."""
        return self.clocks

    def clock(self, phase: PhaseInfo) -> ClockKind:
        """Return the clock that runs in a phase."""
        return next(kind for kind in self.clocks if kind.name == phase.clock)

    @abstractmethod
    def find_phase(self, words: str) -> str | None:
        """Return the label of the phase that words name, or None.

        The phase need not occur in any game.
        """

    def find_head(self, line: str) -> PhaseHead | None:
        """Return the phase named at the beginning of a line, or None.

        People put it above their orders: alone, or with a colon and an order after it.
        """
        named, _, rest = line.partition(":")
        label = self.find_phase(named)
        return PhaseHead(label, rest.strip()) if label else None

    @abstractmethod
    def sort_phases(self, labels: Iterable[str]) -> list[str]:
        """Return labels of phases in the order of the game."""

    def turn_of(self, map_name: str, label: str) -> Phrase:
        """Return the turn of any phase of a game, as in `PhaseInfo.turn`."""
        return phrase("phase-named", label=label)

    @abstractmethod
    def maps(self) -> Mapping[str, str]:
        """Return name → title of its maps.

        CREATE takes these names.
        """

    def map_title(self, map_name: str) -> str | None:
        """Return the title of a map, or None if there is no such map.

        Unlike `maps` it knows the maps of all games, also those that CREATE refuses.
        """
        return self.maps().get(map_name)

    def map_fault(self, map_name: str) -> str:
        """Return why no game on a map can continue, or an empty text.

        Such a map has no powers and no options. Its games wait until it is repaired.
        """
        return "" if self.map_title(map_name) is not None else "there is no such map here"

    def map_details(self, map_name: str) -> MapDetails | None:
        """Return the details of an added map, or None for a map of the system's package."""
        return None

    def map_rules(self, map_name: str, options: Options) -> Sequence[Phrase]:
        """Return the unusual rules of a map that no option changes."""
        return ()

    def faulty_maps(self) -> Mapping[str, str]:
        """Return name → title of the maps that `maps` leaves out because of a fault."""
        return {}

    def map_words(self) -> Mapping[str, str]:
        """Return other names of its maps, in lower case → the map.

        A name may be several words with blanks between them.
        """
        return {}

    def map_description(self, map_name: str) -> Phrase:
        """Return the description of a map in LIST MAPS, one or two sentences."""
        return phrase("about-map", title=self.map_title(map_name) or map_name)

    def examples(self, map_name: str) -> Mapping[str, str | Phrase]:
        """Return code → text of examples for a map, instead of the system's sentences.

        The sentences `example-…` may name powers and places that a map has not.
        """
        return {}

    def base_map(self, map_name: str) -> str:
        """Return the map whose board a map is a part of, or the map itself."""
        return map_name

    @abstractmethod
    def powers(self, map_name: str, options: Options) -> tuple[PowerInfo, ...]:
        """Return the powers of a map under a game's options, in its order."""

    @abstractmethod
    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return the options a game on a map may be created with."""

    @abstractmethod
    def initial_position(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the initial position of a game."""

    @abstractmethod
    def table(self, map_name: str, position: str, options: Options) -> Table:
        """Return the table of a position."""

    @abstractmethod
    def turn(self, map_name: str, record: str) -> PlayedTurn:
        """Return an adjudicated phase of a map, read from its record."""
