"""A judge stopped over a deadline: its process, database and notice."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.demo.judge_process import JudgeProcess, Mailroom, text_of
from judge.store.database import Store
from judge.store.games import Games

GM = "gm@example.org"
AWAY = timedelta(days=5)


def go_back(file: Path, span: timedelta) -> None:
    """Shift the stored times of a judge back, as if it had been off for *span*."""
    micros = span // timedelta(microseconds=1)
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute(
            "UPDATE games SET opened = opened - ?1, deadline = deadline - ?1, due = due - ?1,"
            " grace_until = grace_until - ?1", (micros,),
        )
        opened.execute(
            "UPDATE memory SET value = CAST(CAST(value AS INTEGER) - ? AS BLOB)"
            " WHERE name = 'heartbeat'", (micros,),
        )


@pytest.mark.slow
def test_deadline_during_an_outage_moves(
    tmp_path: Path,
) -> None:
    with JudgeProcess(tmp_path, maps="off") as before:
        room = Mailroom(before.place, before.outbox, SystemClock())
        room.send(GM, "judge@localhost", "", "CREATE ?marco gmsecret standard\nSTART\n")
        assert room.next_letter(GM, lambda x: x["X-Judge-Kind"] == "start", patience=120)
    go_back(tmp_path / "judge.sqlite3", AWAY)
    with JudgeProcess(tmp_path, maps="off") as after:
        room = Mailroom(after.place, after.outbox, SystemClock())
        told = room.next_letter(GM, lambda x: x["X-Judge-Kind"] == "notice", patience=120)
        assert told is not None and "The judge was offline" in text_of(told)
        assert "an outage since" in after.log()
    store = Store(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    store.open(create=False)
    game = Games(store).find("marco")
    store.close()
    assert game is not None and game.phase == "S1901M" and game.turn == 1
    left = game.deadline - SystemClock().now() if game.deadline else timedelta()
    assert timedelta(minutes=50) < left <= timedelta(hours=1, minutes=1)
