"""Maps that are not in the package: six isles with names that are hard to type."""

from pathlib import Path

import pytest

from judge.board.mapfile import load_map
from judge.games.diplomacy.boards import opening_on
from judge.games.diplomacy.language.order_reader import read_lines
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.incoming import Line

FOLDER = Path(__file__).parents[2] / "maps" / "sixisles"
SIX_ISLES = load_map("sixisles", FOLDER)


def _read(line: str, power: str) -> list[str]:
    (seen,) = read_lines([Line(1, line)], SIX_ISLES, opening_on(SIX_ISLES), power, Rules())
    return [order_text(order) for _, order in seen.orders]


@pytest.mark.parametrize(("line", "order"), [
    ("F Älderö - Mère", "F ALD - MER"), ("f aldero-mere", "F ALD - MER"),
    ("F AELDEROE - MER", "F ALD - MER"), ("fleet ald to Mere", "F ALD - MER"),
    ("A Cossé - Bryn's Gate", "A COS - BRY"), ("A Cosse - Bryn’s Gate", "A COS - BRY"),
    ("a cos-bryns gate", "A COS - BRY"), ("A COS - bryn gate", "A COS - BRY"),
    ("Blåar: A Cos - Fénland", "A COS - FEN"), ("Blaar army cosse - fenland", "A COS - FEN"),
])
def test_names_with_accents_and_genitives_are_read(line: str, order: str) -> None:
    assert _read(line, "Reds" if order[0] == "F" else "Blåar") == [order]
