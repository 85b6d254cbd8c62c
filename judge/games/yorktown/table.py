"""Table of Yorktown: orders, previews and adjudication of one position."""

from collections.abc import Mapping, Sequence

from judge.dice import Dice
from judge.games.capabilities import (
    Bots,
    CivilDisorder,
    DrawableTable,
    OrderCompletion,
    PositionSetup,
    Previews,
    Ranking,
    SetupResult,
    TextBoard,
)
from judge.games.letter_facts import Places, PositionFacts, SheetFacts
from judge.games.system import Adjudication, Ending, OrdersRead, PhaseInfo, Table, Viewer
from judge.games.yorktown.bots import bot_orders
from judge.games.yorktown.default_orders import orders_of
from judge.games.yorktown.language.arranging import Arranger, arrangement
from judge.games.yorktown.language.reading import SheetReader
from judge.games.yorktown.language.sheets import YorktownSheet as OrderSheet
from judge.games.yorktown.language.sheets import (
    amend_standing_orders,
    join_sheets,
    read_sheet,
    read_standing,
    split_sheets,
    without_gaps,
    write_sheet,
    write_standing,
)
from judge.games.yorktown.language.verdicts import Filed
from judge.games.yorktown.rules.board import FA, SIDE_NAMES, YORKTOWN
from judge.games.yorktown.rules.field import WHY, Roll
from judge.games.yorktown.rules.orders import Standing as StandingOrder
from judge.games.yorktown.rules.orders import is_void
from judge.games.yorktown.rules.state import Moment, SiegePosition, Step, dump
from judge.games.yorktown.rules.turn import (
    EXITS,
    IN_YORKTOWN,
    Played,
    YorktownRules,
    count_occupiers,
    play_step,
)
from judge.games.yorktown.views.moments import (
    POWERS,
    SIDE_OF,
    owner_named,
    step_named,
    turn_named,
)
from judge.games.yorktown.views.pictures import board_sketch, front_sketch
from judge.games.yorktown.views.receipt import sheet_facts
from judge.games.yorktown.views.record import YorktownRecord, write_record
from judge.games.yorktown.views.standing import place_facts, standing_facts
from judge.model.incoming import Line
from judge.model.phrase import Phrase, phrase

CLOCK = "step"


