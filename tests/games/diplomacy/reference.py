"""A slow reference adjudicator: the equations of DATC 5.B for every outcome.

It shares only legality with the real adjudicator: which orders are legal and matched.
"""

from collections.abc import Collection, Iterator
from itertools import product
from typing import NamedTuple

from judge.board.map import Map
from judge.games.diplomacy.rules.movement_state import Action, MovementState, UnitState


class Unit(NamedTuple):
    """The parts of one unit that strengths depend on. Places are provinces."""

    power: str
    goal: str
    """Destination, or an empty string if the unit does not move."""
    by_sea: bool
    fleets: tuple[str, ...]
    helped: str
    """Place of the supported unit, or an empty string."""
    aim: str
    """Province that the support is directed at."""


class Equations:
    """The equations of one movement phase. Fleets in `disrupted` do not convoy."""

    def __init__(self, field: MovementState, disrupted: Collection[str] = ()) -> None:
        self._board: Map = field.board
        self._disrupted = disrupted
        self._rules = field.rules
        self.units = {abbr: _unit(piece, field) for abbr, piece in field.at.items()}
        self.movers = [abbr for abbr, unit in self.units.items() if unit.goal]

    def solutions(self) -> Iterator[frozenset[str]]:
        """Yield every set of successful moves that solves the equations."""
        for chosen in product((False, True), repeat=len(self.movers)):
            moved = frozenset(abbr for abbr, moves in zip(self.movers, chosen) if moves)
            if self.is_consistent(moved):
                yield moved

    def is_consistent(self, moved: frozenset[str]) -> bool:
        """Return whether the equations yield exactly these successful moves."""
        self._moved = moved
        self._taken = {self.units[abbr].goal for abbr in moved}
        return all(self._move(abbr) == (abbr in moved) for abbr in self.movers)

    def _path(self, abbr: str) -> bool:
        unit = self.units[abbr]
        if not unit.by_sea:
            return True
        standing = [f for f in unit.fleets if f not in self._taken and f not in self._disrupted]
        if self._rules.every_fleet and len(standing) < len(unit.fleets):
            return False
        return self._board.joins(abbr, unit.goal, self._board.sea_bits(standing))

    def _supports(self, abbr: str, against: str = "") -> int:
        """Return the number of uncut supports of a unit, without those by *against*."""
        return sum(
            unit.helped == abbr and unit.power != against and not self._is_cut(helper)
            for helper, unit in self.units.items()
        )

    def _is_cut(self, helper: str) -> bool:
        unit = self.units[helper]
        return any(
            other.goal == helper and self._cuts(abbr, other, unit)
            for abbr, other in self.units.items()
        )

    def _cuts(self, abbr: str, other: Unit, unit: Unit) -> bool:
        if other.power == unit.power and not self._rules.friendly_fire:
            return False
        always = other.by_sea and self._rules.convoy_cut == "always"
        return abbr in self._moved or self._path(abbr) and (always or abbr != unit.aim)

    def _is_duel(self, abbr: str) -> bool:
        unit = self.units[abbr]
        other = self.units.get(unit.goal)
        return other is not None and other.goal == abbr and not unit.by_sea and not other.by_sea

    def _hold(self, abbr: str) -> int:
        if abbr not in self.units or abbr in self._moved:
            return 0
        return 1 if self.units[abbr].goal else 1 + self._supports(abbr)

    def _prevent(self, abbr: str) -> int:
        if not self._path(abbr):
            return 0
        if self._is_duel(abbr) and self.units[abbr].goal in self._moved:
            return 0
        return 1 + self._supports(abbr)

    def _attack(self, abbr: str) -> int:
        unit = self.units[abbr]
        holder = self.units.get(unit.goal)
        if not self._path(abbr):
            return 0
        if holder is None or not self._is_duel(abbr) and unit.goal in self._moved:
            return 1 + self._supports(abbr)
        if self._rules.friendly_fire:
            return 1 + self._supports(abbr)
        if holder.power == unit.power:
            return 0
        return 1 + self._supports(abbr, holder.power)

    def _move(self, abbr: str) -> bool:
        unit = self.units[abbr]
        against = 1 + self._supports(unit.goal) if self._is_duel(abbr) else self._hold(unit.goal)
        rivals = [x for x, other in self.units.items() if other.goal == unit.goal and x != abbr]
        return self._attack(abbr) > max([against, *map(self._prevent, rivals)])


def _unit(piece: UnitState, field: MovementState) -> Unit:
    moves = piece.task is Action.MOVE and piece.fault is None
    # A void move counts as no move, but the unit cannot be supported in place either.
    helped = field.at[piece.helped] if piece.task is Action.SUPPORT else None
    helps = helped is not None and not (helped.task is Action.MOVE and helped.fault)
    return Unit(
        power=piece.power,
        goal=piece.goal if moves else "",
        by_sea=piece.by_sea,
        fleets=tuple(fleet.province for fleet in piece.fleets),
        helped=helped.province if helped and helps else "",
        aim=piece.goal if helps else "",
    )
