"""The contract between the judge and a game system: what every system has.

The judge keeps positions, orders and outcomes as text it never reads; only the system looks
inside. Everything here is pure: the same arguments give the same answer, chance comes from the
`Dice` handed in, and nothing knows of mail, clocks or databases. What a reader may see (blind
games, fog) is decided here too: whatever tells something takes the `Reader`.

A system is a `GameSystem` whose games are `Table`s. Whatever not every game has (orders ahead,
lists of orders, pictures) is a class of `capabilities`, which a system or its tables inherit where
they have it; the judge offers people no more than that.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from importlib.resources.abc import Traversable
from typing import ClassVar, NamedTuple

from judge.dice import Dice
from judge.games.facts import Brief, Results, Sheet, Standing
from judge.model.incoming import Line
from judge.model.orderwords import NO_ORDER_WORDS, OrderWords, PhaseHead
from judge.model.phrase import Complaint, Phrase, phrase


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a system: its values (first = default), and one line of help.

    `values` empty: a whole number from `least` to `most`, with `default`. `says` has a sentence
    for each value; for a number the first is that of the default, and the last has it as `n`.
    """

    name: str
    values: tuple[str, ...]
    help: Phrase
    default: int = 0
    says: tuple[Phrase, ...] = ()
    least: int = 0
    most: int = 0
    at_any_time: bool = False
    """It may be changed in a running game; others only before the start."""
    also: Mapping[str, str] = field(default_factory=dict)
    """Further words for it, in lower case → the value they set, empty if that follows them."""

    def told(self, value: object) -> Phrase:
        """Return what a value means, as a sentence."""
        if self.values:
            return self.says[self.values.index(str(value))]
        return self.says[0] if value == self.default else self.with_number(int(str(value)))

    def with_number(self, number: int | str) -> Phrase:
        """Return what a number means that is not the usual one."""
        said = self.says[-1]
        return Phrase(said.code, {**said.facts, "n": number})


Options = Mapping[str, object]
"""A game's options by name, JSON values; missing ones have the system's default."""


class Side(NamedTuple):
    """A power as the judge needs to know it: name, sign-on letter, adjective, further spellings.

    On a map with more powers than letters the letter is a code of up to four for each: who signs on
    with N as Nmarco does so with BRI as BRI@marco.
    """

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


@dataclass(frozen=True, slots=True)
class ClockKind:
    """One of the clocks of a system: what runs while a kind of phase is ordered for.

    `name` is one lower-case word, under which settings are stored ("move.next"); `words` are what
    SET takes before NEXT, GRACE and so on, the first one first; `title` says what its phases hold
    ("movement"). `hours` is how long such a phase takes where nobody has set anything, `delay` how
    many hours after the last orders it is adjudicated early.
    """

    name: str
    words: tuple[str, ...]
    title: Phrase
    hours: float = 24.0
    delay: float = 0.0
    is_main: bool = False
    """Its phases are those people negotiate for: hours of negotiation come before them, press is
    open in them whatever minor phases allow, and lines sent ahead wait for the next of them."""


class PhaseInfo(NamedTuple):
    """A phase as letters and clocks need it.

    `clock` names the clock that runs, one of `GameSystem.clocks`; `turn` says "Spring of 1901",
    `title` "Movement".
    """

    label: str
    clock: str
    turn: Phrase
    title: Phrase


