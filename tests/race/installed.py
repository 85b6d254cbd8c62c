"""The race as if a package had brought it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint

import pytest

from judge import plugins
from tests.plugin.fords_installed import forget

_POINT = EntryPoint("race", "tests.race:SYSTEM", plugins.GROUP)


@contextmanager
def race_installed() -> Iterator[None]:
    """Have the race found beside all that is installed."""
    known = {**plugins.declared(), "race": _POINT}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugins, "declared", cache(lambda: known))
        forget()
        yield
    forget()