class YorktownTable(
    Table,
    OrderCompletion,
    Previews,
    Ranking,
    TextBoard,
    DrawableTable,
    CivilDisorder,
    Bots,
    PositionSetup,
):
    """Rules of Yorktown applied to one position.

    A side's sheet has its orders for the present step and for its own later steps, each below a
    line that names the step. Orders for later steps are carried over.
    """

    def __init__(self, position: SiegePosition, rules: YorktownRules) -> None:
        self._position = position
        self._rules = rules

    @property
    def phase(self) -> PhaseInfo:
        """Step to order for."""
        moment = self._position.moment
        return PhaseInfo(str(moment), CLOCK, turn_named(moment), step_named(moment.step))

    def powers_due(self) -> frozenset[str]:
        """Return the side whose step it is."""
        return frozenset({POWERS[self._position.moment.side]})

    def powers_alive(self) -> tuple[str, ...]:
        """Return the sides with a combat unit."""
        return tuple(POWERS[s] for s in SIDE_NAMES if self._position.combat_units(s))

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines for the steps they belong to.

        A mail replaces the orders on file for a step. Without a power the lines are a master's,
        and each is for the side that it names, or for the side whose step it is.
        """
        if power is None:
            return self._read_for_master(lines, sheets)
        on_file = split_sheets(sheets.get(power, ""))
        found = SheetReader(self._position, SIDE_OF[power], on_file).read(lines)
        found = self._apply_trial(power, on_file, found)
        changed = {power: join_sheets({**on_file, **found.sheets})} if found.sheets else {}
        return OrdersRead(changed, found.verdicts)

    def _apply_trial(self, power: str, on_file: Mapping[Moment, str], found: Filed) -> Filed:
        """Remove `done` from a read mail where orders fail in a trial without dice."""
        if power not in self.powers_due() or not found.final:
            return found
        sheet = join_sheets({**on_file, **found.sheets})
        faults = {
            moment: sum(section == WHY for section, _ in played.told.events)
            for moment, played in self._trials(power, sheet).items()
        }
        held = [moment for moment in found.final if faults.get(moment)]
        if not held:
            return found
        return found.drop_failing_done(held, sum(faults[moment] for moment in held))

    def _trials(self, power: str, sheet: str) -> dict[Moment, Played]:
        """Return the results, without dice, of a side's orders for the rest of its turn.

        The keys are the steps for which there are orders.
        """
        now = self._position.moment
        played = self._play({power: sheet}, None)
        found = {now: played}
        after = played.after.moment
        if now.step is Step.FIRE and after.turn == now.turn and after.side == now.side:
            next_table = YorktownTable(played.after, self._rules)
            if next_table._orders(sheet).orders:
                found[after] = next_table._play({power: sheet}, None)
        return {
            moment: each for moment, each in found.items()
            if read_sheet(split_sheets(sheet).get(moment, "")).orders
        }

    def _read_for_master(self, lines: Sequence[Line], sheets: Mapping[str, str]) -> OrdersRead:
        """Read lines for the side each of them names, or the side whose step it is."""
        of_whom: dict[str, list[Line]] = {}
        for line in lines:
            owner, text = owner_named(line.text)
            owner = owner or POWERS[self._position.moment.side]
            of_whom.setdefault(owner, []).append(line._replace(text=text))
        found = [self.read_orders(own, power, sheets) for power, own in of_whom.items()]
        changed = {power: text for each in found for power, text in each.sheets.items()}
        told = [line for each in found for line in each.lines]
        return OrdersRead(changed, tuple(sorted(told, key=lambda each: each.line.number)))

    def missing_orders(self, power: str, sheet: str) -> tuple[Phrase, ...]:
        """Return a phrase if a side has no orders for the rest of its turn (Y-91).

        Orders for the MOVE step are enough in the FIRE step: the guns are then silent.
        """
        if power not in self.powers_due() or self._has_orders(sheet):
            return ()
        return (phrase("owed-orders", step=step_named(self._position.moment.step)),)

    def _has_orders(self, sheet: str) -> bool:
        now = self._position.moment
        left = (read_sheet(s) for m, s in split_sheets(sheet).items() if m.turn == now.turn)
        return any(each.orders or each.done for each in left)

    def final_word(self, power: str, sheet: str) -> Phrase | None:
        """Return the word `done` if a side has not sent it for this step (Y-90)."""
        if power not in self.powers_due() or self._orders(sheet).done:
            return None
        return phrase("owed-done", step=step_named(self._position.moment.step))

    def without_final_word(self, sheet: str) -> str:
        """Return a sheet without `done` for any of its steps."""
        return join_sheets({
            moment: write_sheet(read_sheet(text)._replace(done=False))
            for moment, text in split_sheets(sheet).items()
        })

    def _orders(self, sheet: str) -> OrderSheet:
        return read_sheet(split_sheets(sheet).get(self._position.moment, ""))

    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt, with a trial of the sheet without dice (Y-92)."""
        is_due = power in self.powers_due()
        tried = [*self._trials(power, sheet).values()] if is_due else []
        side = SIDE_OF[power]
        missing = self.missing_orders(power, sheet)
        return sheet_facts(self._position, side, power, split_sheets(sheet), missing, tried)

    def select_public_orders(self, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return the sheets for this step alone. Later steps stay secret."""
        now = self._position.moment
        told = {power: {now: split_sheets(text).get(now, "")} for power, text in sheets.items()}
        shown = {
            power: without_gaps(join_sheets(each)) for power, each in told.items() if each[now]
        }
        return {power: text for power, text in shown.items() if len(text.splitlines()) > 1}

    def known_to(self, power: str, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return a side's own sheet."""
        return {owner: sheet for owner, sheet in sheets.items() if owner == power}

    def preview(self, sheets: Mapping[str, str]) -> str:
        """Return the record of a step without dice: paths, ranges, odds."""
        played = self._play(sheets, None)
        return write_record(self._position, played, self._select_current_sheets(sheets), tried=True)

    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the facts of the position. Nothing is hidden (Y-6)."""
        return standing_facts(self._position)

    def places(self, reader: Viewer) -> Places:
        """Return the board as text."""
        return place_facts(self._position)

    def sketch(self, reader: Viewer) -> str:
        """Return the sketch of the position."""
        return board_sketch(self._position)

    def sketch_front(self, record: YorktownRecord | None, side: str) -> str:
        """Return the sketch of the part of the board with a side's units."""
        return front_sketch(self._position, record, side)

    def sketch_orders(self, sheets: Mapping[str, str], reader: Viewer) -> str:
        """Return the sketch of the position.

        Orders are not drawn before they are carried out.
        """
        return board_sketch(self._position)

    def leaders(self) -> tuple[str, ...]:
        """Return the side nearer to its victory conditions, or both."""
        allies = count_occupiers(self._position, YORKTOWN) / IN_YORKTOWN
        crown = self._position.exits / EXITS
        if allies == crown:
            return tuple(POWERS.values())
        return (POWERS[FA if allies > crown else "AP"],)

    def complete_sheet(self, power: str, sheet: str) -> str:
        """Return a sheet with default orders, if it is the side's step and it has none."""
        now = self._position.moment
        if POWERS[now.side] != power or self._orders(sheet).orders:
            return sheet
        given = OrderSheet(tuple(orders_of(self._position)), self._orders(sheet).standing)
        return join_sheets({**split_sheets(sheet), now: write_sheet(given)})

    def bot_sheet(self, power: str, sheet: str, dice: Dice) -> str:
        """Return a sheet with the bot's orders, if it is the side's step and it has none."""
        now = self._position.moment
        if POWERS[now.side] != power or self._orders(sheet).orders:
            return sheet
        given = OrderSheet(tuple(bot_orders(self._position)), self._orders(sheet).standing)
        return join_sheets({**split_sheets(sheet), now: write_sheet(given)})

    def set_up_position(self, lines: Sequence[Line]) -> SetupResult:
        """Apply a master's lines to the position (SETUP)."""
        arranger = Arranger(self._position)
        read = arranger.read(lines)
        return SetupResult(dump(arranger.position), read)

    def setup_lines(self) -> tuple[str, ...]:
        """Return the lines from which `set_up_position` makes this position."""
        return arrangement(self._position)

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Play the step. Orders for later steps are carried over."""
        played = self._play(sheets, dice.roll_die)
        record = write_record(self._position, played, self._select_current_sheets(sheets))
        ending = None
        if played.end:
            winners = (POWERS[played.end.winner],) if played.end.winner else self.powers_alive()
            ending = Ending(winners, played.end.reason)
        return Adjudication(
            dump(played.after), record, ending, self._select_later_sheets(sheets, played)
        )

    def _play(self, sheets: Mapping[str, str], roll: Roll | None) -> Played:
        now = self._position.moment
        standing: dict[str, tuple[StandingOrder, ...]] = {}
        for side, power in POWERS.items():
            kept = read_standing(self._position.standing.get(side, ()))
            standing[side] = amend_standing_orders(
                kept, self._orders(sheets.get(power, "")).standing
            )
        orders = self._orders(sheets.get(POWERS[now.side], "")).orders
        in_force = {
            side: write_standing(order for order in found if not is_void(order))
            for side, found in standing.items()
        }
        return play_step(self._position, orders, standing, self._rules, roll, in_force)

    def _select_current_sheets(self, sheets: Mapping[str, str]) -> dict[str, str]:
        now = self._position.moment
        told = {SIDE_OF[p]: split_sheets(text).get(now, "") for p, text in sheets.items()}
        shown = {side: without_gaps(text) for side, text in told.items()}
        return {side: text for side, text in shown.items() if text}

    def _select_later_sheets(self, sheets: Mapping[str, str], played: Played) -> dict[str, str]:
        """Return the orders on file for steps from the next one on."""
        rank = played.after.moment.rank

        def left(text: str) -> dict[Moment, str]:
            return {m: part for m, part in split_sheets(text).items() if m.rank >= rank}

        kept = {power: join_sheets(left(text)) for power, text in sheets.items()}
        return {power: text for power, text in kept.items() if text}
