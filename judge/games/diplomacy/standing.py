"""Positions in words: who stands where, who owns what, and how that went over the years."""

from collections.abc import Mapping, Sequence

from judge.board.map import Map
from judge.board.phase import PhaseKind, Season, parse_phase
from judge.board.position import Position
from judge.games.diplomacy.adjudicate import builds_due, open_retreats
from judge.games.diplomacy.record import load_text
from judge.games.diplomacy.rules import Rules
from judge.games.diplomacy.wording import dislodged_line, unit_name

COLUMN = 12
"""Where what is said of a power begins, as in nJudge's reports."""


def standing_facts(board: Map, position: Position, rules: Rules) -> Mapping[str, object]:
    """Return the facts of a position: a row a power, dislodged units, ownership, free centres."""
    return {
        "title": f"Position in {position.phase.title} ({position.phase.kind.title})",
        "phase": str(position.phase),
        "powers": [
            {
                "power": power.name,
                "units": [
                    unit_name(unit, board)
                    for unit in sorted(position.units.get(power.name, ()), key=str)
                ],
            }
            for power in board.powers
        ],
        "dislodged": retreat_lines(board, position, rules),
        "ownership": ownership_rows(board, position),
        "counts": count_lines(board, position),
        "victory": board.victory,
    }


def retreat_lines(board: Map, position: Position, rules: Rules) -> list[str]:
    """Return a sentence for each unit that must retreat."""
    return [
        dislodged_line(
            power.adjective, beaten, open_retreats(board, position, beaten, rules), board
        )
        for power in board.powers
        for beaten in position.dislodged.get(power.name, ())
    ]


def ownership_rows(board: Map, position: Position) -> list[Mapping[str, object]]:
    """Return a row for each owner of centres, the centres of nobody last."""
    rows = [(power.name, position.centres(power.name)) for power in board.powers]
    rows.append(("Unowned", tuple(c for c in board.centres if c not in position.owners)))
    return [
        {"owner": owner, "centres": sorted(board.provinces[c].name for c in found)}
        for owner, found in rows
        if found
    ]


def count_lines(board: Map, position: Position) -> list[str]:
    """Return nJudge's counts: "India:       3 Supply centers,  4 Units:  Removes  1 unit."."""
    lines = []
    for power in board.powers:
        centres = len(position.centres(power.name))
        units = len(position.units.get(power.name, ()))
        if not centres and not units:
            continue
        due = builds_due(board, position, power.name)
        verb = "Removes" if due < 0 else "Builds "
        lines.append(
            f"{power.name + ':':<{COLUMN}}{centres:>2} Supply center{_s(centres)},"
            f" {units:>2} Unit{_s(units)}:  {verb} {abs(due):>2} unit{_s(abs(due))}."
        )
    return lines


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def chronicle_facts(
    board: Map, opening: Position, turns: Sequence[tuple[str, str]]
) -> Mapping[str, object]:
    """Return who owned how many centres at the end of each year, and what changed hands then."""
    years = [(board.first_year - 1, opening.owners)]
    for label, text in turns:
        phase, position = parse_phase(label), load_text(text)
        pending = position.phase.kind is PhaseKind.RETREAT
        if phase.season is Season.FALL and not pending:
            # Adjustments change no owner, so a later row of one year says the same again.
            years = [row for row in years if row[0] != phase.year]
            years.append((phase.year, position.owners))
    return {
        "powers": [power.name for power in board.powers],
        "letters": [power.letter for power in board.powers],
        "legend": [f"{power.letter} {power.name}" for power in board.powers],
        "rows": [
            {"year": year, "counts": [_count(owners, power.name) for power in board.powers]}
            for year, owners in years
        ],
        "changes": [
            {"year": year, "gains": gains_lines(board, before, after)}
            for (_, before), (year, after) in zip(years, years[1:], strict=False)
        ],
        "victory": board.victory,
    }


def _count(owners: Mapping[str, str], power: str) -> int:
    return sum(owner == power for owner in owners.values())


def gains_lines(board: Map, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return who took which centres, and from whom: "India: Nepal, Burma (from China)."."""
    lines = []
    for power in board.powers:
        taken = [
            board.provinces[c].name + (f" (from {before[c]})" if c in before else "")
            for c in board.centres
            if after.get(c) == power.name != before.get(c)
        ]
        if taken:
            lines.append(f"{power.name}: {', '.join(taken)}.")
    return lines
