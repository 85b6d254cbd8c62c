"""Command line, the only package that prints or exits.

Exit codes: 0 success, 1 reported error, 2 usage, 3 the database was lost, or awaits the operator's
decision (`judge restore`). `deliver` answers mail servers with the codes of sysexits.h: 67 for an
unknown recipient, 65 for a rejected message, and 75 for any fault of the judge, so that the server
keeps the message and tries again.

Each command is implemented by a module of this package, which is imported when the command is
given. So a command loads only the libraries it needs.
"""

import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from judge.cli.output import EX_TEMPFAIL, FINE, LOST, WRONG, Job, end_at_once, print_error
from judge.config import Config, load_config
from judge.errors import JudgeError, StoreLost, StoreRefused
from judge.terminal.log_lines import keep_log
from judge.terminal.usage import make_parser

log = logging.getLogger("judge")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Return its exit code."""
    given = make_parser().parse_args(arguments)
    # The protocol library would log every line of every session.
    logging.getLogger("mail.log").setLevel(logging.WARNING)
    try:
        config = Config() if given.command in _WITHOUT_CONFIG else load_config(
            given.config, os.environ, Path.cwd()
        )
        keep_log(sys.stderr, config.log, os.environ, verbose=given.verbose)
        for warning in config.warnings:
            log.warning("%s", warning)
        room: dict[str, Job] = import_module(f"judge.cli.{JOBS[given.command]}").JOBS
        return room[given.command](given, config)
    except KeyboardInterrupt:
        return WRONG
    except BrokenPipeError:
        # The reader has closed the pipe, and the flush at exit must not report that.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except StoreLost as loss:
        if not loss.is_logged:
            print_error(str(loss))
        # A normal exit would close connections and so change files that others use.
        end_at_once(EX_TEMPFAIL if given.command == "deliver" else LOST)
    except (JudgeError, OSError) as fault:
        print_error(str(fault))
        if given.command == "deliver":
            return EX_TEMPFAIL
        return LOST if isinstance(fault, StoreRefused) else WRONG


_WITHOUT_CONFIG = frozenset({"setup"})
"""Commands that read no configuration, which may be missing or wrong."""
JOBS = {
    "setup": "setup",
    "serve": "services",
    "listen": "services",
    "fetch": "services",
    "work": "services",
    "resolve": "services",
    "send": "services",
    "paint": "services",
    "deliver": "services",
    "adjudicate": "boards",
    "options": "boards",
    "draw": "boards",
    "demo": "demo",
    "check": "admin",
    "mail": "mail",
    "inbox": "inbox",
    "shunted": "admin",
    "queue": "admin",
    "top": "top",
    "clock": "admin",
    "metrics": "metrics",
    "manual": "admin",
    "backup": "archive",
    "restore": "archive",
    "migrate": "archive",
    "export": "archive",
    "import": "archive",
    "replay": "archive",
    "publish": "archive",
    "board": "archive",
    "game": "operator",
    "map": "maps",
    "rating": "operator",
    "ban": "operator",
}
"""Command of `terminal/usage` → module here with its function, in a table `JOBS` of its own."""
