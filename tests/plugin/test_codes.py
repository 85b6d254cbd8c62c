"""Sides may have codes of several letters, as nations do: seats, press, wishes and votes take them.
"""

from pathlib import Path

import pytest

from judge.games import find_system
from judge.games.system import Side
from tests.journeys.rig import walk
from tests.plugin.fords_installed import installed


def test_seats_are_named_by_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    camps = tuple(Side(camp, camp[:3].upper(), f"{camp}ern") for camp in ("North", "South"))
    with installed(tmp_path):
        monkeypatch.setattr(type(find_system("fords")), "sides", lambda *_: camps)
        walk(Path(__file__).parent / "codes.txt")
