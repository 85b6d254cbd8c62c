"""All letters of all journeys, as they went out: `ledger.tsv` has a line for each, with its digest.

A journey says what must stand in a letter; here nothing in any of them changes unseen: text, page,
headers, files and what pictures show. `python -m tests.journeys.ledger` writes it anew, since many
letters may change for one good reason; `python -m tests.journeys.ledger press 12` shows the twelfth
letter of press.txt, so that what changed can be read before and after.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from judge.config import Config
from judge.mail.outbound.compose import enclosed
from tests.journeys.golden import unmarked, written
from tests.journeys.pages import page_of
from tests.journeys.rig import Rig, walk

HERE = Path(__file__).parent
FILE = HERE / "ledger.tsv"
JOURNEYS = sorted(HERE.glob("*.txt"))


class Row(NamedTuple):
    """One letter: to whom, of what kind, about what, and the digest of all there is to read."""

    to: str
    kind: str
    subject: str
    digest: str


class Noting(Rig):
    """Notes every letter, in the order in which they go out."""

    letters: list[EmailMessage]

    def put(self, address: str, message: bytes) -> None:
        """Put a letter into its box, and note it."""
        super().put(address, message)
        self.letters.append(self.newest[address])


@contextmanager
def without_chance() -> Iterator[None]:
    """Draw every secret number from a stream that is the same each time."""
    drawn = 0

    def octets(many: int) -> bytes:
        nonlocal drawn
        drawn += 1
        return sha256(f"journey {drawn}".encode()).digest()[:many]

    with patch("judge.dice.secrets.token_bytes", octets):
        yield


def letters_of(file: Path) -> list[EmailMessage]:
    """Walk a journey, and return all letters it caused."""
    found: list[EmailMessage] = []

    def made(config: Config) -> Rig:
        rig = Noting(config)
        rig.letters = found
        return rig

    with without_chance():
        walk(file, made)
    return found


def whole(letter: EmailMessage) -> str:
    """Return all there is to read in a letter."""
    parts = [written(letter), unmarked(page_of(letter))]
    for part in enclosed(letter):
        # How an entry for calendars is written is the library's affair.
        if part.get_content_type() == "text/calendar":
            continue
        octets = part.get_payload(decode=True)
        assert isinstance(octets, bytes)
        parts += [str(part.get_filename()), unmarked(octets.decode("utf-8", "replace"))]
    return "\n".join(parts)


def rows_of(letters: Sequence[EmailMessage]) -> list[Row]:
    """Return the lines of some letters."""
    return [
        Row(
            str(letter["To"]), str(letter["X-Judge-Kind"]), str(letter["Subject"]),
            sha256(whole(letter).encode()).hexdigest()[:12],
        )
        for letter in letters
    ]


def ledger() -> Mapping[str, list[Row]]:
    """Return the lines there are, by journey."""
    found: dict[str, list[Row]] = defaultdict(list)
    for line in FILE.read_text("utf-8").splitlines():
        name, *row = line.split("\t")
        found[name].append(Row(*row))
    return found


def main(words: Sequence[str]) -> None:
    """Write the ledger anew, or show a letter."""
    if words:
        print(whole(letters_of(HERE / f"{words[0]}.txt")[int(words[1]) - 1]))
        return
    lines = [
        "\t".join((file.stem, *row)) for file in JOURNEYS for row in rows_of(letters_of(file))
    ]
    FILE.write_text("\n".join([*lines, ""]), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
