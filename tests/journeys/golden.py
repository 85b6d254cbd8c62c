"""Golden letters: one of each kind and game system, complete.

The stories in `stories/` are played like journeys. They have five additional steps:

    [keep results-fall ann@example.org results]
                                  the newest letter to that address, of that kind, is the golden
                                  letter of that name; further words must be in its subject
    [check results-nmr ann@example.org results]
                                  the same without a file: tests only check its layout
    [obey gm@example.org]         reply with the line that the newest letter suggests
    [bounce ann@example.org]      the newest letter to that address bounces
    [fault ann@example.org]       as [mail], with an internal error

`python -m tests.journeys.golden` prints the changes of the files in `golden/`, and writes them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from difflib import unified_diff
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from judge.config import Config
from judge.daemon.bounces import BounceHandler
from judge.mail.outbound.compose import list_enclosures
from judge.model.letter import Letter
from judge.model.order_commands import GiveOrders
from tests.games import positions
from tests.journeys.pages import page_of
from tests.journeys.rig import Rig, act, config_of, read_journey, same_dice, text_of
from tests.mail.test_bounces import report
from tests.outbox import newest_out

HERE = Path(__file__).parent
FOLDER = HERE / "golden"
STORIES = sorted((HERE / "stories").glob("*.txt"))
PAGES = {
    "confirm", "end-won", "nations1940-results", "receipt-builds", "receipt-orders-faults",
    "reminder", "results-fall", "results-retreats", "start-player", "yorktown-results",
    "yorktown-results-de",
}
"""Golden letters whose HTML is stored too."""

HEADERS = (
    "Subject", "From", "To", "Reply-To", "In-Reply-To", "References", "List-Id",
    "List-Unsubscribe", "Auto-Submitted", "X-Judge-Game", "X-Judge-Phase", "X-Judge-Power",
    "X-Judge-Kind",
)
"""Headers that people, mail programs or scripts read."""

_MARKS = (
    ("judge+", re.compile(r"(judge[+])[a-z0-9]{12,}(@|$)"), r"\1TOKEN\2"),
    ("@journey.", re.compile(r"<\d+@journey[.]example>"), "<your-mail@example.org>"),
    ("<", re.compile(r"<[0-9a-f]{30}@"), "<ID@"),
    ("talk.", re.compile(r"(talk[.])[0-9a-f]{20}@"), r"\1ID@"),
    ("", re.compile(r"\b[0-9a-f]{64}\b"), "SECRET-NUMBER-OR-ITS-SHA-256"),
    ("Traceback", re.compile(r"\n\|\| Traceback .*", re.S), "\nTRACEBACK\n"),
    ("SETUP", re.compile(r"^(    SETUP )[a-z]{6}$", re.M), r"\1WORD"),
    ("TAKEOVER",
     re.compile(r"^(    TAKEOVER M\S+ yourpassword )[0-9a-f]{12}$", re.M), r"\1WORD"),
    ("cid:", re.compile(r"cid:[0-9a-f]{24}@"), "cid:PICTURE@"),
)
"""Values that differ between runs, with their replacements.

