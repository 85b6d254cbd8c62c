"""The system in `fords` is a package of its own, and no part of these tests' imports."""

import pytest

from judge.play.commands.gm import making

collect_ignore = ["fords", "over_smtp.py"]


@pytest.fixture(autouse=True)
def same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game has the same chance."""
    monkeypatch.setattr(making, "fresh_seed", lambda: bytes(range(32)))
