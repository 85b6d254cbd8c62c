"""What players sent ahead: filed when its phase begins, and shown until then."""

import json
from dataclasses import replace
from datetime import datetime
from itertools import count

from judge.games.system import LineRead, OrdersRead, Table
from judge.play.game import Game, Office
from judge.play.letters.telling import letter_to, owed_facts
from judge.play.office import player_seats
from judge.play.orders.proxies import sheet_facts, tell_holders, trusts_now
from judge.words.incoming import Line
from judge.words.letter import Kind, Letter
from judge.words.reason import Reason, because
from judge.words.record import Plan, SeatState

KEPT = "next movement"
"""The phase under which lines wait that a player sent for the next movement phase."""


def take_up(game: Game, now: datetime) -> list[Letter]:
    """File what was sent ahead for the phase that has just begun, and tell who sent it.

    Conditions are judged now; lines that turn out wrong are in the letter. What was meant for a
    phase that was passed over is dropped.
    """
    work = _Work(game.office, game)
    plans = game.plans()
    for plan in plans:
        work.plan(plan)
    if trusts_now(game):
        # Whoever was lent a unit by a plan read after his own can order it only now.
        for plan in plans:
            work.again(plan)
    if work.table.phase.clock == "move":
        for power, text in sorted(game.orders(KEPT).items()):
            work.kept(power, text)
        game.drop_orders(KEPT)
    return [*work.letters(), *tell_holders(game, (), trusts_now(game))]


class _Work:
    """What becomes of all that was sent ahead, power by power."""

    def __init__(self, office: Office, game: Game) -> None:
        self._office = office
        self._game = game
        self.table: Table = game.table
        self._lines: dict[str, list[LineRead]] = {}
        self._said: dict[str, list[Reason]] = {}

    def plan(self, plan: Plan) -> None:
        """Take up one plan if it is for this phase; forget it if its phase is over."""
        if plan.phase == self._game.phase:
            self._carry_out(plan)
        elif isinstance(self.table.phase_called(plan.phase), Reason):
            self._say(plan.power, because("plan-passed", phase=plan.phase))
        else:
            return
        self._game.file_plan(replace(plan, text="", wait=False))

    def _carry_out(self, plan: Plan) -> None:
        if plan.wait:
            for seat in player_seats(self._game):
                if seat.power == plan.power and seat.state is SeatState.HELD:
                    self._office.games.save_seat(replace(seat, wait=True))
            self._say(plan.power, because("wait-on", phase=plan.phase))
        if plan.text and plan.power not in self.table.due():
            self._say(plan.power, because("plan-not-needed", phase=plan.phase))
        elif plan.text:
            sheets = self._game.orders(self._game.phase)
            self._file(plan.power, self.table.carry_out(plan.text, plan.power, sheets))

    def again(self, plan: Plan) -> None:
        """Carry a plan out once more if some of it was refused."""
        if plan.phase == self._game.phase:
            if any(line.complaint for line in self._lines.get(plan.power, ())):
                self._lines.pop(plan.power)
                sheets = self._game.orders(self._game.phase)
                self._file(plan.power, self.table.carry_out(plan.text, plan.power, sheets))

    def kept(self, power: str, text: str) -> None:
        """Read the lines that a power sent while it had nothing to decide."""
        lines = [Line(number, line) for number, line in zip(count(1), json.loads(text))]
        sheets = self._game.orders(self._game.phase)
        self._file(power, self.table.read_orders(lines, power, sheets))

    def _file(self, power: str, read: OrdersRead) -> None:
        self._game.file_sheets(self._game.phase, read.sheets)
        self._lines.setdefault(power, []).extend(read.lines)

    def _say(self, power: str, reason: Reason) -> None:
        self._said.setdefault(power, []).append(reason)

    def letters(self) -> list[Letter]:
        """Make the letters that tell the players what became of it."""
        office, game = self._office, self._game
        letters = []
        for seat in player_seats(game):
            if seat.state is not SeatState.HELD or seat.power not in {*self._lines, *self._said}:
                continue
            if self._lines.get(seat.power):
                office.games.save_seat(replace(seat, missed=0))
            facts = {
                "reasons": self._said.get(seat.power, []),
                "orders": self._lines.get(seat.power, []),
                "sheet": sheet_facts(game, seat.power),
                "plans": plan_facts(game, seat.power),
                "owed": owed_facts(game, seat),
            }
            letters.append(
                letter_to(game, seat, Kind.RECEIPT, "kept", facts, "kept orders")
            )
        return letters


def plan_facts(game: Game, power: str) -> list[dict[str, object]]:
    """Return what a power has on file for later phases, the next one first."""
    table = game.table
    plans = {plan.phase: plan for plan in game.plans(power)}
    found = []
    for label in table.in_order(plans):
        info = table.phase_called(label)
        if not isinstance(info, Reason):
            found.append({
                "phase": label,
                "title": f"{info.title} orders for {info.turn}",
                "lines": table.show_plan(plans[label].text),
                "wait": plans[label].wait,
            })
    return found
