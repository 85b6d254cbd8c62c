"""Setup of all tests: examples, cheap password hashes, time limits, databases."""

import configparser
import gc
import os
import sys
import time
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from judge import plugins
from judge.games import added_maps
from judge.play import passwords
from judge.store import database as stores
from judge.store.engine import Engine
from judge.store.sqlite import MEMORY, SCHEME
from tests import postgres
from tests.copies import beginning_as
from tests.machine import LACKING

TRUE_COST = passwords.HASH_COST
MAX_PROCESSOR_SECONDS = 1.5
"""Limit of a test that is not marked as slow, on the reference machine."""
REFERENCE_SECONDS = 0.036
"""Result of `measure_slowness` on the reference machine."""

# `make test` uses the same examples each time, on a machine however slow, so that its result can be
# repeated. `make test-all` uses others each time, and more of them.
_SLOW = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("plain", max_examples=15, derandomize=True, **_SLOW)
settings.register_profile("deep", max_examples=500, print_blob=True, **_SLOW)
settings.load_profile("plain")

# Without cached bytecode each of the many judges that tests start would compile all modules again,
# which takes longer than its work.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the database that tests use in place of one in memory."""
    parser.addoption("--store", choices=("sqlite", "postgres"), default="sqlite")


def pytest_configure(config: pytest.Config) -> None:
    """Check that the installed metadata are as new as the code.

    They name the games.
    """
    config.add_cleanup(postgres.end_server)
    setup = configparser.ConfigParser()
    setup.read(Path(__file__).parents[1] / "setup.cfg")
    points = setup["options.entry_points"]["judge.games"].split("\n")
    ours = {point.partition("=")[0].strip() for point in points if point.strip()}
    if not ours <= plugins.entry_points_by_name().keys():
        pytest.exit("the metadata of the judge is older than setup.cfg: pip install -e '.[test]'")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that do not depend on the database, on PostgreSQL."""
    if config.getoption("--store") == "postgres":
        own = [one for one in items
               if any(map(one.get_closest_marker, ("sqlite", "once")))
               or "plans" in getattr(one, "fixturenames", ())]
        config.hook.pytest_deselected(items=own)
        items[:] = [one for one in items if one not in own]


@pytest.fixture(autouse=True)
def no_added_maps() -> Iterator[None]:
    """Forget the judge whose added maps the last unit of work of a test used."""
    yield
    added_maps.use_source(None)


@cache
def measure_slowness() -> float:
    """Return the ratio of this machine's time to the reference, at least 1."""
    took = []
    for _ in range(3):
        began, total = time.process_time(), 0
        for number in range(2_000_000):
            total += number
        took.append(time.process_time() - began)
    return max(1.0, min(took) / REFERENCE_SECONDS)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that takes too long for `make test`, by processor time."""
    began = sum(os.times()[:4])
    result = yield
    seconds = sum(os.times()[:4]) - began
    is_quick = item.config.getoption("markexpr") == "not slow"
    if is_quick and seconds > MAX_PROCESSOR_SECONDS * measure_slowness():
        pytest.fail(f"it took {seconds:.1f} seconds of processor time: make it quicker, or slow")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Freeze the garbage collector for all objects made before the first test.

    Modules, tables and tests stay to the end, and repeated scans of them would cost each process
    some seconds.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """Hash passwords with the usual algorithm, but at the least possible cost."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "HASH_COST", passwords.Cost(passes=1, memory_kib=8, threads=1))
        yield


@pytest.fixture(scope="session", autouse=True)
def copied_tables() -> Iterator[None]:
    """Open new SQLite databases as copies of one migrated database.

    Only judges in processes of their own run all migrations.
    """
    store = stores.Store("sqlite:///:memory:")
    store.open(create=True)
    with beginning_as(store):
        yield
    store.close()


@pytest.fixture(scope="session", autouse=True)
def other_store(request: pytest.FixtureRequest) -> Iterator[None]:
    """Replace databases in memory by schemas of a server, with `--store postgres`."""
    with pytest.MonkeyPatch.context() as patch:
        if request.config.getoption("--store") == "postgres":
            known = stores.engine_of

            def engine_of(url: str) -> Engine:
                return known(postgres.judge_url() if url == f"{SCHEME}{MEMORY}" else url)

            patch.setattr(stores, "engine_of", engine_of)
        yield


@pytest.fixture
def true_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords in a test at their real cost."""
    monkeypatch.setattr(passwords, "HASH_COST", TRUE_COST)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print which tests are missing, and what they need."""
    for what in LACKING:
        terminalreporter.write_line(f"not tried here: {what}", yellow=True)
