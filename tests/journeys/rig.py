"""Whole exchanges without a network: mails in, the clock moved, letters out, in one process.

A journey is a text file of steps. A step begins with a line in brackets:

    [mail ann@example.org]        a mail to the judge; the lines after it are its text
    [reply ann@example.org]       the same, as a reply to the newest letter to that address
    [reply eve@example.org ann@example.org]
                                  Eve replies to the newest letter to Ann
    [config policy confirm true]  what the configuration says, before all other steps
    [clock 72h]                   time passes, and the resolver looks
    [outage 72h]                  time passes while the judge is down, then it wakes up
    [letter ann@example.org receipt]
                                  the next letter to that address, of that kind; each line after
                                  it must stand in it, in that order (blanks do not matter)
    [not]                         lines that must not stand in the letter before
    [picture marco-S1901M.png]    the letter before carries a picture of that name; each line after
                                  it must stand in what the picture shows
    [no picture]                  the letter before carries none
    [calendar ann@example.org]    what lies ahead in the calendar of whoever opens all .ics files
                                  that came to that address: these lines exactly
    [html]                        what a reader sees of the HTML of the letter before: as [letter]
    [no html]                     the letter before is text alone
    [silence]                     no letter is left that no step has named

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
from judge.config import Config, StoreSection, read_span
from judge.daemon.application import open_application
from judge.daemon.picture_worker import PictureInserter, PictureWorker
from judge.daemon.resolving import Resolving
from judge.daemon.worker import Worker
from judge.drawing.drawing import Drawing
from judge.drawing.hexes import HexBoard
from judge.drawing.layout import OnPanels, OnProvinces
from judge.drawing.render_process import RenderProcess
from judge.games.painting import picture_of
from judge.mail.outbound.compose import enclosed
from judge.model.incoming import Arrival
from judge.model.letter import Sketch
from judge.model.record import Outgoing
from judge.play.commands.row import Row
from judge.play.commands.table import COMMANDS
from judge.store.postgres import Postgres
from tests.copies import beginning_as
from tests.journeys.pages import is_sound, page_of, seen
from tests.journeys.received import received
from tests.journeys.sent import mail_of
from tests.journeys.wallcalendar import WallCalendar
from tests.postgres import copy_rows

START = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
"""A Monday at noon, when every journey begins."""


class Step(NamedTuple):
    """One step of a journey: what it does, to whom or how, and its lines."""

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
"""What a picture measures, in parts of its width; letters show it 680 wide."""
WITH_FIGHTING = 1250 / 680
"""A step of Yorktown is less high than this: below the whole board, which takes 715 and smaller
would have counters nobody can read, it shows again, larger, the part that was fought over."""

FOR_PHONES = 4.6
"""A picture for a phone, in parts of its width: it is seen part by part."""


class Easel(RenderProcess):
    """Writes down what a picture shows, in place of drawing it."""

    def __init__(self) -> None:
        super().__init__(bytes)
        self.drawn: list[Sketch] = []
        self.ill_shaped: list[str] = []
        """Pictures too high or too low for a letter."""

    def draw(
        self, sketch: Sketch, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Return the words on a picture and the lines on it, as text."""
        self.drawn.append(sketch)
        drawing = picture_of(sketch)
        tallest = WITH_FIGHTING if isinstance(drawing, HexBoard) and drawing.window else HEIGHTS[1]
        if isinstance(drawing, OnPanels) or (isinstance(drawing, HexBoard) and drawing.parts):
            tallest = FOR_PHONES
        if not HEIGHTS[0] < drawing.proportion < tallest:
            self.ill_shaped.append(f"{sketch.title}: {drawing.proportion}")
        return "\n".join([*drawing.captions.head, *_lines_on(drawing)]).encode()


def _lines_on(drawing: Drawing) -> Iterator[str]:
    """Yield what is drawn over a board: strokes, or ways, shots and who fell."""
    if isinstance(drawing, HexBoard):
        yield from (f"way {'-'.join(way)}" for way in drawing.ways)
        yield from (f"shot {shot.start} {shot.to}" for shot in drawing.shots)
        yield from (f"fallen {each.text} {each.at}" for each in drawing.fallen)
    elif isinstance(drawing, OnProvinces | OnPanels):
        for line in drawing.picture.strokes:
            yield f"{line.way.value} {line.start} {line.to}{' failed' if line.failed else ''}"


