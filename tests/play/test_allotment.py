"""Who gets which power at the start."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from judge.play.clocks.phases import cheapest
from judge.play.people.wishes import rank

COSTS = st.integers(1, 5).flatmap(
    lambda rows: st.lists(
        st.lists(st.integers(0, 9), min_size=5, max_size=5), min_size=rows, max_size=rows
    )
)


@given(COSTS)
def test_the_sum_of_ranks_is_the_least_there_is(costs: list[list[int]]) -> None:
    found = cheapest(costs, 5)
    assert len(set(found)) == len(costs)
    best = min(
        sum(row[place] for row, place in zip(costs, places))
        for places in permutations(range(5), len(costs))
    )
    assert sum(row[place] for row, place in zip(costs, found)) == best


def test_wishes_are_ranked_as_they_are_written() -> None:
    assert [rank("NFR", letter, 10) for letter in "NFRT"] == [0, 1, 2, 10]
    assert [rank("[nf]r", letter, 10) for letter in "NFRT"] == [0, 0, 1, 10]
    assert [rank("", letter, 10) for letter in "NF"] == [0, 0]
    assert [rank("*", letter, 10) for letter in "NF"] == [0, 0]
