"""What may change has the types of what it changes, so that mypy finds a misspelled field."""

from dataclasses import fields
from typing import Any, get_type_hints

import pytest

from judge.model.record import GameChanges, GameRecord
from judge.play.chosen import Chosen, GameSettings
from judge.play.dealings import Dealings, DealingsChanges

MADE_WITH = {"id", "system", "created"}
"""What of a game never changes."""
BY_SET = {each.name for each in fields(GameSettings)} - {"gm_plays", "frozen", "set_up"}
"""What in a game only SET lines change."""


@pytest.mark.parametrize("changes, value, kept", [
    (GameChanges, GameRecord, MADE_WITH),
    (DealingsChanges, Dealings, set()),
    (Chosen, GameSettings, BY_SET),
], ids=lambda one: getattr(one, "__name__", ""))
def test_what_may_change_is_of_the_type_that_it_is(
    changes: Any, value: Any, kept: set[str]
) -> None:
    hints = get_type_hints(value)
    assert get_type_hints(changes) == {
        name: hint for name, hint in hints.items() if name not in kept
    }
