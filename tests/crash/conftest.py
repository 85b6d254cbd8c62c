"""The crash test rig as a fixture."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgres
from tests.crash.ordeal import Ordeal


@pytest.fixture
def ordeal(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Ordeal]:
    """Two games, seven players, and a judge that is not running yet."""
    elsewhere = request.config.getoption("--store") == "postgres"
    made = Ordeal(tmp_path, postgres.judge_url() if elsewhere else "")
    yield made
    made.stop_players()
    if made.process is not None and made.process.poll() is None:
        made.kill()
