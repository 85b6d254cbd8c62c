"""Order pages of positions, for tests."""

from datetime import UTC, datetime

from judge.board.map import Map
from judge.board.position import Position
from judge.drawing.layout import ProvinceDrawing
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.order_board import order_board_values
from judge.games.diplomacy.views.phases import kind_named, turn_named
from judge.games.diplomacy.views.pictures import standing_picture
from judge.site.order_page import OrderPageFacts, render_order_page


def page_of_position(board: Map, position: Position, rules: Rules = Rules()) -> bytes:
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
    return render_order_page(facts, ProvinceDrawing(standing_picture(board, position, "marco")))
