"""Commands for an installation: check, queues, clock and manual."""

import argparse

from judge.cli.output import FINE, WRONG, Job, complain, say
from judge.config import Config
from judge.daemon.clock_steps import believed_now, confirm_clock
from judge.terminal.checking import check_house
from judge.terminal.manual import manual
from judge.terminal.queue import queue, shunted


def _check(given: argparse.Namespace, config: Config) -> int:
    code = FINE
    for fine, line in check_house(config):
        if fine:
            say(line)
        else:
            complain(line)
            code = WRONG
    return code


def _shunted(given: argparse.Namespace, config: Config) -> int:
    say(shunted(config, given.what, given.number, believed_now(config)))
    return FINE


def _queue(given: argparse.Namespace, config: Config) -> int:
    say(queue(config, given.what, given.which, believed_now(config)))
    return FINE


def _clock(given: argparse.Namespace, config: Config) -> int:
    say(confirm_clock(config, given.accept))
    return FINE


def _manual(given: argparse.Namespace, config: Config) -> int:
    print(manual(), end="")
    return FINE


JOBS: dict[str, Job] = {
    "check": _check,
    "shunted": _shunted,
    "queue": _queue,
    "clock": _clock,
    "manual": _manual,
}
