"""Order pages of positions, for tests."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from judge.board.map import Map
from judge.board.position import Position
from judge.drawing.layout import ProvinceDrawing
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.order_board import order_board_values
from judge.games.diplomacy.views.phases import kind_named, turn_named
from judge.games.diplomacy.views.pictures import standing_picture
from judge.site.order_page import OrderPageFacts, render_order_page


def page_of_position(
    board: Map, position: Position, rules: Rules = Rules(), *, is_coarse: bool = False
) -> bytes:
    """Return the order page of a position."""
    facts = OrderPageFacts(
        system="diplomacy",
        judge="Judge",
        address="judge@localhost",
        game="marco",
        signons={power.letter: f"{power.letter}marco" for power in board.powers},
        titles=(turn_named(position.phase, board.calendar), kind_named(position.phase.kind)),
        powers=tuple(power.name for power in board.powers),
        deadline=datetime(2026, 1, 8, 12, 0, tzinfo=UTC),
        values=order_board_values(board, position, rules),
    )
    drawing = ProvinceDrawing(standing_picture(board, position, "marco"))
    return render_order_page(facts, drawing, is_coarse=is_coarse)


def read_lines(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield units and their lines from the values of a movement phase."""
    sets = [text.split() for text in values["sets"]]
    for row in values["units"]:
        unit, _, moves, by_sea, supports, convoys = [*row, *[0, 0, (), ()][len(row) - 2 :]]
        yield unit, f"{unit} H"
        yield from ((unit, f"{unit} - {to}") for to in sets[moves])
        yield from ((unit, f"{unit} - {to} VIA") for to in sets[by_sea])
        for pairs, sign in ((supports, "S"), (convoys, "C")):
            for other, goals in zip(pairs[::2], pairs[1::2], strict=True):
                helped = f"{unit} {sign} {values['units'][other][0]}"
                yield from (
                    (unit, helped if to == "=" else f"{helped} - {to}") for to in sets[goals]
                )
