"""The ordeal a test puts its judge through."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.ordeal import Ordeal


@pytest.fixture
def ordeal(tmp_path: Path) -> Iterator[Ordeal]:
    """Two games, seven players, and a judge that is not running yet."""
    made = Ordeal(tmp_path)
    yield made
    made.stop_players()
    if made.process is not None and made.process.poll() is None:
        made.kill()
