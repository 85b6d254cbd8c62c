"""What is kept no longer: old letters and old questions; the figures do not fall by it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.config import Config, StoreSection, load_config
from judge.daemon.retention import Tidying
from judge.errors import ConfigError
from judge.model.record import OutState, Outgoing
from judge.store.queues import count
from tests.journeys.bench import Bench

ANN, AMY = "ann@example.org", "amy@example.org"


def made(keep: timedelta) -> Bench:
    return Bench(Config(store=replace(StoreSection("sqlite:///:memory:"), keep_letters=keep)))


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A judge that has sent three letters, given one up, and has one still to be sent."""
    found = made(timedelta(days=90))
    fill(found)
    yield found
    found.close()


def fill(bench: Bench) -> None:
    post, now, judge = bench.works.post, bench.clock.now(), bench.config.judge.address
    for number in range(5):
        post.queue(Outgoing(0, ANN, judge, f"<{number}@x>", b"x", now, now))
    for number in (1, 2, 3):
        post.sent(number, now)
    post.failed(4, "550", now)


def numbers(bench: Bench) -> list[int]:
    return sorted(letter.id for letter in bench.works.post.newest_out(99))


def tidy(bench: Bench, days: float) -> None:
    bench.clock.forward(days=days)
    Tidying(bench.works).step(bench.clock.now())


def test_letters_that_are_done_with_go_after_their_time_and_others_stay(bench: Bench) -> None:
    before = count(bench.works.store, bench.clock.now()).letters
    tidy(bench, 89)
    assert numbers(bench) == [1, 2, 3, 4, 5]
    tidy(bench, 2)
    assert numbers(bench) == [5], "what is not sent yet is never dropped"
    after = count(bench.works.store, bench.clock.now()).letters
    assert after == before and after[OutState.SENT] == 3, "no figure falls"


def test_the_operator_may_keep_them_for_ever() -> None:
    bench = made(timedelta())
    fill(bench)
    tidy(bench, 1000)
    assert numbers(bench) == [1, 2, 3, 4, 5]
    bench.close()


def test_many_go_in_small_pieces(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody else can write while one goes; what is left over goes within the next hours."""
    monkeypatch.setattr("judge.store.retention._BATCH", 1)
    monkeypatch.setattr("judge.daemon.retention._MOST_BATCHES", 3)
    tidy(bench, 91)
    assert numbers(bench) == [4, 5]
    tidy(bench, 0.1)
    assert numbers(bench) == [5]


@pytest.mark.parametrize("told", ["29d", "1h"])
def test_letters_stay_for_a_month_at_least(told: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="keep_letters"):
        load_config(None, {"JUDGE_STORE_KEEP_LETTERS": told}, tmp_path)
    for right in ("30d", "0"):
        assert load_config(None, {"JUDGE_STORE_KEEP_LETTERS": right}, tmp_path)


def test_old_questions_about_addresses_go_and_what_was_agreed_stays(bench: Bench) -> None:
    aliases = bench.works.office.aliases
    held = aliases.ask(ANN, AMY, bench.clock.now())
    aliases.agree(held, first=True)
    aliases.agree(held, first=False)
    aliases.ask(ANN, "eve@example.org", bench.clock.now())
    tidy(bench, 31)
    rows = bench.works.store.database.execute_sql("SELECT COUNT(*) FROM links").fetchone()
    assert rows == (0,) and aliases.same(ANN, AMY)
