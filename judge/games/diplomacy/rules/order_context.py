"""Context of an order line: a position as one power or the master sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Dislodged, PhaseKind, Position
from judge.games.diplomacy.rules.ruleset import Rules


def fleets_at_sea(board: Map, position: Position) -> int:
    """Return the seas with a fleet that may convoy, as a bitset for `Map.joins`."""
    return board.sea_bits(
        place for place, (_, unit) in position.standing.items() if unit.kind is UnitKind.FLEET
    )


@dataclass(frozen=True)
class OrderContext:
    """Position with its units found by province, once for all lines of a mail.

    *power* is empty for the game master, who may order every unit. *lent* maps the province of a
    unit to the power that may order it by proxy.
    """

    board: Map
    position: Position
    power: str
    rules: Rules
    lent: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def kind(self) -> PhaseKind:
        """The kind of the phase."""
        return self.position.phase.kind

    @cached_property
    def standing(self) -> Mapping[str, tuple[str, Unit]]:
        """Province → power and unit in it, without units that must retreat."""
        return self.position.standing

    @cached_property
    def beaten(self) -> dict[str, tuple[str, Dislodged]]:
        """Province → power and dislodged unit that must retreat from it."""
        return {
            found.unit.province: (power, found)
            for power, units in self.position.dislodged.items()
            for found in units
        }

    @property
    def all_seas(self) -> int:
        """All seas where a fleet may convoy, as a bitset for `Map.joins`."""
        return self.board.all_seas

    @cached_property
    def fleets_at_sea(self) -> int:
        """The seas with a fleet that may convoy, as a bitset for `Map.joins`."""
        return fleets_at_sea(self.board, self.position)

    def orderable(self, province: str) -> tuple[str, Unit] | None:
        """Return the power and the unit of a province that can be ordered in this phase.

        None if there is no such unit.
        """
        if self.kind is PhaseKind.RETREAT:
            found = self.beaten.get(province)
            return found and (found[0], found[1].unit)
        return self.standing.get(province)

    def is_orderer(self, power: str, province: str) -> bool:
        """Return whether a power may order a unit: its own, or by proxy.

        The unit is identified by its province.
        """
        found = self.orderable(province)
        return found is not None and power in (found[0], self.lent.get(province))
