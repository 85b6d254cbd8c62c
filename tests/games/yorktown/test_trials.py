"""Conditions of a `done`, and the place of corrected lines."""

from collections.abc import Mapping

import pytest

from judge.games import find_system
from judge.games.system import OrdersRead
from judge.games.yorktown.language.sheets import without_gaps
from judge.games.yorktown.rules.state import dump
from judge.games.yorktown.table import YorktownTable
from judge.games.yorktown.views.moments import POWERS
from judge.games.yorktown.views.report import StepReport
from judge.model.incoming import Line
from tests.games.yorktown.test_reading import position

FA, AP = POWERS["FA"], POWERS["AP"]
FRONT = ("FA INF 3 1715", "FA INF 4 1716", "FA INF 7 1717", "FA ART 1 1718", "AP INF 9 1513")


def table(label: str, *units: str) -> YorktownTable:
    """Return a table at a position."""
    found = find_system("yorktown").table("yorktown", dump(position(label, *units)), {})
    assert isinstance(found, YorktownTable)
    return found


def send(found: YorktownTable, power: str, lines: list[str], on_file: str = "") -> OrdersRead:
    """Return the result of a mail with these lines."""
    sheets: Mapping[str, str] = {power: on_file} if on_file else {}
    return found.read_orders([Line(n, line) for n, line in enumerate(lines, 1)], power, sheets)


def complaints(read: OrdersRead) -> list[str]:
    """Return the codes of the complaints of a mail."""
    return [line.complaint.reason.code for line in read.lines if line.complaint]


@pytest.mark.parametrize(("label", "lines", "held"), [
    ("FA6M", ["INF 3: 1615", "done"], []),
    ("FA6M", ["INF 3: 1716", "INF 4: 1816", "done"], ["done-held-trial"]),
    ("FA6M", ["INF 4: 1816", "INF 3: 1716", "done"], []),
    ("FA6M", ["attack 1513 with INF 3", "done"], ["done-held-trial"]),
    ("FA6F", ["ART 1 fires at 1513", "ART 1: 1719", "done"], ["done-held-trial"]),
    ("FA6F", ["ART 1 fires at 1513", "INF 3: 1615", "done"], []),
    ("FA6F", ["ART 1 fires at 1513", "INF 3: 1716", "done fire"], []),
])
def test_y92_done_waits_for_the_trial(label: str, lines: list[str], held: list[str]) -> None:
    read = send(table(label, *FRONT), FA, lines)
    assert complaints(read) == held
    assert ("done" in read.sheets[FA].splitlines()) is not held or label == "FA6F"


def test_y92_done_alone_plays_in_spite_of_a_failed_trial() -> None:
    found = table("FA6M", *FRONT)
    read = send(found, FA, ["INF 3: 1716", "INF 4: 1816", "done"])
    again = send(found, FA, ["done"], read.sheets[FA])
    assert complaints(again) == [] and again.sheets[FA].endswith("done")


@pytest.mark.parametrize(("word", "is_final"), [("done", False), ("done fire", True)])
def test_y92_done_for_both_steps_waits_if_the_move_fails(word: str, is_final: bool) -> None:
    lines = ["ART 1 fires at 1513", "INF 3: 1716", "INF 4: 1816", word]
    read = send(table("FA6F", *FRONT), FA, lines)
    assert read.sheets[FA] == (
        f"@FA6F\nART 1 fires at 1513\n{'done' * is_final}\n@FA6M\nINF 3: 1716\nINF 4: 1816"
    ).replace("\n\n", "\n")
    assert complaints(read) == ["done-held-trial"] * (not is_final)


def test_y92_only_the_done_of_the_failing_step_waits() -> None:
    lines = ["ART 1 fires at 1513", "done fire", "INF 3: 1716", "INF 4: 1816", "done move"]
    read = send(table("FA6F", *FRONT), FA, lines)
    assert complaints(read) == ["done-held-trial"]
    assert read.sheets[FA].splitlines().count("done") == 1


@pytest.mark.parametrize("line", ["cancel INF 7", "retreat all S", "add\nINF 7 face N"])
def test_y92_done_next_to_any_change_waits_for_the_trial(line: str) -> None:
    """Orders on file fail, and the mail does not correct them."""
    found = table("FA6M", *FRONT)
    read = send(found, FA, ["INF 3: 1716", "INF 4: 1816", "INF 7: 1617"])
    again = send(found, FA, [*line.splitlines(), "done"], read.sheets[FA])
    assert complaints(again) == ["done-held-trial"]
    assert "done" not in again.sheets[FA].splitlines()


@pytest.mark.parametrize(("first", "then", "sheet"), [
    (["INF 4: 1616", "INF 3: 9999", "INF 7: 1617"], ["INF 3: 1716"],
     ["INF 4: 1616", "INF 3: 1716", "INF 7: 1617"]),
    (["INF 77: 1817", "INF 7: 1617"], ["INF 4: 1616"], ["INF 4: 1616", "INF 7: 1617"]),
    (["INF 3: 1716", "INF 4: 1616"], ["INF 3: 1615"], ["INF 3: 1615", "INF 4: 1616"]),
    (["INF 4 dances", "INF 3: 1716"], ["INF 4: 1816"], ["INF 4: 1816", "INF 3: 1716"]),
    (["attack 1514 with INF 3", "INF 7: 1617"], ["attack 1513 with INF 3"],
     ["attack 1513 with INF 3", "INF 7: 1617"]),
    (["INF 3: 1615"], ["INF 4: 1616"], ["INF 3: 1615", "INF 4: 1616"]),
])
def test_y90_corrected_line_replaces_the_refused_one_in_place(
    first: list[str], then: list[str], sheet: list[str]
) -> None:
    found = table("FA6M", *FRONT)
    read = send(found, FA, first)
    again = send(found, FA, ["add", *then], read.sheets[FA])
    assert without_gaps(again.sheets[FA]).splitlines()[1:] == sheet


def test_y92_both_steps_of_one_mail_are_tried() -> None:
    found = table("FA6F", *FRONT)
    read = send(found, FA, ["ART 1 fires at 1513", "INF 3: 1615"])
    (trial,) = [p for p in found.show_sheet(FA, read.sheets[FA]).pieces if p.template == "trial"]
    siege = trial.facts
    assert isinstance(siege, StepReport)
    codes = [line.told.code for section in siege.sections for line in section.lines]
    assert "aim" in codes and "moved" in codes


def test_places_of_refused_lines_are_not_published() -> None:
    found = table("FA6M", *FRONT)
    read = send(found, FA, ["INF 3: 9999", "INF 7: 1617"])
    assert "?" in read.sheets[FA]
    assert found.select_public_orders(read.sheets) == {FA: "@FA6M\nINF 7: 1617"}
    assert all("?" not in line for line in found.show_sheet(FA, read.sheets[FA]).lines)
