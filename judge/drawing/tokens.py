"""Units, supply centres and the marks on them."""

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin

from judge.drawing import colours
from judge.drawing.base import BoardGeometry, Point, path_of
from judge.drawing.curves import distance
from judge.drawing.picture import Picture, Side, TokenShape, TokenState
from judge.drawing.primitives import ORIGIN, Mark, Path, Text, box, circle, cross, number

ASIDE = ((23.0, -16.0), (-23.0, -16.0), (23.0, 16.0), (-23.0, 16.0))
"""Offsets of a dislodged unit from its place, in order of preference."""
CLEAR = 34.0
"""Distance between two tokens that do not touch each other."""
REACH = 16.0
"""Distance that a token and the marks around it reach from its middle."""
LETTER = 13.5
MARK_REACH = 24.0
"""Distance that any mark of this module reaches from its middle."""


def spots_aside(picture: Picture) -> Mapping[str, Point]:
    """Return the positions of dislodged units by their places, with most room around."""
    base = picture.base
    taken = {base.spot(token.place) for token in picture.tokens if not token.aside}
    found: dict[str, Point] = {}
    for token in picture.tokens:
        if token.aside:
            home = base.spot(token.place)
            others = (taken | {*found.values()}) - {home}
            found[token.place] = max(
                (_beside(base, home, step) for step in ASIDE),
                key=lambda at: min([CLEAR, *(distance(at, other) for other in others)]),
            )
    return found


def _beside(base: BoardGeometry, home: Point, step: tuple[float, float]) -> Point:
    x = min(max(home.x + step[0], REACH), base.width - REACH)
    return Point(x, min(max(home.y + step[1], REACH), base.height - REACH))


def draw_token(at: Point, form: TokenShape, side: Side, state: TokenState) -> Iterator[Mark]:
    """Yield a unit with the letter of its side. A lost unit is only an outline."""
    yield Mark(*at, tuple(_token(form, side, state)), MARK_REACH, MARK_REACH)


def _token(form: TokenShape, side: Side, state: TokenState) -> Iterator[Path | Text]:
    at = ORIGIN
    strong = colours.paint(side.colour).strong
    shape = block(at) if form is TokenShape.BLOCK else boat(at)
    yield Path(shape, stroke="#ffffff", width=4)
    fill, ink, edge = strong, "#ffffff", colours.INK
    if state is TokenState.GONE:
        fill, ink, edge = "#ffffff", strong, strong
    yield Path(shape, fill=fill, stroke=edge, width=2 if state is TokenState.GONE else 0.8)
    if colours.is_hatched(side.colour):
        yield Path(
            block(at, 2.2) if form is TokenShape.BLOCK else hull(at, 2.2), stroke=ink, width=1
        )
    down = 4.9 if form is TokenShape.BLOCK else 8.6
    size = letter_size(side, LETTER)
    down -= (LETTER - size) * 0.36
    yield Text(at.x, at.y + down, side.letter, size, fill=ink, bold=True)
    yield from _state(at, state)


def letter_size(side: Side, usual: float) -> float:
    """Return the size of a side's letter, smaller for a code of several letters.

    >>> letter_size(Side("France", "F", 3), 20.0), letter_size(Side("Paris", "PAR", 3), 25.0)
    (20.0, 14.0)
    """
    return usual if len(side.letter) < 2 else usual * 1.68 / len(side.letter)


def block(at: Point, inner: float = 0) -> str:
    """Return the outline of a wooden block, or a line *inner* units within it."""
    return box(at.x - 11 + inner, at.y - 9.5 + inner, 22 - 2 * inner, 19 - 2 * inner, 3 - inner)


def boat(at: Point) -> str:
    """Return the outline of a ship under sail, its hull broad enough for a letter."""
    sail = f"M{number(at.x - 1)} {number(at.y - 3.7)}v-10l11 10z"
    jib = f"M{number(at.x - 3.2)} {number(at.y - 3.7)}v-7l-7 7z"
    return hull(at) + sail + jib


def hull(at: Point, inner: float = 0) -> str:
    """Return the outline of a ship's hull, or a line *inner* units within it."""
    left, top = number(at.x - 14.5 + 1.4 * inner), number(at.y - 2.5 + inner)
    wide, keel = number(29 - 2.8 * inner), number(19 - 1.4 * inner)
    return f"M{left} {top}h{wide}l-{number(5 - 0.7 * inner)} {number(14 - 2 * inner)}h-{keel}z"


