"""A mail to the running judge."""

import argparse
import sys
from pathlib import Path

from judge.cli.output import FINE, WRONG, Job, say
from judge.clock import SystemClock
from judge.config import Config
from judge.terminal.mailing import mail_and_wait


def _mail(given: argparse.Namespace, config: Config) -> int:
    text = Path(given.file).read_text("utf-8") if given.file else sys.stdin.read()
    now = SystemClock().now()
    answered, said = mail_and_wait(config, given.sender, given.to, given.subject, text, now)
    say(said)
    return FINE if answered else WRONG


JOBS: dict[str, Job] = {"mail": _mail}
