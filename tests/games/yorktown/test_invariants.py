"""Invariants of every position of a game, with orders drawn by hypothesis."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.dice import derive_die
from judge.games.yorktown.default_orders import orders_of
from judge.games.yorktown.rules.board import CounterKind, HexTerrain, counters, hexes
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import ALL, neighbours
from judge.games.yorktown.rules.orders import (
    Attack,
    BoardingOrder,
    Enter,
    FrigateOrder,
    JoinOrder,
    LandingOrder,
    MarchOrder,
    Order,
    Stay,
)
from judge.games.yorktown.rules.state import (
    DEAD,
    LEFT,
    OFF,
    SiegePosition,
    Step,
    blank,
    dump,
    load,
)
from judge.games.yorktown.rules.turn import Played, YorktownRules, play_step
from judge.games.yorktown.rules.walking import entry_hexes


class Drawing:
    """Source of random orders, legal and illegal."""

    def __init__(self, data: st.DataObject) -> None:
        self._data = data

    def pick(self, things: Sequence[str]) -> str:
        """Return one of *things*."""
        return self._data.draw(st.sampled_from(list(things)))

    def yes(self, of: int) -> bool:
        """Return True with a probability of one in *of*."""
        return self._data.draw(st.integers(1, of)) == 1

    def path(self, start: str, long: int) -> tuple[str, ...]:
        """Return a path from a hex."""
        path = [start]
        for _ in range(self._data.draw(st.integers(1, long))):
            path.append(self.pick(neighbours(path[-1])))
        return tuple(path)

    def orders(self, position: SiegePosition) -> list[Order]:
        """Return orders for the step of a position."""
        side, field = position.moment.side, StepState(position)
        sensible = list(orders_of(position))
        if position.moment.step is not Step.MOVE or self.yes(3):
            return sensible
        ids = [c.order_id for c in counters().values() if c.side == side]
        found: list[Order] = []
        for key in [k for k in counters() if counters()[k].side == side and self.yes(3)]:
            counter, unit = counters()[key], position.units[key]
            if counter.kind is CounterKind.CMD:
                stay = Stay(counter.order_id)
                found.append(stay if self.yes(2) else JoinOrder(counter.order_id, self.pick(ids)))
            elif counter.kind is CounterKind.FRIG:
                does = tuple(self.pick(("F", "L", "R", "beach")) for _ in range(4))
                found.append(FrigateOrder(counter.order_id, does))
            elif unit.ship:
                found.append(LandingOrder(counter.order_id, self.pick(ALL)))
            elif unit.on_map and side == "AP" and self.yes(4):
                found.append(BoardingOrder(counter.order_id, "FRIG 1"))
            elif unit.on_map:
                found.append(MarchOrder(counter.order_id, self.path(unit.at, 5)))
            elif entries := entry_hexes(field, counter):
                found.append(Enter(counter.order_id, self.path(self.pick(entries), 3)))
        there = [u.at for k, u in position.units.items() if u.on_map and counters()[k].side != side]
        if there:
            found.append(Attack((self.pick(there),), (self.pick(ids), self.pick(ids))))
        return found


def faults_in(position: SiegePosition) -> list[str]:
    """Return the faults of a position.

    Faults are stacks, units in forbidden hexes and commanders without a unit.
    """
    field, faults = StepState(position), []
    for name in ALL:
        most = 2 if field.is_redoubt(name) else 1
        sides = {counters()[key].side for key in field.all_in(name)}
        if len(field.units_in(name)) > most or len(sides) > 1:
            faults.append(f"{name}: {field.all_in(name)}")
    for key, unit in position.units.items():
        counter = counters()[key]
        if unit.on_map and counter.kind is CounterKind.FRIG:
            wet = hexes()[unit.bow].terrain is HexTerrain.RIVER or unit.grounded
            wet = wet and hexes()[unit.at].terrain is HexTerrain.RIVER
            if unit.bow not in neighbours(unit.at) or not wet:
                faults.append(f"{key}: {unit}")
        elif unit.on_map and hexes()[unit.at].terrain is HexTerrain.RIVER:
            faults.append(f"{key} swims in {unit.at}")
        if counter.kind is CounterKind.CMD and unit.in_play and position.moment.day:
            if not unit.attached or position.units[unit.attached].at != unit.at:
                faults.append(f"{key} is alone")
        if unit.ship and not position.units[unit.ship].on_map:
            faults.append(f"{key} is aboard a wreck")
    return faults


def risen(before: SiegePosition, after: SiegePosition) -> list[str]:
    """Return the counters with an impossible change of place.

    Dead and departed units stay so, no unit returns to off the map, and only units of AP leave it
    (Y-33, Y-83).
    """
    assert after.units.keys() == before.units.keys() == counters().keys()
    left = sum(unit.at == LEFT for key, unit in after.units.items() if _counts(key))
    faults = [f"{left} have left, {after.exits} counted"] if left != after.exits else []
    for key, unit in after.units.items():
        was = before.units[key].at
        if was in (DEAD, LEFT) and unit.at != was:
            faults.append(f"{key} has risen")
        if unit.at == OFF and was != OFF or unit.at == LEFT and not key.startswith("AP"):
            faults.append(f"{key}: {was} to {unit.at}")
    return faults


def _counts(key: str) -> bool:
    return counters()[key].kind.is_combat


def unmet_duties(position: SiegePosition, played: Played) -> list[str]:
    """Return enemies that had to be attacked and have no event about it (Y-64)."""
    if position.moment.step is not Step.MOVE:
        return []
    told = {
        name
        for _, event in played.told.events
        for name in _hexes_told(event.facts.get("at"))
        if event.code in ("attack", "withdraws", "not-attacked", "vacated")
    }
    after = played.after
    return [
        key
        for key in StepState(after).to_be_fought(position.moment.side)
        if after.units[key] == position.units[key] and after.units[key].at not in told
        and _was_owed(position, played, key)
    ]


def _was_owed(position: SiegePosition, played: Played, key: str) -> bool:
    """Return whether the units in its zone had been there before combat.

    This holds if no unit retreated or advanced.
    """
    late = ("retreated", "advanced")
    return not any(event.code in late for _, event in played.told.events)


def _hexes_told(at: object) -> tuple[str, ...]:
    return at if isinstance(at, tuple) else (str(at),)


def play(data: st.DataObject, steps: int) -> None:
    """Play some steps and check every position."""
    drawing, position = Drawing(data), blank()
    for _ in range(steps):
        orders = drawing.orders(position)
        played = play_step(position, orders, {}, YorktownRules(), lambda k: derive_die("luck", k))
        assert faults_in(played.after) == []
        assert unmet_duties(position, played) == []
        assert risen(position, played.after) == []
        assert load(dump(played.after)) == played.after
        play_step(position, orders, {}, YorktownRules(), None)
        if played.end:
            break
        position = played.after


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.data())
def test_every_position_of_a_short_game_is_valid(data: st.DataObject) -> None:
    play(data, 12)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.data())
def test_every_position_of_a_long_game_is_valid(data: st.DataObject) -> None:
    play(data, 90)
