"""Order lists: positions made by setup lines."""

from datetime import UTC, datetime

import pytest

from judge.dice import Dice
from judge.errors import JudgeError
from judge.games import find_system
from judge.model.incoming import Line
from judge.model.record import GameRecord, GameState
from judge.play.archive import orderlists
from judge.play.archive.orderlists import _set_up_position


def arrange_position(system: str, variant: str, *texts: str) -> str:
    """Return the position made from the opening by lines."""
    game = GameRecord(
        1, "marco", system, variant, GameState.RUNNING, "S1901M", 0, "{}", {}, b"",
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    opening = find_system(system).initial_position(variant, {}, Dice(bytes(32), 0))
    return _set_up_position(game, opening, [Line(n, text) for n, text in enumerate(texts, 1)], {})


def test_any_wrong_line_is_reported() -> None:
    assert arrange_position("diplomacy", "standard", "France: A Par", "England: F Lon")
    for wrong in (("France: A Xyz", "England: F Lon"), ("England: F Lon", "France: A Xyz")):
        with pytest.raises(JudgeError, match="Xyz"):
            arrange_position("diplomacy", "standard", *wrong)


def test_a_system_without_setup_lines_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(orderlists, "PositionSetup", type("Nothing", (), {}))
    with pytest.raises(JudgeError, match="cannot be laid out"):
        arrange_position("yorktown", "yorktown", "INF 3 at 1512")
