"""The command line: the only place that prints or exits, and the roof over all rooms.

Exit codes: 0 fine, 1 said what is wrong, 2 usage. `deliver` speaks to mail servers, by the codes of
sysexits.h: 67 for a recipient that is not here, 65 for a message that is not taken, and 75 for any
fault of ours, so that the server keeps the message and comes again.
"""

import argparse
import logging
import os
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from judge.clock import FixedClock, SystemClock
from judge.config import Config, load_config
from judge.daemon.gauges import as_text, write_text
from judge.daemon.importing import import_once
from judge.daemon.keeping import keep
from judge.daemon.passes import (
    NotTaken,
    UnknownRecipient,
    deliver_one,
    resolve_once,
    send_once,
    work_once,
)
from judge.daemon.publishing import publish
from judge.daemon.service import Service
from judge.daemon.timekeeping import believed_now, confirm_clock
from judge.demo.run import run_demo
from judge.errors import JudgeError
from judge.play.game import Office
from judge.store.backup import backup
from judge.terminal.adjudicating import adjudicate_lines, bench
from judge.terminal.archiving import exported, replayed
from judge.terminal.checking import check_house
from judge.terminal.drawing import draw_line
from judge.terminal.games import Outcome, about_ban, about_game
from judge.terminal.letters import inbox
from judge.terminal.logbook import keep_log
from judge.terminal.mailing import mail_and_wait
from judge.terminal.manual import manual
from judge.terminal.queue import queue
from judge.terminal.rating import about_rating
from judge.terminal.shunted import shunted
from judge.terminal.usage import make_parser

log = logging.getLogger("judge")

Job = Callable[[argparse.Namespace, Config], int]

