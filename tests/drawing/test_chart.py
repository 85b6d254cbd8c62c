"""The chart of a score."""

from hypothesis import given
from hypothesis import strategies as st

from judge.drawing.chart import (
    HEIGHT,
    WIDTH,
    Chart,
    ChartLine,
    apart,
    chart_source,
    read_chart,
)
from judge.drawing.picture import Head
from judge.drawing.primitives import Path, Text
from judge.drawing.svg import sheet_svg

SIDES = [("Austria", "A", 0), ("<Évil> & Co", "E", 1), ("France", "F", 12)]
MANY = 12
"""Number of sides in the largest game."""


def chart(rows: list[tuple[int, ...]], goal: int = 0) -> Chart:
    lines = tuple(ChartLine(*side, tuple(row[at] for row in rows)) for at, side in enumerate(SIDES))
    years = tuple(str(1900 + at) for at, _ in enumerate(rows))
    return Chart(Head("<marco>", "Supply centres"), lines, years, goal, f"{goal} win")


@given(st.lists(st.tuples(*[st.integers(0, 37)] * 3), min_size=2, max_size=60))
def test_every_line_stays_in_the_picture_and_every_letter_apart(
    rows: list[tuple[int, ...]]
) -> None:
    found = chart(rows, 37)
    assert read_chart(chart_source(found)) == found
    _, lines, letters = found.layers()
    assert len(lines.inks) == len(letters.inks) / 2 == len(SIDES)
    ends = sorted(ink.y for ink in letters.inks if isinstance(ink, Text))
    assert all(lower - upper >= 17.9 for upper, lower in zip(ends, ends[1:]))
    assert 0 <= ends[0] and ends[-1] <= HEIGHT
    for at, one in enumerate(found.lines):
        for number, count in enumerate(one.counts):
            x, y = found._at(number, count)
            assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT, at


def test_letters_of_twelve_sides_stay_apart_on_the_chart() -> None:
    for y in (0.0, HEIGHT / 2, HEIGHT):
        ends = apart([y] * MANY)
        assert min(ends) >= 10 and max(ends) <= HEIGHT and len({*ends}) == MANY


def test_the_goal_is_drawn_as_a_line_if_there_is_one() -> None:
    for goal, many in ((0, 0), (18, 1)):
        ground = chart([(3, 3, 4), (3, 4, 5)], goal).layers()[0].inks
        assert len([ink for ink in ground if isinstance(ink, Path) and ink.dash]) == many


def test_names_are_escaped_and_the_chart_is_described() -> None:
    drawn = sheet_svg(chart([(3, 3, 4), (3, 4, 5)]).draw_page())
    assert "&lt;marco&gt;" in drawn and "<marco>" not in drawn
    assert "From 1900 to 1901; at the end Austria 3, &lt;Évil&gt; &amp; Co 4, France 5." in drawn
