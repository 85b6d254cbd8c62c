"""Command that shows letters of the judge."""

import argparse

from judge.cli.output import FINE, Job, print_line
from judge.config import Config
from judge.terminal.inbox import inbox


def _inbox(given: argparse.Namespace, config: Config) -> int:
    print_line(inbox(config, given.address, given.n, given.save))
    return FINE


JOBS: dict[str, Job] = {"inbox": _inbox}
