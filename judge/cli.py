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
from datetime import UTC, datetime
from pathlib import Path

from judge import __version__
from judge.clock import FixedClock, SystemClock
from judge.config import Config, load_config
from judge.daemon.passes import (
    NotTaken, UnknownRecipient, deliver_one, resolve_once, send_once, work_once,
)
from judge.daemon.service import Service
from judge.demo.run import run_demo
from judge.errors import JudgeError
from judge.store.backup import backup
from judge.terminal.adjudicating import adjudicate_lines, bench
from judge.terminal.checking import check_house
from judge.terminal.drawing import draw_line
from judge.terminal.letters import inbox
from judge.terminal.logbook import keep_log
from judge.terminal.mailing import mail_and_wait
from judge.terminal.manual import manual
from judge.terminal.shunted import shunted

Job = Callable[[argparse.Namespace, Config], int]
Maker = Callable[[str, Job, str], argparse.ArgumentParser]

FINE, WRONG = 0, 1
EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 65, 67, 75


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command; return its exit code."""
    given = make_parser().parse_args(arguments)
    keep_log(sys.stderr, verbose=given.verbose)
    # The protocol library would log every line of every session.
    logging.getLogger("mail.log").setLevel(logging.WARNING)
    job: Job = given.job
    try:
        return job(given, load_config(given.config, os.environ, Path.cwd()))
    except KeyboardInterrupt:
        return WRONG
    except BrokenPipeError:
        # Whoever read us has had enough; the flush at exit must not complain about it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except (JudgeError, OSError) as fault:
        _complain(str(fault))
        return int(given.fault)


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="judge", description="A judge by e-mail.")
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    parser.set_defaults(fault=WRONG)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, job: Job, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help)
        sub.add_argument("--config", metavar="FILE", help="configuration instead of ./judge.toml")
        sub.add_argument("-v", "--verbose", action="store_true", help="log every mail and game")
        sub.set_defaults(job=job)
        return sub

    _add_services(command)
    _add_boards(command)
    _add_looks(command)
    return parser


def _add_services(command: Maker) -> None:
    """Add what runs the judge, whole or in parts."""
    command("serve", _serve, "listen, work, resolve and send in one process")
    command("listen", _listen, "only take mail in")
    command("work", _work, "work the mails that came in, once")
    resolve = command("resolve", _resolve, "attend to the games that are due, once")
    resolve.add_argument("--now", type=_instant, metavar="ISO", help="as if it were that instant")
    command("send", _send, "send the letters that are due, once")
    deliver = command("deliver", _deliver, "take one message from standard input")
    deliver.set_defaults(fault=EX_TEMPFAIL)
    deliver.add_argument("--from", dest="sender", default="", metavar="ADDR")
    deliver.add_argument("--to", action="append", metavar="ADDR", help="default: the judge")


def _add_boards(command: Maker) -> None:
    """Add what needs no judge at all: positions in, rulings and pictures out."""
    adjudicate = command("adjudicate", _adjudicate, "positions in, results out, as JSON Lines")
    adjudicate.add_argument("--map", default="", metavar="M", help="map of lines that name none")
    adjudicate.add_argument("--bench", action="store_true", help="positions a second, on stderr")
    draw = command("draw", _draw, "a position or result as a picture on standard output")
    draw.add_argument("--map", default="", metavar="M", help="map of a line that names none")
    form = draw.add_mutually_exclusive_group()
    form.add_argument("--svg", action="store_true", help="the default")
    form.add_argument("--png", action="store_true")
    draw.add_argument("--width", type=int, default=1600, metavar="N", help="of a PNG, in pixels")
    demo = command("demo", _demo, "play a whole game by mail with scripted players")
    demo.add_argument("--years", type=int, default=10, metavar="N", help="at most (default 10)")
    demo.add_argument("--seed", type=int, default=1, metavar="N")
    demo.add_argument("--map", default="youngstown", metavar="M", help="youngstown or standard")


def _add_looks(command: Maker) -> None:
    """Add what looks at a judge or writes to it."""
    command("check", _check, "look for what is wrong with this installation")
    mail = command("mail", _mail, "send a text to the running judge and print its answers")
    mail.add_argument("--from", dest="sender", required=True, metavar="ADDR")
    mail.add_argument("--to", default="", metavar="ADDR", help="the Reply-To of a letter")
    mail.add_argument("--subject", default="", metavar="TEXT")
    mail.add_argument("file", nargs="?", metavar="FILE", help="default: standard input")
    letters = command("inbox", _inbox, "show the newest letters the judge sent")
    letters.add_argument("address", nargs="?", default="", metavar="ADDR")
    letters.add_argument("-n", type=int, default=1, metavar="N", help="how many (default 1)")
    aside = command("shunted", _shunted, "mails the judge itself failed on: look, retry, drop")
    aside.add_argument("what", choices=("list", "show", "retry", "drop"))
    aside.add_argument("number", nargs="?", type=int, default=0, metavar="N")
    copy = command("backup", _backup, "copy the database while the judge runs")
    copy.add_argument("file", type=Path, metavar="FILE")
    command("manual", _manual, "print all help topics as one Markdown text")


def _serve(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), _say).run()
    return FINE


def _listen(given: argparse.Namespace, config: Config) -> int:
    Service(config, SystemClock(), _say).run(door_only=True)
    return FINE


def _work(given: argparse.Namespace, config: Config) -> int:
    return _count(work_once(config, SystemClock()), "mails worked")


def _resolve(given: argparse.Namespace, config: Config) -> int:
    clock = FixedClock(given.now) if given.now else SystemClock()
    return _count(resolve_once(config, clock, clock.now()), "games attended to")


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
    _say(inbox(config, given.address, given.n))
    return FINE


def _shunted(given: argparse.Namespace, config: Config) -> int:
    _say(shunted(config, given.what, given.number, SystemClock().now()))
    return FINE


def _backup(given: argparse.Namespace, config: Config) -> int:
    backup(config.store.url, given.file)
    _say(f"copied to {given.file}")
    return FINE


def _manual(given: argparse.Namespace, config: Config) -> int:
    print(manual(), end="")
    return FINE


def _demo(given: argparse.Namespace, config: Config) -> int:
    run_demo(given.map, given.years, given.seed, _say)
    return FINE


def _count(many: int, what: str) -> int:
    """Say how many there were; nothing for none, so that cron has nothing to mail."""
    if many:
        _say(f"{many} {what}")
    return FINE


def _instant(text: str) -> datetime:
    """Read an ISO instant; without a zone it is UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(f"{text!r} is no ISO instant") from fault
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _say(text: str) -> None:
    print(text, flush=True)


def _complain(text: str) -> None:
    print(f"judge: {text}", file=sys.stderr, flush=True)
