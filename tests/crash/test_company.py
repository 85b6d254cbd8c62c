"""Two processes of each kind on one database, killed at any moment."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgres
from tests.crash.company import Company
from tests.crash.reckoning import check
from tests.machine import ON_POSTGRES

pytestmark = ON_POSTGRES


@pytest.fixture
def company(tmp_path: Path) -> Iterator[Company]:
    """Ten processes, none of them started yet."""
    made = Company(tmp_path, postgres.judge_url())
    yield made
    made.stop_players()
    made.kill_all()


@pytest.mark.slow
def test_crash_at_each_failpoint_is_taken_over_by_another(company: Company) -> None:
    """Players write little, since the crashes are tested and not the load."""
    company.pace = 2.0
    company.pull_deadline()
    # No mail is there yet, because a worker would adjudicate the due game.
    company.engage("resolve-1", failpoint="adjudicated")
    company.died("resolve-1")
    company.start_players()
    company.engage("listen-1", failpoint="stored:2")
    company.engage("work-1", failpoint="handled")
    company.engage("send-1", failpoint="sent:2")
    for name in ("listen-1", "work-1"):
        company.died(name)
    company.engage(company.names[1], "resolve-2")
    company.engage("work-2", failpoint="worked:2")
    for name in ("work-2", "send-1"):
        company.died(name)
    company.engage("work-1", "send-2")
    company.finish_all()
    counted = check(company)
    assert counted["acknowledged"] > 3 and counted["turns"] == 1


@pytest.mark.slow
def test_crashes_of_both_processes_at_failpoints_lose_nothing(company: Company) -> None:
    """Two picture workers render at the same time."""
    company.maps = "svg"
    company.pace = 0.5
    company.start_players()
    company.engage(*company.names)
    deaths = {
        "listen-1": "stored:3", "work-1": "handled:2", "work-2": "worked:3", "send-1": "sent:2",
        "send-2": "sent:3", "resolve-1": "adjudicated", "resolve-2": "reported",
        "paint-1": "drawn", "paint-2": "drawn",
    }
    for name, failpoint in deaths.items():
        part = name.partition("-")[0]
        for each in [each for each in company.members if each.startswith(part)]:
            company.end(each)
        # It runs alone, so that no other process does the work it must crash in.
        company.engage(name, failpoint=failpoint)
        # A worker of a mail adjudicates due games too.
        while part in ("resolve", "paint") and company.members[name].poll() is None:
            company.pull_deadline()
            time.sleep(0.5)
        company.died(name)
        company.engage(*(each for each in company.names if each.startswith(part)))
    company.finish_all()
    counted = check(company)
    assert counted["acknowledged"] > 10 and counted["turns"] > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_forty_kills_of_any_process_lose_and_double_nothing(company: Company, seed: int) -> None:
    moments = random.Random(seed)
    company.maps = "svg"
    company.pace = 0.5
    company.start_players()
    company.engage(*company.names)
    for _ in range(40):
        company.pull_deadline()
        time.sleep(moments.uniform(0.0, 0.4))
        name = moments.choice(company.names)
        company.end(name)
        if moments.random() < 0.5:
            time.sleep(moments.uniform(0.0, 0.4))
        company.engage(name)
    company.finish_all()
    counted = check(company)
    print(counted)
    assert counted["acknowledged"] > 50 and counted["turns"] > 2


@pytest.mark.slow
def test_processes_survive_restarts_of_the_database(tmp_path: Path) -> None:
    """The server stops as if its machine failed, and processes are killed too."""
    server = postgres.Cluster().make()
    company = Company(tmp_path, postgres.judge_url(server.url))
    try:
        company.start_players()
        company.engage(*company.names)
        for number in range(4):
            company.pull_deadline()
            time.sleep(1.5)
            server.stop()
            time.sleep(0.7 * number)
            company.end(company.names[2 * number])
            server.start()
            company.engage(company.names[2 * number])
        time.sleep(2)
        company.finish_all()
        counted = check(company)
        print(counted)
        assert counted["acknowledged"] > 20 and counted["turns"] > 1
    finally:
        company.stop_players()
        company.kill_all()
        server.end()
