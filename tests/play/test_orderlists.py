"""Lists of orders: positions that lines make in them."""

from datetime import UTC, datetime

import pytest

from judge.dice import Dice
from judge.errors import JudgeError
from judge.games import find_system
from judge.model.incoming import Line
from judge.model.record import GameRecord, GameState
from judge.play.archive import orderlists
from judge.play.archive.orderlists import _arranged


def arranged(system: str, variant: str, *texts: str) -> str:
    """Return the position that lines make of the opening."""
    game = GameRecord(
        1, "marco", system, variant, GameState.RUNNING, "S1901M", 0, "{}", {}, b"",
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    opening = find_system(system).opening(variant, {}, Dice(bytes(32), 0))
    return _arranged(game, opening, [Line(n, text) for n, text in enumerate(texts, 1)], {})


def test_any_line_that_is_wrong_is_named() -> None:
    assert arranged("diplomacy", "standard", "France: A Par", "England: F Lon")
    for wrong in (("France: A Xyz", "England: F Lon"), ("England: F Lon", "France: A Xyz")):
        with pytest.raises(JudgeError, match="Xyz"):
            arranged("diplomacy", "standard", *wrong)


def test_where_positions_cannot_be_laid_out_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(orderlists, "Arranging", type("Nothing", (), {}))
    with pytest.raises(JudgeError, match="cannot be laid out"):
        arranged("yorktown", "yorktown", "INF 3 at 1512")
