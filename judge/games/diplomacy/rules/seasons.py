"""Transition to the next phase: owned centres, skipped phases and the winner."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from judge.board.map import Map, Unit
from judge.board.position import MOVEMENT, RETREAT, Phase, PhaseKind, Position
from judge.games.diplomacy.rules.adjustments import adjust, adjustment_count
from judge.games.diplomacy.rules.orders import Disband
from judge.games.diplomacy.rules.retreats import open_retreats
from judge.games.diplomacy.rules.ruleset import Rules


class Advanced(NamedTuple):
    """Transition to the next phase in which any power has a choice."""

    position: Position
    gained: Mapping[str, str] = {}
    removed: Mapping[str, tuple[Unit, ...]] = {}
    """Units of powers without any centre, removed in an adjustment phase without a choice."""
    winner: str = ""
    drawn: tuple[str, ...] = ()
    is_last: bool = False
    """True if the last year is over. The powers in `drawn` share the game, or the only one wins."""


def find_ordering_powers(board: Map, position: Position, rules: Rules = Rules()) -> frozenset[str]:
    """Return the powers that have a choice in a phase.

    A dislodged unit without a retreat gives none, nor does the removal of all units. Neutral powers
    never have one.
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
                if (count := adjustment_count(board, position, power, rules)) > 0
                or count < 0 < len(position.centres(power))
            }
    return frozenset(found - board.neutral)


def advance(board: Map, position: Position, rules: Rules) -> Advanced:
    """Advance from a played phase to the next one in which any power has a choice.

    Centres change hands when the last Fall movement or retreat is over. A power that then owns
    enough of them, and more than any other, has won.
    """
    phase = position.phase.after()
    if phase.kind is RETREAT:
        if any(one.retreats for found in position.dislodged.values() for one in found):
            return Advanced(replace(position, phase=phase))
        phase = phase.after()
    position = _open_phase(position, phase)
    if phase.kind is MOVEMENT:
        return Advanced(position)
    position, gained = _take_centres(board, position)
    result = _add_ending(board, Advanced(position, gained), rules)
    if find_ordering_powers(board, position, rules):
        return result
    position, verdicts = adjust(board, position, {}, rules)
    removed = {
        power: tuple(told.order.unit for told in found if isinstance(told.order, Disband))
        for power, found in verdicts.items()
    }
    return result._replace(position=_open_phase(position, phase.after()), removed=removed)


def _open_phase(position: Position, phase: Phase) -> Position:
    """Return a position at the beginning of a phase, without dislodged units."""
    return Position(phase, position.units, position.owners, quiet_falls=position.quiet_falls)


def _take_centres(board: Map, position: Position) -> tuple[Position, dict[str, str]]:
    """Return the position with each centre owned by its occupant, and what changed."""
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


def winner_of(board: Map, position: Position) -> str:
    """Return the power that owns enough centres to win, and more than any other.

    Empty if no power does.
    """
    leaders = _leaders(board, position)
    enough = bool(leaders) and len(position.centres(leaders[0])) >= board.victory
    return leaders[0] if enough and len(leaders) == 1 else ""


def _leaders(board: Map, position: Position) -> list[str]:
    """Return the powers that own the most centres, without neutral ones."""
    owners = {*position.owners.values()} - board.neutral
    counts = {power: len(position.centres(power)) for power in owners}
    most = max(counts.values(), default=0)
    return [power for power, count in counts.items() if count == most]


def _add_ending(board: Map, found: Advanced, rules: Rules) -> Advanced:
    """Add the winner, or the powers that share after quiet Falls or the last year."""
    position = found.position
    if winner := winner_of(board, position):
        return found._replace(winner=winner)
    with_units = (power for power, units in position.units.items() if units)
    alive = {*position.owners.values(), *with_units} - board.neutral
    survivors = tuple(power.name for power in board.powers if power.name in alive)
    if 0 < board.quiet_falls <= position.quiet_falls:
        return found._replace(drawn=survivors)
    if 0 < rules.last_year <= position.phase.year:
        sharing = survivors
        if rules.at_end == "leader":
            leaders = _leaders(board, position)
            sharing = tuple(power for power in survivors if power in leaders)
        return found._replace(drawn=sharing, is_last=True)
    return found
