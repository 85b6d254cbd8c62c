"""Command that prints metrics for operators."""

import argparse

from judge.cli.output import FINE, Job
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.metrics import as_text, write_text


def _metrics(given: argparse.Namespace, config: Config) -> int:
    if given.file:
        write_text(config, SystemClock(), given.file)
    else:
        print(as_text(config, SystemClock()), end="")
    return FINE


JOBS: dict[str, Job] = {"metrics": _metrics}
