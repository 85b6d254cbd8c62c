"""Lines that withdraw orders on file."""

from dataclasses import replace

import pytest

from judge.dice import Dice
from judge.games import find_system
from judge.games.yorktown.rules.state import dump, load
from judge.games.yorktown.views.moments import POWERS
from judge.model.incoming import Line
from tests.games.yorktown.test_reading import moment, position, read

SHEET = (
    "ART 2 fires at 1116",
    "INF 3: 1619\nART 2: 1718\nattack 1116 with INF 12\n"
    "attack 1316 with INF 11, INF 9 advance INF 9\nCMD 1 with INF 3\n"
    "retreat INF 4 to 1917\nretreat all S\nhit CMD 1 leave INF 3\nlosses INF 12",
)


@pytest.mark.parametrize(("line", "gone"), [
    ("cancel INF 12", ["attack 1116 with INF 12"]),
    ("cancel attack 1116", ["attack 1116 with INF 12"]),
    ("cancel the attack on 1116", ["attack 1116 with INF 12"]),
    ("cancel attack 1116 with INF 12", ["attack 1116 with INF 12"]),
    ("cancel retreat INF 4", ["retreat INF 4 to 1917"]),
    ("cancel the retreat of Hamilton", ["retreat INF 4 to 1917"]),
    ("cancel retreat all", ["retreat all S"]),
    ("cancel hit CMD 1", ["hit CMD 1 leave INF 3"]),
    ("cancel losses", ["losses INF 12"]),
    ("cancel ART 2's shot", ["ART 2 fires at 1116"]),
    ("cancel Bauman's move", ["ART 2: 1718"]),
    ("cancel ART 2", ["ART 2 fires at 1116", "ART 2: 1718"]),
    ("cancel INF 3: 1619", ["INF 3: 1619"]),
    ("cancel Barber to 1619", ["INF 3: 1619"]),
    ("cancel all attacks", ["attack 1116 with INF 12",
                            "attack 1316 with INF 11, INF 9 advance INF 9"]),
    ("cancel all my shots", ["ART 2 fires at 1116"]),
    ("cancel Washington's orders", ["CMD 1 with INF 3", "hit CMD 1 leave INF 3"]),
])
def test_line_withdraws_orders(line: str, gone: list[str]) -> None:
    found = position("FA6F", "FA INF 3 1620", "FA INF 4 1720", "FA INF 12 1217", "FA ART 2 1719")
    sheets = {moment("FA6F"): SHEET[0], moment("FA6M"): SHEET[1]}
    filed = read(found, "FA", line, sheets=sheets)
    assert sorted(filed.verdicts[0].withdrawn) == sorted(gone)
    left = "\n".join({**sheets, **filed.sheets}.values()).splitlines()
    assert sorted(filter(None, left)) == sorted({*"\n".join(SHEET).splitlines()} - {*gone})


def test_unit_is_removed_from_an_attack_of_several() -> None:
    found, now = position("FA6M", "FA INF 3 1620"), moment("FA6M")
    filed = read(found, "FA", "cancel INF 9", "done", sheets={now: SHEET[1]})
    verdict = filed.verdicts[0]
    assert verdict.withdrawn == ("attack 1316 with INF 11, INF 9 advance INF 9",)
    assert verdict.filed == ("attack 1316 with INF 11",)
    assert "attack 1316 with INF 11" in filed.sheets[now].splitlines()
    assert "INF 3: 1619" in filed.sheets[now]


@pytest.mark.parametrize("line", ["cancel attack 1511", "cancel INF 8", "cancel retreat INF 3"])
def test_order_that_is_not_on_file_is_named(line: str) -> None:
    sheets = {moment("FA6M"): SHEET[1]}
    found = position("FA6M", "FA INF 3 1620")
    (verdict,) = read(found, "FA", line, sheets=sheets).verdicts
    assert ([note.code for note in verdict.notes], verdict.complaint) == (["withdraw-none"], None)


@pytest.mark.parametrize(("line", "gone"), [
    ("cancel retreat INF 4", "retreat INF 4 to 1917"),
    ("cancel retreat INF 4 to 1917", "retreat INF 4 to 1917"),
    ("retreat INF 4 none", "retreat INF 4 to 1917"),
    ("cancel retreat all", "retreat all S"),
    ("cancel losses", "losses INF 3"),
    ("cancel hit CMD 1", "hit CMD 1 leave INF 3"),
])
def test_standing_order_is_withdrawn(line: str, gone: str) -> None:
    standing = ("retreat INF 4 to 1917", "retreat all S", "losses INF 3", "hit CMD 1 leave INF 3")
    found = replace(position("FA6M", "FA INF 3 1620", "FA INF 4 1720"), standing={"FA": standing})
    table = find_system("yorktown").table("yorktown", dump(found), {})
    read = table.read_orders([Line(1, line)], POWERS["FA"], {})
    assert not read.lines[0].complaint
    [piece] = [p for p in table.show_sheet(POWERS["FA"], read.sheets[POWERS["FA"]]).pieces
               if p.template == "in-force"]
    assert gone not in piece.facts
    after = load(table.adjudicate(read.sheets, Dice(bytes(range(32)), 1)).after)
    assert {*after.standing["FA"]} - {"hit CMD 1 stay"} == {*standing} - {gone}


@pytest.mark.parametrize(("line", "left"), [
    ("attack 1815 with INF 3", "attack 1815 with INF 3"),
    ("attack 1714 with INF 4", "attack 1815 with INF 3 advance INF 3\nattack 1714 with INF 4"),
])
def test_new_attack_replaces_the_old_one_with_a_note(line: str, left: str) -> None:
    old = "attack 1815 with INF 4, INF 3 advance INF 3"
    found = position("FA6M", "FA INF 3 1816", "FA INF 4 1715", "AP INF 9 1815", "AP INF 8 1714")
    told = read(found, "FA", "add", line, sheets={moment("FA6M"): old})
    assert told.sheets[moment("FA6M")] == left
    assert [order for v in told.verdicts for order in v.withdrawn] == [old]
