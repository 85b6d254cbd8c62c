"""The draw accepted by all voters, where it may exclude survivors."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.play.votes import common_draw

POWERS = "AEFGI"

CASES = [
    # The columns are the votes (voter: powers named), the draw and the reason.
    ({"A": "AE", "E": "AE"}, "AE", "two for themselves"),
    ({"A": "AE", "E": "EF", "F": "AEF"}, "", "Austria names nobody that all can share with"),
    ({"A": "AEF", "E": "AE", "F": "AE"}, "AE", "France leaves itself out"),
    ({"A": "AEF", "E": "AEF", "F": "AE"}, "AEF", "but shares where the others let it"),
    ({"A": "AEF", "E": "AE", "F": "AEF"}, "", "France insists on a part, England leaves it none"),
    ({"A": "E", "E": "E"}, "", "one alone is no draw"),
    ({"A": "AEFGI", "E": "AEFGI"}, "AEFGI", "powers that do not vote may share"),
]


@pytest.mark.parametrize("votes, draw, why", CASES, ids=[case[2] for case in CASES])
def test_the_largest_accepted_draw_counts(votes: dict[str, str], draw: str, why: str) -> None:
    named = {voter: frozenset(names) for voter, names in votes.items()}
    assert "".join(common_draw(POWERS, named)) == draw


def accepts(voter: str, names: frozenset[str], draw: frozenset[str]) -> bool:
    """Return whether a vote accepts a draw, by the wording of the rule."""
    if voter in names:
        return draw <= names and voter in draw
    return draw <= names | {voter}


@given(
    st.dictionaries(
        st.sampled_from(POWERS), st.frozensets(st.sampled_from(POWERS), min_size=1), min_size=1
    )
)
def test_no_larger_draw_would_be_accepted_by_all(votes: dict[str, frozenset[str]]) -> None:
    accepted = [
        frozenset(draw)
        for size in range(2, len(POWERS) + 1)
        for draw in combinations(POWERS, size)
        if all(accepts(voter, names, frozenset(draw)) for voter, names in votes.items())
    ]
    assert frozenset(common_draw(POWERS, votes)) == max(accepted, key=len, default=frozenset())
