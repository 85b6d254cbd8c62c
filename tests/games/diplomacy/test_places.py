"""The board in words: each place and unit once, in lines of bounded length."""

from dataclasses import replace

import pytest
from random_boards import random_case
from scenes import position

from judge.board.map import Map, Terrain
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.boards import MAP_NAMES, board
from judge.games.diplomacy.views.standing import place_facts, regions
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter, LetterKind
from tests.language import LANGUAGE


def render_board(on: Map, at: Position) -> str:
    """Return the text of a board letter."""
    letter = Letter(
        kind=LetterKind.INFO, to="", subject="", template="board",
        facts={"board": place_facts(on, at)}, system="diplomacy",
    )
    return Renderer(LANGUAGE, "Judge", "judge@localhost").text(letter)


@pytest.mark.parametrize("name", MAP_NAMES)
def test_every_province_is_in_exactly_one_region(name: str) -> None:
    listed = [abbr for abbrs in regions(name).values() for abbr in abbrs]
    assert sorted(listed) == sorted(board(name).provinces)


@pytest.mark.parametrize("name", MAP_NAMES)
def test_a_region_is_land_or_water(name: str) -> None:
    on = board(name)
    for region, abbrs in regions(name).items():
        open_to = [on.provinces[abbr].terrain for abbr in abbrs]
        dry = {terrain.takes_armies for terrain in open_to if terrain is not Terrain.SHUT}
        assert len(dry) == 1 or region == "Off the board", region


@pytest.mark.parametrize("seed", range(12))
def test_the_board_text_is_complete_and_72_columns_wide(seed: int) -> None:
    on, at, _ = random_case(seed)
    beaten = {power: tuple(map(Dislodged, units)) for power, units in at.units.items()}
    at = replace(at, dislodged=beaten, contested=frozenset(["Ber", "Bur", "Gal"]))
    text = render_board(on, at)
    assert max(map(len, text.splitlines())) <= 72
    flat = " ".join(text.split())
    for province in on.provinces.values():
        assert flat.count(f"({province.abbr})") == 1, province.abbr
    units = [unit for units in at.units.values() for unit in units]
    assert flat.count(": Army") + flat.count(": Fleet") == 2 * len(units)
    assert flat.count(", dislodged") == len(units)


def test_a_row_lists_owner_unit_and_further_facts() -> None:
    on = board("standard")
    at = position(on, "R", "Russia: F STP/SC; Germany: A BUR; dislodged France: A BUR")
    text = render_board(on, replace(at, contested=frozenset(["Pic"])))
    for row in (
        "  St Petersburg (StP)             Russia    Russia: Fleet/sc",
        "  Belgium (Bel)                   nobody    -",
        "  Burgundy (Bur)                            Germany: Army\n"
        "                                            France: Army, dislodged",
        "  Picardy (Pic)                             closed to retreats",
        "  empty: Gascony (Gas)",
        "Nobody may enter: Switzerland (Swi).",
    ):
        assert row in text