class Rig:
    """A judge on a table: its database in memory, its clock in our hand."""

    is_warm = False
    """Whether some bench of this process has worked a mail: what that needs is read once."""

    def __init__(
        self, config: Config | None = None, commands: Sequence[Row] = COMMANDS
    ) -> None:
        self.clock = FixedClock(START)
        self.commands = commands
        self.config = config or Config(store=StoreSection("sqlite:///:memory:"))
        self.application = open_application(self.config, self.clock, create=True, commands=commands)
        self.resolving = Resolving(self.application)
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
        """Let go of the database."""
        self.application.store.close()
        assert not self.easel.ill_shaped

    def again(self, config: Config | None = None) -> "Rig":
        """Return another bench that went through all that this one did; neither knows the other.

        What several tests begin with is thus played once. Its database may lie elsewhere.
        """
        ours = self.application.store
        if isinstance(ours.engine, Postgres):
            other = Rig(config or self.config, self.commands)
            copy_rows(ours, other.application.store)
            other.application.context.tokens.refresh()
        else:
            with beginning_as(ours):
                other = Rig(config or self.config, self.commands)
        # What a running judge knows and keeps nowhere.
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
        """Mail a text to the judge and have it worked; return its Message-ID."""
        self.mails += 1
        heads = {
            "From": sender, "To": to or self.config.judge.address, "Subject": "orders",
            "Message-ID": f"<{self.mails}@journey.example>",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        self.take(mail_of(heads, text), sender, to)
        return heads["Message-ID"]

    def take(self, raw: bytes, sender: str, to: str = "") -> None:
        """Store a raw message and have it worked."""
        self.store(raw, sender, to)
        self.run()

    def store(self, raw: bytes, sender: str, to: str = "") -> None:
        """Store a raw message, as the door does."""
        arrival = Arrival(raw, sender, (to or self.config.judge.address,))
        self.application.post.accept([arrival], self.clock.now())

    def reply(self, sender: str, text: str, letter: EmailMessage | None = None) -> str:
        """Reply to a letter, or to the newest one to the sender."""
        letter = letter or self.newest[sender]
        return self.mail(sender, text, str(letter["Reply-To"]), In_Reply_To=letter["Message-ID"])

    def resign(self, sender: str, signon: str) -> None:
        """Resign a seat of a running game, and say yes to the letter that asks back."""
        self.mail(sender, f"{signon}\nRESIGN")
        self.reply(sender, "yes")

    def run(self) -> None:
        """Work what is new, attend to what is due, and put the letters into their boxes."""
        while self.worker.step():
            pass
        Rig.is_warm = self.worker.is_warm
        self.resolving.tick(self.clock.now())
        self.painting.drain()
        while found := self.application.post.due_out(self.clock.now(), 500):
            for out in map(self.enclosing.filled, found):
                self.deliver(out)
                self.application.post.sent(out.id, self.clock.now())

    def deliver(self, out: Outgoing) -> None:
        """Put a letter into its box."""
        self.put(out.to, out.message)

    def put(self, address: str, message: bytes) -> None:
        """Put a message into the box of an address."""
        letter = received(message)
        is_sound(letter)
        self.boxes.setdefault(address, deque()).append(letter)
        self.newest[address] = letter
        self.calendar(address).take(letter)

    def calendar(self, address: str) -> WallCalendar:
        """Return the calendar of an address, which has all that its letters brought."""
        return self.calendars.setdefault(address, WallCalendar(address))

    def letter(self, address: str, kind: str = "") -> EmailMessage:
        """Take the next letter to an address out of its box; of a kind, if one is named."""
        box = self.boxes.get(address, deque())
        assert box, f"no letter to {address}"
        letter = box.popleft()
        assert not kind or letter["X-Judge-Kind"] == kind, (
            f"a letter of kind {letter['X-Judge-Kind']}, not {kind}:\n{text_of(letter)}"
        )
        return letter


def config_of(steps: list[Step]) -> Config:
    """Return the configuration a journey asks for; the database is in memory."""
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
    """Return what the pictures of a letter show, by the names of their files."""
    return {
        str(part.get_filename()): part.get_payload(decode=True).decode("utf-8", "replace")
        for part in enclosed(letter)
        if part.get_content_maintype() == "image"
    }


def squeezed(text: str) -> str:
    """Return a text with every run of blanks and line ends as one blank."""
    return " ".join(text.split())


@contextmanager
def same_dice() -> Iterator[None]:
    """Draw every secret number from a stream that is the same in each run."""
    count = 0

    def octets(size: int) -> bytes:
        nonlocal count
        count += 1
        return sha256(f"journey {count}".encode()).digest()[:size]

    with patch("judge.dice.secrets.token_bytes", octets):
        yield


@same_dice()
def walk(file: Path, make: Callable[[Config], Rig] = Rig) -> None:
    """Walk a journey from its first step to its last, on a bench of the kind asked for."""
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
                    for line in filter(None, map(squeezed, step.lines)):
                        assert line not in squeezed(text_of(letter)), f"{where}: {line}"
                case "picture", name:
                    assert letter is not None
                    shown = pictures_of(letter)
                    assert name in shown, f"{where}: {[*shown]}"
                    for line in filter(None, map(squeezed, step.lines)):
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
    """Have a step done that makes something happen; tell whether it is one."""
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
            rig.resolving.awake(rig.clock.now())
            rig.clock.set(rig.clock.now() + read_span(span))
            rig.resolving.awake(rig.clock.now())
            rig.run()
        case _:
            return False
    return True


def stands_in(letter: EmailMessage, lines: tuple[str, ...], where: str) -> None:
    """Check that lines stand in a letter (or its subject), in their order."""
    shows(f"{letter['Subject']}\n{text_of(letter)}", lines, where)


def shows(text: str, lines: tuple[str, ...], where: str) -> None:
    """Check that lines stand in a text, in their order."""
    rest = squeezed(text)
    for line in filter(None, map(squeezed, lines)):
        before, found, rest = rest.partition(line)
        assert found, f"{where}: {line!r} is not in\n{text}"
