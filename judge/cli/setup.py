"""Command that asks for a configuration, tests and writes it."""

import argparse
import getpass
import os
import sys
from dataclasses import fields
from pathlib import Path

from judge.cli.output import FINE, USAGE, WRONG, Job, print_error, print_line
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.service import Service
from judge.errors import JudgeError
from judge.mail.imap.account import MAX_SECRET_OCTETS
from judge.terminal.setup import Answers, MissingAnswer, Setup, describe_start
from judge.textfiles import decode_text


class _Terminal:
    """The terminal of the process, or none."""

    is_interactive = property(lambda self: sys.stdin is not None and sys.stdin.isatty())

    def say(self, line: str) -> None:
        print_line(line)

    def ask(self, question: str) -> str:
        try:
            return input(question)
        except EOFError:
            raise JudgeError("the input has ended") from None

    def ask_password(self, question: str) -> str:
        try:
            return getpass.getpass(question)
        except EOFError:
            raise JudgeError("the input has ended") from None

    def read_line(self) -> str:
        octets = sys.stdin.buffer.readline(MAX_SECRET_OCTETS) if sys.stdin else b""
        return decode_text(octets, "standard input")


def _set_up(given: argparse.Namespace, config: Config) -> int:
    """Run the setup, and offer to start the judge."""
    terminal = _Terminal()
    values = {each.name: getattr(given, each.name) for each in fields(Answers)
              if each.name != "folder"}
    folder = Path(given.dir).absolute()
    setup = Setup(Answers(folder, **values), terminal, os.environ)
    try:
        found, is_fine = setup.run()
    except MissingAnswer as missing:
        print_error(str(missing))
        return USAGE
    for line in describe_start(setup.file):
        print_line(line)
    if not is_fine:
        print_error("the configuration is written, but `judge check` finds faults")
        return WRONG
    print_line(f"then write a mail with HELP to {found.judge.address}")
    if given.yes or terminal.is_interactive and not terminal.ask(
        "Start the judge now? [Y/n] "
    ).strip().lower().startswith("n"):
        Service(found, SystemClock(), print_line).run()
    return FINE


JOBS: dict[str, Job] = {"setup": _set_up}
