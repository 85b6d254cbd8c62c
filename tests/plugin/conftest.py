"""The system in `fords` is a package of its own, and no part of these tests' imports."""

from collections.abc import Iterator

import pytest

from judge.play.commands.gm import making

collect_ignore = ["fords", "over_smtp.py"]


@pytest.fixture(autouse=True, scope="module")
def same_chance() -> Iterator[None]:
    """Every game has the same chance."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(making, "fresh_seed", lambda: bytes(range(32)))
        yield
