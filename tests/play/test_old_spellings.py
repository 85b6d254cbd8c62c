"""Spellings of older judges work, or are answered with their equivalent."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.phrases import phrasebook
from judge.play.choices.legacy_settings import legacy_answer, spellings, translate_setting
from tests.journeys.rig import Rig, squeeze_text, text_of

NAMES = ("gm", "ann", "bob", "ola", "new", "ind")
GM, ANN, BOB, OLA, NEW, IND = (f"{name}@example.org" for name in NAMES)
WHO = {
    "M": (GM, "SIGNON Mmarco gmsecret"), "F": (GM, "SIGNON Mpolo gmsecret"),
    "A": (ANN, "SIGNON Fmarco annsecret"), "A2": (BOB, "SIGNON Emarco bobsecret"),
    "O": (OLA, "SIGNON Omarco olasecret"), "I": (IND, "SIGNON Iurumchi indsecret"),
    "ann": (ANN, ""), "new": (NEW, ""),
}


class Spelling(NamedTuple):
    """A row: the sender, the lines and the expected words of the reply."""

    who: str
    lines: str
    answer: str


def rows() -> list[Spelling]:
    """Return the rows of the table."""
    text = (Path(__file__).parent / "old-spellings.tsv").read_text("utf-8")
    kept = [line for line in text.splitlines() if not line.startswith("#")][1:]
    return [Spelling(*line.split("\t")) for line in kept]


IN_SMALL_LETTERS = {
    "NAME Ann of Aix": "Send instead: NAME",
    "PRESS TO +GM|Hello|ENDPRESS": "PRESS TO G M for both",
}
"""Line → suggestion in the reply, for lines with another meaning in lower case."""


def open_rig() -> Rig:
    """A running game with a vacant power, one before its start, and one with India."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN marco bobsecret\nSET PREFERENCE E")
    made.mail(OLA, "OBSERVE marco olasecret")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.mail(GM, "CREATE ?urumchi gmsecret youngstown")
    made.mail(IND, "JOIN urumchi indsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Murumchi gmsecret\nSTART")
    made.mail(GM, "CREATE ?polo gmsecret youngstown\nSET MANUAL START")
    return made


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    made = open_rig()
    yield made
    made.close()


def answers(rig: Rig, who: str, lines: str) -> str:
    """Return the text of all letters after the lines of a sender."""
    sender, seat = WHO[who]
    rig.boxes.clear()
    rig.mail(sender, "\n".join([seat, *lines.split("|")]))
    return " ".join(squeeze_text(text_of(letter)) for box in rig.boxes.values() for letter in box)


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.lines)
@pytest.mark.slow
def test_a_line_of_older_judges_is_understood(rig: Rig, row: Spelling) -> None:
    told = answers(rig, row.who, row.lines)
    assert row.answer in told
    assert 'There is no setting "' not in told


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.lines)
def test_old_spellings_tolerate_blanks_and_case(rig: Rig, row: Spelling) -> None:
    told = answers(rig, row.who, row.lines.lower().replace(" ", "  ").replace("|", " |"))
    answer = IN_SMALL_LETTERS.get(row.lines, row.answer)
    assert answer.casefold() in told.casefold()
    assert 'There is no setting "' not in told


@pytest.mark.parametrize("line", list(spellings()))
def test_a_setting_of_older_judges_has_a_counterpart(line: str) -> None:
    words = line.removeprefix("NO ").split()
    found, off = legacy_answer(words), line.startswith("NO ")
    here = translate_setting(words, off)
    assert (found is None) == (here != (tuple(words), off))
    for language in ("", "de"):
        assert found is None or phrasebook("", language).render(found.reason)


def test_a_bare_password_is_not_repeated(rig: Rig) -> None:
    for line in ("PASSWORD bluewhale7", "my new password: bluewhale7 x", "Passwort bluewhale7!"):
        assert "bluewhale7" not in answers(rig, "A", line)
        assert "bluewhale7" not in answers(rig, "ann", line)
