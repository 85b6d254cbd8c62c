"""The people of the demo of Diplomacy; each knows only what its letters say.

Nothing is read but the plain text everybody gets; what a letter leaves out, no player knows.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Dislodged, PhaseKind, Position, parse_phase
from judge.demo.orders import Luck
from judge.demo.table import Person
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.standins import bot_orders

_KINDS = {"Army": UnitKind.ARMY, "Fleet": UnitKind.FLEET}
_ROW = re.compile(r"([^:]+): +(.+)\.")
_RETREAT = re.compile(r"The (.+) (Army|Fleet) in (.+) can retreat to (.+)\.")


class Chart:
    """A map with its places by their names in letters."""

    def __init__(self, board: Map) -> None:
        self.board = board
        self._adjectives = {power.adjective: power.name for power in board.powers}
        self._places = {
            board.place_name(place): place
            for abbr in board.provinces
            for place in (abbr, *board.fleet_places(abbr))
        }

    def position(self, text: str, phase: str) -> Position:
        """Return the position a start or results letter shows, in the phase it names."""
        lines = list(unfolded(text))
        now = parse_phase(phase)
        return Position(
            phase=now,
            units={
                power: tuple(self._unit(words) for words in row)
                for power, row in _rows(lines, "Position in ").items()
            },
            owners={
                self._places[centre]: power
                for power, row in _rows(lines, "Ownership of supply centers").items()
                for centre in row
                if power != "Unowned"
            },
            dislodged=self._beaten(lines) if now.kind is PhaseKind.RETREAT else {},
        )

    def _unit(self, words: str) -> Unit:
        kind, _, place = words.partition(" ")
        return Unit(_KINDS[kind], self._places[place])

    def _beaten(self, lines: list[str]) -> Mapping[str, tuple[Dislodged, ...]]:
        """Return the units that may retreat, and where to; a report says it more than once."""
        beaten: dict[str, dict[Unit, Dislodged]] = {}
        for line in lines:
            if found := _RETREAT.fullmatch(line):
                unit = Unit(_KINDS[found[2]], self._places[found[3]])
                open_to = tuple(self._places[name] for name in re.split(", | or ", found[4]))
                mine = beaten.setdefault(self._adjectives[found[1]], {})
                mine[unit] = Dislodged(unit, retreats=open_to)
        return {power: tuple(found.values()) for power, found in beaten.items()}


def _rows(lines: list[str], head: str) -> Mapping[str, list[str]]:
    """Return the rows under the last heading that begins so: who → what."""
    rows: dict[str, list[str]] = {}
    heads = [n for n, line in enumerate(lines) if line.startswith(head)]
    for line in lines[heads[-1] + 2 :] if heads else ():
        found = _ROW.fullmatch(line)
        if not found:
            break
        rows[found[1]] = found[2].split(", ")
    return rows


def unfolded(text: str) -> Iterator[str]:
    """Yield the lines of a letter, long ones put together again.

    >>> list(unfolded("Italy: Army Rome ->\\n    Venice.\\n\\nEnd"))
    ['Italy: Army Rome -> Venice.', '', 'End']
    """
    whole = ""
    for line in text.splitlines():
        if line.startswith("    ") and whole:
            whole += f" {line.strip()}"
        else:
            if whole:
                yield whole
            whole = line
            if not line:
                yield line
    if whole:
        yield whole


@dataclass(slots=True)
class Diplomat(Person):
    """Somebody who plays Diplomacy, or looks on."""

    chart: Chart = field(kw_only=True)
    position: Position | None = None

    def read(self, kind: str, text: str) -> None:
        """Take in the position that a letter shows."""
        if kind != "end":
            self.position = self.chart.position(text, self.phase)

    def orders(self, seed: int, turn: int) -> list[str]:
        """Return this player's orders for the phase; nothing where nothing is to be decided."""
        assert self.position is not None
        is_adjustment = self.position.phase.kind is PhaseKind.ADJUSTMENT
        if is_adjustment and not self.position.centres(self.power):
            # All units go, and the phase may be over before an order arrives.
            return []
        # People play as bots do: what they order makes a game, and is always allowed.
        luck = Luck(seed, turn, self.power)
        found = bot_orders(self.chart.board, self.position, self.power, Rules(), luck)
        return [order_text(order) for order in found]
