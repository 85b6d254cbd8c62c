"""The measurement itself, at the smallest size: it does what it says, and loses nothing."""

import argparse
import re
from pathlib import Path

import pytest

from tests import postgres
from tests.load.__main__ import measure
from tests.machine import HAS_POSTGRES


@pytest.mark.deep
@pytest.mark.parametrize("kind", [
    "sqlite", pytest.param("postgres", marks=pytest.mark.skipif(
        not HAS_POSTGRES, reason="no PostgreSQL server"
    )),
])
def test_all_that_is_measured_is_done(tmp_path: Path, kind: str) -> None:
    url = f"sqlite:///{tmp_path}/x.sqlite3" if kind == "sqlite" else postgres.judge_url()
    asked = argparse.Namespace(games=8, due=2, mails=6)
    said = "\n".join(measure(tmp_path, url, asked, [2]))
    assert "worked by 2: " in said and " 0 refused" in said
    # Two games of ten players and a master.
    done = r"full hour with 2 games, 2 resolving: .* 22 letters, 0 games left"
    assert re.search(done, said), said