def _state(at: Point, state: TokenState) -> Iterator[Path]:
    """Yield the mark of a token's state."""
    ring = circle(at.x, at.y, REACH + 0.5)
    match state:
        case TokenState.BEATEN:
            yield Path(ring, stroke="#ffffff", width=4.2, opacity=0.8)
            yield Path(ring, stroke=colours.FAILED, width=2.4, dash="5 2.6")
        case TokenState.NEW:
            yield Path(ring, stroke="#ffffff", width=4.2, opacity=0.8)
            yield Path(ring, stroke=colours.NEW, width=2.2)
            yield from _badge(Point(at.x + 13, at.y - 12), colours.NEW, _plus)
        case TokenState.GONE:
            yield from _badge(Point(at.x + 12, at.y - 10), colours.FAILED, _times)
        case TokenState.STANDING:
            pass


def _badge(at: Point, colour: str, sign: Callable[[Point], str]) -> Iterator[Path]:
    """Yield a disc with a sign at a token's upper right, where no letter is."""
    yield Path(circle(at.x, at.y, 7), fill=colour, stroke="#ffffff", width=1.5)
    yield Path(sign(at), stroke="#ffffff", width=2.4)


def _plus(at: Point) -> str:
    x, y = number(at.x - 4), number(at.y - 4)
    return f"M{x} {number(at.y)}h8M{number(at.x)} {y}v8"


def _times(at: Point) -> str:
    return cross(at.x, at.y, 3)


def draw_hold(at: Point) -> Iterator[Mark]:
    """Yield the octagon around a unit that holds."""
    turns = (pi / 8 + n * pi / 4 for n in range(8))
    shape = path_of([Point(17.5 * cos(turn), 17.5 * sin(turn)) for turn in turns]) + "z"
    inks = (
        Path(shape, stroke="#ffffff", width=4, opacity=0.8),
        Path(shape, stroke=colours.INK, width=1.8),
    )
    yield Mark(*at, inks, MARK_REACH, MARK_REACH)


def draw_dot(at: Point, owner: Side | None) -> Iterator[Mark]:
    """Yield a supply centre, with its owner's letter or empty."""
    yield Mark(*at, tuple(_dot(owner)), MARK_REACH, MARK_REACH)


def _dot(owner: Side | None) -> Iterator[Path | Text]:
    at = ORIGIN
    if owner is None:
        yield Path(circle(at.x, at.y, 4.4), fill="#ffffff", stroke=colours.INK, width=1.5)
        yield Path(circle(at.x, at.y, 1.7), fill=colours.INK)
        return
    strong = colours.paint(owner.colour).strong
    yield Path(circle(at.x, at.y, 7.2), fill="#ffffff", stroke=strong, width=1.7)
    if len(owner.letter) == 1:
        yield Text(at.x, at.y + 4.1, owner.letter, 11.3, fill=strong, bold=True)
    else:
        # A code has no room in so small a dot.
        yield Path(circle(at.x, at.y, 3.2), fill=strong)


def draw_contested(at: Point) -> Iterator[Mark]:
    """Yield the sign on an area that no unit may enter now."""
    disc = Path(circle(0, 0, 9), fill="#ffffff", stroke=colours.FAILED, width=2, opacity=0.9)
    inks = (disc, Path("M-5 0h10", stroke=colours.FAILED, width=3))
    yield Mark(*at, inks, MARK_REACH, MARK_REACH)


def draw_dots(picture: Picture, *, owned: bool = False) -> Iterator[Mark]:
    """Yield all centres, or only those with an owner."""
    sides = {side.name: side for side in picture.sides}
    for area in picture.base.areas.values():
        owner = sides.get(picture.owners.get(area.name, ""))
        if area.dot is not None and (owner or not owned):
            yield from draw_dot(area.dot, owner)


def draw_tokens(picture: Picture) -> Iterator[Mark]:
    """Yield all units, the dislodged ones above those that dislodged them."""
    sides = {side.name: side for side in picture.sides}
    held, asides = {hold.place for hold in picture.holds}, spots_aside(picture)
    for token in sorted(picture.tokens, key=lambda token: token.aside):
        at = asides[token.place] if token.aside else picture.base.spot(token.place)
        if token.place in held and not token.aside:
            yield from draw_hold(at)
        yield from draw_token(at, token.form, sides[token.side], token.state)


def draw_named_tokens(picture: Picture) -> Iterator[Mark]:
    """Yield all units with the names of their places.

    The name of a dislodged unit ends in an asterisk.
    """
    sides = {side.name: side for side in picture.sides}
    asides = spots_aside(picture)
    for token in sorted(picture.tokens, key=lambda token: token.aside):
        at = asides[token.place] if token.aside else picture.base.spot(token.place)
        name = f"{token.place}*" if token.aside else token.place
        for mark in draw_token(at, token.form, sides[token.side], token.state):
            yield mark._replace(name=name)


def draw_closed(picture: Picture) -> Iterator[Mark]:
    """Yield the signs on areas that no unit may enter."""
    for place in picture.contested:
        yield from draw_contested(picture.base.spot(place))
