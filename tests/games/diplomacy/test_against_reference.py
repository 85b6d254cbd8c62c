"""The adjudicator compared with the equations of DATC 5.B for every outcome."""

import pytest
from random_boards import random_case
from reference import Equations

from judge.games.diplomacy.rules.movement import settle_movement
from judge.games.diplomacy.rules.movement_state import Action, MovementState, Resolution
from judge.games.diplomacy.rules.ruleset import Rules

MAX_MOVES = 9


def _find_moved(field: MovementState) -> frozenset[str]:
    return frozenset(
        abbr
        for abbr, piece in field.at.items()
        if piece.task is Action.MOVE and piece.fact is Resolution.OK
    )


def _faults(seed: int, most: int, rules: Rules = Rules()) -> str:
    """Return the fault of the adjudication of one random position.

    Returns "skip" if it has too many moves, or an empty string without a fault.
    """
    field = settle_movement(*random_case(seed, most, rules=rules), rules)
    plain = Equations(field)
    if len(plain.movers) > MAX_MOVES:
        return "skip"
    ours = _find_moved(field)
    disrupted = {abbr for abbr, piece in field.at.items() if piece.is_disrupted}
    found = list(plain.solutions())
    if not Equations(field, disrupted).is_consistent(ours):
        return f"{seed}: ours is no solution: {sorted(ours)}"
    match found:
        case [one] if one != ours:
            return f"{seed}: one solution {sorted(one)}, ours {sorted(ours)}"
        case []:
            return "" if disrupted else f"{seed}: no solution, nothing disrupted"
        case [_]:
            return f"{seed}: disrupted for nothing" if disrupted else ""
    if not disrupted and len(ours) < max(map(len, found)):
        return f"{seed}: a ring that could move did not"
    return ""


def _compare(seeds: range, most: int, rules: Rules = Rules()) -> int:
    faults = [_faults(seed, most, rules) for seed in seeds]
    assert [fault for fault in faults if fault not in ("", "skip")] == []
    return faults.count("")


def test_adjudications_solve_the_equations() -> None:
    assert _compare(range(300), 14) > 150


HOUSE_RULES = (
    Rules(friendly_fire=True),
    Rules(coastal_convoys=True),
    Rules(routes="all"),
    Rules(convoy_cut="always"),
    Rules(coastal_convoys=True, friendly_fire=True, routes="all", convoy_cut="always"),
)


@pytest.mark.slow
@pytest.mark.parametrize("rules", HOUSE_RULES, ids=str)
def test_adjudications_by_house_rules_solve_the_equations(rules: Rules) -> None:
    assert _compare(range(2_000, 2_120), 14, rules) > 50


@pytest.mark.slow
@pytest.mark.parametrize("rules", HOUSE_RULES, ids=str)
def test_adjudications_by_house_rules_in_many_positions(rules: Rules) -> None:
    assert _compare(range(100_000, 102_000), 16, rules) > 1_000


RINGS = (67, 78, 219, 233, 468, 921, 1071)
PARADOXES = (434, 632, 1108, 1423, 1587, 1859, 3915, 5273)
"""Seeds with several solutions or none, which random positions hardly ever have."""


@pytest.mark.parametrize("seed", RINGS + PARADOXES)
def test_rings_and_paradoxes_are_resolved_by_rule(seed: int) -> None:
    assert _faults(seed, 14) == ""


@pytest.mark.parametrize("seed", RINGS + PARADOXES)
def test_only_paradoxes_disrupt_a_convoy(seed: int) -> None:
    field = settle_movement(*random_case(seed, 14), Rules())
    assert any(piece.is_disrupted for piece in field.at.values()) == (seed in PARADOXES)


@pytest.mark.slow
def test_adjudications_in_many_positions_solve_the_equations() -> None:
    assert _compare(range(1_000, 16_000), 16) > 8_000
