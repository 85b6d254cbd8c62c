"""What all tests of this room hold to."""

from collections.abc import Iterator
from functools import cache

import pytest

from judge.games.painting import paint
from judge.terminal import checking
from tests.store.wholeness import watched

_painted = cache(paint)


@pytest.fixture(autouse=True)
def boards_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`judge check` paints a board of each game: the same one each time, half a second long."""
    monkeypatch.setattr(checking, "paint", _painted)


@pytest.fixture(autouse=True)
def wholeness() -> Iterator[None]:
    """What is done from a terminal, beside a judge that works, is one transaction."""
    with watched():
        yield
