"""What all tests share: passwords cost nothing, and what could not be tried here is said."""

import os
import sys
from collections.abc import Iterator

import pytest

from judge.play.people import keyring
from tests.machine import LACKING

TRUE_COST = keyring.COST

# Where nothing compiled may be kept, each of the many judges that tests start would compile
# everything anew, which takes longer than what it is started for.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """Passwords are hashed as everywhere, but at the least cost there is: some tests have many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keyring, "COST", keyring.Cost(passes=1, memory=8, threads=1))
        yield


@pytest.fixture
def true_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have passwords cost in a test what they cost outside."""
    monkeypatch.setattr(keyring, "COST", TRUE_COST)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests are missing, and what they need."""
    for what in LACKING:
        terminalreporter.write_line(f"not tried here: {what}", yellow=True)
