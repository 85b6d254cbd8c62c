"""Power codes of several letters, in seats, press, preferences and votes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge import games
from judge.errors import StoreTrouble
from judge.games import find_head, find_system
from judge.games.contract import _open_all, first_violation
from judge.games.system import GameSystem, PowerInfo
from judge.model.order_words import PhaseHead
from tests.journeys.rig import walk
from tests.plugin.fords_installed import install_system


def test_seats_are_named_by_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camps = tuple(PowerInfo(camp, camp[:3].upper(), f"{camp}ern") for camp in ("North", "South"))
    with install_system(tmp_path):
        monkeypatch.setattr(type(find_system("fords")), "powers", lambda *_: camps)
        assert first_violation("fords", find_system("fords")) is None
        walk(Path(__file__).parent / "codes.txt")


@pytest.mark.parametrize("letters", [("NOR", "S"), ("GM", "SOU"), ("NORTH", "SOUTH"), ("1N", "2S")])
def test_not_every_word_is_a_code(
    letters: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camps = (PowerInfo("North", letters[0], "Northern"), PowerInfo("South", letters[1], "Southern"))
    with install_system(tmp_path):
        system = find_system("fords")
        monkeypatch.setattr(type(system), "powers", lambda *_: camps)
        assert first_violation("fords", system)


def test_a_system_that_fails_on_a_line_stops_no_mail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: object, words: str) -> str:
        raise RuntimeError(words)

    with install_system(tmp_path):
        monkeypatch.setattr(type(find_system("fords")), "find_phase", fails)
        both = find_system("fords"), find_system("diplomacy")
        monkeypatch.setattr(games, "all_systems", lambda: both)
        assert find_head("T3") is None
        assert find_head("S1901M") == PhaseHead("S1901M")


def test_a_database_failure_during_a_line_delays_its_mail(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: object, line: str) -> None:
        raise StoreTrouble("gone")

    monkeypatch.setattr(type(find_system("diplomacy")), "find_head", fails)
    with pytest.raises(StoreTrouble):
        find_head("S1901M")


def test_map_is_opened_with_every_value_and_both_limits() -> None:
    opened: list[Any] = []
    options = [
        SimpleNamespace(name="winter", values=("short", "long"), least=0, most=0),
        SimpleNamespace(name="years", values=(), least=1, most=9),
    ]
    system = SimpleNamespace(
        options=lambda map_name: options,
        initial_position=lambda map_name, chosen, dice: opened.append(chosen) or "{}",
        table=lambda map_name, position, chosen: SimpleNamespace(
            powers_due=lambda: opened.append("due")
        ),
    )
    _open_all(cast(GameSystem, system), "river")
    assert opened[1::2] == ["due"] * 4
    assert opened[::2] == [{"winter": "short"}, {"winter": "long"}, {"years": 1}, {"years": 9}]
