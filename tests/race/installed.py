"""The race as if installed from a package."""

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
    """Install the race next to all other systems."""
    known = {**plugins.entry_points_by_name(), "race": _POINT}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugins, "entry_points_by_name", cache(lambda: known))
        forget()
        yield
    forget()
