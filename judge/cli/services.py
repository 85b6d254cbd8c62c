"""Commands that run the judge or a part of it."""

import argparse
import sys
from collections.abc import Callable

from judge.cli.output import EX_DATAERR, EX_NOUSER, FINE, Job, print_error, print_line, say_count
from judge.clock import FixedClock, SystemClock
from judge.config import Config
from judge.daemon.service import Service
from judge.daemon.single_runs import (
    MessageRejected,
    UnknownRecipient,
    deliver_one,
    draw_once,
    fetch_once,
    resolve_once,
    send_once,
    work_once,
)
from judge.store.locks import is_served


def _serve(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), print_line).run(new=given.new)
    return FINE


def _listen(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), print_line).run("listen")
    return FINE


def _run_part(
    given: argparse.Namespace, config: Config, run_once: Callable[[], int], counted: str
) -> int:
    """Run one part of the judge's work, once or until stopped."""
    if given.loop:
        Service(config, SystemClock(), print_line).run(given.command)
    elif is_served(config.store.file):
        print_line(
            f"`judge serve` runs on this database: nothing to do for `judge {given.command}`"
        )
    else:
        say_count(run_once(), counted)
    return FINE


def _work(given: argparse.Namespace, config: Config) -> int:
    return _run_part(given, config, lambda: work_once(config, SystemClock()), "mails processed")


def _fetch(given: argparse.Namespace, config: Config) -> int:
    if is_served(config.store.file):
        print_line("`judge serve` runs on this database: nothing to do for `judge fetch`")
        return FINE
    return say_count(fetch_once(config, SystemClock()), "mails fetched")


def _resolve(given: argparse.Namespace, config: Config) -> int:
    clock = FixedClock(given.now) if given.now else SystemClock()
    is_feigned = given.now is not None
    return _run_part(
        given, config, lambda: resolve_once(config, clock, feigned=is_feigned), "games processed"
    )


def _send(given: argparse.Namespace, config: Config) -> int:
    return _run_part(given, config, lambda: send_once(config, SystemClock()), "letters tried")


def _paint(given: argparse.Namespace, config: Config) -> int:
    return _run_part(given, config, lambda: draw_once(config, SystemClock()), "pictures drawn")


def _deliver(given: argparse.Namespace, config: Config) -> int:
    raw = sys.stdin.buffer.read()
    try:
        number = deliver_one(config, SystemClock(), raw, given.sender, tuple(given.to or ()))
    except MessageRejected as fault:
        print_error(str(fault))
        return EX_NOUSER if isinstance(fault, UnknownRecipient) else EX_DATAERR
    print_line(f"stored as {number}")
    return FINE


JOBS: dict[str, Job] = {
    "serve": _serve,
    "listen": _listen,
    "fetch": _fetch,
    "work": _work,
    "resolve": _resolve,
    "send": _send,
    "paint": _paint,
    "deliver": _deliver,
}
