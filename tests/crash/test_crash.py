"""Kills at any moment lose no acknowledged mail and repeat no work."""

import random
import signal
import time
from collections import Counter

import pytest

from judge import failpoints
from tests.crash.ordeal import PACE, Ordeal
from tests.crash.reckoning import check
from tests.mail.sink import Sink


def kill_at_random(ordeal: Ordeal, times: int, seed: int) -> dict[str, int]:
    """Kill the judge *times* times under load at random moments, then check all."""
    moments = random.Random(seed)
    ordeal.start_players()
    for _ in range(times):
        ordeal.pull_deadline()
        ordeal.start()
        if moments.random() < 0.7:
            ordeal.wait_for_mails(moments.randint(1, 12))
            time.sleep(moments.uniform(0.0, 0.05))
        else:
            # The kill comes while it starts, or soon after.
            time.sleep(moments.uniform(0.0, 0.9))
        ordeal.kill()
    ordeal.finish()
    return check(ordeal)


@pytest.mark.slow
def test_five_kills_lose_nothing_and_double_nothing(ordeal: Ordeal) -> None:
    counted = kill_at_random(ordeal, 5, seed=1)
    assert counted["acknowledged"] > 10 and counted["turns"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_a_hundred_kills_lose_nothing_and_double_nothing(ordeal: Ordeal, seed: int) -> None:
    ordeal.pace = 0.02
    counted = kill_at_random(ordeal, 10, seed=100 + seed)
    print(counted)
    assert counted["acknowledged"] > 20 and counted["turns"] > 0


WORST = ("stored:5", "handled", "worked:2", "adjudicated", "reported", "drawn", "sent:3")


@pytest.mark.slow
def test_crashes_at_all_failpoints_lose_and_double_nothing(ordeal: Ordeal) -> None:
    """For example: mail committed but not acknowledged, or sent but not marked."""
    ordeal.start_players()
    for failpoint in WORST:
        draws = failpoint == "drawn"
        ordeal.maps = "svg" if draws else "off"
        # A slow picture is given up, so no other work must load the machine.
        ordeal.pace = 5.0 if draws else PACE
        ordeal.pull_deadline()
        ordeal.start(failpoint)
        assert ordeal.wait_for_end() == -signal.SIGKILL
    ordeal.finish()
    counted = check(ordeal)
    assert counted["lives"] == len(WORST) + 1 and counted["turns"] > 1


@pytest.mark.slow
def test_letters_claimed_by_a_killed_judge_are_sent_at_once(
    ordeal: Ordeal,
) -> None:
    """No letter waits until the claim of the killed process has expired."""
    with Sink() as sink:
        ordeal.deliver_to = f"smtp://127.0.0.1:{sink.port}"
        for n in range(10):
            ordeal.queue_letter(f"hang@{n}.example.org")
        ordeal.start()
        ordeal.wait_until_up()
        in_hand = "SELECT id, claimed FROM outgoing WHERE claimed IS NOT NULL"
        while len(ordeal.sql(in_hand)) < 10:
            time.sleep(0.02)
        ordeal.kill()
        held = dict(ordeal.sql(in_hand))
        sink.let_go.set()
    assert len(held) >= 10
    ordeal.deliver_to = f"maildir:{ordeal.folder / 'outbox'}"
    ordeal.start()
    ordeal.finish_alive()
    sent = dict(ordeal.sql("SELECT id, finished FROM outgoing WHERE state = 'sent'"))
    assert set(held) <= set(sent)
    assert all(int(str(sent[one])) < int(str(held[one])) for one in held)


@pytest.mark.parametrize("wanted, passed", [
    ("", 0), ("sent", 1), ("sent:3", 3), ("stored", 0), ("sent:5", 0),
])
def test_failpoint_kills_at_the_requested_pass(
    monkeypatch: pytest.MonkeyPatch, wanted: str, passed: int
) -> None:
    killed: list[int] = []
    monkeypatch.setenv(failpoints.VARIABLE, wanted)
    monkeypatch.setattr(failpoints, "_passed", Counter())
    monkeypatch.setattr(failpoints.os, "kill", lambda pid, number: killed.append(n))
    for n in range(1, 5):
        failpoints.failpoint("sent")
    assert killed == ([passed] if passed else [])
