"""Invariants of every movement phase, for any orders."""

import json
import pickle
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_boards import random_case
from scenes import unit as unit_on

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import (
    Dislodged,
    PhaseKind,
    Position,
    dump_position,
    load_position,
    parse_phase,
)
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, adjudicate
from judge.games.diplomacy.rules.orders import (
    Convoy,
    Move,
    Order,
    Outcome,
    Retreat,
    Verdict,
    order_text,
    parse_order,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.causes import full_reason
from judge.phrases import phrasebook

SEEDS = st.integers(0, 1_000_000)
MANY = settings(max_examples=settings.default.max_examples)

YOUNGSTOWN = board("youngstown")


def _play(seed: int, rules: Rules = Rules(), most: int = 30) -> tuple[Position, AdjudicationResult]:
    on, position, orders = random_case(seed, most)
    return position, adjudicate(on, position, orders, rules)


def _map_verdicts(result: AdjudicationResult) -> dict[tuple[str, str], Verdict]:
    """Return (power, province) → verdict. Random orders name each unit at most once."""
    return {
        (power, verdict.order.unit.province): verdict
        for power, verdicts in result.verdicts.items()
        for verdict in verdicts
        if hasattr(verdict.order, "unit")
    }


@MANY
@given(SEEDS)
def test_no_unit_appears_or_vanishes(seed: int) -> None:
    before, result = _play(seed)
    for power, units in before.units.items():
        after = result.position.units[power]
        beaten = result.dislodged.get(power, ())
        assert len(units) == len(after) + len(beaten)
        kinds = sorted(unit.kind.value for unit in (*after, *(one.unit for one in beaten)))
        assert kinds == sorted(unit.kind.value for unit in units)
        assert {one.unit for one in beaten} <= set(units)


@MANY
@given(SEEDS)
def test_a_saved_and_loaded_position_is_adjudicated_equally(seed: int) -> None:
    on, position, orders = random_case(seed)
    loaded = load_position(json.loads(json.dumps(dump_position(position))))
    reread = {
        power: [parse_order(order_text(order), on) for order in found]
        for power, found in orders.items()
    }
    one = adjudicate(on, position, orders, Rules())
    assert adjudicate(on, loaded, reread, Rules()) == one
    assert pickle.loads(pickle.dumps(adjudicate(on, position, orders, Rules()))) == one
    assert load_position(json.loads(json.dumps(dump_position(one.position)))) == one.position


@MANY
@given(SEEDS)
def test_no_two_units_are_in_one_province(seed: int) -> None:
    _, result = _play(seed)
    provinces = [u.province for units in result.position.units.values() for u in units]
    assert len(provinces) == len(set(provinces))
    assert not result.contested & set(provinces)


@MANY
@given(SEEDS)
def test_the_sequence_of_powers_units_and_orders_is_irrelevant(seed: int) -> None:
    on, position, orders = random_case(seed)
    one = adjudicate(on, position, orders, Rules())
    mixed = replace(position, units=_shuffle_values(position.units, seed))
    other = adjudicate(on, mixed, _shuffle_values(orders, seed), Rules())
    assert one.position == other.position
    assert one.dislodged == other.dislodged
    assert one.contested == other.contested
    assert one.verdicts == other.verdicts


def _shuffle_values(found: Mapping[str, Sequence[Any]], seed: int) -> dict[str, tuple[Any, ...]]:
    rng = random.Random(seed)
    powers = rng.sample(sorted(found), len(found))
    return {power: tuple(rng.sample(list(found[power]), len(found[power]))) for power in powers}


@MANY
@given(SEEDS)
def test_orders_without_effect_can_be_omitted(seed: int) -> None:
    on, position, orders = random_case(seed)
    result = adjudicate(on, position, orders, Rules())
    void = {
        verdict.order
        for verdicts in result.verdicts.values()
        for verdict in verdicts
        if Outcome.VOID in verdict.outcomes
        # A convoy outside a complete route still shows the intent of its power (4.A.3).
        if not isinstance(verdict.order, Convoy)
    }
    fewer = {power: [x for x in found if x not in void] for power, found in orders.items()}
    without = adjudicate(on, position, fewer, Rules())
    assert without.position == result.position
    assert without.dislodged == result.dislodged
    assert {
        key: verdict.outcomes for key, verdict in _map_verdicts(without).items()
        if verdict.order not in void and Outcome.NO_ORDER not in verdict.outcomes
    } == {
        key: verdict.outcomes for key, verdict in _map_verdicts(result).items()
        if verdict.order not in void and Outcome.NO_ORDER not in verdict.outcomes
    }  # fmt: skip


@MANY
@given(SEEDS)
def test_the_dislodger_is_one_stronger_foreign_unit(seed: int) -> None:
    before, result = _play(seed)
    for power, beaten in result.dislodged.items():
        for one in beaten:
            verdict = _map_verdicts(result)[power, one.unit.province]
            facts = verdict.reason.facts if verdict.reason else {}
            prefix = "" if verdict.reason and verdict.reason.code == "dislodged" else "dislodged_"
            winner = str(facts[f"{prefix}power"])
            assert winner != power
            assert int(str(facts[f"{prefix}strength"])) > int(str(facts[f"{prefix}against"]))
            arrived = [u for u in result.position.units[winner] if u.province == one.unit.province]
            assert len(arrived) == 1
            assert before.unit_at(one.origin)
            assert verdict.reason
            told = phrasebook("diplomacy").render(full_reason(verdict.reason))
            assert f"Dislodged by {winner}'s {facts[f'{prefix}by']}, " in told


@MANY
@given(SEEDS, st.sampled_from(["szykman", "all_hold", "1971", "1982", "2000"]))
def test_every_failure_has_its_cause(seed: int, paradox: str) -> None:
    _, result = _play(seed, Rules(paradox=paradox))  # type: ignore[arg-type]
    for (power, _), (_, outcomes, reason) in _map_verdicts(result).items():
        if outcomes in ((Outcome.SUCCEEDS,), (Outcome.NO_ORDER,)):
            assert reason is None
            continue
        assert reason
        assert phrasebook("diplomacy").render(reason)
        if Outcome.BOUNCE in outcomes:
            assert (
                reason.code in ("bounced-own", "bounced-all-hold")
                or int(str(reason.facts["against"])) >= int(str(reason.facts["strength"]))
            )  # fmt: skip
            assert (reason.facts.get("power") == power) <= (
                reason.code
                in ("bounced-own", "bounced-own-support", "bounced-rival", "bounced-duel")
            )
        if Outcome.CUT in outcomes:
            assert reason.facts["power"] != power


@MANY
@given(SEEDS)
def test_distant_battles_do_not_influence_each_other(seed: int) -> None:
    _, west, west_orders = random_case(seed, 12, "youngstown", _around("Nth"))
    _, east, east_orders = random_case(seed + 1, 12, "youngstown", _around("SCS"))
    powers = (*west.units, *east.units)
    both = Position(
        west.phase, {p: (*west.units.get(p, ()), *east.units.get(p, ())) for p in powers}, {}
    )
    orders = {p: (*west_orders.get(p, ()), *east_orders.get(p, ())) for p in powers}
    together = adjudicate(YOUNGSTOWN, both, orders, Rules())
    one = adjudicate(YOUNGSTOWN, west, west_orders, Rules())
    other = adjudicate(YOUNGSTOWN, east, east_orders, Rules())
    assert _map_verdicts(together) == _map_verdicts(one) | _map_verdicts(other)
    assert together.contested == one.contested | other.contested


def _around(province: str, steps: int = 2) -> set[str]:
    """Return the provinces within some steps. Those around Nth and SCS share none."""
    found = {province}
    for _ in range(steps):
        found |= {x for here in found for x in YOUNGSTOWN.near[here]}
    return found


def test_the_two_battle_areas_do_not_touch() -> None:
    assert not _around("Nth", 3) & _around("SCS", 3)


@MANY
@given(SEEDS)
def test_convoy_rules_have_no_effect_without_convoys(seed: int) -> None:
    on, position, orders = random_case(seed)
    dry = {p: [x for x in found if not isinstance(x, Convoy)] for p, found in orders.items()}
    usual = adjudicate(on, position, dry, Rules())
    for rules in (Rules(paradox="1971"), Rules(paradox="1982"), Rules(paradox="2000")):
        assert adjudicate(on, position, dry, rules) == usual
    assert adjudicate(on, position, dry, Rules(paradox="all_hold")) == usual
    assert adjudicate(on, position, dry, Rules(intent="swap_only", fallback="land")).winner == ""


@MANY
@given(SEEDS)
def test_open_retreats_are_free_and_in_reach_of_the_unit(seed: int) -> None:
    on, position, orders = random_case(seed)
    result = adjudicate(on, position, orders, Rules())
    taken = {u.province for units in result.position.units.values() for u in units}
    for beaten in result.dislodged.values():
        for unit, origin, by_convoy, retreats in beaten:
            assert retreats is not None
            for place in retreats:
                goal = place.partition("/")[0]
                assert goal not in taken | result.contested
                assert by_convoy or goal != origin
                if unit.kind is UnitKind.ARMY:
                    assert goal in on.walk[unit.province]
                else:
                    assert place in on.sail[unit.place][goal]
    if any(one.retreats for beaten in result.dislodged.values() for one in beaten):
        assert result.position.phase == parse_phase("S1901R")
        assert result.position.dislodged == result.dislodged
    else:
        assert result.position.phase == parse_phase("F1901M")
        assert not result.position.dislodged


@MANY
@given(SEEDS)
def test_retreats_end_without_dislodged_units(seed: int) -> None:
    on, position, orders = random_case(seed)
    after = adjudicate(on, position, orders, Rules()).position
    if after.phase.kind is not PhaseKind.RETREAT:
        return
    rng = random.Random(seed)
    going = {
        power: [Retreat(one.unit, rng.choice(one.retreats)) for one in beaten if one.retreats]
        for power, beaten in after.dislodged.items()
    }
    result = adjudicate(on, after, going, Rules())
    verdicts = [verdict for found in result.verdicts.values() for verdict in found]
    moved = sum(verdict.outcomes == (Outcome.SUCCEEDS,) for verdict in verdicts)
    count = sum(map(len, result.position.units.values()))
    assert count == sum(map(len, after.units.values())) + moved
    provinces = {u.province for units in result.position.units.values() for u in units}
    assert len(provinces) == count
    assert not result.position.dislodged and not result.position.contested
    assert len(verdicts) == sum(map(len, after.dislodged.values()))


def _army_path(on: Map, start: str, length: int) -> list[str]:
    """Return a walk over *length* provinces, each visited once."""

    def further(path: list[str]) -> list[str]:
        if len(path) == length:
            return path
        for there in sorted(on.walk[path[-1]] - set(path), key=lambda x: len(on.walk[x])):
            found = further([*path, there])
            if found:
                return found
        return []

    return further([start])


@pytest.mark.parametrize("is_blocked", [True, False])
def test_a_train_of_twenty_depends_on_its_head(is_blocked: bool) -> None:
    path = _army_path(YOUNGSTOWN, "Por", 21)
    train = [Unit(UnitKind.ARMY, abbr) for abbr in path[:20]]
    blocker = Unit(UnitKind.ARMY, path[20])
    units = {"France": tuple(train), "Germany": (blocker,) if is_blocked else ()}
    orders: list[Order] = [Move(unit, goal) for unit, goal in zip(train, path[1:])]
    start = Position(parse_phase("S1901M"), units, {})
    result = adjudicate(YOUNGSTOWN, start, {"France": orders}, Rules())
    wanted = (Outcome.BOUNCE if is_blocked else Outcome.SUCCEEDS,)
    assert {verdict.outcomes for verdict in result.verdicts["France"]} == {wanted}


def _ring(on: Map, length: int) -> list[str]:
    """Return a closed walk over *length* provinces."""

    def close_walk(path: list[str]) -> list[str]:
        if len(path) == length:
            return path if path[0] in on.walk[path[-1]] else []
        for there in sorted(on.walk[path[-1]] - set(path)):
            found = close_walk([*path, there])
            if found:
                return found
        return []

    return close_walk(["Mun"])


@pytest.mark.parametrize("is_broken", [True, False])
def test_a_ring_of_seventeen_rotates_unless_one_move_fails(is_broken: bool) -> None:
    ring = _ring(YOUNGSTOWN, 17)
    units = [Unit(UnitKind.ARMY, abbr) for abbr in ring]
    orders: list[Order] = [Move(unit, to) for unit, to in zip(units, ring[1:] + ring[:1])]
    standing = {"Germany": tuple(units)}
    if is_broken:
        rival = next(abbr for abbr in sorted(YOUNGSTOWN.walk[ring[0]]) if abbr not in ring)
        standing["France"] = (Unit(UnitKind.ARMY, rival),)
    start = Position(parse_phase("S1901M"), standing, {})
    attack = {"France": [Move(unit, ring[0]) for unit in standing.get("France", ())]}
    result = adjudicate(YOUNGSTOWN, start, {"Germany": orders, **attack}, Rules())
    wanted = (Outcome.BOUNCE if is_broken else Outcome.SUCCEEDS,)
    assert {verdict.outcomes for verdict in result.verdicts["Germany"]} == {wanted}


def test_many_convoying_fleets_are_adjudicated_quickly() -> None:
    seas = [p.abbr for p in YOUNGSTOWN.provinces.values() if p.terrain.may_convoy]
    fleets = tuple(Unit(UnitKind.FLEET, abbr) for abbr in seas)
    army = Unit(UnitKind.ARMY, "Tok")
    orders: list[Order] = [Convoy(fleet, army, "Ire") for fleet in fleets]
    start = Position(parse_phase("S1901M"), {"Japan": (army, *fleets)}, {})
    begun = time.process_time()
    result = adjudicate(YOUNGSTOWN, start, {"Japan": [*orders, Move(army, "Ire")]}, Rules())
    assert time.process_time() - begun < 60
    assert Unit(UnitKind.ARMY, "Ire") in result.position.units["Japan"]


STANDARD = board("standard")


@pytest.mark.parametrize(
    ("unit", "to", "rules", "comes"),
    [
        ("F WES", "Spa/sc", {}, "Spa/sc"),
        ("F WES", "Spa/nc", {}, "wrong-coast"),
        ("F WES", "Spa/nc", {"wrong_coast": "possible"}, "Spa/sc"),
        ("F WES", "Spa/nc", {"wrong_coast": "possible", "missing_coast": "illegal"}, "Spa/sc"),
        ("F WES", "Spa", {}, "Spa/sc"),
        ("F WES", "Spa", {"missing_coast": "illegal"}, "which-coast"),
        ("F MAO", "Spa", {}, "which-coast"),
        ("F BRE", "Pic/nc", {}, "Pic"),
        ("A GAS", "Spa/nc", {}, "Spa"),
    ],
)
def test_a_coast_is_chosen_by_rule_or_ignored(
    unit: str, to: str, rules: dict[str, Any], comes: str
) -> None:
    """Readers of orders may leave the coast to the rules (DATC 4.B.1 to 4.B.6)."""
    moved = unit_on(unit, STANDARD)
    at = Position(parse_phase("S1901M"), {"France": (moved,)}, {})
    orders = {"France": [Move(moved, to)]}
    result = adjudicate(STANDARD, at, orders, replace(Rules(), **rules))
    (verdict,) = result.verdicts["France"]
    (after,) = result.position.units["France"]
    assert (verdict.reason.code if verdict.reason else after.place) == comes


@pytest.mark.parametrize(
    ("unit", "to", "comes"),
    [
        ("F WES", "Spa/sc", "Spa/sc"),
        ("F WES", "Spa/nc", "wrong-coast"),
        ("F WES", "Spa", "Spa/sc"),
        ("F MAO", "Spa", "which-coast"),
        ("F MAO", "Spa/nc", "Spa/nc"),
        ("F BRE", "Pic/nc", "Pic"),
        ("A GAS", "Spa/nc", "Spa"),
    ],
)
def test_a_retreat_coast_is_chosen_by_rule_or_ignored(unit: str, to: str, comes: str) -> None:
    beaten = Dislodged(unit_on(unit, STANDARD), "")
    at = Position(parse_phase("S1901R"), {}, {}, {"France": (beaten,)})
    result = adjudicate(STANDARD, at, {"France": [Retreat(beaten.unit, to)]}, Rules())
    (verdict,) = result.verdicts["France"]
    after = [found.place for found in result.position.units.get("France", ())]
    assert ([verdict.reason.code] if verdict.reason else after) == [comes]
