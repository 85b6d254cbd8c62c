"""The chart of centres."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from judge.model.record import Year
from judge.site.pages import HEIGHT, WIDTH, chart

POWERS = [("Austria", "A", 0), ("<Évil> & Co", "E", 1), ("France", "F", 12)]


def test_less_than_two_years_make_no_chart() -> None:
    assert chart(POWERS, [Year("1900", (3, 3, 3))], "Supply centres") == ""


@given(st.lists(st.tuples(*[st.integers(0, 37)] * 3), min_size=2, max_size=60))
def test_every_line_stays_in_the_picture_and_every_letter_apart(
    counts: list[tuple[int, ...]]
) -> None:
    years = [Year(str(1900 + at), each) for at, each in enumerate(counts)]
    root = ElementTree.fromstring(chart(POWERS, years, "Supply centres"))
    lines = root.findall("polyline")
    assert len(lines) == len(POWERS)
    for line in lines:
        for point in line.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= WIDTH and 0 <= y <= HEIGHT
    ends = sorted(float(e.attrib["y"]) for e in root.findall("text") if "fill" in e.attrib)
    assert all(lower - upper >= 14.9 for upper, lower in zip(ends, ends[1:]))
