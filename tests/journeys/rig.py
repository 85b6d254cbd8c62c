"""Whole exchanges in one process without a network: mails, clock and letters.

A journey is a text file of steps. A step begins with a line in brackets:

    [mail ann@example.org]        a mail to the judge, with the following lines as its text
    [reply ann@example.org]       the same, as a reply to the newest letter to that address
    [reply eve@example.org ann@example.org]
                                  Eve replies to the newest letter to Ann
    [config policy confirm true]  a value of the configuration, before all other steps
    [clock 72h]                   time passes, and the resolver runs
    [outage 72h]                  time passes while the judge is down, then it starts
    [letter ann@example.org receipt]
                                  the next letter to that address, of that kind; it must contain
                                  the following lines in sequence (blanks are irrelevant)
    [not]                         lines that the last letter must not contain
    [picture marco-S1901M.png]    the last letter has a picture of that name; the picture must
                                  contain the following lines
    [no picture]                  the last letter has no picture
    [calendar ann@example.org]    the future entries of the calendar filled by all .ics files sent
                                  to that address: exactly these lines
    [html]                        as [letter], for the visible HTML of the last letter
    [no html]                     the last letter has no HTML
    [silence]                     no letter is left over

Lines that begin with # are comments.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from judge.clock import FixedClock
from judge.config import Config, StoreSection
from judge.config_values import read_span
from judge.daemon.application import open_application
from judge.daemon.picture_worker import PictureInserter, PictureWorker
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.drawing.drawing import Drawing
from judge.drawing.hexes import HexBoard
from judge.drawing.layout import PanelDrawing, ProvinceDrawing
from judge.drawing.render_process import RenderProcess
from judge.games.painting import picture_of
from judge.mail.outbound.compose import list_enclosures
from judge.model.incoming import Arrival
from judge.model.letter import PictureRequest
from judge.model.record import Outgoing
from judge.play.commands.row import CommandRow
from judge.play.commands.table import COMMANDS
from judge.store.postgres import Postgres
from tests.copies import beginning_as
from tests.journeys.pages import is_sound, page_of, seen
from tests.journeys.received import parse_letter
from tests.journeys.sent import mail_of
from tests.journeys.wallcalendar import WallCalendar
from tests.outbox import due_out
from tests.postgres import copy_rows

START = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
"""Start of every journey, a Monday at noon."""


class Step(NamedTuple):
    """One step of a journey: its verb, its words and its lines."""

    number: int
    verb: str
    words: tuple[str, ...]
    lines: tuple[str, ...]


def read_journey(text: str) -> Iterator[Step]:
    """Yield the steps of a journey file."""
    head: tuple[int, list[str]] | None = None
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#"):
            continue
        if found := re.fullmatch(r"\[(\w+)(.*)\]", line):
            if head:
                yield Step(head[0], head[1][0], tuple(head[1][1:]), tuple(lines))
            head, lines = (number, [found[1], *found[2].split()]), []
        else:
            lines.append(line)
    if head:
        yield Step(head[0], head[1][0], tuple(head[1][1:]), tuple(lines))


HEIGHTS = (400 / 680, 800 / 680)
"""Minimum and maximum height of a picture in a letter, in parts of its width.

Letters show it 680 wide.
"""
WITH_FIGHTING = 1250 / 680
"""Maximum height of a Yorktown picture with fighting, in parts of its width.

Below the whole board, which needs 715 for readable counters, it has an enlarged part with the
fighting.
"""

FOR_PHONES = 4.6
"""Maximum height of a picture for a phone, in parts of its width.

It is seen part by part.
"""


class Easel(RenderProcess):
    """Fake render process that returns the contents of a picture as text."""

    def __init__(self) -> None:
        super().__init__(bytes)
        self.drawn: list[PictureRequest] = []
        self.ill_shaped: list[str] = []
        """Pictures with a wrong height for a letter."""

    def draw(
        self, sketch: PictureRequest, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Return the words and lines of a picture as text."""
        self.drawn.append(sketch)
        drawing = picture_of(sketch)
        tallest = WITH_FIGHTING if isinstance(drawing, HexBoard) and drawing.window else HEIGHTS[1]
        if isinstance(drawing, PanelDrawing) or (isinstance(drawing, HexBoard) and drawing.parts):
            tallest = FOR_PHONES
        if not HEIGHTS[0] < drawing.proportion < tallest:
            self.ill_shaped.append(f"{sketch.title}: {drawing.proportion}")
        return "\n".join([*drawing.captions.head, *_lines_on(drawing)]).encode()


