"""The publisher of the site in a running judge."""

import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.config import Config, SiteSection, StoreSection
from judge.daemon import site_publisher
from judge.daemon.site_publisher import SitePublisher
from tests.journeys.rig import Rig

GM, KEEPER = "gm@example.org", "postmaster@localhost"


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """A judge whose child processes have the same database."""
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    monkeypatch.setenv("JUDGE_STORE_URL", url)
    site = SiteSection(str(tmp_path / "site"))
    made = Rig(replace(Config(store=StoreSection(url)), site=site))
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    yield made
    made.close()


class Publishing(SitePublisher):
    """A publisher that only notes its runs."""

    def __init__(self, rig: Rig, outcomes: list[str]) -> None:
        super().__init__(rig.application)
        self.outcomes = outcomes

    def _publish(self, is_stopping: object) -> str:
        return self.outcomes.pop(0)


def is_due(publisher: SitePublisher) -> bool:
    return publisher.run_once(lambda: False)


def test_site_is_published_after_each_phase(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(site_publisher.time, "monotonic", lambda: now)
    publisher = Publishing(rig, [""] * 6)
    assert is_due(publisher) and not is_due(publisher)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nA Par H")
    assert not is_due(publisher)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    assert is_due(publisher) and not is_due(publisher)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPAUSE")
    assert is_due(publisher) and not is_due(publisher)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSET UNLISTED")
    assert is_due(publisher) and not is_due(publisher), "a hidden game has no pages"
    now += site_publisher.PERIOD_SECONDS
    assert is_due(publisher) and not is_due(publisher)


def test_failure_is_reported_once_and_tried_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.ERROR)
    now = 1000.0
    monkeypatch.setattr(site_publisher.time, "monotonic", lambda: now)
    publisher = Publishing(rig, ["the disk is full", "the disk is full", "another", ""])
    assert is_due(publisher) and not is_due(publisher)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    assert not is_due(publisher), "a change does not shorten the pause"
    for _ in range(3):
        now += site_publisher.RETRY_SECONDS
        assert is_due(publisher) and not is_due(publisher)
    assert [str(r.args) for r in caplog.records] == ["('the disk is full',)", "('another',)"]
    rig.run()
    subjects = [letter["Subject"] for letter in rig.boxes[KEEPER]]
    assert sum("the site was not published" in subject for subject in subjects) == 1


@pytest.mark.slow
def test_pages_are_written_by_another_process(rig: Rig, tmp_path: Path) -> None:
    assert is_due(SitePublisher(rig.application))
    assert (tmp_path / "site/games/marco/order.html").is_file()


@pytest.mark.slow
def test_failed_run_is_logged_with_its_reason(
    rig: Rig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/other").write_text("mine")
    with caplog.at_level(logging.ERROR):
        assert is_due(SitePublisher(rig.application))
    assert "contains other files" in caplog.text and os.listdir(tmp_path / "site") == ["other"]


@pytest.mark.slow
def test_run_ends_with_the_judge(
    rig: Rig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert SitePublisher(rig.application).run_once(lambda: True)
    assert not caplog.records
    assert is_due(SitePublisher(rig.application)), "the next judge continues"
    assert (tmp_path / "site/games/marco/order.html").is_file()
