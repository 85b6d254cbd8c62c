"""Fixtures of all tests of the command line."""

from collections.abc import Iterator
from functools import cache

import pytest

from judge.games.painting import paint
from judge.terminal import checking
from tests.store.wholeness import watch_transactions

_painted = cache(paint)


@pytest.fixture(autouse=True)
def boards_painted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache the boards that `judge check` renders, half a second each."""
    monkeypatch.setattr(checking, "paint", _painted)


@pytest.fixture(autouse=True)
def wholeness() -> Iterator[None]:
    """A command at the terminal runs in one transaction, next to a running judge."""
    with watch_transactions():
        yield
