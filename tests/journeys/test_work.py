"""Mails of double length make at most 2.3 times the work, with any lines.

Work is counted as the calls that Python makes, those into C included. Copies of growing data make
no calls, and the limits of a mail keep them short.
"""

from collections.abc import Iterator
from cProfile import Profile

import pytest

from tests.bench.floods import Flood, begun, floods, take
from tests.journeys.rig import Rig

MAX_GROWTH = 2.3
SIZE = 750
"""Number of lines of the shorter mail."""
QUICK = ("block REGISTER", "blocks REGISTER", "block PRESS", "line LIST",
         "text > ||", "html <div>", "header short")


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    """A judge with the game of the floods."""
    made = begun()
    yield made
    made.close()


def calls_of(rig: Rig, flood: Flood, count: int) -> int:
    """Return the number of calls for a flood on a copy of a judge."""
    other, profile = rig.again(), Profile()
    profile.enable()
    try:
        take(other, flood, count)
    finally:
        profile.disable()
        other.close()
    return sum(entry.callcount for entry in profile.getstats())


def grows(rig: Rig, flood: Flood, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the growth of work for a mail of double length."""
    # Without a cache for read-ahead, a mail is read twice.
    monkeypatch.setattr("judge.daemon.mail_scheduler.MAX_KEPT_OCTETS", 2**30)
    less, more = (calls_of(rig, flood, count) for count in (SIZE, 2 * SIZE))
    assert more <= MAX_GROWTH * less, (less, more)


@pytest.mark.slow
@pytest.mark.parametrize("flood", [flood for flood in floods() if flood.name in QUICK],
                         ids=lambda flood: flood.name)
def test_work_grows_with_the_length_of_a_mail(
    rig: Rig, flood: Flood, monkeypatch: pytest.MonkeyPatch
) -> None:
    grows(rig, flood, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("flood", [flood for flood in floods() if flood.name not in QUICK],
                         ids=lambda flood: flood.name)
def test_work_grows_with_the_length_of_any_mail(
    rig: Rig, flood: Flood, monkeypatch: pytest.MonkeyPatch
) -> None:
    grows(rig, flood, monkeypatch)
