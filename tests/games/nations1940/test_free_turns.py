"""Turns in free wording: the effect of each line of forty mails."""

from pathlib import Path

import pytest

from judge.games.nations1940.language.verdicts import NationsVerdict
from tests.games.nations1940.test_reading import read
from tests.games.nations1940.test_rules import rules

_TABLE = Path(__file__).with_name("free-turns.txt")
_BASE = (
    "#46 improvements=ACA", "NAP EGY OTT", "WAR EGY SIC", "#49 armies=GER:1 improvements=ACA,AIR",
    "WAR GER BUR",
)  # fmt: skip
_QUIET = ("w-neutral", "w-odds", "w-undefended", "w-pass", "w-fallout", "w-give")
"""Notes about an order that is filed nevertheless."""


def _turns() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return nation and lines of each turn: the text and its effect."""
    found: list[tuple[str, list[tuple[str, str]]]] = []
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("TURN "):
            found.append((line[5:], []))
        elif not line.startswith("# "):
            text, _, does = line.rpartition(" => ")
            found[-1][1].append((text, does))
    return found


def _outcome(verdict: NationsVerdict) -> str:
    notes = [note.code for note in verdict.notes if note.code not in _QUIET]
    refused = [one.reason.code for one in verdict.complaints]
    talk = ["talk"] if verdict.ignored else []
    return " | ".join([*verdict.filed, *notes, *refused, *talk]) or "-"


@rules("N-150", "N-152", "N-155", "N-156", "N-157")
@pytest.mark.parametrize("number", range(len(_turns())))
def test_free_turn_lines_have_their_listed_effects(number: int) -> None:
    nation, lines = _turns()[number]
    reading = read(*(text for text, _ in lines), nation=nation, lines=_BASE)
    found = [(text, _outcome(one)) for (text, _), one in zip(lines, reading.verdicts, strict=True)]
    assert found == lines


def test_table_is_long_enough() -> None:
    lines = [line for _, turn in _turns() for line in turn]
    assert len(_turns()) >= 40 and len(lines) >= 150


@rules("N-157")
def test_a_suggested_form_is_a_valid_order() -> None:
    for verb in ("MOVE", "BUILD", "RESEARCH", "FLEET"):
        refused = read("ORDERS", verb, nation="EGY", lines=_BASE).verdicts[1].complaint
        assert refused and refused.reason.code == "e-syntax-form", verb
        example = str(refused.reason.facts["form"])
        assert read(example, nation="EGY", lines=_BASE).verdicts[0].filed, example


def test_a_line_without_a_nation_gets_no_suggestion() -> None:
    for verb in ("TREATY", "GIVE", "DEAL", "WAR"):
        refused = read("ORDERS", verb, nation="EGY", lines=_BASE).verdicts[1].complaint
        assert refused and refused.reason.code == "e-syntax-plain" and not refused.suggestions


@rules("N-97", "N-156")
def test_an_order_that_depends_on_a_refused_move_is_refused() -> None:
    lines = ("MOVE 2 Wallachia -> Poland", "BUILD HQ #36")
    codes = [
        one.complaint.reason.code
        for one in read(*lines, nation="DAN", lines=_BASE).verdicts if one.complaint
    ]
    assert codes == ["e-adj", "e-army-hq"]
