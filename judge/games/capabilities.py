"""What a game system may have beyond the core of the contract.

Each class here is one capability. A `Table` or a `GameSystem` that has it inherits it and fills in
its methods; the judge finds it by `isinstance` and `GameSystem.offers`. Commands, help, letters and
the list of what a game offers follow from that: who asks for what a system does not have is told so
in words.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from judge.dice import Dice
from judge.drawing.drawing import Drawing
from judge.errors import DataError
from judge.games.facts import Annals, Places, Trust, Words
from judge.games.system import (
    GameSystem,
    LineRead,
    Options,
    OrdersRead,
    PhaseInfo,
    PlayedTurn,
    Reader,
    Table,
)
from judge.model.incoming import Body, Line
from judge.model.phrase import Phrase

C = TypeVar("C")


def having(found: Table | GameSystem, capability: type[C]) -> C:
    """Return a table or a system as one that has a capability, where only one that has it comes.

    Raises:
        DataError: it has not; whoever calls should have asked.
    """
    if not isinstance(found, capability):
        raise DataError(f"{type(found).__name__} offers no {capability.__name__}")
    return found


@dataclass(frozen=True, slots=True)
class PlanRead:
    """What lines for a phase still to come did: the new plan, and the verdict on each line."""

    plan: str
    lines: tuple[LineRead, ...]


class OrdersAhead(ABC):
    """Tables that take orders for phases still to come (PHASE, IF)."""

    @abstractmethod
    def phase_called(self, label: str) -> PhaseInfo | Phrase:
        """Return the present or a later phase by its label, or why there is none such to come."""

    @abstractmethod
    def plan_orders(self, body: Body, power: str, label: str, plan: str) -> PlanRead:
        """Read lines and IF blocks of a power for a phase still to come, whatever may stand
        where by then, and lay them over the plan on file."""

    @abstractmethod
    def show_plan(self, plan: str) -> tuple[str, ...]:
        """Return a plan as lines that could be sent again."""

    @abstractmethod
    def carry_out(self, plan: str, power: str, sheets: Mapping[str, str]) -> OrdersRead:
        """Read a plan as orders for the phase that has begun; its conditions are judged now."""


class Later(NamedTuple):
    """A sheet for a phase still to come, as a receipt shows it: what stands above, and its lines.
    """

    title: Phrase
    lines: tuple[Words, ...]


class LaterSheets(ABC):
    """Tables whose order lines may themselves say that they are for a later phase (ORDERS T15).

    The judge keeps such a sheet under the label, shows it in receipts and by STATUS, drops it by
    CLEAR, and puts it on file when the phase comes. Systems with `OrdersAhead` have plans instead.
    """

    @abstractmethod
    def read_with_later(
        self,
        lines: Sequence[Line],
        power: str | None,
        sheets: Mapping[str, str],
        later: Mapping[str, Mapping[str, str]],
    ) -> OrdersRead:
        """Read lines as `Table.read_orders` does, merged into what is on file for this phase and
        for later ones, by label. What lines say of a phase that is over is theirs to refuse."""

    @abstractmethod
    def show_later(self, power: str, label: str, sheet: str) -> Later:
        """Return what a power has on file for a later phase."""


class FinalWord(ABC):
    """Tables that ask a power to say that its orders are final.

    Without that word the phase does not end before its deadline; at the deadline what is on file is
    played, and nobody is late for want of it (`Table.missing` says who is). A seat that is READY
    has said it.
    """

    @abstractmethod
    def final_word(self, power: str, sheet: str) -> str | Phrase | None:
        """Return what a power has yet to say ("READY"); None: it has said so."""

    def without_final_word(self, sheet: str) -> str:
        """Return a sheet without that word, for a new player of its power.

        Tables whose sheets hold the word override this.
        """
        return sheet


class Menu(NamedTuple):
    """The orders one unit (or a power's builds) may be given: `title` says whose they are.

    `more` counts those left out because there are so many. `note` is shown below the orders.
    """

    title: Phrase
    orders: tuple[str, ...]
    more: int = 0
    note: Phrase | None = None


class Menus(ABC):
    """Tables that can list the orders there are (OPTIONS)."""

    @abstractmethod
    def menus(
        self, power: str | None, words: str, sheets: Mapping[str, str]
    ) -> tuple[Menu, ...] | Phrase:
        """Return the orders that a power's units (None: anybody's) may be given now.

        Units of others that it may order by the `sheets` on file are among them.
        `words` name a unit or a power; empty: all of the power's. A Phrase says what is wrong
        with them.
        """


class Proxies(ABC):
    """Tables on which a power may let another one order a unit of its own."""

    @abstractmethod
    def trusts(self, sheets: Mapping[str, str]) -> tuple[Trust, ...]:
        """Return the units that one power lets another order in this phase."""


class DryRuns(ABC):
    """Tables whose orders can be tried out (PREVIEW)."""

    @abstractmethod
    def known_to(self, power: str, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return what a power may know of all sheets: its own, and what was entrusted to it."""

    @abstractmethod
    def try_out(self, sheets: Mapping[str, str]) -> str:
        """Return the record of what would come of these sheets, for `GameSystem.turn`;
        no chance of the game is drawn for it."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """What lines of a master make of a position, and the verdict on each line.

    `position` counts only where no line has a complaint. `notes` are worth another look.
    """

    position: str
    lines: tuple[LineRead, ...]
    notes: tuple[Phrase, ...] = ()


class Arranging(ABC):
    """Tables whose position a master may lay out by lines (SETUP)."""

    @abstractmethod
    def arrange(self, lines: Sequence[Line]) -> Arranged:
        """Lay lines over the position: who has what, and where; only what can be is allowed."""

    @abstractmethod
    def arrangement(self) -> tuple[str, ...]:
        """Return the lines that `arrange` makes this position of."""


class Neighbours(ABC):
    """Tables that know whose units touch (press among neighbours only)."""

    @abstractmethod
    def touching(self, power: str) -> frozenset[str]:
        """Return the powers that have a unit beside one of this power's."""


