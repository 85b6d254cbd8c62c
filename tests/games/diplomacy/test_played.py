"""Games played at random through the interface, with every letter rendered."""

import random

import pytest
from tables import DICE
from test_report import letter_text

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.adjudicate import buildable, open_retreats
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.order_sheet import dump_sheet
from judge.games.diplomacy.views.record import load_text, read_record
from judge.games.system import Viewer, ViewerRole

ANYBODY = Viewer(ViewerRole.OBSERVER)


def goals(unit: Unit, on: Map) -> list[str]:
    if unit.kind is UnitKind.ARMY:
        return sorted(on.walk[unit.province])
    return sorted(place for places in on.sail[unit.place].values() for place in places)


def moves(units: list[Unit], on: Map, chance: random.Random) -> list[Order]:
    """Return random orders.

    Supports and convoys are for earlier moves, so that many match.
    """
    given: list[Order] = []
    for unit in units:
        kinds = ["move", "move", "help", "hold", "none", "sea"]
        going = [order for order in given if isinstance(order, Move)]
        kind = chance.choice(kinds)
        if kind == "move":
            given.append(Move(unit, chance.choice(goals(unit, on))))
        elif kind == "sea" and unit.kind is UnitKind.ARMY:
            given.append(Move(unit, chance.choice(on.centres), via=True))
        elif kind == "help" and going:
            other = chance.choice(going)
            if unit.kind is UnitKind.FLEET and other.via:
                given.append(Convoy(unit, other.unit, other.to))
            else:
                given.append(Support(unit, other.unit, chance.choice((other.to, ""))))
        elif kind == "hold":
            given.append(Hold(unit))
    return given


def orders_of(power: str, on: Map, at: Position, chance: random.Random) -> list[Order]:
    """Return random orders of a power, some of them impossible."""
    if at.phase.kind is PhaseKind.MOVEMENT:
        units = list(at.units.get(power, ()))
        chance.shuffle(units)
        return moves(units, on, chance)
    if at.phase.kind is PhaseKind.RETREAT:
        given: list[Order] = []
        for beaten in at.dislodged.get(power, ()):
            where = open_retreats(on, at, beaten, Rules())
            given += [Retreat(beaten.unit, chance.choice((*where, "Lon")))][: chance.randint(0, 1)]
        return given
    due = len(at.centres(power)) - len(at.units.get(power, ()))
    if due > 0:
        free = [Build(Unit(UnitKind.ARMY, centre)) for centre in buildable(on, at, power)]
        return chance.choice(([*free[:due]], [Waive()], []))
    return [Disband(unit) for unit in at.units.get(power, ())[: min(-due, chance.randint(0, 2))]]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("map_name", ["standard", "youngstown"])
def test_every_phase_can_be_rendered(map_name: str, seed: int) -> None:
    chance, on = random.Random(seed), board(map_name)
    position = SYSTEM.initial_position(map_name, {}, DICE)
    turns: list[tuple[str, str]] = []
    for _ in range(30):
        at = SYSTEM.table(map_name, position, {"quiet_falls": "off"})
        now = load_text(position)
        sheets = {
            power.name: dump_sheet(orders_of(power.name, on, now, chance)) for power in on.powers
        }
        for power in on.powers:
            owes = at.missing_orders(power.name, "") != ()
            assert owes == (power.name in at.powers_due()), (at.phase, power.name)
            sheet = at.show_sheet(power.name, sheets[power.name])
            letter_text("sheet", sheet, at.phase.label)
        letter_text("standing", at.position_facts(ANYBODY), at.phase.label)
        done = at.adjudicate(sheets, DICE)
        assert read_record(done.record, on).before == now
        results = SYSTEM.turn(map_name, done.record).results(ANYBODY)
        letter_text("results", results, at.phase.label)
        turns.append((at.phase.label, done.after))
        position = done.after
        if done.ending:
            break
    letter_text("chronicle", SYSTEM.chronicle(map_name, {}, turns, ANYBODY), "S1910M")
