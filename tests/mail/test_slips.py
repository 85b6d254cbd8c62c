"""Mistyped mails: the result of each row of `slips.tsv`."""

from pathlib import Path

import pytest

from tests.language import read_sheet
from tests.mail.test_sheet import format_sheet, mail_of

ROWS = [
    tuple((row + "\t").split("\t")[:2])
    for row in Path(__file__).with_name("slips.tsv").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize(("typed", "expected"), ROWS)
def test_mistyped_mail_is_read_or_reported(typed: str, expected: str) -> None:
    made = format_sheet(read_sheet(mail_of(typed)))
    assert made.replace("\n", "\\n").replace("\t", "\\t") == expected
