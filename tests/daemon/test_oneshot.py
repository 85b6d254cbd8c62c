"""Parts of the judge that run once and end."""

from collections.abc import Callable
from pathlib import Path

import pytest

from judge.clock import Clock, FixedClock
from judge.config import Config, StoreSection
from judge.daemon import oneshot
from judge.daemon.application import open_application
from judge.daemon.clock_steps import ClockSteps
from judge.daemon.sending import Sending
from judge.store.database import Store
from tests.journeys.rig import START


@pytest.mark.parametrize("is_well", [True, False])
@pytest.mark.parametrize("once", [oneshot.work_once, oneshot.resolve_once, oneshot.send_once])
def test_whoever_runs_once_leaves_the_database(
    once: Callable[[Config, Clock], int], is_well: bool, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = Config(store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"))
    open_application(config, FixedClock(START), create=True).store.close()
    left: list[Store] = []
    close = Store.close

    def closed(store: Store) -> None:
        left.append(store)
        close(store)

    def failing(part: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Store, "close", closed)
    if is_well:
        assert once(config, FixedClock(START)) == 0
    else:
        monkeypatch.setattr(ClockSteps, "step", failing)
        monkeypatch.setattr(Sending, "drain", failing)
        with pytest.raises(ZeroDivisionError):
            once(config, FixedClock(START))
    assert len(left) == 1
