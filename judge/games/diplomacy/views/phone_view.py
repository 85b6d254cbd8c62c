"""Front of a power: the part of the board around its units, for phones.

A power with units in two theatres has two fronts. The whole board shows all that is farther away.
The part shown follows from the power's own units and the map alone, so that it reveals nothing that
the viewer does not see.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from judge.board.map import Map, Unit
from judge.board.position import Position
from judge.drawing.base import BoardGeometry, Window
from judge.drawing.layout import PanelDrawing, ProvinceDrawing
from judge.drawing.picture import Picture, Sample, Stroke, StrokeKind
from judge.drawing.regions import fullest, region_around
from judge.games.diplomacy.rules.orders import Move, Outcome
from judge.games.diplomacy.views.geometry import base
from judge.games.diplomacy.views.pictures import (
    FAILURES,
    SCHEMATIC,
    VisibleArea,
    board_values,
    read_picture,
)
from judge.games.diplomacy.views.record import DiplomacyRecord

THEATRES = 2

Failed = Sequence[tuple[str, str]]
"""Failed moves, from a place to a place."""


def front_sketch(
    board: Map, position: Position, power: str, failed: Failed, *, only: VisibleArea | None = None
) -> str:
    """Return the sketch of a power's front, with the moves that failed last.

    Empty if the power has no units.
    """
    windows = front_windows(board, position, power)
    if not windows:
        return ""
    front = {"power": power, "windows": windows, "failed": sorted(failed)}
    return json.dumps({**board_values(board, position, only), "front": front})


def failed_moves(told: DiplomacyRecord) -> Failed:
    """Return the moves of a phase that failed, as far as the record shows them."""
    return [
        (verdict.order.unit.place, verdict.order.to)
        for verdicts in told.adjudged.verdicts.values()
        for verdict in verdicts
        if isinstance(verdict.order, Move)
        and FAILURES & {*verdict.outcomes}
        and Outcome.DISLODGED not in verdict.outcomes
    ]


def front_windows(board: Map, position: Position, power: str) -> tuple[Window, ...]:
    """Return the windows of a power's front, that with most of its units first."""
    drawn = base(board.name)
    left = [*position.units.get(power, ())]
    left += [beaten.unit for beaten in position.dislodged.get(power, ())]
    found: list[Window] = []
    while left and len(found) < THEATRES:
        spots = {unit: drawn.spot(unit.place) for unit in left}
        theatre = fullest(spots.values())
        group = [unit for unit in left if theatre.holds(spots[unit])]
        found.append(_around(board, drawn, group))
        left = [unit for unit in left if not found[-1].holds(spots[unit])]
    return tuple(found)


def _around(board: Map, drawn: BoardGeometry, group: Sequence[Unit]) -> Window:
    """Return a window around units and as many of the places they reach as fit."""
    spots = [drawn.spot(unit.place) for unit in group]
    goals = {drawn.spot(place) for unit in group for place in board.stations[unit].there}
    return region_around(drawn, spots, goals)


def front_picture(told: dict[str, Any], title: str) -> PanelDrawing:
    """Return the drawing of the sketch of a front."""
    front = told["front"]
    windows = tuple(Window(*window) for window in front["windows"])
    whole = read_picture(told, title)
    ghosts = tuple(
        Stroke(StrokeKind.MOVE, start, goal, failed=True, ghost=True)
        for start, goal in front["failed"]
        if any(window.holds(whole.base.spot(at)) for window in windows for at in (start, goal))
    )
    drawn = f", {SCHEMATIC}" if whole.base.is_schematic else ""
    picture = replace(
        whole,
        head=whole.head._replace(subtitle=f"Where {front['power']} stands now{drawn}", aside=""),
        strokes=ghosts,
        key=_key(whole, bool(ghosts)),
        describes=f"Where {front['power']} stands, and what is around.",
    )
    return PanelDrawing(ProvinceDrawing(picture), windows, _sides_in(whole, windows))


def _sides_in(picture: Picture, windows: Sequence[Window]) -> frozenset[str]:
    """Return the sides that are visible in the windows."""
    base = picture.base
    stands = {
        token.side
        for token in picture.tokens
        if any(window.holds(base.spot(token.place)) for window in windows)
    }
    owns = {
        side
        for name, side in (*picture.tints.items(), *picture.bands.items())
        if any(window.holds(base.spot(name)) for window in windows)
    }
    return frozenset(stands | owns)


def _key(picture: Picture, has_ghosts: bool) -> tuple[tuple[Sample, str], ...]:
    told = (Sample.BEATEN, Sample.CONTESTED, Sample.BAND, Sample.UNSEEN)
    key = tuple(entry for entry in picture.key if entry[0] in told)
    return (*key, (Sample.GHOST, "failed last")) if has_ghosts else key
