"""Boards of provinces on a phone: parts, or the whole with fewer, larger names.

Signs and names have the same size as on any board, in units of the board. A part of a board, as
wide as the phone, therefore has them enlarged. The whole board is first reduced, split into panels
one below the other if it is wide, and keeps the names for which there is room.
"""

from collections.abc import Sequence
from dataclasses import replace

from judge.drawing.base import NAME, Area, BoardGeometry, Point, Window
from judge.drawing.curves import distance
from judge.drawing.picture import Picture
from judge.drawing.primitives import text_width

PHONE = 360.0
"""Width of a phone in CSS pixels."""
READABLE = 7.2
"""Minimum size of a name on a part of a board, in CSS pixels."""
WIDEST = 1500.0
"""Width of the widest board that is not split into two panels."""
PANEL = 740.0
"""Width of each panel, in the units signs are drawn in."""
OVERLAP = 90.0
"""Width of the strip that both panels show."""
TOKEN, DOT = 15.0, 8.0
"""Distance that a unit, or a supply centre, reaches from its middle."""


def least_name(window: Window) -> float:
    """Return the minimum size of a name on a part of a board as wide as a phone."""
    return max(NAME, READABLE * window.width / PHONE)


def whole_on_phone(picture: Picture) -> tuple[Picture, tuple[Window, ...]]:
    """Return a picture reduced for a phone, and its parts from top to bottom."""
    parts, factor = phone_windows(picture.base)
    small = picture.base.scale_down(factor)
    shown = replace(picture, base=_with_fewer_names(small, picture, least_name(parts[0])))
    return shown, parts


def phone_windows(base: BoardGeometry) -> tuple[tuple[Window, ...], float]:
    """Return the parts of a board for a phone, and the factor to reduce it by.

    The parts are in units of the reduced board.
    """
    if base.width > WIDEST:
        half = (base.width + OVERLAP) / 2
        windows = [Window(at, 0, half, base.height) for at in (0, base.width - half)]
    else:
        windows = [base.whole]
    factor = max(windows[0].width / PANEL, 1.0)
    return tuple(Window(*(part / factor for part in window)) for window in windows), factor


def _with_fewer_names(base: BoardGeometry, picture: Picture, size: float) -> BoardGeometry:
    """Return a board with the names and centres that overlap nothing else.

    Centres come first, then the areas with the largest names. A centre is drawn at the position of
    a unit. If a unit is there, the colour of the land shows the owner.
    """
    tokens = [base.spot(token.place) for token in picture.tokens]
    taken = [_around(at, TOKEN, TOKEN) for at in tokens]
    taken += [_around(base.spot(stroke.to), DOT, DOT) for stroke in picture.strokes]
    taken += [Window(f.x, f.y, f.width, f.height) for f in base.frames.values()]
    areas = {
        area.name: area._replace(label="", dot=_free_dot(area, tokens))
        for area in base.areas.values()
    }
    taken += [_around(area.dot, DOT, DOT) for area in areas.values() if area.dot is not None]
    for area in sorted(base.areas.values(), key=lambda area: (area.dot is None, -area.size)):
        high = TOKEN if areas[area.name].dot is None else DOT
        for at in _beside(area, high + size / 2 + 1):
            lies = _around(at, text_width(area.label, size) / 2 + 1, size / 2)
            if not any(map(lies.meets, taken)) and _is_within(lies, base):
                taken.append(lies)
                areas[area.name] = areas[area.name]._replace(label=area.label, label_at=at)
                break
    frames = {name: frame._replace(links=()) for name, frame in base.frames.items()}
    return replace(base, areas=areas, frames=frames)


def _free_dot(area: Area, tokens: Sequence[Point]) -> Point | None:
    if area.dot is None or any(distance(area.unit, at) < TOKEN + DOT - 3 for at in tokens):
        return None
    return area.unit


def _beside(area: Area, down: float) -> list[Point]:
    """Return possible positions of a name: the usual one, below and above the unit."""
    unit = area.unit
    return [area.label_at, Point(unit.x, unit.y + down), Point(unit.x, unit.y - down)]


def _around(at: Point, across: float, down: float) -> Window:
    return Window(at.x - across, at.y - down, 2 * across, 2 * down)


def _is_within(lies: Window, base: BoardGeometry) -> bool:
    return (
        lies.x >= 0
        and lies.y >= 0
        and lies.x + lies.width <= base.width
        and lies.y + lies.height <= base.height
    )
