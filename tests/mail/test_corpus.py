"""Mails modelled on those of real programs, and the expected result of each.

The `.lines` file next to each `.eml` has the envelope sender, the From address, the reason for
automatic mail, the numbers of lines left out, the commands of India on the Youngstown map, and the
lines that count, with their numbers.
"""

from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest

from judge.dice import Dice
from judge.games import find_system
from judge.mail.address import JudgeAddresses
from judge.mail.inbound.reader import read_mail
from judge.model.incoming import Incoming
from judge.model.order_commands import GiveOrders
from judge.model.record import StoredMail
from tests.language import read_sheet

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.eml"))
OURS = JudgeAddresses("judge@example.org", "keeper@example.org")
NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
DIPLOMACY = find_system("diplomacy")
TABLE = DIPLOMACY.table(
    "youngstown", DIPLOMACY.initial_position("youngstown", {}, Dice(bytes(32), 0)), {}
)


def format_mail(mail: Incoming, envelope: str) -> list[str]:
    """Return a mail in the format of the `.lines` files."""
    left_out = mail.ignored
    return [
        f"envelope {envelope or '<>'}",
        f"sender {mail.sender or '<>'}",
        f"machine {mail.machine or mail.presumed or '-'}",
        f"quoted {left_out.quoted} signature {left_out.signature} footer {left_out.footer}",
        f"gives {'; '.join(list_commands(mail)) or '-'}",
        *(f"{number} {text}".rstrip(" ") for number, text in mail.lines),
    ]


def list_commands(mail: Incoming) -> list[str]:
    """Return the commands of a mail: filed orders, other commands as typed, refusals."""
    if mail.machine or mail.presumed:
        return []
    found = []
    sheet = read_sheet(mail.lines)
    for command in sheet.commands:
        if isinstance(command, GiveOrders):
            for line in TABLE.read_orders(command.lines, "India", {}).lines:
                found += line.filed
                found += [f"!{line.complaint.reason.code}"] if line.complaint else []
        else:
            found.append(command.text)
    return found + [f"!{complaint.reason.code}" for complaint in sheet.complaints]


@pytest.mark.parametrize("path, line_end", list(product(CORPUS, (b"\r\n", b"\n"))))
def test_the_lines_that_count_are_found(path: Path, line_end: bytes) -> None:
    expected = path.with_suffix(".lines").read_text(encoding="utf-8").removesuffix("\n").split("\n")
    envelope = expected[0].removeprefix("envelope ").removeprefix("<>")
    raw = path.read_bytes().replace(b"\n", line_end)
    mail = read_mail(StoredMail(7, NOW, envelope, ("judge@example.org",), raw), OURS)
    assert format_mail(mail, envelope) == expected


def test_the_corpus_is_complete() -> None:
    assert len(CORPUS) >= 80
