"""Arguments of the command line. The table in `judge.cli` maps commands to code."""

import argparse
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from judge import __version__

Maker = Callable[[str, str], argparse.ArgumentParser]


@cache
def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line.

    It is cached, because building it takes longer than most commands.
    """
    parser = argparse.ArgumentParser(prog="judge", description="A judge by e-mail.")
    parser.add_argument("--version", action="version", version=f"judge {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")

    def command(name: str, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help)
        sub.add_argument("--config", metavar="FILE", help="configuration instead of ./judge.toml")
        sub.add_argument("-v", "--verbose", action="store_true", help="log every mail and game")
        return sub

    _add_services(command)
    _add_boards(command)
    _add_looks(command)
    _add_archive(command)
    _add_keeping(command)
    return parser


def _add_services(command: Maker) -> None:
    """Add the commands that run the judge or a part of it."""
    serve = command("serve", "listen, work, resolve and send in one process")
    serve.add_argument(
        "--new", action="store_true", help="with an empty database, where a judge ran before"
    )
    command("listen", "only take mail in")
    work = command("work", "work the mails that came in, once")
    resolve = command("resolve", "attend to the games that are due, once")
    send = command("send", "send the letters that are due, once")
    paint = command("paint", "draw the pictures that letters wait for, once")
    when = resolve.add_mutually_exclusive_group()
    when.add_argument("--now", type=_instant, metavar="ISO", help="as if it were that instant")
    for part in (work, when, send, paint):
        part.add_argument("--loop", action="store_true", help="again and again (PostgreSQL)")
    deliver = command("deliver", "take one message from standard input")
    deliver.add_argument(
        "--from", dest="sender", metavar="ADDR",
        help="envelope sender, '' for bounces; default: Return-Path, or From",
    )
    deliver.add_argument(
        "--to", action="append", metavar="ADDR",
        help="default: the judge's address in Delivered-To, To and such headers",
    )


def _add_boards(command: Maker) -> None:
    """Add the commands that need no judge."""
    adjudicate = command("adjudicate", "positions in, results out, as JSON Lines")
    adjudicate.add_argument("--map", default="", metavar="M", help="map of lines that name none")
    adjudicate.add_argument("--bench", action="store_true", help="positions a second, on stderr")
    options = command("options", "positions in, the orders that can be given out, as JSON Lines")
    options.add_argument("--map", default="", metavar="M", help="map of lines that name none")
    for streamed in (adjudicate, options):
        streamed.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    draw = command("draw", "a position or result as a picture on standard output")
    draw.add_argument("--map", default="", metavar="M", help="map of a line that names none")
    form = draw.add_mutually_exclusive_group()
    form.add_argument("--svg", action="store_true", help="the default")
    form.add_argument("--png", action="store_true")
    draw.add_argument("--width", type=int, default=1600, metavar="N", help="of a PNG, in pixels")
    demo = command("demo", "play a whole game by mail with scripted players")
    demo.add_argument("--years", type=int, default=10, metavar="N", help="at most (default 10)")
    demo.add_argument("--seed", type=int, default=1, metavar="N")
    demo.add_argument("--map", default="youngstown", metavar="M",
                      help="of any game with bots (default youngstown)")
    demo.add_argument("--turns", type=int, default=8, metavar="N", help="of Nations (default 8)")


def _add_looks(command: Maker) -> None:
    """Add the commands that inspect a judge or write to it."""
    command("check", "look for what is wrong with this installation")
    mail = command("mail", "send a text to the running judge and print its answers")
    mail.add_argument("--from", dest="sender", required=True, metavar="ADDR")
    mail.add_argument("--to", default="", metavar="ADDR", help="the Reply-To of a letter")
    mail.add_argument("--subject", default="", metavar="TEXT")
    mail.add_argument("file", nargs="?", metavar="FILE", help="default: standard input")
    letters = command("inbox", "show the newest letters the judge sent")
    letters.add_argument("address", nargs="?", default="", metavar="ADDR")
    letters.add_argument("-n", type=int, default=1, metavar="N", help="how many (default 1)")
    letters.add_argument(
        "--save", type=Path, metavar="FOLDER", help="write the pictures of these letters there"
    )
    aside = command("shunted", "mails the judge itself failed on: look, retry, drop")
    aside.add_argument("what", choices=("list", "show", "retry", "drop"))
    aside.add_argument("number", nargs="?", type=int, default=0, metavar="N")
    both = command("queue", "what waits to be worked or sent: look, retry, drop")
    both.add_argument(
        "what", nargs="?", default="list", choices=("list", "show", "retry", "drop")
    )
    both.add_argument("which", nargs="?", default="", metavar="ID", help="in:12 or out:34")
    clock = command("clock", "what the machine's clock says, and what the judge goes by")
    clock.add_argument(
        "--accept", action="store_true", help="the machine's clock is right, though it jumped"
    )
    metrics = command("metrics", "figures for Prometheus, on standard output")
    metrics.add_argument("--file", type=Path, metavar="FILE", help="into a file instead")
    command("manual", "print all help topics as one Markdown text")


def _add_archive(command: Maker) -> None:
    """Add the commands that copy the database, and export, import and replay games."""
    moving = command("migrate", "move all the judge keeps to a PostgreSQL database")
    moving.add_argument("--to", required=True, metavar="URL", help="postgresql://host/name")
    copy = command("backup", "copy the database while the judge runs")
    copy.add_argument("file", type=Path, metavar="FILE")
    again = command("restore", "go on with a backup or rescue copy; the files there are put aside")
    again.add_argument("file", type=Path, metavar="FILE")
    export = command("export", "a game as JSON on standard output")
    export.add_argument("game", metavar="GAME")
    export.add_argument("--orders", action="store_true", help="its orders as a list instead")
    bring = command("import", "make a game of such a file; its powers are vacant")
    bring.add_argument("file", type=Path, metavar="FILE")
    bring.add_argument("--name", default="", metavar="GAME", help="default: as it was called")
    bring.add_argument("--master", default="", metavar="ADDR", help="default: the keeper")
    bring.add_argument("--force", action="store_true", help="even if its phases come out otherwise")
    site = command("publish", "write the games anybody may look at as pages, or bring them up")
    site.add_argument("folder", type=Path, metavar="DIR", help="a folder of its own")
    again = command("replay", "compute every phase of a game again and compare")
    again.add_argument("what", metavar="GAME|FILE")


def _add_keeping(command: Maker) -> None:
    """Add the operator's commands for games and people."""
    game = command("game", "games: look at them, pause, give to another master, delete")
    game.add_argument("what", choices=("list", "show", "pause", "resume", "give", "delete"))
    game.add_argument("name", nargs="?", default="", metavar="NAME")
    game.add_argument("address", nargs="?", default="", metavar="ADDR", help="of the new master")
    game.add_argument("--yes", action="store_true", help="delete in earnest")
    rating = command("rating", "players by rating, with their addresses")
    rating.add_argument("--recompute", action="store_true", help="all of it, from the records")
    ban = command("ban", "take no more mail from an address; without one: who is banned")
    ban.add_argument("address", nargs="?", default="", metavar="ADDR", help="or @domain")
    ban.add_argument("--lift", action="store_true", help="take its mail again")
    ban.add_argument("--vacate", action="store_true", help="have it leave its seats, too")


def _instant(text: str) -> datetime:
    """Parse an ISO instant, which is UTC without a time zone."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(f"{text!r} is no ISO instant") from fault
    return found if found.tzinfo else found.replace(tzinfo=UTC)
