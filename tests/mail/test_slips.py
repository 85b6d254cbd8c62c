"""Mistyped mails: what is made of each row of `sheets.tsv` with a slip in it, as `slips.tsv` says.

Nothing in how commands are read, guessed at and complained of changes unseen. With WRITE_SLIPS=1 in
the environment the table is written anew; read what changed before it is committed.
"""

import os
from pathlib import Path
from random import Random

from slips import mistype

from tests.language import read_sheet
from tests.mail.test_sheet import ROWS, mail_of, told

FILE = Path(__file__).with_name("slips.tsv")
SLIPS = 2


def test_of_a_mistyped_mail_is_made_what_the_table_says() -> None:
    found = []
    for text, *_ in ROWS:
        # A row more or less changes no other.
        rng = Random(text)
        for _ in range(SLIPS):
            typed = mistype(text, rng, 1)
            made = told(read_sheet(mail_of(typed))).replace("\n", "\\n").replace("\t", "\\t")
            found.append(f"{typed}\t{made}".rstrip())
    if os.environ.get("WRITE_SLIPS"):
        FILE.write_text("\n".join([*found, ""]), "utf-8")
    for now, was in zip(found, FILE.read_text("utf-8").splitlines(), strict=True):
        assert now == was
