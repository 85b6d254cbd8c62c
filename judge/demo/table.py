"""What every demo has: a judge in a folder of its own, people at a game, and what is told of it.

How its people play, and what they read in their letters, each game says itself: `run` for
Diplomacy, `nations` and `siege`.
"""

import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from judge.clock import SystemClock
from judge.demo.mailroom import DemoFault, Household, Mailroom, text_of
from judge.mail.outbound.compose import enclosed

JUDGE = "judge@localhost"
GAME = "demo"
_PATIENCE = 120.0
"""Seconds a letter may take to come."""
_NEWS = ("start", "results", "end")
_REFUSED = "This was not carried out:"
"""The heading of what was refused, in any answer. Players order only what their letters allow."""
_RULE = "=" * 72

Say = Callable[[str], None]
"""Shows a line of how it goes."""


@dataclass(slots=True)
class Person:
    """Somebody with a mail address and a password in the game."""

    address: str
    password: str
    power: str = ""
    phase: str = ""
    over: bool = False
    last: EmailMessage | None = field(default=None, repr=False)
    """The newest start, results or end letter."""

    def write(self, room: Mailroom, *lines: str) -> EmailMessage:
        """Mail lines to the judge and return its answer.

        Raises:
            DemoFault: none came, or something was refused.
        """
        return self._ask(room, JUDGE, "orders", "\n".join(lines))

    def signed(self, room: Mailroom, letter: str, *lines: str) -> EmailMessage:
        """Sign on with the letter of a seat and say something."""
        return self.write(room, f"SIGNON {letter}{GAME} {self.password}", *lines)

    def reply(self, room: Mailroom, *lines: str) -> EmailMessage:
        """Answer the last letter, as the Reply button does: what the judge wrote stands quoted."""
        assert self.last is not None
        quoted = [f"> {line}".rstrip() for line in text_of(self.last).splitlines()[:6]]
        text = "\n".join([*lines, "", f"On Monday, {self.last['From']} wrote:", *quoted])
        subject = f"Re: {self.last['Subject']}"
        message_id = str(self.last["Message-ID"])
        return self._ask(room, str(self.last["Reply-To"]), subject, text, message_id)

    def _ask(
        self, room: Mailroom, to: str, subject: str, text: str, answers: str = ""
    ) -> EmailMessage:
        message_id = room.send(self.address, to, subject, f"{text}\n", answers)
        kept: list[EmailMessage] = []

        def wanted(letter: EmailMessage) -> bool:
            if letter["In-Reply-To"] == message_id:
                return True
            kept.append(letter)
            return False

        answer = room.next_letter(self.address, wanted, _PATIENCE)
        room.put_back(self.address, kept)
        if answer is None:
            raise DemoFault(f"no answer to {self.address}:\n{text}")
        if answer["X-Judge-Kind"] == "error" or _REFUSED in text_of(answer):
            raise DemoFault(f"{self.address} wrote:\n{text}\nand heard:\n{text_of(answer)}")
        return answer

    def hear(self, room: Mailroom) -> None:
        """Wait for the next start, results or end letter and take in what it says.

        Raises:
            DemoFault: none came.
        """
        letter = room.next_letter(self.address, lambda x: x["X-Judge-Kind"] in _NEWS, _PATIENCE)
        if letter is None:
            after = self.phase or "the joining"
            raise DemoFault(f"no news for {self.address} {self.power} after {after}")
        if self.last is not None and self.last["X-Judge-Kind"] == "end":
            # Results whose picture took its time come behind the letter of the end.
            return
        self.last = letter
        text = text_of(letter)
        kind, self.phase = str(letter["X-Judge-Kind"]), str(letter["X-Judge-Phase"])
        self.power = str(letter["X-Judge-Power"])
        self.over = kind == "end" or (kind == "results" and "The next phase of " not in text)
        self.read(kind, text)

    def read(self, kind: str, text: str) -> None:
        """Take in what the text of a letter says of the game; nothing here."""


Who = TypeVar("Who", bound=Person)


