"""A power's orders as lines to send: what is on file, and a line begun for all that is owed."""

from collections.abc import Mapping, Sequence

from judge.board.map import Map, Unit
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.games.diplomacy.adjudicate import buildable, builds_due
from judge.games.diplomacy.filing import builds_used, removals_given
from judge.games.diplomacy.orders import Entry, Waive, order_text
from judge.games.diplomacy.rules import Rules

Draft = Mapping[str, object]
"""A line to send; `open`: it only begins, the player goes on."""


def draft_lines(
    board: Map,
    position: Position,
    power: str,
    entries: Sequence[Entry],
    retreating: Sequence[Unit],
    rules: Rules,
) -> list[Draft]:
    """Return a line for every unit that has something to decide, or for every build or removal."""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(board, position, power, entries, rules)
    if position.phase.kind is PhaseKind.MOVEMENT:
        units = list(position.units.get(power, ()))
    else:
        units = list(retreating)
    given: dict[str, list[Draft]] = {}
    for entry in entries:
        if not isinstance(entry, Waive):
            given.setdefault(entry.unit.province, []).append(_draft(order_text(entry)))
    found: list[Draft] = []
    for unit in sorted(units, key=str):
        found += given.get(unit.province) or [_draft(str(unit), is_open=True)]
    return found


def _adjustments(
    board: Map, position: Position, power: str, entries: Sequence[Entry], rules: Rules
) -> list[Draft]:
    due = builds_due(board, position, power)
    if due > 0:
        left = min(due, len(buildable(board, position, power, rules))) - builds_used(entries)
        begun = _draft("BUILD", is_open=True)
    else:
        left = -due - removals_given(entries)
        begun = _draft("REMOVE", is_open=True)
    return [*(_draft(order_text(entry)) for entry in entries), *[begun] * max(left, 0)]


def _draft(line: str, *, is_open: bool = False) -> Draft:
    return {"line": line, "open": is_open}
