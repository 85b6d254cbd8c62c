"""Fixtures of the tests of a plugin game, the package in `fords`."""

from collections.abc import Iterator

import pytest

from judge.play.commands.gm import making

collect_ignore = ["fords", "over_smtp.py"]


@pytest.fixture(autouse=True, scope="module")
def same_chance() -> Iterator[None]:
    """Give every game the same seed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "new_seed", lambda: bytes(range(32)))
        yield
