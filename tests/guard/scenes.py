"""Scenes: stored databases, mails to them, and the letters these cause.

A scene is two files in `scenes/`. `NAME.zip` has a database of an earlier judge, the raw mails
and a list of steps. `NAME.txt` has the letters, with ids, instants of sending and tokens masked.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from judge.config import Config, StoreSection
from judge.config_values import read_span
from judge.mail.outbound.compose import list_enclosures
from tests.journeys.golden import HEADERS, replace_marks
from tests.journeys.pages import page_of
from tests.journeys.rig import Rig, Step, act, config_of, read_journey, same_dice, text_of

FOLDER = Path(__file__).parent / "scenes"
NAMES = sorted(file.stem for file in FOLDER.glob("*.zip"))
_DATABASE = "judge.sqlite3"
_STEPS = "steps.json"
_WRITTEN = (2026, 1, 5, 12, 0, 0)
"""Instant of each file in an archive, so that equal contents give equal archives."""


@dataclass(frozen=True, slots=True)
class Event:
    """A mail that arrives, or an instant that the clock reaches."""

    at: str
    """Instant in UTC."""
    sender: str = ""
    to: str = ""
    mail: str = ""
    """File name of the raw mail, empty if time passes."""


class Recorder(Rig):
    """A rig that records each letter, and each raw mail with its instant."""

    def __init__(self, config: Config | None = None) -> None:
        super().__init__(config)
        self.letters: list[str] = []
        self.events: list[Event] = []
        self.raws: dict[str, bytes] = {}

    def store(self, raw: bytes, sender: str, to: str = "") -> None:
        """Store a raw message and record it."""
        name = f"{len(self.raws) + 1:03}.eml"
        self.raws[name] = raw
        self.events.append(Event(self.clock.now().isoformat(), sender, to, name))
        self.letters.append(f"==== {name} from {sender or '<>'}\n")
        super().store(raw, sender, to)

    def pass_time(self, instant: datetime) -> None:
        """Move the clock to an instant and process the games that are due."""
        self.clock.set(instant)
        self.events.append(Event(instant.isoformat()))
        self.letters.append(f"==== clock {instant.isoformat()}\n")
        self.run()

    def put(self, address: str, message: bytes) -> None:
        """Put a message into the box of an address and record it."""
        super().put(address, message)
        self.letters.append(write_out(self.newest[address]))

    def save(self, path: Path) -> None:
        """Copy the database to a file."""
        with closing(sqlite3.connect(path)) as copy:
            self.application.store.database.connection().backup(copy)


def write_out(letter: EmailMessage) -> str:
    """Return the headers and text of a letter, and digests of its other parts."""
    heads = [f"---- {letter['To']}", *(f"{name}: {letter[name]}" for name in HEADERS
                                       if letter[name])]
    for part in list_enclosures(letter):
        content = part.get_payload(decode=True)
        digest = sha256(replace_marks(content.decode("utf-8", "replace")).encode()).hexdigest()[:12]
        heads.append(f"With it: {part.get_filename() or part.get_content_type()} {digest}")
    if letter.get_body(("html",)):
        heads.append(f"HTML: {sha256(replace_marks(page_of(letter)).encode()).hexdigest()[:12]}")
    return replace_marks("\n".join([*heads, "", *text_of(letter).splitlines(), ""]))


def replay(name: str, folder: Path) -> str:
    """Send the mails of a scene to a copy of its database, and return the letters."""
    with ZipFile(FOLDER / f"{name}.zip") as archive:
        archive.extract(_DATABASE, folder)
        steps = json.loads(archive.read(_STEPS))
        raws = {each: archive.read(each) for each in archive.namelist() if each.endswith(".eml")}
    config = config_of([Step(0, "config", tuple(words), ()) for words in steps["config"]])
    with same_dice():
        rig = Recorder(_at(config, folder / _DATABASE))
        try:
            rig.clock.set(datetime.fromisoformat(steps["begin"]))
            for event in (Event(**each) for each in steps["events"]):
                instant = datetime.fromisoformat(event.at)
                if event.mail:
                    rig.clock.set(instant)
                    rig.take(raws[event.mail], event.sender, event.to)
                else:
                    rig.pass_time(instant)
            return "".join(rig.letters)
        finally:
            rig.close()


def load_letters(name: str) -> str:
    """Return the stored letters of a scene."""
    return (FOLDER / f"{name}.txt").read_text("utf-8")


def record(name: str, steps: list[Step], cut: int, folder: Path) -> None:
    """Play a journey, and store the database at a step and the mails after it."""
    with same_dice():
        rig = Recorder(config_of(steps))
        try:
            for step in steps[:cut]:
                _act(rig, step)
            rig.save(folder / f"{name}.sqlite3")
            begin = rig.clock.now()
            rig.events, rig.raws, rig.letters = [], {}, []
            for step in steps[cut:]:
                _act(rig, step)
            pack(name, steps, begin, rig, folder / f"{name}.sqlite3")
        finally:
            rig.close()


def pack(name: str, steps: list[Step], begin: datetime, rig: Recorder, database: Path) -> None:
    """Write the archive of a scene."""
    listed = {
        "begin": begin.isoformat(),
        "config": [step.words for step in steps if step.verb == "config"],
        "events": [asdict(event) for event in rig.events],
    }
    with ZipFile(FOLDER / f"{name}.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
        contents = {_DATABASE: database.read_bytes(), _STEPS: json.dumps(listed, indent=1).encode()}
        for each, octets in {**contents, **rig.raws}.items():
            archive.writestr(ZipInfo(each, _WRITTEN), octets, ZIP_DEFLATED)


def journey(file: Path) -> list[Step]:
    """Return the steps of a journey in which something happens."""
    acting = ("config", "mail", "reply", "clock", "outage")
    return [step for step in read_journey(file.read_text("utf-8")) if step.verb in acting]


def mails_in(name: str) -> Iterator[str]:
    """Yield the names of the raw mails of a scene."""
    with ZipFile(FOLDER / f"{name}.zip") as archive:
        yield from (each for each in archive.namelist() if each.endswith(".eml"))


def _act(rig: Recorder, step: Step) -> None:
    if step.verb in ("clock", "outage"):
        rig.pass_time(rig.clock.now() + read_span(step.words[0]))
    else:
        act(rig, step)


def _at(config: Config, database: Path) -> Config:
    return replace(config, store=StoreSection(f"sqlite:///{database}"))