class StandIns(ABC):
    """Tables that can defend a power without a player (SET CD SUPPORT)."""

    @abstractmethod
    def stand_in(self, power: str, sheet: str) -> str:
        """Return the sheet of a power without a player, completed so that it defends itself."""


class Bots(ABC):
    """Tables with a player of their own for powers that nobody plays (BOT, START WITH BOTS)."""

    @abstractmethod
    def bot_sheet(self, power: str, sheet: str, dice: Dice) -> str:
        """Return the sheet of a power as the system's own player has it, who knows of the position
        what the power may know. What is on `sheet` counts; the rest is the bot's.

        `dice` are handed in for this alone: the same position and dice give the same sheet, when it
        is played again or turned back to, and nothing of them is noted.
        """


class Ranking(ABC):
    """Tables that can say who is ahead."""

    @abstractmethod
    def leaders(self) -> tuple[str, ...]:
        """Return the power that is ahead by what wins the game, or those that are level."""


class PlacesTold(ABC):
    """Tables that can be told place by place: a picture in words (MAP TEXT)."""

    @abstractmethod
    def places(self, reader: Reader) -> Places:
        """Return the facts of the whole board, place by place."""


class PlacesNamed(ABC):
    """Tables that can say what their places are called (MAP standard NAMES)."""

    @abstractmethod
    def spellings(self) -> Sequence[tuple[str, str, tuple[str, ...]]]:
        """Return each place: as orders write it for short, its name, and how else it is written."""


class ProgramRows(ABC):
    """Tables whose position can be sent as rows for programs (MAP STATE)."""

    @abstractmethod
    def program_rows(self, reader: Reader) -> tuple[str, ...]:
        """Return the rows of the position that a reader may know."""


class Sketched(ABC):
    """Tables that can be drawn; their system is `Drawn`."""

    @abstractmethod
    def sketch(self, reader: Reader) -> str:
        """Return what a picture of the position shows a reader, for `Drawn.picture`.

        Empty where the reader may see nothing of it. The same for all who may see the same.
        """

    @abstractmethod
    def sketch_orders(self, sheets: Mapping[str, str], reader: Reader) -> str:
        """Return what a picture shows of the position with these orders in it, and no others;
        nothing in it tells what becomes of them."""


class Drawn(ABC):
    """Systems with pictures; their tables are `Sketched`, and their turns give a sketch."""

    def join_sketches(self, earlier: str, later: str) -> str:
        """Return one sketch for two phases of a turn that the same letter reports.

        Systems whose phases always have letters of their own need not implement it.
        """
        return later

    @abstractmethod
    def picture(self, sketch: str, title: str) -> Drawing:
        """Return what is drawn of a sketch, with the title above it: layers of a board of any kind.
        """


class Remembering(ABC):
    """Systems whose pictures show something of earlier phases besides (who stood where last)."""

    @abstractmethod
    def with_past(
        self, map_name: str, options: Options, sketch: str, past: Sequence[str], reader: Reader
    ) -> str:
        """Return a sketch that shows besides what a reader may know of the positions before it.

        `past`: those at the beginning of each phase played before, the first first. An empty sketch
        stays empty.
        """


class Fronts(ABC):
    """Systems whose boards a phone can show: the part where a player stands, and, by
    `Drawing.small`, the whole with fewer and larger names (SET MAP SMALL)."""

    attaches_whole = False
    """True if the whole board is too large for the page of a letter that shows a part of it."""
    fronts_for_all = False
    """True if observers and the master get a front too: the whole board in parts."""

    @abstractmethod
    def sketch_front(self, table: Table, turn: PlayedTurn | None, reader: Reader) -> str:
        """Return what a picture shows a reader of the position around their own units, for
        `Drawn.picture`, with a hint of what failed in the phase that was played last (`turn`).

        Empty where they have none. Which part it is tells nothing of what they may not see.
        """


class Chronicle(ABC):
    """Systems whose games can be told year by year (SUMMARY)."""

    @abstractmethod
    def chronicle(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]], reader: Reader
    ) -> Annals:
        """Return the facts of SUMMARY from (phase, position after it) of every turn."""

    @abstractmethod
    def years(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]]
    ) -> Sequence[tuple[str, Mapping[str, int]]]:
        """Return what each power owned, at first and at the end of each year, once all is open."""

    @abstractmethod
    def year_of(self, label: str) -> str:
        """Return the year that a phase belongs to: how the labels of `years` begin that tell of it,
        and of no other year."""
