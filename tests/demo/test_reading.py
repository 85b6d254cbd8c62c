"""The demo's players see in a report what is so."""

import json
from datetime import UTC, datetime

import pytest

from judge.board.map import Map
from judge.board.position import Position, load_position
from judge.demo.orders import Luck, orders_for
from judge.demo.people import Chart
from judge.dice import Dice
from judge.games import find_map
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.orders import order_text
from judge.games.system import Reader, Watcher
from judge.mail.outbound.render import Renderer
from judge.model.incoming import Line
from judge.model.letter import Kind, Letter
from tests.language import LANGUAGE

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PHASES = 14


def comparable(position: Position, map_: Map) -> object:
    """Return what players act on: units, owners, who must retreat."""
    units = {p.name: sorted(map(str, position.units.get(p.name, ()))) for p in map_.powers}
    beaten = {p: sorted(str(d.unit) for d in found) for p, found in position.dislodged.items()}
    return str(position.phase), units, dict(position.owners), {p: b for p, b in beaten.items() if b}


@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_the_position_read_from_each_report_is_the_position_there_is(name: str) -> None:
    system, chart = find_map(name), Chart(board(name))
    renderer = Renderer(LANGUAGE, "J", "judge@localhost")
    assert system is not None
    text = system.opening(name, {}, Dice(bytes(32), 0))
    reader = Reader(Watcher.OBSERVER)
    for turn in range(1, PHASES):
        table = system.table(name, text, {})
        letter = Letter(
            Kind.INFO, "x@example.org", "", "standing", {"standing": table.standing(reader)},
            system=system.name,
        )
        seen = chart.position(renderer.text(letter), table.phase.label)
        there = load_position(json.loads(text))
        assert comparable(seen, chart.board)[:3] == comparable(there, chart.board)[:3]
        sheets: dict[str, str] = {}
        for power in table.due():
            orders = orders_for(chart.board, seen, power, Luck(3, turn, power))
            lines = [Line(n, order_text(order)) for n, order in enumerate(orders, start=1)]
            read = table.read_orders(lines, power, {})
            assert not [line for line in read.lines if line.complaint], "only legal orders"
            sheets.update(read.sheets)
            assert not table.missing(power, sheets.get(power, "")), "and all of them"
        text = table.adjudicate(sheets, Dice(bytes(32), turn)).after