@dataclass(frozen=True, slots=True)
class LineRead:
    """The verdict on one line of orders: what was filed, what is to be said, or why not.

    `filed` are order texts as the receipt shows them ("A DEL - KAS"). A line with `notes` alone
    asks for what is so already: it changes nothing and is no fault. `ignored`: the line was
    no order at all (prose); the answer only quotes it. `kept` are orders on file from before that
    stay in force although the line would have changed them. `withdrawn` are orders that the line
    took off file.
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
    """What a mail's order lines did: the new sheets, by power, and the verdict on each line.

    `sheets` has an entry only for powers whose sheet changed; an empty sheet takes it away. `later`
    is the same for phases still to come that lines named, by label: only of `LaterSheets`, who can
    show them. `ready`: the lines said that the power's orders are final, or no longer are; it does
    what READY and UNREADY do, and those work as well.
    """

    sheets: Mapping[str, str]
    lines: tuple[LineRead, ...]
    later: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ready: bool | None = None


class Ending(NamedTuple):
    """How a game ends by its own rules: who shares in it, and why."""

    winners: tuple[str, ...]
    reason: Phrase


@dataclass(frozen=True, slots=True)
class Adjudication:
    """One adjudicated phase: the position in the next phase in which somebody has a choice,
    the record from which the result can be told again, and the ending, if this was it.

    `carried` are sheets that are on file when the next phase begins, by power. Their powers count
    as having ordered, so a phase for which everything is carried ends early; a sheet sent ahead for
    it takes its place. An order that stands until it is changed and is nobody's sign of life
    belongs into the position instead: write it there when it is adjudicated, and it is in force,
    taken back, exported and taken over with the position.
    """

    after: str
    record: str
    ending: Ending | None = None
    carried: Mapping[str, str] = field(default_factory=dict)


class Table(ABC):
    """One game's position at hand: everything that can be asked of it."""

    @property
    @abstractmethod
    def phase(self) -> PhaseInfo:
        """The phase to order for."""

    @property
    def hides(self) -> bool:
        """Tell whether readers see different things (blind games, fog)."""
        return False

    def seen_by(self, reader: Reader, sheets: Mapping[str, str] | None = None) -> "Table":
        """Return the table as a reader sees it, for what he tries out himself.

        By the `sheets` on file he may see more: what stands by units he orders for others.
        """
        return self

    @abstractmethod
    def due(self) -> frozenset[str]:
        """Return the powers that have something to decide in this phase."""

    @abstractmethod
    def alive(self) -> tuple[str, ...]:
        """Return the powers still in the game, in the map's order."""

    @abstractmethod
    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines as orders of a power and merge them into the sheets on file.

        None is the master, who may order for any; a power's name and a colon may stand before an
        order then ("France: A Par H"), as lists of orders write it.
        """

    @abstractmethod
    def missing(self, power: str, sheet: str) -> tuple[str | Phrase, ...]:
        """Return what a power has yet to decide ("A DEL", "1 build"); empty: its orders are in.

        Whoever misses something at the deadline is late: reminded before it, waited for in the
        grace, given up after it. When nobody does any more the phase ends early, unless the table
        asks for a `FinalWord` as well.
        """

    def published(self, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return what of all sheets the results tell: the orders that counted, and no others.

        They are adjudicated to the same record.
        """
        return sheets

    @abstractmethod
    def show_sheet(self, power: str, sheet: str) -> Sheet:
        """Return the facts of a receipt: what is on file, warnings, what is due."""

    @abstractmethod
    def standing(self, reader: Reader) -> Standing:
        """Return the facts of the position: who has what, and where."""

    @abstractmethod
    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Decide the phase; powers without a sheet get the default orders of the rules."""


class PlayedTurn(ABC):
    """An adjudicated phase, read once from its record, as each reader may know it."""

    @abstractmethod
    def results(self, reader: Reader) -> Results:
        """Return the facts of the phase for letters, HISTORY and pages."""

    @abstractmethod
    def values(self, reader: Reader) -> Mapping[str, object]:
        """Return the phase for programs, as JSON values.

        `map` and `phase` say what was played, `orders` lists for each power what its units did:
        `order` as a text that can be sent, `outcome` in words ("no order" where none was given).
        """

    def brief(self, reader: Reader) -> Brief | None:
        """Return the head of a results letter: the phase as the reader wants it first.

        It has the same facts as `results` and no others. None: letters of the system have no head.
        """
        return None

    def sketch(self, reader: Reader, *, tried: bool = False) -> str:
        """Return what a picture shows of the orders and their outcomes, for `Drawn.picture`.

        Empty where the reader may see nothing of it. `tried`: the picture says that nothing of it
        has happened.
        """
        return ""


class GameSystem(ABC):
    """A family of games with the same rules on one or more maps."""

    name: ClassVar[str]
    """One lower-case word; also the folder of its letters."""
    title: ClassVar[str]
    order_words: ClassVar[OrderWords] = NO_ORDER_WORDS
    """Words and blocks of its orders that something else could be taken for: at a seat of its games
    they are its own. It may claim none of `judge.model.orderwords.EVERYWHERE` (`forbidden`)."""
    texts: ClassVar[Traversable]
    """The folder of its letters and sentences, laid over the common ones: `mailtemplates/common`
    has the same names. A folder in it for each language, and `help` for topics of HELP."""
    clocks: ClassVar[tuple[ClockKind, ...]]
    """Just one of them is the main one; `PhaseInfo.clock` is the name of one of them."""
    keeps_english: ClassVar[bool] = False
    """Positions, sheets and results stay English in texts of every language: programs read them."""
    numbered_dice: ClassVar[bool] = False
    """Its rules roll `Dice.numbered`; who starts a game then hears the hash of that stream too."""
    misses: ClassVar[int] = 2
    """How many turns in a row a power may go without orders before it is lost, where nobody has
    set that it is lost at once (NMR HOLD)."""

    def ends_turn(self, label: str) -> bool:
        """Return whether a phase is the last one of a power's turn.

        A missed turn counts there. A phase that does not end its turn is reported in one letter
        with the next phase if both are adjudicated together.
        """
        return True

    tables: ClassVar[tuple[type[Table], ...]]
    """The classes of what `table` returns; what all of them inherit, the system offers."""

    def offers(self, capability: type) -> bool:
        """Tell whether the system, or each of its tables, has a capability."""
        return isinstance(self, capability) or all(
            issubclass(table, capability) for table in self.tables
        )

    @property
    def main_clock(self) -> ClockKind:
        """The clock of the phases that people negotiate for."""
        return next(kind for kind in self.clocks if kind.is_main)

    def clocks_on(self, map_name: str) -> tuple[ClockKind, ...]:
        """Return the clocks of a map. A preset may give them other hours."""
        return self.clocks

    def clock(self, phase: PhaseInfo) -> ClockKind:
        """Return the clock that runs in a phase."""
        return next(kind for kind in self.clocks if kind.name == phase.clock)

    @abstractmethod
    def find_phase(self, words: str) -> str | None:
        """Return the label of the phase that words name, as a person writes it, or None.

        Whether a game ever comes to it does not matter.
        """

    def find_head(self, line: str) -> PhaseHead | None:
        """Return the phase that a line names, as people put it above their orders: alone, or with a
        colon and an order behind it. None: it names none at its beginning, as most lines do."""
        named, _, rest = line.partition(":")
        label = self.find_phase(named)
        return PhaseHead(label, rest.strip()) if label else None

    @abstractmethod
    def in_order(self, labels: Iterable[str]) -> list[str]:
        """Return labels of phases as they follow each other in a game."""

    def turn_of(self, label: str) -> Phrase:
        """Return the turn of any phase of a game, as `PhaseInfo.turn` has it."""
        return phrase("phase-named", label=label)

    @abstractmethod
    def maps(self) -> Mapping[str, str]:
        """Return name → title of its maps; names are what CREATE takes."""

    def map_words(self) -> Mapping[str, str]:
        """Return other words for its maps, in lower case, several with blanks between → the map."""
        return {}

    def about(self, map_name: str) -> Phrase:
        """Return what LIST MAPS says of a map, in a sentence or two."""
        return phrase("about-map", title=self.maps()[map_name])

    def cut_from(self, map_name: str) -> str:
        """Return the map whose board another map is played on: a cut of it. Itself, if of none."""
        return map_name

    @abstractmethod
    def sides(self, map_name: str, options: Options) -> tuple[Side, ...]:
        """Return the powers of a map under a game's options, in its order."""

    @abstractmethod
    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return the options a game on a map may be created with."""

    @abstractmethod
    def opening(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the position a game starts from."""

    @abstractmethod
    def table(self, map_name: str, position: str, options: Options) -> Table:
        """Return a position at hand."""

    @abstractmethod
    def turn(self, map_name: str, record: str) -> PlayedTurn:
        """Return an adjudicated phase of a map at hand, from its record."""
