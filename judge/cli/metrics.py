"""Command that prints metrics for operators."""

import argparse

from judge.cli.output import FINE, WRONG, Job, print_error
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.clock_steps import trusted_now
from judge.daemon.metrics import as_text, describe_stall, write_text


def _metrics(given: argparse.Namespace, config: Config) -> int:
    if given.check:
        if stall := describe_stall(config, trusted_now(config)):
            print_error(stall)
            return WRONG
    elif given.file:
        write_text(config, SystemClock(), given.file)
    else:
        print(as_text(config, SystemClock()), end="")
    return FINE


JOBS: dict[str, Job] = {"metrics": _metrics}
