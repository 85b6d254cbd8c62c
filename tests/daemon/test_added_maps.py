"""Games on added maps in other processes, with their pictures, and after a move."""

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import Config, StoreSection
from judge.daemon.operator_tasks import migrate_store
from tests import postgres
from tests.added_maps import forget_maps, install, write_mars
from tests.journeys.rig import Rig
from tests.journeys.sent import mail_of
from tests.judges import run
from tests.machine import ON_POSTGRES

GM = "gm@example.org"


def begin(url: str, folder: Path) -> tuple[Rig, str]:
    """Return a judge with a running game on an added map, and the map's key."""
    rig = Rig(replace(Config(), store=StoreSection(url)))
    rig.clock.set(SystemClock().now())
    key = install(rig, write_mars(folder))
    rig.mail(GM, "CREATE ?marco gmsecret mars\nSTART")
    return rig, key


def play_elsewhere(rig: Rig, url: str, folder: Path) -> None:
    """Process a phase, and render its pictures, by processes of their own."""
    text = "SIGNON Mmarco gmsecret\nFrance: A Par - Bur\nPROCESS S1901M"
    heads = {"From": GM, "To": rig.config.judge.address, "Message-ID": "<last@example.org>"}
    rig.store(mail_of(heads, text), GM)
    environ = {**os.environ, "JUDGE_STORE_URL": url}
    for command in ("work", "paint"):
        done = run([command], folder, environ)
        assert done.returncode == 0, done.stderr


def assert_played(rig: Rig, key: str) -> None:
    """Check that the phase was processed on the added map, and its pictures drawn."""
    found = rig.application.games.find("marco")
    assert found is not None
    assert (found.map, found.phase) == (key, "F1901M")
    states = rig.application.store.select_sql(
        "SELECT DISTINCT state FROM pictures WHERE source LIKE '%A PAR - BUR%'"
        " OR source LIKE '%F1901M%'", (),
    )
    assert states == [("drawn",)]


@pytest.fixture
def no_maps_known() -> Iterator[None]:
    """Forget the added maps of this process before and after a test."""
    forget_maps()
    yield
    forget_maps()


@pytest.mark.slow
def test_second_process_plays_and_draws_on_an_added_map(
    tmp_path: Path, no_maps_known: None
) -> None:
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    rig, key = begin(url, tmp_path)
    with closing(rig):
        play_elsewhere(rig, url, tmp_path)
        assert_played(rig, key)


@ON_POSTGRES[0]
@ON_POSTGRES[1]
def test_second_process_on_postgres_plays_on_an_added_map(
    tmp_path: Path, no_maps_known: None
) -> None:
    url = postgres.judge_url()
    rig, key = begin(url, tmp_path)
    with closing(rig):
        play_elsewhere(rig, url, tmp_path)
        assert_played(rig, key)


@ON_POSTGRES[0]
@ON_POSTGRES[1]
def test_game_goes_on_after_a_move_to_postgres(tmp_path: Path, no_maps_known: None) -> None:
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    rig, key = begin(url, tmp_path)
    target = postgres.fresh_url()
    moved = {one.table: one.rows for one in migrate_store(rig.config, target)}
    assert moved["maps"] == 1
    forget_maps()
    other = Rig(replace(Config(), store=StoreSection(target)))
    with closing(other):
        other.clock.set(SystemClock().now())
        play_elsewhere(other, target, tmp_path)
        assert_played(other, key)
