"""Pictures of Diplomacy games, made from positions and results."""

import json
from typing import Any

import pytest

from judge.drawing.picture import (
    HoldMark,
    Picture,
    Stroke,
    StrokeKind,
    Token,
    TokenShape,
    TokenState,
)
from judge.drawing.svg import draw_svg
from judge.errors import DataError
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.views.adjudicate_json import adjudicate_line
from judge.games.diplomacy.views.draw_json import picture_of_line

CHANNEL: dict[str, Any] = {
    "map": "standard",
    "phase": "F1901M",
    "game": "marco",
    "units": {
        "England": ["A LON", "F ENG", "F NTH"],
        "France": ["A PIC", "A BUR"],
        "Germany": ["A RUH"],
    },
    "centers": {"England": ["LON", "EDI"], "France": ["PAR"]},
    "orders": {
        "England": ["A LON - BEL", "F ENG C A LON - BEL", "F NTH S A LON - BEL"],
        "France": ["A PIC - BEL", "A BUR H"],
        "Germany": ["A RUH - BUR"],
    },
}
RETREAT: dict[str, Any] = {
    "map": "standard",
    "phase": "S1902R",
    "units": {"France": ["A BUR"], "Austria": ["A TYR"]},
    "dislodged": {
        "Germany": [{"unit": "A MUN", "from": "BUR"}, {"unit": "F KIE", "from": "HOL"}],
    },
    "contested": ["SIL"],
    "orders": {"Germany": ["A MUN - BER", "F KIE D"]},
}
WINTER: dict[str, Any] = {
    "map": "youngstown",
    "phase": "F1901A",
    "units": {"India": ["A DEL"], "Japan": ["A TOK", "F NPA"]},
    "centers": {"India": ["DEL", "CAL", "MAD"], "Japan": ["TOK"]},
    "orders": {"India": ["BUILD F MAD", "WAIVE"], "Japan": ["REMOVE F NPA"]},
}


def picture(data: dict[str, Any], **more: object) -> Picture:
    """Return the picture of a position."""
    return picture_of_line(json.dumps(data | more))


def token(found: Picture, place: str) -> Token:
    """Return the only token of a place."""
    (one,) = [token for token in found.tokens if token.place == place]
    return one


def stroke(found: Picture, start: str) -> Stroke:
    """Return the only stroke that begins at a place."""
    (one,) = [stroke for stroke in found.strokes if stroke.start == start]
    return one


def test_a_position_without_orders_is_drawn_unchanged() -> None:
    found = picture(CHANNEL, orders={})
    assert found.strokes == () and len(found.tokens) == 6
    assert found.head.phase == "Fall of 1901"
    assert found.head.title == "marco · Standard"


def test_a_convoyed_army_is_drawn_across_its_fleet() -> None:
    found = picture(CHANNEL)
    assert stroke(found, "Lon") == Stroke(StrokeKind.MOVE, "Lon", "Bel", through=("Eng",))
    assert stroke(found, "Eng") == Stroke(StrokeKind.CONVOY, "Eng", "Bel", aim="Lon")
    assert stroke(found, "Nth") == Stroke(StrokeKind.SUPPORT, "Nth", "Bel", aim="Lon")


def test_failed_orders_are_drawn_as_failed() -> None:
    found = picture(CHANNEL)
    assert {one.start: one.failed for one in found.strokes} == {
        "Lon": False, "Eng": False, "Nth": False, "Pic": True, "Ruh": True,
    }


def test_only_a_unit_ordered_to_hold_has_the_hold_sign() -> None:
    assert picture(CHANNEL).holds == (HoldMark("Bur"),)
    silent = {**CHANNEL, "orders": {"England": ["A LON H"]}}
    assert picture(silent).holds == (HoldMark("Lon"),)


def test_armies_are_blocks_and_fleets_are_boats() -> None:
    found = picture(CHANNEL)
    assert (
        token(found, "Lon").form is TokenShape.BLOCK and token(found, "Nth").form is TokenShape.BOAT
    )


