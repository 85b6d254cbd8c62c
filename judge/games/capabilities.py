"""Optional features of a game system, beyond the core of the contract.

Each class here is one capability. A `Table` or a `GameSystem` that has it inherits from it and
implements its methods. The judge finds it by `isinstance` and `GameSystem.offers`. Commands, help,
letters and the list of a game's features depend on it. A user who asks for a missing capability
gets a complaint.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from judge.dice import Dice
from judge.drawing.drawing import Drawing
from judge.errors import DataError
from judge.games.letter_facts import HistoryTable, Places, ProxyGrant, Words
from judge.games.system import (
    GameSystem,
    LineRead,
    Options,
    OrdersRead,
    PhaseInfo,
    PlayedTurn,
    Table,
    Viewer,
)
from judge.model.incoming import Body, Line
from judge.model.phrase import Phrase

C = TypeVar("C")


def with_capability(found: Table | GameSystem, capability: type[C]) -> C:
    """Return a table or a system as one with a capability it must have.

    Raises:
        DataError: it lacks the capability; the caller should have checked that.
    """
    if not isinstance(found, capability):
        raise DataError(f"{type(found).__name__} offers no {capability.__name__}")
    return found


@dataclass(frozen=True, slots=True)
class PlanRead:
    """The result of lines for a future phase: the new plan, and each line's verdict."""

    plan: str
    lines: tuple[LineRead, ...]


class FutureOrders(ABC):
    """Tables with future orders (PHASE, IF)."""

    @abstractmethod
    def phase_called(self, label: str) -> PhaseInfo | Phrase:
        """Return the present or a future phase by its label, or the reason for none."""

    @abstractmethod
    def plan_orders(self, body: Body, power: str, label: str, plan: str) -> PlanRead:
        """Read a power's lines and IF blocks for a future phase into its plan.

        They are added to the plan on file, and not checked against the present position, which may
        change.
        """

    @abstractmethod
    def show_plan(self, plan: str) -> tuple[str, ...]:
        """Return a plan as lines that can be sent again."""

    @abstractmethod
    def carry_out(self, plan: str, power: str, sheets: Mapping[str, str]) -> OrdersRead:
        """Read a plan as orders for the phase that has begun.

        Its conditions are evaluated on the present position.
        """


class Later(NamedTuple):
    """A sheet for a future phase as shown in a receipt: its title and its lines."""

    title: Phrase
    lines: tuple[Words, ...]


class LaterSheets(ABC):
    """Tables whose order lines can name a later phase themselves (ORDERS T15).

    The judge stores such a sheet under the label, shows it in receipts and by STATUS, deletes it by
    CLEAR, and puts it on file when the phase begins. Systems with `FutureOrders` have plans
    instead.
    """

    @abstractmethod
    def read_with_later(
        self,
        lines: Sequence[Line],
        power: str | None,
        sheets: Mapping[str, str],
        later: Mapping[str, Mapping[str, str]],
    ) -> OrdersRead:
        """Read lines as in `Table.read_orders`, merged into all sheets on file.

        `sheets` are those for this phase, `later` those for later ones, by label. Lines for a phase
        that is over must be rejected here.
        """

    @abstractmethod
    def show_later(self, power: str, label: str, sheet: str) -> Later:
        """Return the orders that a power has on file for a later phase."""


class OrderCompletion(ABC):
    """Tables that require a power to declare its orders complete.

    Without that the phase does not end before its deadline. At the deadline the orders on file are
    adjudicated, and no power is late for lack of the declaration (see `Table.missing` for
    lateness). A seat that is READY has made it.
    """

    @abstractmethod
    def final_word(self, power: str, sheet: str) -> str | Phrase | None:
        """Return what completes a power's orders ("READY"), or None if they are complete."""

    def without_final_word(self, sheet: str) -> str:
        """Return a sheet without the declaration, for a new player of its power.

        Tables whose sheets contain the declaration override this.
        """
        return sheet


