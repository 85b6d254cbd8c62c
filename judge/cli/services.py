"""What runs the judge, whole or in parts."""

import argparse
import sys

from judge.cli.output import EX_DATAERR, EX_NOUSER, FINE, Job, complain, say, say_count
from judge.clock import FixedClock, SystemClock
from judge.config import Config
from judge.daemon.oneshot import (
    NotTaken,
    UnknownRecipient,
    deliver_one,
    paint_once,
    resolve_once,
    send_once,
    work_once,
)
from judge.daemon.service import Service


def _serve(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), say).run(new=given.new)
    return FINE


def _listen(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), say).run("listen")
    return FINE


def _looped(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), say).run(given.command)
    return FINE


def _work(given: argparse.Namespace, config: Config) -> int:
    if given.loop:
        return _looped(given, config)
    return say_count(work_once(config, SystemClock()), "mails worked")


def _resolve(given: argparse.Namespace, config: Config) -> int:
    if given.loop:
        return _looped(given, config)
    clock = FixedClock(given.now) if given.now else SystemClock()
    many = resolve_once(config, clock, feigned=given.now is not None)
    return say_count(many, "games attended to")


def _send(given: argparse.Namespace, config: Config) -> int:
    if given.loop:
        return _looped(given, config)
    return say_count(send_once(config, SystemClock()), "letters tried")


def _paint(given: argparse.Namespace, config: Config) -> int:
    if given.loop:
        return _looped(given, config)
    return say_count(paint_once(config, SystemClock()), "pictures drawn")


def _deliver(given: argparse.Namespace, config: Config) -> int:
    raw = sys.stdin.buffer.read()
    try:
        number = deliver_one(config, SystemClock(), raw, given.sender, tuple(given.to or ()))
    except NotTaken as fault:
        complain(str(fault))
        return EX_NOUSER if isinstance(fault, UnknownRecipient) else EX_DATAERR
    say(f"stored as {number}")
    return FINE


JOBS: dict[str, Job] = {
    "serve": _serve,
    "listen": _listen,
    "work": _work,
    "resolve": _resolve,
    "send": _send,
    "paint": _paint,
    "deliver": _deliver,
}
