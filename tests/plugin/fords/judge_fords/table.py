"""The rules of Fords applied to one position."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.dice import Dice
from judge.games.capabilities import OrderCompletion, Ranking
from judge.games.letter_facts import Draft, LetterPiece, SheetFacts, PositionFacts
from judge.games.system import (
    Adjudication,
    Ending,
    Options,
    OrdersRead,
    PhaseInfo,
    Viewer,
    Table,
    ViewerRole,
)
from judge.model.incoming import Line
from judge.model.phrase import Phrase, phrase
from judge_fords.orders import read_lines
from judge_fords.river import CAMPS, Order, River, other, play, read_sheet


CLOCK = "turn"


class FordsTable(Table, OrderCompletion, Ranking):
    """The `Table` of the contract for Fords."""

    def __init__(self, river: River, options: Options) -> None:
        self._river = river
        self._last = int(str(options.get("turns", 12)))

    @property
    def phase(self) -> PhaseInfo:
        """The turn to order for."""
        river = self._river
        turn = phrase("turn", number=river.turn)
        return PhaseInfo(f"T{river.turn}", CLOCK, turn, phrase("marching"))

    @property
    def has_hidden_information(self) -> bool:
        """True, because each camp sees its own troops alone."""
        return True

    def powers_due(self) -> frozenset[str]:
        """Return the camp whose turn it is."""
        return frozenset({self._river.mover} & {*self.powers_alive()})

    def powers_alive(self) -> tuple[str, ...]:
        """Return the camps that have troops."""
        return tuple(camp for camp in CAMPS if self._river.left(camp))

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines as orders of the camp whose turn it is."""
        return read_lines(self._river, lines, power, sheets.get(self._river.mover, ""))

    def missing_orders(self, power: str, sheet: str) -> tuple[Phrase, ...]:
        """Return the missing order, if there is neither an order nor PASS."""
        owes = power in self.powers_due() and not read_sheet(sheet)
        return (phrase("order-or-pass"),) if owes else ()

    def final_word(self, power: str, sheet: str) -> str | None:
        """Return PASS until it is on file, because more orders may follow."""
        return None if Order("pass") in read_sheet(sheet) else "PASS"

    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt: orders on file, and lines that can be sent."""
        orders = [str(order) for order in read_sheet(sheet)]
        return SheetFacts(
            power=power,
            title=phrase("orders-of-turn", number=self._river.turn),
            lines=tuple(orders),
            missing=self.missing_orders(power, sheet),
            draft=tuple(map(Draft, orders)) or (Draft("SEND", open=True), Draft("PASS")),
            clock=CLOCK,
            default=phrase("nothing-is-done"),
        )

    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the facts of the position, with the other camp's total only."""
        river = self._river
        camps = tuple(_describe_camp(river, camp, reader) for camp in CAMPS)
        title = phrase("river-in-turn", camp=river.mover, number=river.turn)
        if self._ending(river):
            title = phrase("river-at-end")
        return PositionFacts(
            title, f"T{river.turn}", (), pieces=(LetterPiece("river", camps, "river"),)
        )

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Carry out the orders of the camp whose turn it is.

        The record has all that is needed to describe the turn.
        """
        river, steps = self._river, list[object]()
        for order, river, rolled in play(river, read_sheet(sheets.get(river.mover, "")), dice):
            steps.append([str(order), rolled])
        after = River(river.turn + 1, river.troops)
        ending = self._ending(after)
        told = ending.reason.as_json() if ending else None
        record = {"before": self._river.to_json(), "steps": steps, "after": after.to_json()}
        return Adjudication(after.to_json(), json.dumps({**record, "ending": told}), ending)

    def leaders(self) -> tuple[str, ...]:
        """Return the camp that holds more fords, or both."""
        held = {camp: self._river.count_held_fords(camp) for camp in CAMPS}
        return tuple(camp for camp in CAMPS if held[camp] == max(held.values()))

    def _ending(self, after: River) -> Ending | None:
        for camp in CAMPS:
            if not after.left(camp):
                return Ending((other(camp),), phrase("camp-lost", camp=camp, winner=other(camp)))
        if after.turn <= self._last:
            return None
        winners = FordsTable(after, {}).leaders()
        if len(winners) == 1:
            return Ending(winners, phrase("most-fords", winner=winners[0]))
        return Ending(winners, phrase("fords-shared"))


class Camp(NamedTuple):
    """A camp as a viewer may see it.

    The places of its troops are None if they are hidden.
    """

    name: str
    left: int
    troops: Mapping[str, int] | None


def _describe_camp(river: River, camp: str, reader: Viewer) -> Camp:
    sees = reader.quality is ViewerRole.MASTER or reader.power == camp
    return Camp(camp, river.left(camp), river.troops[camp] if sees else None)
