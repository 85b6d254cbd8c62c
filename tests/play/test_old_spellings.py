"""Each spelling of the old judges works, or is answered with what does the same here."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.phrases import phrasebook
from judge.play.choices.oldspellings import answered, said_here, spellings
from tests.journeys.rig import Rig, squeezed, text_of
from tests.rows import every

GM, ANN, BOB, OLA, NEW = (f"{name}@example.org" for name in ("gm", "ann", "bob", "ola", "new"))
WHO = {
    "M": (GM, "SIGNON Mmarco gmsecret"), "F": (GM, "SIGNON Mpolo gmsecret"),
    "A": (ANN, "SIGNON Fmarco annsecret"), "A2": (BOB, "SIGNON Emarco bobsecret"),
    "O": (OLA, "SIGNON Omarco olasecret"), "ann": (ANN, ""), "new": (NEW, ""),
}


class Spelling(NamedTuple):
    """A row: who sends which lines, and what the answer says."""

    who: str
    lines: str
    answer: str


def rows() -> list[Spelling]:
    """Return the rows of the table."""
    text = (Path(__file__).parent / "old-spellings.tsv").read_text("utf-8")
    kept = [line for line in text.splitlines() if not line.startswith("#")][1:]
    return [Spelling(*line.split("\t")) for line in kept]


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    """A game that goes on, with a vacant power, and one that forms."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN marco bobsecret\nSET PREFERENCE E")
    made.mail(OLA, "OBSERVE marco olasecret")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.mail(GM, "CREATE ?polo gmsecret youngstown\nSET MANUAL START")
    yield made
    made.close()


@every("row", rows, ids=lambda row: row.lines)
def test_a_line_of_the_old_judges_is_understood(rig: Rig, row: Spelling) -> None:
    sender, seat = WHO[row.who]
    rig.boxes.clear()
    rig.mail(sender, "\n".join([seat, *row.lines.split("|")]))
    told = " ".join(squeezed(text_of(letter)) for box in rig.boxes.values() for letter in box)
    assert row.answer in told
    assert "There is no setting" not in told


@every("line", spellings)
def test_a_setting_of_the_old_judges_has_its_like_or_an_answer(line: str) -> None:
    words = line.removeprefix("NO ").split()
    found, off = answered(words), line.startswith("NO ")
    here = said_here(words, off)
    assert (found is None) == (here != (tuple(words), off))
    for language in ("", "de"):
        assert found is None or phrasebook("", language).say(found.reason)
