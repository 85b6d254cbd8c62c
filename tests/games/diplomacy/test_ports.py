"""Fleets in a province of the kind `port` convoy."""

from judge.board.map import ARMY, FLEET, Map, Unit
from judge.board.mapcheck import check_files
from judge.board.position import Position, parse_phase
from judge.games.diplomacy.language.order_reader import read_lines
from judge.games.diplomacy.map_tests import run_map_tests
from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.orders import Convoy, Hold, Move, Order, order_text
from judge.games.diplomacy.rules.possible import possible_texts
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.incoming import Line

ARMY_EAST, FLEET_PORT, FLEET_WEST = Unit(ARMY, "Eas"), Unit(FLEET, "Por"), Unit(FLEET, "Wes")


def strait(kind: str) -> Map:
    """Return two coasts with a province between them that fleets cross."""
    report = check_files("strait", {
        "map.tsv": "key\tvalue\ntitle\tStrait\nfirst_year\t1900\n",
        "provinces.tsv": "abbr\tname\tkind\tsupply_centre\thome_power\tcoasts\taliases\n"
                         "Eas\tEastland\tcoast\t1\tReds\t-\t-\nPor\tPorto\t"
                         f"{kind}\t1\tReds\t-\t-\nWes\tWestland\tcoast\t1\tBlues\t-\t-\n",
        "adjacency.tsv": "a\tb\tarmy\tfleet\nEas\tPor\t0\t1\nPor\tWes\t0\t1\n",
        "powers.tsv": "power\tletter\tadjective\twords\nReds\tR\tRed\t-\nBlues\tB\tBlue\t-\n",
        "start.tsv": "power\tunit\tlocation\nReds\tA\tEas\nReds\tF\tPor\nBlues\tF\tWes\n",
    })
    assert report.board is not None, report.faults
    return report.board


def test_refusal_of_a_convoy_names_ports_of_the_map() -> None:
    for kind, code in (("port", "cannot-convoy-ports"), ("coast", "cannot-convoy")):
        units = {"Reds": (ARMY_EAST,), "Blues": (FLEET_WEST,)}
        position = Position(parse_phase("S1900M"), units, {})
        [read] = read_lines(
            [Line(1, "F Wes C A Eas - Por")], strait(kind), position, "Blues", Rules()
        )
        assert [each.reason.code for each in read.complaints if each.reason] == [code]


def play(board: Map, orders: dict[str, list[Order]]) -> Position:
    """Return the position after the orders of the first phase."""
    units = {"Reds": (ARMY_EAST, FLEET_PORT), "Blues": (FLEET_WEST,)}
    return adjudicate(board, Position(parse_phase("S1900M"), units, {}), orders, Rules()).position


def test_fleet_in_port_convoys_and_on_a_coast_does_not() -> None:
    orders: dict[str, list[Order]] = {
        "Reds": [Move(ARMY_EAST, "Wes"), Convoy(FLEET_PORT, ARMY_EAST, "Wes")],
        "Blues": [Hold(FLEET_WEST)],
    }
    leaves: dict[str, list[Order]] = {
        "Reds": orders["Reds"], "Blues": [Move(FLEET_WEST, "Por")],
    }
    for kind, lands in (("port", Unit(ARMY, "Wes")), ("coast", ARMY_EAST)):
        board = strait(kind)
        units = {"Reds": (ARMY_EAST, FLEET_PORT), "Blues": ()}
        before = Position(parse_phase("S1900M"), units, {})
        after = adjudicate(board, before, {"Reds": orders["Reds"]}, Rules()).position
        assert lands in after.units["Reds"], kind
        assert play(board, orders).units["Reds"] == (ARMY_EAST, FLEET_PORT)
        assert play(board, leaves).units["Blues"] == (FLEET_WEST,)


def test_convoy_through_a_port_is_offered_and_read() -> None:
    board = strait("port")
    units = {"Reds": (ARMY_EAST, FLEET_PORT)}
    position = Position(parse_phase("S1900M"), units, {})
    offered = possible_texts(board, position)["Reds"]
    assert "A EAS - WES VIA" in offered[ARMY_EAST]
    assert "F POR C A EAS - WES" in offered[FLEET_PORT]
    [read] = read_lines([Line(1, "Porto convoys Eastland to Westland")], board, position, "Reds",
                        Rules())
    assert [order_text(order) for _, order in read.orders] == ["F POR C A EAS - WES"]


def test_map_with_a_port_plays() -> None:
    faults = [fault.text for fault in run_map_tests(strait("port"))]
    assert [text for text in faults if "picture" not in text] == []
