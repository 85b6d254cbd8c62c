"""Deletion of old letters and requests, which does not lower the metrics."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from judge.config import Config, StoreSection, load_config
from judge.daemon.retention import BATCH_SIZE, MAX_BATCHES, Retention
from judge.errors import ConfigError, StoreTrouble
from judge.model.record import DeliveryState, Outgoing
from judge.play.tokens import Purpose, ReplyToken
from judge.store.key_values import KEY_LIFE
from judge.store.queue_report import count
from tests.journeys.rig import Rig
from tests.outbox import newest_out

ANN, AMY = "ann@example.org", "amy@example.org"


def make_rig(keep: timedelta) -> Rig:
    return Rig(Config(store=replace(StoreSection("sqlite:///:memory:"), keep_letters=keep)))


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge with three sent letters, one that failed, and one still queued."""
    found = make_rig(timedelta(days=90))
    fill(found)
    yield found
    found.close()


def fill(rig: Rig) -> None:
    post, now, judge = rig.application.post, rig.clock.now(), rig.config.judge.address
    for number in range(5):
        post.queue(Outgoing(0, ANN, judge, f"<{number}@x>", b"x", now, now))
    for number in (1, 2, 3):
        post.mark_sent(number, now)
    post.mark_failed(4, "550", now)


def numbers(rig: Rig) -> list[int]:
    return sorted(letter.id for letter in newest_out(rig.application.post, 99))


def tidy(rig: Rig, days: float) -> None:
    rig.clock.advance(days=days)
    Retention(rig.application).run_once(rig.clock.now())


def test_finished_letters_are_deleted_after_their_retention(rig: Rig) -> None:
    before = count(rig.application.store, rig.clock.now()).letters
    tidy(rig, 89)
    assert numbers(rig) == [1, 2, 3, 4, 5]
    tidy(rig, 2)
    assert numbers(rig) == [5], "what is not sent yet is never dropped"
    after = count(rig.application.store, rig.clock.now()).letters
    assert after == before and after[DeliveryState.SENT] == 3, "no figure falls"


def test_retention_of_letters_may_be_unlimited() -> None:
    rig = make_rig(timedelta())
    fill(rig)
    tidy(rig, 1000)
    assert numbers(rig) == [1, 2, 3, 4, 5]
    rig.close()


def test_batches_deleted_in_an_hour_are_limited(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judge.daemon.retention.BATCH_SIZE", 1)
    now, judge = rig.clock.now(), rig.config.judge.address
    for number in range(6, 54):
        rig.application.post.queue(Outgoing(0, ANN, judge, f"<{number}@x>", b"x", now, now))
        rig.application.post.mark_sent(number, now)
    tidy(rig, 91)
    assert numbers(rig) == [5, 52, 53]


def test_many_letters_are_deleted_in_small_batches(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other process can write during a batch. The next hours delete the rest."""
    monkeypatch.setattr("judge.daemon.retention.BATCH_SIZE", 1)
    monkeypatch.setattr("judge.daemon.retention.MAX_BATCHES", 3)
    tidy(rig, 91)
    assert numbers(rig) == [4, 5]
    tidy(rig, 0.1)
    assert numbers(rig) == [5]


def test_old_mails_are_stripped_in_batches_over_hours(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, begun = rig.application.store, list[int]()

    def reduce(at: int, before: datetime, most: int) -> int:
        assert store.database.in_transaction() and most == BATCH_SIZE
        begun.append(at)
        return min(at + 1, 70)

    monkeypatch.setattr(rig.application.post, "strip_old_bodies", reduce)
    tidying = Retention(rig.application)
    tidying._reduce_mails(rig.clock.now())
    assert begun == [*range(MAX_BATCHES)]
    for _ in range(2):
        tidying._reduce_mails(rig.clock.now())
    assert begun == [*range(71), 70]


@pytest.mark.parametrize("told", ["29d", "1h"])
def test_letters_stay_for_a_month_at_least(told: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="keep_letters"):
        load_config(None, {"JUDGE_STORE_KEEP_LETTERS": told}, tmp_path)
    for right in ("30d", "0"):
        assert load_config(None, {"JUDGE_STORE_KEEP_LETTERS": right}, tmp_path)


def test_old_alias_requests_are_deleted_and_aliases_stay(rig: Rig) -> None:
    aliases = rig.application.context.aliases
    held = aliases.ask_once(ANN, AMY, rig.clock.now())
    aliases.agree(held, first=True)
    aliases.agree(held, first=False)
    aliases.ask_once(ANN, "eve@example.org", rig.clock.now())
    tidy(rig, 31)
    rows = rig.application.store.database.execute_sql("SELECT COUNT(*) FROM links").fetchone()
    assert rows == (0,) and aliases.is_same_person(ANN, AMY)


def test_stripping_of_mails_and_its_progress_are_one_transaction(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a crash in between would cut them again and hash the remainder."""
    def full(name: str, value: bytes) -> None:
        raise StoreTrouble("full")

    rig.mail(ANN, "LIST\n" * 99)
    before = rig.application.post.get(1)
    with monkeypatch.context() as patch:
        patch.setattr(rig.application.key_values, "put", full)
        with pytest.raises(StoreTrouble):
            tidy(rig, 31)
    assert rig.application.post.get(1) == before and before
    tidy(rig, 1)
    after = rig.application.post.get(1)
    assert after and len(after.raw) < len(before.raw) and after.note.count("sha256") == 1
    tidy(rig, 1)
    assert rig.application.post.get(1) == after


@pytest.mark.parametrize(
    "age, is_new", [(KEY_LIFE - timedelta(seconds=1), False), (KEY_LIFE, True)]
)
def test_new_token_key_is_used_at_once(age: timedelta, is_new: bool) -> None:
    rig = Rig(Config(store=StoreSection("sqlite:///:memory:")))
    values, tokens = rig.application.key_values, rig.application.context.tokens
    born = rig.clock.now()
    [first] = values.keys(born)
    token = ReplyToken(Purpose.COMMANDS, 1, 1, 0)
    before = tokens.write(token)
    Retention(rig.application).run_once(born + age)
    assert len(values.keys(born)) == 1 + is_new and values.keys(born)[-1] == first
    assert (tokens.write(token) != before) is is_new
    assert tokens.read(before) == token, "what was written before can still be read"
    rig.close()


def test_dropped_map_is_deleted_once_no_game_names_it(rig: Rig) -> None:
    maps, now = rig.application.context.maps, rig.clock.now()
    maps.add("mars.1", "mars", "1", "Mars", "{}", now)
    maps.drop("mars", now)
    tidy(rig, 29)
    assert maps.find_bundle("mars.1") == "{}"
    tidy(rig, 2)
    assert maps.find_bundle("mars.1") is None
