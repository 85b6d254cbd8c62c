"""From one phase to the next: centres change hands, phases without a choice pass (and who wins)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from judge.board.map import Map, Unit
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.games.diplomacy.adjustments import adjust, adjustment_count
from judge.games.diplomacy.orders import Disband
from judge.games.diplomacy.retreats import open_retreats
from judge.games.diplomacy.rules import Rules


class Advanced(NamedTuple):
    """What happened on the way to the next phase in which somebody has a choice."""

    position: Position
    gained: Mapping[str, str] = {}
    removed: Mapping[str, tuple[Unit, ...]] = {}
    """Units of powers without any centre, taken off in an adjustment phase without a choice."""
    winner: str = ""
    drawn: tuple[str, ...] = ()


def who_orders(board: Map, position: Position, rules: Rules = Rules()) -> frozenset[str]:
    """Return the powers that have a choice in a phase.

    A dislodged unit without a retreat leaves none, nor does the removal of all units.
    """
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            found = {power for power, units in position.units.items() if units}
        case PhaseKind.RETREAT:
            found = {
                power
                for power, beaten in position.dislodged.items()
                if any(open_retreats(board, position, one, rules) for one in beaten)
            }
        case PhaseKind.ADJUSTMENT:
            found = {
                power
                for power in {*position.units, *position.owners.values()}
                if adjustment_count(board, position, power) > 0
                or adjustment_count(board, position, power) < 0 < len(position.centres(power))
            }
    return frozenset(found)


def advance(board: Map, position: Position, rules: Rules) -> Advanced:
    """Go from a phase that was just played to the next one in which somebody has a choice.

    Centres change hands when the last Fall movement or retreat is over. A power has won that then
    owns enough of them, and more than anybody else.
    """
    phase = position.phase.after()
    if phase.kind is PhaseKind.RETREAT:
        if any(one.retreats for found in position.dislodged.values() for one in found):
            return Advanced(replace(position, phase=phase))
        phase = phase.after()
    position = _opened(position, phase)
    if phase.kind is PhaseKind.MOVEMENT:
        return Advanced(position)
    position, gained = _taken(board, position)
    result = _ended(board, Advanced(position, gained), rules)
    if who_orders(board, position, rules):
        return result
    position, verdicts = adjust(board, position, {}, rules)
    removed = {
        power: tuple(told.order.unit for told in found if isinstance(told.order, Disband))
        for power, found in verdicts.items()
    }
    return result._replace(position=_opened(position, phase.after()), removed=removed)


def _opened(position: Position, phase: Phase) -> Position:
    """Return a position at the beginning of a phase before which nobody had to retreat."""
    return Position(phase, position.units, position.owners, quiet_falls=position.quiet_falls)


def _taken(board: Map, position: Position) -> tuple[Position, dict[str, str]]:
    """Return the position with every centre owned by who stands in it, and what changed."""
    gained = {
        unit.province: power
        for power, units in position.units.items()
        for unit in units
        if board.provinces[unit.province].is_centre
        and position.owners.get(unit.province) != power
    }
    quiet = 0 if gained else position.quiet_falls + 1
    owners = {**position.owners, **gained}
    return replace(position, owners=owners, quiet_falls=quiet), dict(sorted(gained.items()))


def _ended(board: Map, found: Advanced, rules: Rules) -> Advanced:
    """Add the winner, or the survivors if too many Falls were quiet."""
    position = found.position
    counts = {power: len(position.centres(power)) for power in {*position.owners.values()}}
    most = max(counts.values(), default=0)
    leaders = [power for power, count in counts.items() if count == most]
    if most >= board.victory and len(leaders) == 1:
        return found._replace(winner=leaders[0])
    if rules.quiet_falls and 0 < board.quiet_falls <= position.quiet_falls:
        alive = {*position.owners.values(), *(p for p, units in position.units.items() if units)}
        return found._replace(drawn=tuple(p.name for p in board.powers if p.name in alive))
    return found