class Table(ABC, Generic[Who]):
    """Everybody around one demo game, and how far it got."""

    def __init__(self, room: Mailroom, master: Who, observer: Who, players: Sequence[Who]) -> None:
        self.room = room
        self.master = master
        self.observer = observer
        self.players = players

    @abstractmethod
    def gather(self) -> None:
        """Make the game and let everybody join; it starts when the last power is taken."""

    @abstractmethod
    def play(self, say: Say) -> int:
        """Play phase after phase to the end; return how many there were."""

    def hear(self) -> None:
        """Let everybody read the news: the start, or the results of a phase."""
        for person in (self.master, self.observer, *self.players):
            person.hear(self.room)

    def show_end(self) -> None:
        """Have the observer see the board from now on.

        No one looks at the pictures before the last one, and they take half a minute.
        """
        self.observer.reply(self.room, "SET MAP PNG")


class Figures(NamedTuple):
    """What a demo came to."""

    phases: int
    mails: int
    letters: int
    seconds: float
    last_phase: str
    report: str
    picture: str
    """Name and size of the picture in the last letter."""


def played(seated: Callable[[Mailroom], Table[Who]], say: Say, keep: Path) -> Figures:
    """Play a game in a folder of its own and say how it goes; the last letter ends it, and stays
    in the folder `keep`, in place of what an earlier game left there.

    Raises:
        DemoFault: the judge did not do what its letters promise.
    """
    started = time.monotonic()
    _clear(keep)
    with (
        tempfile.TemporaryDirectory(prefix="judge-demo-") as folder,
        Household(Path(folder)) as house,
    ):
        room = Mailroom(house.place, house.outbox, SystemClock())
        say(f"A judge of our own listens at {house.place}; the game is called {GAME}.")
        table = seated(room)
        try:
            table.gather()
            phases = table.play(say)
        except DemoFault as fault:
            raise DemoFault(f"{fault}\n{house.log()}") from fault
        last = table.observer.last
        assert last is not None
        figures = Figures(
            phases=phases,
            mails=room.mails,
            letters=room.letters,
            seconds=time.monotonic() - started,
            last_phase=table.observer.phase,
            report=text_of(last),
            picture=_kept(last, keep),
        )
    _sum_up(figures, say, keep)
    if not figures.picture:
        raise DemoFault("the last letter has no picture of the board")
    return figures


def _sum_up(figures: Figures, say: Say, keep: Path) -> None:
    """Show the last letter, and say what all of it came to."""
    board = f", with the board ({figures.picture})" if figures.picture else ""
    say(f"{_RULE}\n{figures.report.rstrip()}\n{_RULE}")
    say(
        f"That was the text of the last letter, to the observer. Open {keep / 'letter.html'} in a\n"
        f"browser to see it as mail programs do{board}."
    )
    say(
        f"{figures.phases} phases, {figures.mails} mails in, {figures.letters} letters out,"
        f" {figures.seconds:.1f} seconds"
    )


def _clear(folder: Path) -> None:
    """Delete the letter and the pictures of an earlier game."""
    for pattern in ("letter.*", f"{GAME}-*"):
        for file in folder.glob(pattern):
            file.unlink()


def _kept(letter: EmailMessage, folder: Path) -> str:
    """Put a letter into a folder, as a page with its pictures; return what picture it has."""
    folder.mkdir(parents=True, exist_ok=True)
    body = letter.get_body(("html",))
    page, told = str(body.get_content()) if body else "", ""
    for part in enclosed(letter):
        octets = part.get_payload(decode=True)
        if part.get_content_maintype() == "image" and isinstance(octets, bytes):
            name = str(part.get_filename())
            (folder / name).write_bytes(octets)
            page = page.replace(f"cid:{str(part['Content-ID']).strip('<>')}", name)
            told = told or f"{name}, {len(octets) // 1000} kB"
    (folder / "letter.html").write_text(page, "utf-8")
    (folder / "letter.txt").write_text(text_of(letter), "utf-8")
    return told
