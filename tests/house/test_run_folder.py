"""What a run of the tests leaves behind when it is killed is taken away by the next."""

import os
import subprocess
from pathlib import Path

from tests.run_folder import sweep


def test_what_a_killed_run_left_is_taken_away_and_nothing_else(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    names = [f"t{ended.pid}-abc", f"t{os.getpid()}-abc", "t1-abc", "tmpabc-1", "t12x-abc", "t12"]
    for name in names:
        (tmp_path / name / "mails").mkdir(parents=True)
    sweep(tmp_path)
    assert {folder.name for folder in tmp_path.iterdir()} == {*names[1:]}