def test_a_dislodged_unit_is_marked_at_its_place() -> None:
    beaten = {
        "map": "standard",
        "phase": "S1901M",
        "units": {"France": ["A BUR", "A MAR"], "Italy": ["A PIE"]},
        "orders": {"France": ["A MAR - PIE"], "Italy": ["A PIE H"]},
    }
    assert token(picture(beaten), "Pie").state is TokenState.STANDING
    beaten["units"] = {"France": ["A TYR", "A MAR"], "Italy": ["A PIE"]}
    beaten["orders"] = {"France": ["A MAR - PIE", "A TYR S A MAR - PIE"]}
    assert token(picture(beaten), "Pie").state is TokenState.BEATEN


def test_dislodged_units_and_closed_places_before_retreats() -> None:
    found = picture(RETREAT, orders={})
    assert token(found, "Mun") == Token(
        "Mun", "Germany", TokenShape.BLOCK, TokenState.BEATEN, aside=True
    )
    assert found.contested == ("Sil",)


def test_retreats_begin_at_the_dislodged_units() -> None:
    found = picture(RETREAT)
    assert stroke(found, "Mun") == Stroke(StrokeKind.RETREAT, "Mun", "Ber", aside=True)
    assert token(found, "Mun").state is TokenState.BEATEN
    assert token(found, "Kie").state is TokenState.GONE


def test_built_and_removed_units_are_marked() -> None:
    found = picture(WINTER)
    assert token(found, "Mad") == Token("Mad", "India", TokenShape.BOAT, TokenState.NEW)
    assert token(found, "NPa").state is TokenState.GONE
    assert token(found, "Del").state is TokenState.STANDING


@pytest.mark.parametrize("position", [CHANNEL, RETREAT, WINTER])
def test_a_result_is_drawn_like_its_position_and_orders(position: dict[str, Any]) -> None:
    line = adjudicate_line(json.dumps(position))
    named = json.loads(line) | {"map": position["map"], "phase": position["phase"]}
    from_result, from_position = picture(named), picture(position)
    assert set(from_result.strokes) == set(from_position.strokes)
    told = {(token.place, token.state, token.form) for token in from_result.tokens}
    ordered = {
        (token.place, token.state, token.form)
        for token in from_position.tokens
        if token.aside or position is not RETREAT
    }
    assert ordered <= told
    assert sorted(map(repr, from_result.tokens)) == sorted(map(repr, from_position.tokens))


@pytest.mark.parametrize("position", [CHANNEL, RETREAT, WINTER])
def test_map_and_phase_of_a_result_are_derived(
    position: dict[str, Any],
) -> None:
    """The output of `judge adjudicate` names neither, yet `judge draw` accepts it."""
    found = picture(json.loads(adjudicate_line(json.dumps(position))))
    assert found.head.title == {"standard": "Standard", "youngstown": "Youngstown"}[position["map"]]
    assert position["phase"] in found.head.subtitle
    assert set(found.strokes) == set(picture(position).strokes)


def test_land_without_a_centre_has_the_colour_of_its_unit() -> None:
    found = picture(CHANNEL)
    assert found.tints["Pic"] == "France" and found.tints["Lon"] == "England"
    assert "Eng" not in found.tints and "Gas" not in found.tints


def test_the_legend_counts_centres_and_units() -> None:
    notes = {side.name: side.note for side in picture(CHANNEL, orders={}).sides}
    assert notes["England"] == "2 centres, 3 units"
    assert notes["Germany"] == "0 centres, 1 unit"
    assert notes["Turkey"] == "out of the game"


def test_the_legend_shows_counts_before_and_after() -> None:
    taken = {
        "map": "standard",
        "phase": "F1901M",
        "units": {"France": ["A PIC"]},
        "centers": {"France": ["PAR"], "Germany": ["BEL"]},
        "orders": {"France": ["A PIC - BEL"]},
    }
    notes = {side.name: side.note for side in picture(taken).sides}
    assert notes["France"] == "1 → 2 centres, 1 unit"
    assert notes["Germany"] == "1 → 0 centres, 0 units"
    won = {side.name: side.note for side in picture(WINTER).sides}
    assert won["India"] == "3 centres, 1 → 2 units" and won["Japan"] == "1 centre, 2 → 1 unit"


