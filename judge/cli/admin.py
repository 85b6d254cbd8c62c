"""Commands for an installation: check, queues, clock and manual."""

import argparse

from judge.cli.output import FINE, WRONG, Job, print_error, print_line
from judge.config import Config
from judge.daemon.clock_steps import confirm_clock, trusted_now
from judge.terminal.checking import check_installation
from judge.terminal.manual import manual
from judge.terminal.queue import run_queue_command, run_shunted_command


def _check(given: argparse.Namespace, config: Config) -> int:
    code = FINE
    for fine, line in check_installation(config):
        if fine:
            print_line(line)
        else:
            print_error(line)
            code = WRONG
    return code


def _run_shunted(given: argparse.Namespace, config: Config) -> int:
    print_line(run_shunted_command(config, given.what, given.number, trusted_now(config)))
    return FINE


def _queue(given: argparse.Namespace, config: Config) -> int:
    print_line(run_queue_command(config, given.what, given.which, trusted_now(config)))
    return FINE


def _clock(given: argparse.Namespace, config: Config) -> int:
    print_line(confirm_clock(config, given.accept))
    return FINE


def _manual(given: argparse.Namespace, config: Config) -> int:
    print(manual(), end="")
    return FINE


JOBS: dict[str, Job] = {
    "check": _check, "shunted": _run_shunted, "queue": _queue, "clock": _clock, "manual": _manual,
}
