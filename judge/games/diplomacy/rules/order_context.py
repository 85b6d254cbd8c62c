"""The context of an order line: a position, seen by one power or by the master."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Dislodged, PhaseKind, Position
from judge.games.diplomacy.rules.ruleset import Rules


def fleets_at_sea(board: Map, position: Position) -> int:
    """Return the seas where a fleet stands that may convoy, as `Map.joins` takes them."""
    return board.sea_bits(
        place for place, (_, unit) in position.standing.items() if unit.kind is UnitKind.FLEET
    )


@dataclass(frozen=True)
class OrderContext:
    """A position with its units found by province, once for all lines of a mail.

    `power` is empty for the game master, who may order every unit. `lent` are the units another
    power may order too: province → that power.
    """

    board: Map
    position: Position
    power: str
    rules: Rules
    lent: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def kind(self) -> PhaseKind:
        """What is ordered in this phase."""
        return self.position.phase.kind

    @cached_property
    def standing(self) -> Mapping[str, tuple[str, Unit]]:
        """Province → who stands there (power, unit), units that must retreat left out."""
        return self.position.standing

    @cached_property
    def beaten(self) -> dict[str, tuple[str, Dislodged]]:
        """Province → who must retreat from it (power, dislodged unit)."""
        return {
            found.unit.province: (power, found)
            for power, units in self.position.dislodged.items()
            for found in units
        }

    @property
    def all_seas(self) -> int:
        """All seas where a fleet may convoy, as `Map.joins` takes them."""
        return self.board.all_seas

    @cached_property
    def fleets_at_sea(self) -> int:
        """The seas where a fleet stands that may convoy, as `Map.joins` takes them."""
        return fleets_at_sea(self.board, self.position)

    def orderable(self, province: str) -> tuple[str, Unit] | None:
        """Return whose unit in a province can be ordered in this phase (power, unit)."""
        if self.kind is PhaseKind.RETREAT:
            found = self.beaten.get(province)
            return found and (found[0], found[1].unit)
        return self.standing.get(province)

    def is_orderer(self, power: str, province: str) -> bool:
        """Tell whether a power may order the unit in a province: it is its own, or by proxy."""
        found = self.orderable(province)
        return found is not None and power in (found[0], self.lent.get(province))
