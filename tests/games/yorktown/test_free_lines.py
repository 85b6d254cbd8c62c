"""Order lines in free wording: a table of lines and their results."""

from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.yorktown.test_reading import position, read

TABLE = Path(__file__).with_name("lines.txt")
MIN_LINES = 100


class FreeLine(NamedTuple):
    """A line of the table, with its scene and its result."""

    scene: str
    line: str
    result: str


def free_lines() -> list[FreeLine]:
    """Return the lines of the table."""
    found, scene = [], ""
    for text in TABLE.read_text(encoding="utf-8").splitlines():
        if text.startswith("@ "):
            scene = text[2:]
        elif text and not text.startswith("#"):
            line, _, result = text.partition(" => ")
            found.append(FreeLine(scene, line, result))
    return found


def outcome(row: FreeLine) -> str:
    """Return the result of a line in the notation of the table."""
    moment, *units = [part.strip() for part in row.scene.split(";")]
    label, side = moment.split()
    told = read(position(label, *filter(None, units)), side, row.line).verdicts
    filed = [text for verdict in told for text in verdict.filed]
    refused = [f"! {v.complaint.reason.code}" for v in told if v.complaint]
    notes = [f"? {note.code}" for v in told for note in v.notes if not v.filed]
    cut = ["(cut)" for v in told for note in v.notes if note.code == "path-cut"]
    return "; ".join([*filed, *cut, *refused, *notes]) or "ignored"


@pytest.mark.parametrize("row", list(free_lines()))
def test_free_line_has_its_listed_result(row: FreeLine) -> None:
    assert outcome(row) == row.result


@pytest.mark.parametrize(("moment", "line", "lines"), [
    ("AP6M", "Jaegers withdraw to 1613", ("retreat INF 25 to 1613", "INF 25 to 1613")),
    ("AP6F", "INF 25 falls back to 1613", ("retreat INF 25 to 1613", "INF 25 to 1613")),
    ("AP6M", "INF 25 retreats to 3010", ("retreat INF 25 to 3010",)),
    ("AP6M", "retreat INF 25 to 1613", ()),
    ("FA6M", "Jaegers withdraw to 1613", ()),
])
def test_free_retreat_is_refused_where_units_march(
    moment: str, line: str, lines: tuple[str, ...]
) -> None:
    found = position(moment, "AP INF 25 1512")
    told = read(found, "AP", line).verdicts[0]
    if not lines:
        assert (told.filed, told.complaint) == (("retreat INF 25 to 1613",), None)
        return
    assert told.complaint and told.complaint.reason.code == "retreat-or-march"
    assert told.complaint.suggestions == lines
    assert all(read(found, "AP", each).verdicts[0].filed for each in lines)


def test_table_of_free_lines_is_long_enough() -> None:
    lines = [row.line for row in free_lines()]
    assert len({*lines}) == len(lines) >= MIN_LINES
    assert not [row.line for row in free_lines() if row.result == "ignored"]


SUBJECTS = ["INF 3", "Infantry 7", "Wayne", "the artillery", "WASHINGTON", "INF 3-4", "PIO 1"]
VERBS = ["to", "marches to", "dances in", "will attack", "shoots", "-", "storms", "joins", "moves"]
OBJECTS = ["1819", "1815", "INF 7", "the hornwork 1613", "1820 face W", "1819, 1820"]


@given(st.sampled_from(SUBJECTS), st.sampled_from(VERBS), st.sampled_from(OBJECTS))
def test_line_that_names_a_unit_is_never_prose(subject: str, verb: str, place: str) -> None:
    found = position("FA6M", "FA INF 3 1620", "FA INF 7 1820", "AP INF 8 1815")
    told = read(found, "FA", f"{subject} {verb} {place}").verdicts
    assert told and not any(verdict.ignored for verdict in told)


def test_path_is_found_behind_the_moves_of_earlier_lines() -> None:
    found = position("FA6M", "FA INF 3 1620", "FA INF 4 1520")
    filed = read(found, "FA", "INF 3 to 1617", "INF 4 to 1620")
    assert [v.filed for v in filed.verdicts] == [
        ("INF 3: 1619-1618-1617",), ("INF 4: 1620",),
    ]


if __name__ == "__main__":
    seen = ""
    for each in free_lines():
        if each.scene != seen:
            seen = each.scene
            print(f"@ {seen}")
        print(f"{each.line} => {outcome(each)}")
