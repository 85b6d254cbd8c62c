"""What could not be tried on this machine is said at the end, in a line each."""

import pytest

from tests.machine import LACKING


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests are missing, and what they need."""
    for what in LACKING:
        terminalreporter.write_line(f"not tried here: {what}", yellow=True)
