"""Random mails of all kinds: game and letters keep all invariants.

There are a few games here and many in `make test-all`.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.journeys.rehearsal import COMING, MASTERLY, PLAYERLY, WATCHING, Rehearsal

RULES = st.lists(
    st.sampled_from([
        "SET GUNBOAT", "SET BLIND", "SET HOLD", "SET GREY PRESS", "SET GM PLAYS", "SET HOUSE RULES",
        "SET PROXY", "SET NMR CD", "SET BUILDS ANY", "SET REVEAL PRESS", "SET TAKEOVER SEATED",
    ]),
    max_size=3, unique=True,
)
CHOICE = st.integers(0, 10**6)


def mails(names: tuple[str, ...], lines: tuple[str, ...]) -> st.SearchStrategy[object]:
    """Return mails of some senders with some of the given lines."""
    return st.tuples(
        st.sampled_from(names), st.lists(st.sampled_from(lines), min_size=1, max_size=3), CHOICE
    )


STEPS = st.one_of(
    mails(("gm", "gm", "max"), MASTERLY),
    mails(("ann", "bob", "carl"), PLAYERLY),
    mails(("gm", "ann"), MASTERLY + PLAYERLY),
    mails(("eve",), WATCHING),
    mails(("joe",), COMING),
    st.sampled_from([1, 12, 25, 73, 100]),
)
Script = list[int | tuple[str, list[str], int]]


def rehearse(rules: list[str], steps: Script) -> None:
    """Play a script. The rehearsal checks everything after each step."""
    rehearsal = Rehearsal("\n".join(rules))
    try:
        for step in steps:
            if isinstance(step, int):
                rehearsal.wait(step)
            else:
                rehearsal.act(*step)
    finally:
        rehearsal.rig.close()


@settings(max_examples=5, deadline=None, derandomize=True, database=None,
          suppress_health_check=list(HealthCheck))
@given(rules=RULES, steps=st.lists(STEPS, min_size=8, max_size=12))
@pytest.mark.slow
def test_a_game_keeps_its_invariants_after_any_mails(rules: list[str], steps: Script) -> None:
    rehearse(rules, steps)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules=RULES, steps=st.lists(STEPS, min_size=20, max_size=40))
def test_many_games_keep_their_invariants(rules: list[str], steps: Script) -> None:
    rehearse(rules, steps)
