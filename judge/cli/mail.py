"""Command that sends a mail to the running judge."""

import argparse
import sys
from pathlib import Path

from judge.cli.output import FINE, WRONG, Job, print_line
from judge.clock import SystemClock
from judge.config import Config
from judge.terminal.mailing import mail_and_wait
from judge.textfiles import decode_text, read_text


def _mail(given: argparse.Namespace, config: Config) -> int:
    file = Path(given.file) if given.file else None
    text = read_text(file) if file else decode_text(sys.stdin.buffer.read(), "standard input")
    now = SystemClock().now()
    answered, said = mail_and_wait(config, given.sender, given.to, given.subject, text, now)
    print_line(said)
    return FINE if answered else WRONG


JOBS: dict[str, Job] = {"mail": _mail}
