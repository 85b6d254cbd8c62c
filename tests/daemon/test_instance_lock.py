"""One judge at a time."""

import os
from pathlib import Path

import pytest

from judge.daemon.instance_lock import AlreadyRuns, RunLock, lock_beside


def test_a_second_judge_is_told_who_runs(tmp_path: Path) -> None:
    with RunLock(tmp_path / "var/judge.lock"):
        with pytest.raises(AlreadyRuns, match=str(os.getpid())):
            RunLock(tmp_path / "var/judge.lock").__enter__()


def test_the_lock_goes_when_its_holder_does(tmp_path: Path) -> None:
    for had_one in (False, False, True):
        with RunLock(tmp_path / "judge.lock") as lock:
            assert lock.a_judge_ran is had_one
            said = (tmp_path / "judge.lock").read_text()
            assert said == f"{os.getpid()}\n" if had_one else f"{os.getpid()} starting\n"
            if (tmp_path / "begun").exists():
                lock.note_database()
                assert (tmp_path / "judge.lock").read_text() == f"{os.getpid()}\n"
            (tmp_path / "begun").touch()


def test_the_lock_lies_beside_the_database(tmp_path: Path) -> None:
    with lock_beside(tmp_path / "judge.sqlite3"):
        assert (tmp_path / "judge.lock").exists()
    with lock_beside(None):
        assert len(list(tmp_path.iterdir())) == 1