def test_the_picture_is_described_in_words() -> None:
    assert "England 2 centres, 3 units" in picture(CHANNEL, orders={}).describes
    assert "what became of them: 6 orders, 2 failed. Austria" in picture(CHANNEL).describes


def test_dislodged_units_are_described_in_words() -> None:
    beaten = {
        "map": "standard",
        "phase": "S1901M",
        "units": {"France": ["A TYR", "A MAR"], "Italy": ["A PIE"]},
        "orders": {"France": ["A MAR - PIE", "A TYR S A MAR - PIE"]},
    }
    assert "dislodged: Italy in Pie" in picture(beaten).describes


@pytest.mark.parametrize(
    ("position", "turn"),
    [
        (CHANNEL, "Fall of 1901"),
        (RETREAT, "Spring of 1902: retreats"),
        (WINTER, "Fall of 1901: builds and removals"),
    ],
)
def test_the_head_names_the_phase(position: dict[str, Any], turn: str) -> None:
    assert picture(position).head.phase == picture(position, orders={}).head.phase == turn


def test_the_end_of_a_game_names_the_winner() -> None:
    most = list(board("standard").centres)[:17]
    owned = {"Germany": [*most], "Turkey": [board("standard").centres[17]]}
    last = {
        "map": "standard",
        "phase": "F1910M",
        "units": {"Germany": [f"A {board('standard').centres[17]}"]},
        "centers": owned,
        "orders": {"Germany": [f"A {board('standard').centres[17]} H"]},
    }
    found = picture(last)
    assert found.head.aside == "Germany has won." and "Germany has won." in found.describes
    won = {"Germany": [*most, board("standard").centres[17]]}
    stands = picture({**last, "phase": "F1910A", "centers": won, "orders": {}})
    assert stands.head.phase == "Fall of 1910: Germany has won"
    assert stands.head.subtitle == "The board at the end of the game"


def test_powers_have_the_same_colour_on_both_maps() -> None:
    one = {side.name: side.colour for side in picture(CHANNEL).sides}
    other = {side.name: side.colour for side in picture(WINTER).sides}
    assert one.items() <= other.items() and len(set(other.values())) == 10


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"map": "mars"}', '{"map": "standard", "phase": "X", "units": {}}',
        '{"units": {"France": ["A XYZ"]}, "phase": "S1901M"}', '{"units": {"France": [""]}}',
        '{"units": 7}',
    ],
)
def test_an_invalid_position_is_refused(text: str) -> None:
    with pytest.raises(DataError):
        picture_of_line(text)


@pytest.mark.parametrize("position", [CHANNEL, RETREAT, WINTER])
def test_every_kind_of_picture_can_be_drawn(position: dict[str, Any]) -> None:
    for found in (picture(position), picture(position, orders={})):
        assert draw_svg(found).endswith("</svg>")


MANY_CAME = (
    {"phase": "F1901A", "units": {"England": ["F NWY"]},
     "centers": {"England": ["LON", "EDI", "LVP", "NWY"]},
     "orders": {"England": ["BUILD A LON", "BUILD F EDI", "BUILD A LVP"]}},
    {"phase": "S1902R", "units": {"France": ["A BUR", "A RUH"]},
     "dislodged": {"Germany": [{"unit": "A MUN", "from": "BUR"}, {"unit": "A KIE", "from": "RUH"}]},
     "orders": {"Germany": ["A MUN - BER", "A KIE - DEN"]}},
)


@pytest.mark.parametrize("case", MANY_CAME)
def test_a_result_with_several_arrivals_is_drawn_correctly(case: dict[str, Any]) -> None:
    told = {"id": "x", "map": "standard", **case}
    result = {**json.loads(adjudicate_line(json.dumps(told))), "map": "standard"}
    drawn = picture_of_line(json.dumps(result))
    assert sorted(map(str, drawn.tokens)) == sorted(map(str, picture(told).tokens))
