"""Unreadable lines are answered with a valid example."""

import pytest

from judge.games import find_system
from judge.games.yorktown.rules.state import dump
from judge.games.yorktown.views.moments import POWERS
from judge.model.incoming import Line
from judge.phrases import phrasebook
from tests.games.yorktown.test_reading import position, read

UNITS = (
    "FA INF 3 1520", "FA INF 4 1814", "FA ART 1 1719", "FA PIO 1 1421", "FA CMD 1 1520 with INF 3",
    "AP INF 9 1815", "AP ART 1 1512", "AP FRIG 1 1508 1608", "AP INF 1 1612 with CMD 1",
)


@pytest.mark.parametrize(("moment", "side", "line", "begins"), [
    ("FA6M", "FA", "INF 3 dances in 1519 facing NE", "INF 3 to 1519 face NE"),
    ("FA6M", "FA", "INF 3 dances", "INF 3 to "),
    ("FA6M", "FA", "P1 dances to 1420", "PIO 1 to 1420"),
    ("FA6M", "FA", "losses INF 3 first", "losses INF 3"),
    ("FA6M", "FA", "INF 3 does not march to 1519", "INF 3 holds"),
    ("FA6M", "FA", "INF 4 wildly, advance", "attack 1815 with INF 4 advance INF 4"),
    ("FA6M", "FA", "INF 3 slyly retreats N", "retreat INF 3 to "),
    ("AP6F", "AP", "Charon: fire 1719 x2", "FRIG 1: fire 1719"),
    ("AP6F", "AP", "Fire at 1406", "ART 1 fires at "),
    ("FA6F", "FA", "ATR 1 fires at 1512", "ART 1 fires at 1512"),
    ("FA6M", "FA", "INF 4 attacks wildly", "attack 1815 with INF 4"),
    ("FA6M", "FA", "INF 5 dances", "INF 5 enters 1"),
    ("FA6M", "FA", "INF 21 dances", "INF 21 enters 0118"),
    ("FA6F", "FA", "ART 1 fires at the frigate", "ART 1 fires at "),
    ("FA6M", "FA", "ART 1 dances", "ART 1 to "),
    ("AP6M", "AP", "FRIG 1 dances", "FRIG 1: F2"),
    ("AP6M", "AP", "INF 9 dances", "INF 9 to "),
    ("AP0S", "AP", "INF 9 dances in 1512", "INF 9 at "),
    ("FA0S", "FA", "INF 14 dances in 1404", "INF 14 at 1404"),
])
def test_example_for_an_unread_line_is_valid(
    moment: str, side: str, line: str, begins: str
) -> None:
    found = position(moment, *(UNITS if "S" not in moment else ()))
    table = find_system("yorktown").table("yorktown", dump(found), {})
    power = POWERS[side]
    (told,) = table.read_orders([Line(1, line)], power, {}).lines
    assert told.complaint and told.complaint.reason.code == "ye01"
    example = str(told.complaint.reason.facts["example"])
    assert example.startswith(begins)
    assert phrasebook("yorktown").render(told.complaint.reason).endswith(f"works: {example}")
    (again,) = table.read_orders([Line(1, example)], power, {}).lines
    assert again.filed and not again.complaint, (example, again)


@pytest.mark.parametrize(("moment", "side", "line", "code"), [
    ("FA6M", "FA", "INF 3 dances in 1815", "ye01-none"),
    ("FA6M", "FA", "INF 3 attacks wildly", "ye01-no-attack"),
    ("AP6M", "AP", "Charon dances", "ye01-aground"),
    ("FA6F", "FA", "ART 2 fires wildly", "ye01-no-fire"),
])
def test_unread_line_without_example_has_the_reason(
    moment: str, side: str, line: str, code: str
) -> None:
    units = ("FA INF 3 1520", "AP INF 9 1815", "FA ART 2 0124", "AP FRIG 1 1508 1608 aground")
    told = read(position(moment, *units), side, line).verdicts[0]
    assert told.complaint and told.complaint.reason.code == code