FINE, WRONG = 0, 1
EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 65, 67, 75


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; return its exit code."""
    given = make_parser().parse_args(arguments)
    # The protocol library would log every line of every session.
    logging.getLogger("mail.log").setLevel(logging.WARNING)
    try:
        config = load_config(given.config, os.environ, Path.cwd())
        keep_log(sys.stderr, config.log, os.environ, verbose=given.verbose)
        for warning in config.warnings:
            log.warning("%s", warning)
        return JOBS[given.command](given, config)
    except KeyboardInterrupt:
        return WRONG
    except BrokenPipeError:
        # Whoever read us has had enough; the flush at exit must not complain about it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except (JudgeError, OSError) as fault:
        _complain(str(fault))
        return EX_TEMPFAIL if given.command == "deliver" else WRONG


def _game(given: argparse.Namespace, config: Config) -> int:
    def deed(office: Office, now: datetime) -> Outcome:
        return about_game(office, now, given.what, given.name, given.address, given.yes)

    _say(keep(config, SystemClock(), deed))
    return FINE


def _rating(given: argparse.Namespace, config: Config) -> int:
    def deed(office: Office, now: datetime) -> Outcome:
        return about_rating(office, given.recompute), []

    _say(keep(config, SystemClock(), deed))
    return FINE


def _ban(given: argparse.Namespace, config: Config) -> int:
    def deed(office: Office, now: datetime) -> Outcome:
        return about_ban(office, now, given.address, given.lift, given.vacate)

    _say(keep(config, SystemClock(), deed))
    return FINE


def _serve(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), _say).run(new=given.new)
    return FINE


def _listen(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), _say).run(door_only=True)
    return FINE


def _work(given: argparse.Namespace, config: Config) -> int:
    return _count(work_once(config, SystemClock()), "mails worked")


def _resolve(given: argparse.Namespace, config: Config) -> int:
    clock = FixedClock(given.now) if given.now else SystemClock()
    many = resolve_once(config, clock, feigned=given.now is not None)
    return _count(many, "games attended to")


def _send(given: argparse.Namespace, config: Config) -> int:
    return _count(send_once(config, SystemClock()), "letters tried")


def _deliver(given: argparse.Namespace, config: Config) -> int:
    recipients = tuple(given.to or (config.judge.address,))
    raw = sys.stdin.buffer.read()
    try:
        number = deliver_one(config, SystemClock(), raw, given.sender, recipients)
    except NotTaken as fault:
        _complain(str(fault))
        return EX_NOUSER if isinstance(fault, UnknownRecipient) else EX_DATAERR
    _say(f"stored as {number}")
    return FINE


def _adjudicate(given: argparse.Namespace, config: Config) -> int:
    lines = list(sys.stdin) if given.bench else sys.stdin
    for result in adjudicate_lines(lines, given.map):
        _say(result)
    if given.bench:
        _complain(bench(lines, given.map))
    return FINE


def _draw(given: argparse.Namespace, config: Config) -> int:
    picture = draw_line(sys.stdin.read(), given.map, given.width, given.png)
    sys.stdout.buffer.write(picture)
    return FINE


def _check(given: argparse.Namespace, config: Config) -> int:
    code = FINE
    for fine, line in check_house(config):
        if fine:
            _say(line)
        else:
            _complain(line)
            code = WRONG
    return code


def _mail(given: argparse.Namespace, config: Config) -> int:
    text = Path(given.file).read_text("utf-8") if given.file else sys.stdin.read()
    now = SystemClock().now()
    answered, said = mail_and_wait(config, given.sender, given.to, given.subject, text, now)
    _say(said)
    return FINE if answered else WRONG


def _inbox(given: argparse.Namespace, config: Config) -> int:
    _say(inbox(config, given.address, given.n, given.save))
    return FINE


def _shunted(given: argparse.Namespace, config: Config) -> int:
    _say(shunted(config, given.what, given.number, believed_now(config)))
    return FINE


def _queue(given: argparse.Namespace, config: Config) -> int:
    _say(queue(config, given.what, given.which, believed_now(config)))
    return FINE


def _clock(given: argparse.Namespace, config: Config) -> int:
    _say(confirm_clock(config, given.accept))
    return FINE


def _metrics(given: argparse.Namespace, config: Config) -> int:
    if given.file:
        write_text(config, SystemClock(), given.file)
    else:
        print(as_text(config, SystemClock()), end="")
    return FINE


def _backup(given: argparse.Namespace, config: Config) -> int:
    backup(config.store.url, given.file)
    _say(f"copied to {given.file}")
    return FINE


def _export(given: argparse.Namespace, config: Config) -> int:
    print(exported(config, given.game, given.orders), end="")
    return FINE


def _import(given: argparse.Namespace, config: Config) -> int:
    text, clock = given.file.read_text("utf-8"), SystemClock()
    game = import_once(config, clock, text, given.name, given.master, force=given.force)
    _say(f"{game.name} is here, in {game.phase}; its master has a letter")
    return FINE


def _publish(given: argparse.Namespace, config: Config) -> int:
    _say(publish(config, SystemClock(), given.folder))
    return FINE


def _replay(given: argparse.Namespace, config: Config) -> int:
    again = replayed(config, given.what)
    for line in again.differences:
        _say(line)
    if again.commitment:
        _say(f"the SHA-256 of its secret number is {again.commitment}")
    if not again.differences:
        _say(f"phases played again: {again.phases}, and each came out as it is written down")
        if again.allotted:
            _say("its powers were given out as chance has it")
    return WRONG if again.differences else FINE


def _manual(given: argparse.Namespace, config: Config) -> int:
    print(manual(), end="")
    return FINE


def _demo(given: argparse.Namespace, config: Config) -> int:
    run_demo(given.map, given.years, given.seed, _say, Path("var/demo"))
    return FINE


def _count(many: int, what: str) -> int:
    """Say how many there were; nothing for none, so that cron has nothing to mail."""
    if many:
        _say(f"{many} {what}")
    return FINE


def _say(text: str) -> None:
    print(text, flush=True)


def _complain(text: str) -> None:
    print(f"judge: {text}", file=sys.stderr, flush=True)


JOBS: dict[str, Job] = {
    "serve": _serve,
    "listen": _listen,
    "work": _work,
    "resolve": _resolve,
    "send": _send,
    "deliver": _deliver,
    "adjudicate": _adjudicate,
    "draw": _draw,
    "demo": _demo,
    "check": _check,
    "mail": _mail,
    "inbox": _inbox,
    "shunted": _shunted,
    "queue": _queue,
    "clock": _clock,
    "metrics": _metrics,
    "manual": _manual,
    "backup": _backup,
    "export": _export,
    "import": _import,
    "replay": _replay,
    "publish": _publish,
    "game": _game,
    "rating": _rating,
    "ban": _ban,
}
"""What each command of `terminal/usage` does."""
