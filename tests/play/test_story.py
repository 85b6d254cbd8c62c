"""The story of a game, made from its score only."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.model.record import YearCounts
from judge.phrases import phrasebook
from judge.play.game_story import Points, describe_length, describe_year, survivors, turning_points

POWERS = ("Austria", "France", "Russia", "Turkey")
ROWS = [
    # The columns are the score before and after, the winner and the sentence.
    ((3, 3, 7, 3), (3, 3, 10, 3), "", "Russia gains three and leads with 10"),
    ((5, 9, 7, 3), (5, 9, 7, 6), "", "Turkey gains three; France leads with 9"),
    ((5, 5, 5, 5), (5, 5, 5, 5), "", "no one gains anything; several are level with 5"),
    ((5, 4, 4, 4), (4, 5, 5, 3), "",
     "France and Russia each gain one; France and Russia lead with 5"),
    ((1, 4, 12, 4), (0, 3, 18, 0), "Russia",
     "Russia gains six and wins with 18; Austria and Turkey are out"),
    ((3, 5, 5, 3), (4, 4, 6, 4), "",
     "Austria, Russia and Turkey each gain one; Russia leads with 6"),
    ((3, 3, 3, 3), (4, 4, 4, 4), "", "four powers gain one each; several are level with 4"),
    ((4, 4, 9, 4), (14, 4, 9, 4), "Russia", "Austria gains 10; Russia wins"),
]  # fmt: skip


def points(*rows: tuple[int, ...], winner: str = "") -> Points:
    years = tuple(YearCounts(str(1900 + at), counts) for at, counts in enumerate(rows))
    return Points(POWERS, years, winner)


@pytest.mark.parametrize("row", ROWS)
def test_a_year_is_one_sentence(row: tuple[tuple[int, ...], tuple[int, ...], str, str]) -> None:
    before, after, won, said = row
    told = describe_year(points(before, after, winner=won), 1, "1907")
    assert phrasebook("").render(told) == f"1907: {said}."


def test_turning_points_are_leads_losses_and_the_greatest_gain() -> None:
    told = points((3, 3, 4, 3), (3, 6, 4, 3), (3, 6, 8, 3), (0, 6, 13, 3))
    assert [phrasebook("").render(fact) for fact in turning_points(told)] == [
        "1901: France takes the lead, with 6.",
        "1902: Russia takes the lead, with 8.",
        "1903: Russia gains five, the largest gain in one year.",
        "1903: Austria is out of the game.",
    ]
    left = survivors(told)
    assert (
        left and phrasebook("").render(left) == "Left at the end: Russia 13, France 6 and Turkey 3."
    )


@pytest.mark.parametrize(
    ("rows", "records"),
    [
        (((3, 3, 4, 3), (6, 3, 4, 3), (6, 3, 4, 6)), 0),
        (((3, 3, 4, 3), (6, 6, 4, 3)), 0),
        (((3, 3, 4, 3), (6, 3, 4, 3), (6, 3, 4, 5)), 1),
        (((3, 3, 4, 3), (5, 3, 4, 3)), 0),
    ],
)
def test_shared_record_is_omitted(rows: tuple[tuple[int, ...], ...], records: int) -> None:
    found = [fact for fact in turning_points(points(*rows)) if fact.code == "point-gain"]
    assert len(found) == records


def test_a_game_without_a_score_has_only_a_length() -> None:
    assert survivors(Points(POWERS, ())) is None and turning_points(Points(POWERS, ())) == ()
    assert phrasebook("").render(describe_length(0, 1, timedelta())) == "1 phase in 1 minute."


@pytest.mark.parametrize(
    ("minutes", "told"),
    [(12, "12 minutes"), (119, "119 minutes"), (25 * 60, "25 hours"), (3000, "2 days")],
)
def test_length_is_in_the_unit_that_fits(minutes: int, told: str) -> None:
    length = describe_length(4, 19, timedelta(minutes=minutes))
    assert phrasebook("").render(length) == f"4 complete game years, 19 phases, played in {told}."


@given(st.lists(st.tuples(*[st.integers(0, 20)] * 4), min_size=2, max_size=12))
def test_every_year_has_a_sentence_for_any_score(rows: list[tuple[int, ...]]) -> None:
    told = points(*rows)
    for book in (phrasebook(""), phrasebook("", "de")):
        for at in range(1, len(rows)):
            assert "{" not in book.render(describe_year(told, at, "1907"))
        found = [book.render(fact) for fact in turning_points(told)]
        assert len(found) <= 6 and len(found) == len({*found})