class Menu(NamedTuple):
    """The orders that one unit, or a power's builds, can be given.

    `title` names the unit or the power. `more` is the number of orders left out of a long list.
    `note` is shown below the orders.
    """

    title: Phrase
    orders: tuple[str, ...]
    more: int = 0
    note: Phrase | None = None


class OrderLists(ABC):
    """Tables with lists of possible orders (OPTIONS)."""

    @abstractmethod
    def menus(
        self, power: str | None, words: str, sheets: Mapping[str, str]
    ) -> tuple[Menu, ...] | Phrase:
        """Return the possible orders of a power's units (None: of all powers).

        Units of others that it may order by the `sheets` on file are included. `words` name a unit
        or a power; empty: all of the power's units. A Phrase is a complaint about `words`.
        """


class Proxies(ABC):
    """Tables on which a power may let another one order one of its units."""

    @abstractmethod
    def proxy_grants(self, sheets: Mapping[str, str]) -> tuple[ProxyGrant, ...]:
        """Return the proxy grants of this phase."""


class Previews(ABC):
    """Tables with previews of orders (PREVIEW)."""

    @abstractmethod
    def known_to(self, power: str, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return the part of all sheets that a power may know.

        That is its own, and the orders of its proxy grants.
        """

    @abstractmethod
    def preview(self, sheets: Mapping[str, str]) -> str:
        """Return the record of adjudicating these sheets, for `GameSystem.turn`.

        It uses none of the game's random draws.
        """


@dataclass(frozen=True, slots=True)
class SetupResult:
    """The result of a master's SETUP lines: a position, and each line's verdict.

    `position` is valid only if no line has a complaint. `notes` are warnings.
    """

    position: str
    lines: tuple[LineRead, ...]
    notes: tuple[Phrase, ...] = ()


class PositionSetup(ABC):
    """Tables whose position a master can set by lines (SETUP)."""

    @abstractmethod
    def set_up_position(self, lines: Sequence[Line]) -> SetupResult:
        """Apply lines to the position, accepting only possible positions."""

    @abstractmethod
    def setup_lines(self) -> tuple[str, ...]:
        """Return the lines from which `set_up_position` makes this position."""


class Adjacency(ABC):
    """Tables with adjacency of powers' units (press among neighbours only)."""

    @abstractmethod
    def adjacent_powers(self, power: str) -> frozenset[str]:
        """Return the powers that have a unit next to one of this power's."""


class CivilDisorder(ABC):
    """Tables with default defence of a power without a player (SET CD SUPPORT)."""

    @abstractmethod
    def complete_sheet(self, power: str, sheet: str) -> str:
        """Return the sheet of a power without a player, completed with defensive orders."""


class Bots(ABC):
    """Tables with bots for vacant powers (BOT, START WITH BOTS)."""

    @abstractmethod
    def bot_sheet(self, power: str, sheet: str, dice: Dice) -> str:
        """Return the sheet of a power as completed by the system's bot.

        The bot knows only what the power may know of the position. Orders on `sheet` stay; the bot
        adds the rest. `dice` serve this call alone: the same position and dice give the same sheet,
        also after a rollback, and none of their draws is recorded.
        """


class Ranking(ABC):
    """Tables that know which power is ahead."""

    @abstractmethod
    def leaders(self) -> tuple[str, ...]:
        """Return the power that is ahead by the measure of victory, or the tied ones."""


class TextBoard(ABC):
    """Tables with a description of the board, place by place (MAP TEXT)."""

    @abstractmethod
    def places(self, reader: Viewer) -> Places:
        """Return the facts of the whole board, place by place."""


class PlaceNames(ABC):
    """Tables with names of their places (MAP standard NAMES)."""

    @abstractmethod
    def spellings(self) -> Sequence[tuple[str, str, tuple[str, ...]]]:
        """Return abbreviation, name and further spellings of each place."""


class ProgramRows(ABC):
    """Tables with rows of the position for programs (MAP STATE)."""

    @abstractmethod
    def program_rows(self, reader: Viewer) -> tuple[str, ...]:
        """Return the rows of the position that a viewer may know."""


class DrawableTable(ABC):
    """Tables that can be drawn.

    Their system is `DrawableSystem`.
    """

    @abstractmethod
    def sketch(self, reader: Viewer) -> str:
        """Return the facts of a picture of the position, for `DrawableSystem.picture`.

        Empty if the viewer may see nothing of it. Equal for all viewers who may see the same.
        """

    @abstractmethod
    def sketch_orders(self, sheets: Mapping[str, str], reader: Viewer) -> str:
        """Return the facts of a picture of the position with these orders and no others.

        The picture shows none of their outcomes.
        """


class DrawableSystem(ABC):
    """Systems with pictures.

    Their tables are `DrawableTable`, and their turns have sketches.
    """

    def join_sketches(self, earlier: str, later: str) -> str:
        """Return one sketch of two phases of a turn that the same letter reports.

        Systems whose phases always have letters of their own need not implement it.
        """
        return later

    def complete_sketch(self, sketch: str) -> str:
        """Return a sketch with the facts that only a process with a database has.

        Systems with maps that are not in their package add the map. The process that renders
        pictures has no database.
        """
        return sketch

    def is_schematic(self, map_name: str) -> bool:
        """Return whether a board is drawn from the list of borders, without shapes."""
        return False

    def shapes_fault(self, map_name: str) -> str:
        """Return why the shapes of a map are not used, or an empty text."""
        return ""

    @abstractmethod
    def picture(self, sketch: str, title: str) -> Drawing:
        """Return the drawing of a sketch with its title: layers of a board of any kind."""


class OrderPage(ABC):
    """Tables whose orders can be chosen on a page that shows the board.

    Its system is `DrawableSystem`, and has the template `page-order.page` and its script.
    """

    @abstractmethod
    def order_page(self) -> Mapping[str, object]:
        """Return the values for the script of the page, all of them public."""


class PastOverlay(ABC):
    """Systems whose pictures also show earlier phases (such as last places of units)."""

    @abstractmethod
    def with_past(
        self, map_name: str, options: Options, sketch: str, past: Sequence[str], reader: Viewer
    ) -> str:
        """Return a sketch with an overlay of what a viewer may know of earlier positions.

        `past`: the positions at the beginning of each phase already played, in order. An empty
        sketch stays empty.
        """


class PhoneView(ABC):
    """Systems with a view of the board for phones (SET MAP SMALL).

    It shows the part around a player's units, and, by `Drawing.small`, the whole board with fewer
    and larger names.
    """

    attaches_whole = False
    """True if the whole board is too large for a letter page that shows a part of it."""
    fronts_for_all = False
    """True if observers and the master also get a front: the whole board in parts."""

    @abstractmethod
    def sketch_front(self, table: Table, turn: PlayedTurn | None, reader: Viewer) -> str:
        """Return the facts of a picture of the position around a viewer's own units.

        It is for `DrawableSystem.picture`, and marks what failed in the phase last played (`turn`).
        Empty if the viewer has no units. The choice of the part reveals nothing that the viewer may
        not see.
        """


class YearlyHistory(ABC):
    """Systems with a history of games, year by year (SUMMARY)."""

    @abstractmethod
    def chronicle(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]], reader: Viewer
    ) -> HistoryTable:
        """Return the facts of SUMMARY from (phase, position after it) of every turn."""

    @abstractmethod
    def years(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]]
    ) -> Sequence[tuple[str, Mapping[str, int]]]:
        """Return each power's possessions at first and at the end of each year.

        Only for finished games, in which nothing is hidden any longer.
        """

    @abstractmethod
    def year_of(self, map_name: str, label: str) -> str:
        """Return the year of a phase, as the beginning of its label in `years`.

        No label of another year begins so.
        """
