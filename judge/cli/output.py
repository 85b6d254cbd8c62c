"""Output and exit codes of all commands."""

import argparse
import logging
import os
import sys
from collections.abc import Callable
from typing import NoReturn

from judge.config import Config

Job = Callable[[argparse.Namespace, Config], int]

FINE, WRONG, USAGE, LOST = 0, 1, 2, 3
EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 65, 67, 75


def print_line(text: str) -> None:
    """Print a line and flush it."""
    print(text, flush=True)


def say_count(many: int, what: str) -> int:
    """Print a count, unless it is 0, so that cron has nothing to mail.

    Return the exit code for success.
    """
    if many:
        print_line(f"{many} {what}")
    return FINE


def print_error(text: str) -> None:
    """Print a line to standard error."""
    print(f"judge: {text}", file=sys.stderr, flush=True)


def end_at_once(code: int) -> NoReturn:
    """End the process without Python's shutdown, so that nothing is closed."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)