The first item is a fixed part of the value, which is much faster to find.
"""


_LINE = re.compile(r"^ {4}((?!SIGNON)\S.*)$", re.M)
"""Line that a letter suggests to send."""


class Kept(NamedTuple):
    """A letter of a story, with the facts it was rendered from.

    The facts are missing (None) if the letter has no template.
    """

    name: str
    message: EmailMessage
    letter: Letter | None
    is_golden: bool
    """True if its text is stored in a file."""


def play(file: Path, make: Callable[[Config], Rig] = Rig) -> Iterator[Kept]:
    """Play a story, and yield the letters that it keeps or checks."""
    steps = list(read_journey(file.read_text("utf-8")))
    rig = make(config_of(steps))
    try:
        with same_dice(), _record_letters(rig) as letters:
            for step in steps:
                match step.verb, *step.words:
                    case "keep" | "check", name, address, kind, *about:
                        where = f"{file.name}:{step.number}"
                        message = _newest(rig, address, kind, " ".join(about), where)
                        letter = letters.get(str(message["Message-ID"]))
                        yield Kept(name, message, letter, step.verb == "keep")
                    case "obey", address:
                        told = text_of(rig.newest[address])
                        rig.reply(address, _LINE.findall(told)[-1])
                    case "bounce", address:
                        out = newest_out(rig.application.post, 1, address)[0]
                        failed = report("failed", "5.1.1", "550 5.1.1 no such user here")
                        rig.take(
                            failed, "", BounceHandler(rig.application).address_letter(out).sender
                        )
                    case "fault", address:
                        kinds = rig.application.dispatcher.kinds
                        failing = replace(kinds[GiveOrders], run=_failing)
                        with patch.dict(kinds, {GiveOrders: failing}):
                            rig.mail(address, "\n".join(step.lines))
                    case _:
                        assert act(rig, step), f"{file.name}:{step.number}: {step.verb}"
    finally:
        rig.close()


def _failing(session: object, command: object) -> None:
    raise ZeroDivisionError("a fault of ours")


def _newest(rig: Rig, address: str, kind: str, about: str, where: str) -> EmailMessage:
    found = [
        one for one in rig.boxes.get(address, ())
        if kind in (one["X-Judge-Kind"], "any") and about in str(one["Subject"])
    ]
    assert found, f"{where}: {[one['Subject'] for one in rig.boxes.get(address, ())]}"
    return found[-1]


@contextmanager
def _record_letters(rig: Rig) -> Iterator[dict[str, Letter]]:
    """Record the facts of messages by Message-ID."""
    found: dict[str, Letter] = {}
    make = rig.application.renderer.message

    def message(letter, now, message_id):  # type: ignore[no-untyped-def]
        found[message_id] = letter
        return make(letter, now, message_id)

    with patch.object(rig.application.renderer, "message", message):
        yield found


def format_letter(message: EmailMessage) -> str:
    """Return a letter in the format of its golden file: headers, attachments, text."""
    heads = [f"{name}: {message[name]}" for name in HEADERS if message[name]]
    parts = [
        str(part.get_filename() or part.get_content_type())
        for part in list_enclosures(message)
    ]
    if message.get_body(("html",)):
        parts.insert(0, "HTML")
    text = "\n".join([*heads, *([f"With it: {', '.join(parts)}"] if parts else []), "", ""])
    text += "\n".join(text_of(message).splitlines()) + "\n"
    return replace_marks(text)


def replace_marks(text: str) -> str:
    """Return a text with replacements for values that differ between runs."""
    for sign, mark, stands in _MARKS:
        if sign in text:
            text = mark.sub(stands, text)
    return text


def files_of(letters: Iterable[Kept]) -> dict[str, str]:
    """Return the golden files of letters, by name."""
    found = {}
    for kept in letters:
        if kept.is_golden:
            found[f"{kept.name}.txt"] = format_letter(kept.message)
            if kept.name in PAGES:
                page = page_of(kept.message).splitlines()
                found[f"{kept.name}.html"] = replace_marks("\n".join([*page, ""]))
    return found


def read_golden(folder: Path = FOLDER) -> dict[str, str]:
    """Return the golden files of a folder, by name."""
    return {file.name: file.read_text("utf-8") for file in folder.iterdir()}


def difference(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return the difference of golden files as one unified diff, empty if none."""
    return "\n".join(
        line
        for name in sorted(before.keys() | after.keys())
        for line in unified_diff(
            before.get(name, "").splitlines(), after.get(name, "").splitlines(),
            f"before/{name}" if name in before else "/dev/null",
            f"after/{name}" if name in after else "/dev/null", lineterm="",
        )
    )


def write(folder: Path, after: Mapping[str, str]) -> None:
    """Print the difference of a folder from these golden files, and write them."""
    before = read_golden(folder)
    print(difference(before, after))
    gone = before.keys() - after.keys()
    for name in gone:
        (folder / name).unlink()
    changed = [name for name in after if before.get(name) != after[name]]
    for name in changed:
        (folder / name).write_text(after[name], "utf-8")
    print(f"{folder}: {len(after)} files, {len(changed)} written, {len(gone)} deleted")


def main() -> None:
    """Write all golden files again, and print the changes."""
    write(FOLDER, files_of(kept for story in STORIES for kept in play(story)))
    write(positions.FOLDER, positions.files())


if __name__ == "__main__":
    main()
