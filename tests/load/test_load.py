"""The load test itself, at the smallest size."""

import argparse
import re
from pathlib import Path

import pytest

from tests import postgres
from tests.load.__main__ import measure
from tests.machine import HAS_POSTGRES


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "many", "apart"), [
    ("sqlite", 1, False), *(
        pytest.param("postgres", many, is_apart, marks=[
            pytest.mark.skipif(not HAS_POSTGRES, reason="no PostgreSQL server")
        ])
        for many, is_apart in ((2, False), (1, True))
    ),
])
def test_load_report_shows_that_all_work_is_done(
    tmp_path: Path, kind: str, many: int, apart: bool
) -> None:
    url = f"sqlite:///{tmp_path}/x.sqlite3" if kind == "sqlite" else postgres.judge_url()
    asked = argparse.Namespace(
        games=20, due=2, mails=6, phases=1, calm=1.0, rate=20.0, resolvers=1, apart=apart
    )
    said = "\n".join(measure(tmp_path, url, asked, [many]))
    assert f"worked by {many}: " in said and said.count(" 0 refused") == 3, said
    # Two games have ten players and a master each: one board for all, and a front per player.
    running = "a door and 1 of each other part" if apart else f"{many} serving"
    done = rf"full hour with 2 games, {running}, 1 resolving: .* 22 letters, 0 games left"
    assert re.search(done, said), said
    # A letter waits a minute for its pictures. How many are rendered by then depends on the
    # machine, and letters go without the others.
    found = re.search(r"22 letters with 42 places for 22 pictures, (\d+) of them drawn.*; "
                      r"([\d.]+) % of the letters went without one of theirs", said)
    assert found and int(found[1]) > 0, said
    assert (found[1] == "22") == (found[2] == "0.0"), said
