"""Arguments of the command line. The table in `judge.cli` maps commands to code."""

import argparse
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from judge import __version__
from judge.textfiles import read_rows


@cache
def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line, as the table `usage.tsv` describes it.

    It is cached, because building it takes longer than most commands.
    """
    parser = argparse.ArgumentParser(prog="judge", description="A judge by e-mail.")
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    groups: dict[str, Any] = {}
    for row in read_rows((files(__package__) / "usage.tsv").read_text(encoding="utf-8")):
        if row["argument"] == "-":
            sub = commands.add_parser(row["command"], help=row["help"], description=row["help"])
            sub.add_argument(
                "--config", metavar="FILE", help="configuration instead of ./judge.toml"
            )
            sub.add_argument("-v", "--verbose", action="store_true", help="log every mail and game")
            groups = {"-": sub}
            continue
        either = row["either"]
        if either not in groups:
            groups[either] = groups["-"].add_mutually_exclusive_group()
        name = row["argument"].strip("[]").partition("=")[0]
        groups[either].add_argument(name, **_describe_argument(row))
    return parser


def _describe_argument(row: Mapping[str, str]) -> dict[str, Any]:
    """Return an argument of the table as argparse describes it."""
    found: dict[str, Any] = {"metavar": row["placeholder"], "help": row["help"]}
    match row["kind"]:
        case "flag":
            del found["metavar"]
            found["action"] = "store_true"
        case "repeated":
            found["action"] = "append"
        case words if "|" in words:
            found["choices"] = words.split("|")
        case kind:
            found["type"] = _TYPES[kind]
    if row["default"] == "required":
        found["required"] = True
    elif row["default"] != "-":
        found["default"] = row["default"].strip('"')
    if "=" in row["argument"]:
        found["dest"] = row["argument"].partition("=")[2]
    if row["argument"].startswith("["):
        found["nargs"] = "?"
    return {name: value for name, value in found.items() if value != "-"}


def _instant(text: str) -> datetime:
    """Parse an ISO instant, which is UTC without a time zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(f"{text!r} is not an ISO time") from fault
    return found if found.tzinfo else found.replace(tzinfo=UTC)


_TYPES = {"text": str, "number": int, "file": Path, "instant": _instant}
