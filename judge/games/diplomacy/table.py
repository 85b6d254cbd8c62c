"""Table of a Diplomacy game: rules applied to one position."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from judge.board.map import Map
from judge.board.mapfile import spellings_of
from judge.board.position import Dislodged, Phase, PhaseKind, Position, Season, parse_phase
from judge.dice import BotRandom, Dice
from judge.games.capabilities import (
    Adjacency,
    Bots,
    CivilDisorder,
    DrawableTable,
    FutureOrders,
    Menu,
    OrderLists,
    OrderPage,
    PlaceNames,
    PlanRead,
    PositionSetup,
    Previews,
    Proxies,
    Ranking,
    SetupResult,
    TextBoard,
)
from judge.games.diplomacy.bots import bot_orders
from judge.games.diplomacy.civil_disorder import with_supports
from judge.games.diplomacy.language.order_reader import ParsedLine, read_lines
from judge.games.diplomacy.language.phases import find_own_phase
from judge.games.diplomacy.language.withdrawing import Withdrawn, read_withdrawn
from judge.games.diplomacy.rules.adjudicate import (
    adjudicate,
    buildable,
    builds_due,
    ending_of,
    find_ordering_powers,
    open_retreats,
)
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Build, Disband, Entry, Waive, order_text, unit_of
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.menu import menus
from judge.games.diplomacy.views.order_board import order_board_values
from judge.games.diplomacy.views.order_sheet import (
    Planner,
    builds_used,
    dump_sheet,
    kept_orders,
    known_entries,
    lay_over,
    lent_units,
    load_orders,
    load_sheet,
    orders_now,
    orders_of,
    plan_lines,
    published_entries,
    refuse_surplus,
    removals_given,
    settle,
    surplus_phrase,
    trusts_in,
    units_ordered,
    with_kept,
    with_names,
    withdrawal_fault,
    without_order,
)
from judge.games.diplomacy.views.phases import kind_named, turn_named
from judge.games.diplomacy.views.phone_view import Failed, front_sketch
from judge.games.diplomacy.views.pictures import board_sketch, orders_sketch
from judge.games.diplomacy.views.receipt import CLOCKS, note_replaced_order, receipt_facts
from judge.games.diplomacy.views.record import DiplomacyRecord, dump_text, write_record
from judge.games.diplomacy.views.setup import DiplomacySetup, lines_of
from judge.games.diplomacy.views.standing import place_facts, standing_facts
from judge.games.letter_facts import Places, PositionFacts, ProxyGrant, SheetFacts
from judge.games.system import Adjudication, LineRead, OrdersRead, PhaseInfo, Table, Viewer
from judge.model.incoming import Body, Line
from judge.model.phrase import Complaint, ComplaintKind, Fact, Phrase, phrase

MAX_YEARS = 5
"""Number of years for which future orders are accepted, as in nJudge."""


class DiplomacyTable(
    Table,
    FutureOrders,
    OrderLists,
    Proxies,
    Previews,
    PositionSetup,
    Adjacency,
    CivilDisorder,
    Bots,
    Ranking,
    TextBoard,
    PlaceNames,
    DrawableTable,
    OrderPage,
):
    """`Table` of the contract for Diplomacy."""

    def __init__(self, board: Map, position: Position, rules: Rules) -> None:
        self._board = board
        self._position = position
        self._rules = rules

    @property
    def phase(self) -> PhaseInfo:
        """The phase to order for."""
        return self._phase_info(self._position.phase)

    @cached_property
    def _ordering_powers(self) -> frozenset[str]:
        """The powers with a choice, cached because every letter about a phase needs them."""
        return find_ordering_powers(self._board, self._position, self._rules)

    def powers_due(self) -> frozenset[str]:
        """Return the powers that have a choice in this phase."""
        return self._ordering_powers

    def powers_alive(self) -> tuple[str, ...]:
        """Return the powers with a unit or a centre, in the map's order.

        Neutral ones are left out.
        """
        position = self._position
        owners = {*position.owners.values()}
        return tuple([
            power.name
            for power in self._board.powers
            if power.plays
            if position.units.get(power.name)
            or position.dislodged.get(power.name)
            or power.name in owners
        ])

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Parse lines and add their orders to the sheets, unit by unit.

        Refused lines change nothing.
        """
        changed: dict[str, tuple[Entry, ...]] = {}
        told: list[LineRead] = []
        given: dict[Entry, str] = {}
        surplus: list[Entry] = []
        loaded = self._load_sheets(sheets)
        lent = lent_units(loaded)
        seen = read_lines(lines, self._board, self._position, power, self._rules, lent)
        context = OrderContext(self._board, self._position, power or "", self._rules, lent)
        for line in seen:
            if withdrawn := read_withdrawn(line.line, context):
                told.extend(self._withdraw(line.line, withdrawn, sheets, changed))
            else:
                told.extend(self._file(line, sheets, changed, given, surplus))
        for order in surplus:
            power_of = given[order]
            if order not in changed[power_of]:
                told = refuse_surplus(told, order, self._count_adjustments(power_of) or 0)
        refused = {line.line: line.refused for line in seen if line.refused}
        mine = {p: entries for p, entries in loaded.items() if power in (None, p)}
        kept = kept_orders(refused, mine, changed)
        told = [with_kept(one, kept.get(one.line, ())) if one.complaint else one for one in told]
        files = {p: dump_sheet(orders) if orders else "" for p, orders in changed.items()}
        return OrdersRead(files, tuple(with_names(one, self._board) for one in told))

    def _file(
        self,
        seen: ParsedLine,
        sheets: Mapping[str, str],
        changed: dict[str, tuple[Entry, ...]],
        given: dict[Entry, str],
        surplus: list[Entry],
    ) -> list[LineRead]:
        """File the orders of one line, and add them to those *given* by this mail.

        *given* maps each order to its power. Orders of this mail dropped because later ones used
        up the builds or removals are added to *surplus*. The first complaint belongs to the first
        `LineRead` of the line, and each other one to a `LineRead` of its own.
        """
        filed: list[str] = []
        notes: list[Phrase] = list(seen.notes)
        complaints: list[Complaint] = []
        for power, order in seen.orders:
            refused = self._refuse_adjustment(power, order)
            if refused:
                complaints.append(
                    Complaint(ComplaintKind.ILLEGAL, seen.line.number, seen.line.text, refused)
                )
                continue
            old = changed.get(power)
            if old is None:
                old = self._load_sheet(sheets.get(power, ""))
            if order in seen.rest and _has_order(old, order):
                continue
            merged = lay_over(old, order, self._count_adjustments(power))
            changed[power] = merged.orders
            filed.append(order_text(order))
            notes.extend(merged.notes)
            notes.extend(note_replaced_order(old, order, given, self._board, self._position))
            # This order enters *given* below: an equal one (WAIVE) of an older mail may be surplus.
            surplus += [each for each in merged.surplus if each in given]
            notes.extend(
                surplus_phrase(each, self._count_adjustments(power) or 0)
                for each in merged.surplus if each not in given and each != order
            )
            given[order] = power
        complaints.extend(seen.complaints)
        first = complaints[0] if complaints else None
        return [
            LineRead(seen.line, tuple(filed), tuple(notes), first, seen.ignored),
            *(LineRead(seen.line, complaint=other) for other in complaints[1:]),
        ]

    def _withdraw(
        self,
        line: Line,
        withdrawn: Sequence[Withdrawn],
        sheets: Mapping[str, str],
        changed: dict[str, tuple[Entry, ...]],
    ) -> list[LineRead]:
        """Take orders off the sheets, with a complaint for each that is not on file."""
        gone: list[str] = []
        faults: list[Phrase] = []
        for each in withdrawn:
            power = each.power or self._power_at(each.place)
            old = changed.get(power)
            if old is None:
                old = self._load_sheet(sheets.get(power, ""))
            kept, taken = without_order(old, each.place, each.order)
            if taken:
                changed[power] = kept
                gone += map(order_text, taken)
            else:
                faults.append(withdrawal_fault(old, each.place, each.order))
        complaints = [
            Complaint(ComplaintKind.NOT_ALLOWED, line.number, line.text, fault) for fault in faults
        ]
        told = [LineRead(line, withdrawn=tuple(gone))] if gone else []
        return told + [LineRead(line, complaint=complaint) for complaint in complaints]

    def _power_at(self, place: str) -> str:
        """Return the power with a unit in a province, or an empty text."""
        units = self._position.units
        return next((p for p, own in units.items() if place in {u.province for u in own}), "")

    def _count_adjustments(self, power: str) -> int | None:
        if self._position.phase.kind is not PhaseKind.ADJUSTMENT:
            return None
        return builds_due(self._board, self._position, power)

    def _refuse_adjustment(self, power: str, order: Entry) -> Phrase | None:
        """Return why a build or removal is refused, if the power has none to make."""
        owed = self._count_adjustments(power)
        if owed is None:
            return None
        if isinstance(order, Build | Waive) and owed <= 0:
            return phrase("no-builds-due", power=power)
        if isinstance(order, Disband) and owed >= 0:
            return phrase("no-removals-due", power=power)
        return None

    def phase_called(self, label: str) -> PhaseInfo | Phrase:
        """Return the present or a later phase, or why a label names neither.

        Later phases are at most `MAX_YEARS` ahead.
        """
        now, calendar = self._position.phase, self._board.calendar
        counts_down, turn = calendar.era == "BC", turn_named(now, calendar)
        phase = find_own_phase(label, calendar)
        if phase is None:
            code = "no-such-phase-in-era" if counts_down else "no-such-phase"
            return phrase(code, label=label, phase=str(now), turn=turn)
        facts: dict[str, Fact] = {"asked": str(phase), "asked_turn": turn_named(phase, calendar),
                                  "years": MAX_YEARS, "phase": str(now), "turn": turn}
        if _phase_key(phase) < _phase_key(now):
            return phrase("phase-past-in-era" if counts_down else "phase-past", **facts)
        if phase.year > now.year + MAX_YEARS:
            return phrase("phase-too-far-in-era" if counts_down else "phase-too-far", **facts)
        return self._phase_info(phase)

    def plan_orders(self, body: Body, power: str, label: str, plan: str) -> PlanRead:
        """Parse lines for a later phase, whose position is not yet known."""
        return Planner(self._board, parse_phase(label), power, self._rules).lay_over(body, plan)

    def show_plan(self, plan: str) -> tuple[str, ...]:
        """Return a plan as lines that could be sent again."""
        return plan_lines(plan)

    def carry_out(self, plan: str, power: str, sheets: Mapping[str, str]) -> OrdersRead:
        """Parse a plan as orders of this phase."""
        return self.read_orders(orders_now(plan, self._board, self._position), power, sheets)

    def menus(
        self, power: str | None, words: str, sheets: Mapping[str, str]
    ) -> tuple[Menu, ...] | Phrase:
        """Return the orders possible now for all units of a power, or for one."""
        lent = lent_units(self._load_sheets(sheets))
        return menus(self._board, self._position, power, words, self._rules, lent)

    def retreating(self, power: str) -> tuple[tuple[Dislodged, tuple[str, ...]], ...]:
        """Return a power's dislodged units that can retreat, each with its goals."""
        found = []
        for beaten in self._position.dislodged.get(power, ()):
            goals = open_retreats(self._board, self._position, beaten, self._rules)
            if goals:
                found.append((beaten, goals))
        return tuple(found)

    def missing_orders(self, power: str, sheet: str) -> tuple[str | Phrase, ...]:
        """Return the units without an order, or the number of missing builds or removals.

        Builds that are impossible because no centre is free are not missing.
        """
        orders = self._load_sheet(sheet)
        ordered = units_ordered(orders)
        match self._position.phase.kind:
            case PhaseKind.MOVEMENT:
                units = self._position.units.get(power, ())
                left = self._board.sort_units([u for u in units if u.province not in ordered])
            case PhaseKind.RETREAT:
                beaten = (found.unit for found, _ in self.retreating(power))
                left = tuple(unit for unit in beaten if unit.province not in ordered)
            case PhaseKind.ADJUSTMENT:
                return self._adjustments_missing(power, orders)
        return tuple(map(str, left))

    def _adjustments_missing(self, power: str, orders: Sequence[Entry]) -> tuple[Phrase, ...]:
        owed = builds_due(self._board, self._position, power)
        if owed > 0:
            free = buildable(self._board, self._position, power, self._rules)
            usable = min(owed, len(free))
            left, owes = usable - builds_used(orders), "owed-builds"
        else:
            left, owes = -owed - removals_given(orders), "owed-removals"
        return (phrase(owes, count=left),) if left > 0 else ()

    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt."""
        return receipt_facts(
            self._board, self._position, power, self._load_sheet(sheet),
            missing=self.missing_orders(power, sheet), retreating=self.retreating(power),
            rules=self._rules,
        )

    def proxy_grants(self, sheets: Mapping[str, str]) -> tuple[ProxyGrant, ...]:
        """Return the proxies on file."""
        return trusts_in(self._load_sheets(sheets)) if self._rules.proxy else ()

    def select_public_orders(self, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return the orders that counted, and the proxies that were used."""
        counted = published_entries(self._position, self._load_sheets(sheets))
        return {power: dump_sheet(entries) for power, entries in counted.items()}

    def known_to(self, power: str, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return a power's own sheet, and the proxies it holds from others."""
        known = known_entries(power, self._load_sheets(sheets))
        return {owner: dump_sheet(entries) for owner, entries in known.items() if entries}

    def preview(self, sheets: Mapping[str, str]) -> str:
        """Return the record of a preview of these sheets, which involves no chance."""
        return self.adjudicate(sheets, Dice(bytes(32), 0)).record

    def _load_sheets(self, sheets: Mapping[str, str]) -> dict[str, tuple[Entry, ...]]:
        return {power: self._load_sheet(sheet) for power, sheet in sheets.items()}

    def _load_sheet(self, sheet: str) -> tuple[Entry, ...]:
        """Return the valid entries of a sheet, without proxies if they are not allowed."""
        return (load_sheet if self._rules.proxy else load_orders)(sheet, self._board)

    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the facts of the position, which are public."""
        return standing_facts(self._board, self._position, self._rules)

    def places(self, reader: Viewer) -> Places:
        """Return the facts of the whole board, which are public."""
        return place_facts(self._board, self._position)

    def spellings(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Return the short form, the name and other spellings of each place, by name.

        Coasts of provinces with two coasts have rows of their own.
        """
        found = [(abbr, each.name, each.aliases) for abbr, each in self._board.provinces.items()]
        found += [
            (place, self._board.place_name(place), others)
            for place, others in self._board.coast_spellings.items()
        ]
        return tuple(sorted(found, key=lambda row: spellings_of(row[1])[-1]))

    def sketch(self, reader: Viewer) -> str:
        """Return the sketch of the position."""
        return board_sketch(self._board, self._position)

    @property
    def board(self) -> Map:
        """The map of the game."""
        return self._board

    def sketch_front(self, reader: Viewer, failed: Failed) -> str:
        """Return the sketch of a power's front, with its failed moves."""
        return front_sketch(self._board, self._position, reader.power, failed)

    def sketch_orders(self, sheets: Mapping[str, str], reader: Viewer) -> str:
        """Return the sketch of the position with these orders."""
        return orders_sketch(self._board, self._position, sheets)

    def order_page(self) -> Mapping[str, object]:
        """Return the units, their orders and the places for the script of the order page."""
        return order_board_values(self._board, self._position, self._rules)

    def leaders(self) -> tuple[str, ...]:
        """Return the power with the most centres, or all with equally many."""
        alive = self.powers_alive()
        counts = {power: len(self._position.centres(power)) for power in alive}
        return tuple(power for power in alive if counts[power] == max(counts.values()))

    def set_up_position(self, lines: Sequence[Line]) -> SetupResult:
        """Return the position with units and centres changed by a master's lines."""
        arranging = DiplomacySetup(self._board, self._position, self._rules)
        read = arranging.read(lines)
        return SetupResult(dump_text(arranging.position), read, tuple(arranging.notes()))

    def setup_lines(self) -> tuple[str, ...]:
        """Return the lines that set up all units and centres as they are."""
        return lines_of(self._board, self._position)

    def adjacent_powers(self, power: str) -> frozenset[str]:
        """Return the powers with a unit next to one of this power's units."""
        units = self._position.units
        mine = {unit.province for unit in units.get(power, ())}
        near = {place for province in mine for place in self._board.near[province]}
        return frozenset(
            other
            for other, theirs in units.items()
            if other != power and any(unit.province in near for unit in theirs)
        )

    def complete_sheet(self, power: str, sheet: str) -> str:
        """Return a sheet on which units without an order support their own neighbours."""
        orders = self._load_sheet(sheet)
        ordered = units_ordered(orders)
        completed = with_supports(self._board, self._position, power, orders_of(orders))
        added = [
            order
            for order in completed
            if (unit := unit_of(order)) and unit.province not in ordered
        ]
        return dump_sheet((*orders, *added)) if added else sheet

    def bot_sheet(self, power: str, sheet: str, dice: Dice) -> str:
        """Return the orders of a bot for a power. Units with an order keep it."""
        luck = BotRandom(dice, f"bot:{self._board.power(power).letter}")
        entries: tuple[Entry, ...] = tuple(
            bot_orders(self._board, self._position, power, self._rules, luck)
        )
        for given in self._load_sheet(sheet):
            entries = lay_over(entries, given, self._count_adjustments(power)).orders
        return dump_sheet(entries)

    def _phase_info(self, phase: Phase) -> PhaseInfo:
        turn, kind = turn_named(phase, self._board.calendar), kind_named(phase.kind)
        return PhaseInfo(str(phase), CLOCKS[phase.kind], turn, kind)

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Adjudicate the phase, without any use of the dice."""
        orders, by = settle(self._position, self._load_sheets(sheets))
        adjudged = adjudicate(self._board, self._position, orders, self._rules)
        ending = ending_of(adjudged, self._position.phase.year)
        limit, blind = self._board.quiet_falls, self._rules.blind
        record = DiplomacyRecord(self._position, adjudged, ending, limit, by, blind)
        return Adjudication(dump_text(adjudged.position), write_record(record), ending)


def sort_labels(labels: Iterable[str]) -> list[str]:
    """Return labels of phases in chronological order."""
    return sorted(labels, key=lambda label: _phase_key(parse_phase(label)))


def _phase_key(phase: Phase) -> tuple[int, bool, int]:
    """Return the sort key of a phase in time."""
    return phase.year, phase.season is Season.FALL, list(PhaseKind).index(phase.kind)


def _has_order(sheet: Sequence[Entry], order: Entry) -> bool:
    """Return whether a sheet has an order for the unit of another order."""
    unit = unit_of(order)
    return unit is not None and unit.province in units_ordered(orders_of(sheet))
