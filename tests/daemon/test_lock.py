"""One judge at a time."""

import os
from pathlib import Path

import pytest

from judge.daemon.lock import AlreadyRuns, RunLock, lock_beside


def test_a_second_judge_is_told_who_runs(tmp_path: Path) -> None:
    with RunLock(tmp_path / "var/judge.lock"):
        with pytest.raises(AlreadyRuns, match=str(os.getpid())):
            RunLock(tmp_path / "var/judge.lock").__enter__()


def test_the_lock_goes_when_its_holder_does(tmp_path: Path) -> None:
    for _ in range(2):
        with RunLock(tmp_path / "judge.lock"):
            assert (tmp_path / "judge.lock").read_text() == f"{os.getpid()}\n"


def test_the_lock_lies_beside_the_database(tmp_path: Path) -> None:
    with lock_beside(tmp_path / "judge.sqlite3"):
        assert (tmp_path / "judge.lock").exists()
    with lock_beside(None):
        assert len(list(tmp_path.iterdir())) == 1
