"""Hostile mails of any size: repeated bad lines, deep HTML, forged quotes.

Those of commands and blocks are made from the table of commands. `make bench` reports the seconds
of the slowest. `tests/journeys/test_work.py` counts the work of each. `tests/attack/floods.py`
sends them to a running judge.
"""

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from judge.model.command import CommandForm, Permission
from judge.play.commands.table import COMMANDS
from tests.journeys.rig import Rig

GM, ANN, ZOE = "gm@example.org", "ann@example.org", "zoe@example.org"
SET_UP = (
    (GM, "CREATE ?marco gmsecret standard\nSET POWER CHOICE"),
    (ANN, "JOIN france@marco annsecret"),
    (GM, "SIGNON Mmarco gmsecret\nSTART WITH BOTS"),
)
"""Mails that start the game of the floods."""
SIGN_ONS = {GM: "SIGNON Mmarco gmsecret\n", ANN: "SIGNON Fmarco annsecret\n", ZOE: ""}
COUNT = 100_000
_HEADS = {"SET": "SET COMMENT BEGIN", "DIARY": "DIARY", "IF": "IF A Bur", "IMPORT": "IMPORT trial"}
"""Heads of blocks whose usual line is no head."""
_OUTLOOK = "From: Ann <a@example.org>\nSent: Monday, 5 January 2026 12:00\nTo: x\nSubject: y\n"


class Flood(NamedTuple):
    """A mail that grows with a number."""

    name: str
    sender: str
    text: Callable[[int], str]
    headers: Callable[[int], str] = lambda count: ""
    kind: str = "text/plain"

    def mail(self, count: int, answered: str = "<x@example.org>") -> bytes:
        """Return the mail as a reply to a letter."""
        return (
            f"From: {self.sender}\nTo: judge@localhost\nMessage-ID: <{hash(self.name)}.{count}@x>\n"
            f"In-Reply-To: {answered}\nContent-Type: {self.kind}\n{self.headers(count)}"
            f"\n{SIGN_ONS[self.sender]}{self.text(count)}\n"
        ).encode()


def floods() -> list[Flood]:
    """Return all floods."""
    return [*_of_commands(), *_of_lines(), *_of_html(), *_of_headers()]


def _of_commands() -> Iterator[Flood]:
    for row in COMMANDS:
        sender = GM if row.who is Permission.MASTER else ANN
        for form in row.forms:
            word = form.spellings[0]
            line = f"{word} xyzzy{{}}"
            yield Flood(f"line {word}", sender, _lines(line))
            if form.block:
                yield from _of_block(form, sender)


def _of_block(form: CommandForm, sender: str) -> Iterator[Flood]:
    assert form.block is not None
    word = form.spellings[0]
    head, first = _HEADS.get(word, form.line), "game x\n" if word == "IMPORT" else ""
    body = _lines("Zone: x{}")
    yield Flood(f"block {word}", sender, _around(f"{head}\n{first}", body, form.block.end))
    yield Flood(f"block {word}, bad head", sender,
                _around(f"{head} xyzzy\n{first}", body, form.block.end))
    yield Flood(f"block {word}, open", sender, _around(f"{head}\n{first}", body, ""))
    yield Flood(f"blocks {word}", sender, _lines(f"{head}\n{first}Zone: x{{}}\n{form.block.end}"))


def _of_lines() -> Iterator[Flood]:
    for name, line in {
        "order": "A Bur - xyzzy{}", "prose": "Dear all, {}", "empty": "", "field": "Zone: x{}",
        "||": "|| A Vie - Tyr {}", "> ||": "> || A Vie - Tyr {}\n\nyes", "rule": "--\nx",
        "two in one": "A Par H; A Mar H; x{}", "sign-on": "SIGNON Fmarco wrong{}",
        "Outlook": f"{_OUTLOOK}\nA Par H", "Outlook, half": "From: x\nSent: y",
        "wrote": "On Mon, 5 Jan 2026 12:00 Ann <a@example.org> wrote:\n> hi",
        "judge": ":: Judge: Judge  Game: marco\nA Par H", "quote": "> A Par - Bur {}",
    }.items():
        yield Flood(f"text {name}", ANN, _lines(line))
    yield Flood("text long line", ANN, lambda count: "PRESS TO F " + "x" * 8 * count)
    yield Flood("text long order", ANN, lambda count: "A Par - " + "Bur " * 2 * count)


def _of_html() -> Iterator[Flood]:
    for tag in ("<div>", "<table><tr><td>", "<blockquote>", "<span>", "<div>a</div>", "<br>",
                "<ul><li>", "<p style='height:0'>"):
        yield Flood(f"html {tag}", ANN, lambda count, tag=tag: tag * count, kind="text/html")


def _of_headers() -> Iterator[Flood]:
    for name, line in {
        "short": "a:b", "many": "X{}: y", "From": "From: a{}@example.org", "folded": " x",
        "Received": "Received: from x by y; Mon", "none": "xyzzy",
    }.items():
        yield Flood(f"header {name}", ANN, lambda count: "A Par H", _lines(line))


def _lines(line: str) -> Callable[[int], str]:
    return lambda count: "".join(line.format(n) + "\n" for n in range(count))


def _around(head: str, body: Callable[[int], str], end: str) -> Callable[[int], str]:
    return lambda count: head + body(count) + end


def begun() -> Rig:
    """Return a judge with the game of the floods."""
    rig = Rig()
    for sender, text in SET_UP:
        rig.mail(sender, text)
    return rig


def take(rig: Rig, flood: Flood, count: int) -> None:
    """Process a flood of some size."""
    rig.take(flood.mail(count, str(rig.newest[ANN]["Message-ID"])), flood.sender)


def seconds(count: int = COUNT) -> dict[str, float]:
    """Return the seconds of each flood, the slowest first."""
    rig, found = begun(), {}
    for flood in floods():
        other = rig.again()
        started = time.monotonic()
        take(other, flood, count)
        found[flood.name] = time.monotonic() - started
        other.close()
    rig.close()
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def format_floods(found: dict[str, float]) -> list[str]:
    """Return the slowest as lines of the table."""
    slowest = ", ".join(f"{name} {took:.1f} s" for name, took in [*found.items()][:5])
    return [f"{len(found)} floods, one mail each; the slowest: {slowest}"]
