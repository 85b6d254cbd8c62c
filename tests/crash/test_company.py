"""Two of each process on one database: killed at any moment, they lose nothing and double nothing.
"""

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
    """Nobody is engaged yet."""
    made = Company(tmp_path, postgres.judge_url())
    yield made
    made.stop_players()
    made.kill_all()


@pytest.mark.slow
def test_each_dies_at_its_worst_instant_and_another_goes_on(company: Company) -> None:
    """Those who mail write little: what is tried is how each ends, and not for how long."""
    company.pace = 2.0
    company.pull_deadline()
    # No mail is there yet: who works one has what was due before it adjudicated, too.
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
def test_all_of_both_die_at_their_worst_instants(company: Company) -> None:
    """And pictures are drawn meanwhile, by two."""
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
        # Alone, so that no other does what it is to die of.
        company.engage(name, failpoint=failpoint)
        # Who works a mail has what was due before it adjudicated, too.
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
def test_forty_kills_of_any_of_them_lose_nothing_and_double_nothing(
    company: Company, seed: int
) -> None:
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
def test_the_database_restarts_under_them_and_nobody_ends(tmp_path: Path) -> None:
    """At once, as if its machine had failed; and each kind of process is killed meanwhile, too."""
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