def _lines_on(drawing: Drawing) -> Iterator[str]:
    """Yield the items drawn over a board: strokes, or ways, shots and losses."""
    if isinstance(drawing, HexBoard):
        yield from (f"way {'-'.join(way)}" for way in drawing.ways)
        yield from (f"shot {shot.start} {shot.to}" for shot in drawing.shots)
        yield from (f"fallen {each.text} {each.at}" for each in drawing.fallen)
    elif isinstance(drawing, ProvinceDrawing | PanelDrawing):
        for line in drawing.picture.strokes:
            yield f"{line.way.value} {line.start} {line.to}{' failed' if line.failed else ''}"


class Rig:
    """A judge for tests, with a database in memory and a fake clock."""

    is_warm = False
    """True if a rig of this process has processed a mail, with its lazy imports."""

    def __init__(
        self, config: Config | None = None, commands: Sequence[CommandRow] = COMMANDS
    ) -> None:
        self.clock = FixedClock(START)
        self.commands = commands
        self.config = config or Config(store=StoreSection("sqlite:///:memory:"))
        self.application = open_application(self.config, self.clock, create=True, commands=commands)
        self.resolving = ResolverLoop(self.application)
        self.worker = Worker(self.application, self.resolving)
        self.worker.is_warm = Rig.is_warm
        self.easel = Easel()
        self.painting = PictureWorker(self.application, self.easel)
        self.enclosing = PictureInserter(self.application)
        self.boxes: dict[str, deque[EmailMessage]] = {}
        self.newest: dict[str, EmailMessage] = {}
        self.calendars: dict[str, WallCalendar] = {}
        self.mails = 0

    def close(self) -> None:
        """Close the database and check the heights of all pictures."""
        self.application.store.close()
        assert not self.easel.ill_shaped

    def again(self, config: Config | None = None) -> "Rig":
        """Return a copy of this rig, with a database of its own.

        Common beginnings of several tests are played only once in this way. The configuration of
        the copy may name another database.
        """
        ours = self.application.store
        if isinstance(ours.engine, Postgres):
            other = Rig(config or self.config, self.commands)
            copy_rows(ours, other.application.store)
            other.application.context.tokens.refresh()
        else:
            with beginning_as(ours):
                other = Rig(config or self.config, self.commands)
        # A running judge has these facts in memory only.
        mine, its = (one.application.context.password_check for one in (self, other))
        vars(its).update(deepcopy(vars(mine)))
        other.clock.set(self.clock.now())
        other.boxes = {address: deque(box) for address, box in self.boxes.items()}
        other.newest = dict(self.newest)
        other.calendars = {at: replace(one, entries=dict(one.entries))
                           for at, one in self.calendars.items()}
        other.easel.drawn, other.mails = list(self.easel.drawn), self.mails
        return other

    def mail(self, sender: str, text: str, to: str = "", **headers: str) -> str:
        """Mail a text to the judge and process it. Return its Message-ID."""
        self.mails += 1
        heads = {
            "From": sender, "To": to or self.config.judge.address, "Subject": "orders",
            "Message-ID": f"<{self.mails}@journey.example>",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        self.take(mail_of(heads, text), sender, to)
        return heads["Message-ID"]

    def take(self, raw: bytes, sender: str, to: str = "") -> None:
        """Store a raw message and process it."""
        self.store(raw, sender, to)
        self.run()

    def store(self, raw: bytes, sender: str, to: str = "") -> None:
        """Store a raw message as the listener does."""
        arrival = Arrival(raw, sender, (to or self.config.judge.address,))
        self.application.post.accept([arrival], self.clock.now())

    def reply(self, sender: str, text: str, letter: EmailMessage | None = None) -> str:
        """Reply to a letter, or to the newest one to the sender."""
        letter = letter or self.newest[sender]
        return self.mail(sender, text, str(letter["Reply-To"]), In_Reply_To=letter["Message-ID"])

    def resign(self, sender: str, signon: str) -> None:
        """Resign a seat of a running game, and confirm it."""
        self.mail(sender, f"{signon}\nRESIGN")
        self.reply(sender, "yes")

    def run(self) -> None:
        """Process new mails and due games, and put the letters into their boxes."""
        while self.worker.work_one():
            pass
        Rig.is_warm = self.worker.is_warm
        self.resolving.tick(self.clock.now())
        self.painting.drain()
        while found := due_out(self.application.post, self.clock.now(), 500):
            for out in map(self.enclosing.insert_pictures, found):
                self.deliver(out)
                self.application.post.mark_sent(out.id, self.clock.now())

    def deliver(self, out: Outgoing) -> None:
        """Put a letter into its box."""
        self.put(out.to, out.message)

    def put(self, address: str, message: bytes) -> None:
        """Put a message into the box of an address."""
        letter = parse_letter(message)
        is_sound(letter)
        self.boxes.setdefault(address, deque()).append(letter)
        self.newest[address] = letter
        self.calendar(address).take(letter)

    def calendar(self, address: str) -> WallCalendar:
        """Return the calendar of an address, filled by its letters."""
        return self.calendars.setdefault(address, WallCalendar(address))

    def letter(self, address: str, kind: str = "") -> EmailMessage:
        """Remove and return the next letter to an address, of a kind if one is named."""
        box = self.boxes.get(address, deque())
        assert box, f"no letter to {address}"
        letter = box.popleft()
        assert not kind or letter["X-Judge-Kind"] == kind, (
            f"a letter of kind {letter['X-Judge-Kind']}, not {kind}:\n{text_of(letter)}"
        )
        return letter


def config_of(steps: list[Step]) -> Config:
    """Return the configuration of a journey, with a database in memory."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    for section, key, value in (step.words for step in steps if step.verb == "config"):
        config = replace(config, **{section: replace(getattr(config, section), **{key: value})})
    return config


def text_of(letter: EmailMessage) -> str:
    """Return the plain text of a letter."""
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def pictures_of(letter: EmailMessage) -> dict[str, str]:
    """Return the text contents of a letter's pictures, by file name."""
    return {
        str(part.get_filename()): part.get_payload(decode=True).decode("utf-8", "replace")
        for part in list_enclosures(letter)
        if part.get_content_maintype() == "image"
    }


def squeeze_text(text: str) -> str:
    """Return a text with every run of white space as one blank."""
    return " ".join(text.split())


@contextmanager
def same_dice() -> Iterator[None]:
    """Replace secret random numbers by a reproducible stream."""
    count = 0

    def octets(size: int) -> bytes:
        nonlocal count
        count += 1
        return sha256(f"journey {count}".encode()).digest()[:size]

    with patch("judge.dice.secrets.token_bytes", octets):
        yield


@same_dice()
def walk(file: Path, make: Callable[[Config], Rig] = Rig) -> None:
    """Play a journey from its first step to its last, in a rig of the given type."""
    steps = list(read_journey(file.read_text("utf-8")))
    rig = make(config_of(steps))
    letter: EmailMessage | None = None
    try:
        for step in steps:
            where = f"{file.name}:{step.number}"
            if act(rig, step):
                continue
            match step.verb, *step.words:
                case "letter", address, kind:
                    letter = rig.letter(address, kind)
                    stands_in(letter, step.lines, where)
                case ("not",):
                    assert letter is not None
                    for line in filter(None, map(squeeze_text, step.lines)):
                        assert line not in squeeze_text(text_of(letter)), f"{where}: {line}"
                case "picture", name:
                    assert letter is not None
                    shown = pictures_of(letter)
                    assert name in shown, f"{where}: {[*shown]}"
                    for line in filter(None, map(squeeze_text, step.lines)):
                        assert line in shown[name].splitlines(), f"{where}: {shown[name]}"
                case "calendar", address:
                    ahead = rig.calendar(address).ahead(rig.clock.now())
                    assert ahead == [*filter(None, step.lines)], f"{where}: {ahead}"
                case ("html",):
                    assert letter is not None
                    shows(seen(page_of(letter)), step.lines, where)
                case "no", "html":
                    assert letter is not None and not page_of(letter), where
                case "no", "picture":
                    assert letter is not None and not pictures_of(letter), where
                case ("silence",):
                    left = {to: [x["Subject"] for x in box] for to, box in rig.boxes.items()}
                    assert not any(left.values()), f"{where}: {left}"
                case _:
                    raise AssertionError(f"{where}: no step {step.verb} {step.words}")
    finally:
        rig.close()


def act(rig: Rig, step: Step) -> bool:
    """Perform a step that makes something happen. Return whether it is one."""
    text = "\n".join(step.lines).strip("\n") + "\n"
    match step.verb, *step.words:
        case "config", _, _, _:
            pass
        case "mail", sender:
            rig.mail(sender, text)
        case "reply", sender:
            rig.reply(sender, text)
        case "reply", sender, reader:
            rig.reply(sender, text, rig.newest[reader])
        case "clock", span:
            rig.clock.set(rig.clock.now() + read_span(span))
            rig.run()
        case "outage", span:
            rig.resolving.record_awake(rig.clock.now())
            rig.clock.set(rig.clock.now() + read_span(span))
            rig.resolving.record_awake(rig.clock.now())
            rig.run()
        case _:
            return False
    return True


def stands_in(letter: EmailMessage, lines: tuple[str, ...], where: str) -> None:
    """Check that a letter or its subject contains the lines in their sequence."""
    shows(f"{letter['Subject']}\n{text_of(letter)}", lines, where)


def shows(text: str, lines: tuple[str, ...], where: str) -> None:
    """Check that a text contains the lines in their sequence."""
    rest = squeeze_text(text)
    for line in filter(None, map(squeeze_text, lines)):
        before, found, rest = rest.partition(line)
        assert found, f"{where}: {line!r} is not in\n{text}"
