"""What tests of a whole run wait for is made while they are collected, which takes one core some
seconds in which no other has anything to do.

Whoever wants it in the meantime waits until it is made, and makes it himself where that failed.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import forks, postgres, wheels

ROOT = Path(__file__).parents[1]
_LAST = ("tests/terminal", "tests/store", "tests/site", "tests/play")
"""What is collected last, from behind: about half of all."""


def begin(config: pytest.Config) -> None:
    """Begin, if all tests are to run in several processes; what was begun ends before the run."""
    if config.option.workers < 2 or config.option.file_or_dir:
        return
    forks.begin()
    _start(config, "-m", __name__)
    if not any((ROOT / _LAST[0] / "__pycache__").glob("*pytest*")):
        # Pytest rewrites the tests of a new checkout; it takes what another has rewritten.
        _start(config, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", *_LAST)


def _start(config: pytest.Config, *words: str) -> None:
    process = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    )
    config.add_cleanup(process.wait)


if __name__ == "__main__":
    if postgres.programs():
        with postgres.shared():
            pass
    wheels.installed()
