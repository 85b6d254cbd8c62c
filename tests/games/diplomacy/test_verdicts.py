"""Verdicts as values with lazily computed reasons."""

import copy
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import random_case

from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.orders import Outcome, Verdict, Waive
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.phrase import Phrase, phrase
from judge.terminal.adjudicating import bench
from tests.bench.rulings import dense


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0, max_value=10**6))
def test_the_time_of_reading_a_reason_is_irrelevant(seed: int) -> None:
    case = random_case(seed)
    early, late, mixed = (adjudicate(*case, Rules()).verdicts for _ in range(3))
    told = {power: [tuple(verdict) for verdict in found] for power, found in early.items()}
    asked = [verdict for found in mixed.values() for verdict in found]
    for verdict in random.Random(seed).sample(asked, len(asked)):
        assert verdict.reason is verdict.reason
    assert mixed == late == early
    assert pickle.loads(pickle.dumps(late)) == copy.deepcopy(early) == early
    assert {power: [tuple(verdict) for verdict in found] for power, found in late.items()} == told


def test_a_reason_is_computed_once_and_lazily() -> None:
    asked: list[int] = []

    def why() -> Phrase:
        asked.append(1)
        return phrase("no-build")

    verdict = Verdict(Waive(), (Outcome.VOID,), why)
    assert (verdict.order, verdict.outcomes, asked) == (Waive(), (Outcome.VOID,), [])
    order, outcomes, reason = verdict
    assert reason == verdict.reason == phrase("no-build") and asked == [1]


def test_a_verdict_is_immutable_and_comparable() -> None:
    verdict = Verdict(Waive(), (Outcome.SUCCEEDS,))
    for name in ("order", "outcomes", "reason"):
        with pytest.raises(AttributeError):
            setattr(verdict, name, None)
    other = verdict.with_reason(phrase("no-build"))
    assert verdict.reason is None and other != verdict
    assert {verdict, Verdict(Waive(), (Outcome.SUCCEEDS,))} == {verdict}
    assert repr(other.reason) in repr(other)


@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_the_dense_positions_of_the_bench_can_all_be_read(name: str) -> None:
    texts = dense(name)
    assert len(texts) == 1000
    found = bench(texts[::20], name)
    assert found.positions == 50 and found.verdicts and found.reasons
