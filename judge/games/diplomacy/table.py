"""One game's position at hand: whose turn it is, reading and filing orders, adjudicating."""

from collections.abc import Iterable, Mapping, Sequence

from judge.board.map import Map, province_of
from judge.board.phase import Phase, PhaseKind, Season, parse_phase
from judge.board.position import Dislodged, Position
from judge.dice import Dice
from judge.games.diplomacy.adjudicate import (
    adjudicate,
    buildable,
    builds_due,
    open_retreats,
    who_orders,
)
from judge.games.diplomacy.filing import (
    builds_used,
    dump_sheet,
    lay_over,
    load_sheet,
    removals_given,
    units_ordered,
)
from judge.games.diplomacy.menu import menus
from judge.games.diplomacy.neighbours import with_supports
from judge.games.diplomacy.orders import Build, Disband, Order, Waive, order_text
from judge.games.diplomacy.plans import Planner, orders_now, plan_lines
from judge.games.diplomacy.reading import Understood, read_lines
from judge.games.diplomacy.receipt import CLOCKS, receipt_facts
from judge.games.diplomacy.record import Record, dump_text, write_record
from judge.games.diplomacy.rules import Rules
from judge.games.diplomacy.standing import standing_facts
from judge.games.system import (
    Adjudication,
    Ending,
    LineRead,
    Menu,
    OrdersRead,
    PhaseInfo,
    PlanRead,
    Reader,
)
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Body, Line
from judge.words.reason import Reason, because


MOST_YEARS = 5
"""How far ahead orders are taken, as nJudge has it."""


