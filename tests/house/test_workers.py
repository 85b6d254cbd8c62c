"""Tests that run in several processes are all told of, though some of these end."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFTEST = """\
from tests import workers

workers._prepare = lambda: None


def pytest_configure(config):
    config.pluginmanager.register(workers.Workers(3))
"""
TESTS = """\
import os
from time import sleep

import pytest


@pytest.mark.parametrize("number", range(900))
def test_it(number):
    if number in (37, 38, 500):
        os._exit(3)
    if number == 60:
        sleep(1)
    assert number != 50
"""


@pytest.mark.deep
def test_a_process_that_ends_fails_the_test_it_ran_and_loses_no_other(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_many.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True,
    )
    said = done.stdout.splitlines()
    ended = {f"FAILED test_many.py::test_it[{number}] - the process ended: 3"
             for number in (37, 38, 500)}
    failed = {line for line in said if line.startswith("FAILED")}
    assert ended < failed and len(failed) == 4
    assert said[-1].startswith("4 failed, 896 passed in ")
