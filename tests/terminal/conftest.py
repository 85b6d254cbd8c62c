"""What the tests of this room share."""

from functools import cache

import pytest

from judge.games.painting import paint
from judge.terminal import checking

_painted = cache(paint)


@pytest.fixture(autouse=True)
def drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`judge check` has its board drawn by the first test only, which takes longer than all else
    that it looks at; the same sketch always makes the same picture."""
    monkeypatch.setattr(checking, "paint", _painted)