class DiplomacyTable:
    """The `Table` of the contract for Diplomacy."""

    def __init__(self, board: Map, position: Position, rules: Rules) -> None:
        self._board = board
        self._position = position
        self._rules = rules

    @property
    def phase(self) -> PhaseInfo:
        """The phase to order for."""
        return _info(self._position.phase)

    def due(self) -> frozenset[str]:
        """Return the powers that have something to decide in this phase."""
        return who_orders(self._board, self._position)

    def alive(self) -> tuple[str, ...]:
        """Return the powers with a unit or a centre, in the map's order."""
        position = self._position
        return tuple(
            power.name
            for power in self._board.powers
            if position.units.get(power.name)
            or position.dislodged.get(power.name)
            or position.centres(power.name)
        )

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines and lay their orders over the sheets, unit by unit; refused lines change
        nothing."""
        changed: dict[str, tuple[Order, ...]] = {}
        told: list[LineRead] = []
        for seen in read_lines(lines, self._board, self._position, power, self._rules):
            told.extend(self._file(seen, sheets, changed))
        return OrdersRead({p: dump_sheet(orders) for p, orders in changed.items()}, tuple(told))

    def _file(
        self,
        seen: Understood,
        sheets: Mapping[str, str],
        changed: dict[str, tuple[Order, ...]],
    ) -> list[LineRead]:
        """File what one line orders; every complaint about the line gets a verdict of its own."""
        filed: list[str] = []
        notes: list[Reason] = list(seen.notes)
        complaints: list[Complaint] = []
        for power, order in seen.orders:
            refused = self._uncalled(power, order)
            if refused:
                complaints.append(
                    Complaint(ComplaintKind.ILLEGAL, seen.line.number, seen.line.text, refused)
                )
                continue
            old = changed.get(power)
            if old is None:
                old = load_sheet(sheets.get(power, ""), self._board)
            changed[power], more = lay_over(old, order, self._owed(power))
            filed.append(order_text(order))
            notes.extend(more)
        complaints.extend(seen.complaints)
        first = complaints[0] if complaints else None
        return [
            LineRead(seen.line, tuple(filed), tuple(notes), first, seen.ignored),
            *(LineRead(seen.line, complaint=other) for other in complaints[1:]),
        ]

    def _owed(self, power: str) -> int | None:
        if self._position.phase.kind is not PhaseKind.ADJUSTMENT:
            return None
        return builds_due(self._board, self._position, power)

    def _uncalled(self, power: str, order: Order) -> Reason | None:
        """Return why an adjustment is of no use: the power has none of that kind to make."""
        owed = self._owed(power)
        if owed is None:
            return None
        if isinstance(order, Build | Waive) and owed <= 0:
            return because("no-builds-due", power=power)
        if isinstance(order, Disband) and owed >= 0:
            return because("no-removals-due", power=power)
        return None

    def phase_called(self, label: str) -> PhaseInfo | Reason:
        """Return the present or a later phase, no more than five years ahead."""
        now = self._position.phase
        try:
            phase = parse_phase(label)
        except ValueError:
            return because("no-such-phase", label=label)
        if _moment(phase) < _moment(now):
            return because("phase-past", asked=str(phase), phase=str(now))
        if phase.year > now.year + MOST_YEARS:
            return because("phase-too-far", asked=str(phase), years=MOST_YEARS)
        return _info(phase)

    def in_order(self, labels: Iterable[str]) -> list[str]:
        """Return labels of phases as they follow each other."""
        return sorted(labels, key=lambda label: _moment(parse_phase(label)))

    def plan_orders(self, body: Body, power: str, label: str, plan: str) -> PlanRead:
        """Read lines for a later phase, knowing the board but not what will stand on it."""
        return Planner(self._board, parse_phase(label), power, self._rules).lay_over(body, plan)

    def show_plan(self, plan: str) -> tuple[str, ...]:
        """Return a plan as lines that could be sent again."""
        return plan_lines(plan)

    def carry_out(self, plan: str, power: str, sheets: Mapping[str, str]) -> OrdersRead:
        """Read a plan as orders of this phase."""
        return self.read_orders(orders_now(plan, self._board, self._position), power, sheets)

    def menus(self, power: str | None, words: str) -> tuple[Menu, ...] | Reason:
        """Return the orders that can be given now to all units of a power, or to one."""
        return menus(self._board, self._position, power, words, self._rules)

    def retreating(self, power: str) -> tuple[tuple[Dislodged, tuple[str, ...]], ...]:
        """Return a power's dislodged units that have somewhere to go, and where."""
        found = []
        for beaten in self._position.dislodged.get(power, ()):
            goals = open_retreats(self._board, self._position, beaten, self._rules)
            if goals:
                found.append((beaten, goals))
        return tuple(found)

    def missing(self, power: str, sheet: str) -> tuple[str, ...]:
        """Return the units still without an order, or how many builds or removals are owed.

        Builds that cannot be made, as no home centre is free, are not owed.
        """
        orders = load_sheet(sheet, self._board)
        match self._position.phase.kind:
            case PhaseKind.MOVEMENT:
                units = sorted(self._position.units.get(power, ()), key=str)
            case PhaseKind.RETREAT:
                units = [beaten.unit for beaten, _ in self.retreating(power)]
            case PhaseKind.ADJUSTMENT:
                return self._adjustments_missing(power, orders)
        ordered = units_ordered(orders)
        return tuple(str(unit) for unit in units if province_of(unit.place) not in ordered)

    def _adjustments_missing(self, power: str, orders: Sequence[Order]) -> tuple[str, ...]:
        owed = builds_due(self._board, self._position, power)
        if owed > 0:
            usable = min(owed, len(buildable(self._board, self._position, power)))
            left, what = usable - builds_used(orders), "build"
        else:
            left, what = -owed - removals_given(orders), "removal"
        return (f"{left} {what}{'s' if left > 1 else ''}",) if left > 0 else ()

    def show_sheet(self, power: str, sheet: str) -> Mapping[str, object]:
        """Return the facts of a receipt."""
        return receipt_facts(
            self._board,
            self._position,
            power,
            load_sheet(sheet, self._board),
            missing=self.missing(power, sheet),
            retreating=self.retreating(power),
        )

    def standing(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of the position; everybody may know them all."""
        return standing_facts(self._board, self._position, self._rules)

    def leaders(self) -> tuple[str, ...]:
        """Return the power with the most centres, or those that have equally many."""
        alive = self.alive()
        counts = {power: len(self._position.centres(power)) for power in alive}
        return tuple(power for power in alive if counts[power] == max(counts.values()))

    def stand_in(self, power: str, sheet: str) -> str:
        """Return a sheet on which units without an order support their own neighbours."""
        orders = load_sheet(sheet, self._board)
        completed = with_supports(self._board, self._position, power, orders)
        return dump_sheet(completed) if completed else sheet

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Decide the phase; Diplomacy has no use for dice."""
        orders = {power: load_sheet(sheet, self._board) for power, sheet in sheets.items()}
        adjudged = adjudicate(self._board, self._position, orders, self._rules)
        ending = None
        if adjudged.winner:
            count = len(adjudged.position.centres(adjudged.winner))
            ending = Ending(
                (adjudged.winner,), because("victory", power=adjudged.winner, centres=count)
            )
        elif adjudged.drawn:
            falls = adjudged.position.quiet_falls
            ending = Ending(
                adjudged.drawn, because("quiet-draw", powers=adjudged.drawn, falls=falls)
            )
        limit = self._board.quiet_falls if self._rules.quiet_falls else 0
        record = Record(self._position, adjudged, ending, limit)
        return Adjudication(dump_text(adjudged.position), write_record(record), ending)


def _info(phase: Phase) -> PhaseInfo:
    return PhaseInfo(str(phase), CLOCKS[phase.kind], phase.title, phase.kind.title)


def _moment(phase: Phase) -> tuple[int, bool, int]:
    """Return when a phase comes, as something to compare."""
    return phase.year, phase.season is Season.FALL, list(PhaseKind).index(phase.kind)
