"""Types of changes agree with their records, so mypy finds misspelt fields."""

from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from judge.model.record import GameChanges, GameRecord
from judge.play.game_settings import GameSettings, SettingsChanges
from judge.play.pending_requests import DealingsChanges, PendingRequests

MADE_WITH = {"id", "system", "created"}
"""Fields of a game that never change."""
BY_SET = {each.name for each in fields(GameSettings)} - {"gm_plays", "frozen", "set_up"}
"""Fields of a game that only SET lines change."""


@pytest.mark.parametrize("changes, value, kept", [
    (GameChanges, GameRecord, MADE_WITH), (DealingsChanges, PendingRequests, set()),
    (SettingsChanges, GameSettings, BY_SET),
], ids=lambda one: getattr(one, "__name__", ""))
def test_change_types_agree_with_the_record(changes: Any, value: Any, kept: set[str]) -> None:
    hints = get_type_hints(value)
    assert get_type_hints(changes) == {
        name: hint for name, hint in hints.items() if name not in kept
    }
