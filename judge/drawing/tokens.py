"""Units, centres and what is marked on them."""

from collections.abc import Iterator
from math import cos, pi, sin

from judge.drawing import colours
from judge.drawing.base import Base, Point, path_of
from judge.drawing.ink import Ink, Path, Text, box, circle, cross, number
from judge.drawing.picture import Form, Picture, Side, State

ASIDE = (15.0, -13.0)
"""How far a unit that was driven out stands beside its place."""
REACH = 14.0
"""How far a token and what is around it reach from its middle."""
LETTER = 12.0


def spot_of(base: Base, place: str, aside: bool) -> Point:
    """Return where a unit is drawn, on its place or beside it."""
    spot = base.spot(place)
    if not aside:
        return spot
    x = min(max(spot.x + ASIDE[0], REACH), base.width - REACH)
    return Point(x, max(spot.y + ASIDE[1], REACH))


def draw_token(at: Point, form: Form, side: Side) -> Iterator[Ink]:
    """Yield a unit with the letter of its side."""
    strong = colours.paint(side.colour).strong
    shape = block(at) if form is Form.BLOCK else boat(at)
    yield Path(shape, stroke="#ffffff", width=3.6)
    yield Path(shape, fill=strong, stroke=colours.INK, width=0.8)
    down = 4.4 if form is Form.BLOCK else 8.4
    yield Text(at.x, at.y + down, side.letter, LETTER, fill="#ffffff", bold=True)


def block(at: Point) -> str:
    """Return the outline of a wooden block."""
    return box(at.x - 10, at.y - 8.5, 20, 17, 2.5)


def boat(at: Point) -> str:
    """Return the outline of a ship under sail, its hull broad enough for a letter."""
    hull = f"M{number(at.x - 13)} {number(at.y - 1.5)}h26l-4.5 12h-17z"
    sail = f"M{number(at.x - 1)} {number(at.y - 2.5)}v-9l10 9z"
    jib = f"M{number(at.x - 3)} {number(at.y - 2.5)}v-6l-6 6z"
    return hull + sail + jib


def draw_state(at: Point, state: State) -> Iterator[Ink]:
    """Yield what is the matter with a token."""
    ring = circle(at.x, at.y, REACH + 0.5)
    match state:
        case State.BEATEN:
            yield Path(ring, stroke="#ffffff", width=4.2, opacity=0.8)
            yield Path(ring, stroke=colours.FAILED, width=2.4, dash="5 2.6")
        case State.NEW:
            yield Path(ring, stroke="#ffffff", width=4.2, opacity=0.8)
            yield Path(ring, stroke=colours.NEW, width=2.2)
            yield from _plus(Point(at.x + 12, at.y - 11))
        case State.GONE:
            struck = cross(at.x, at.y, 11)
            yield Path(struck, stroke="#ffffff", width=6)
            yield Path(struck, stroke=colours.FAILED, width=3.4)
        case State.STANDING:
            pass


def _plus(at: Point) -> Iterator[Ink]:
    yield Path(circle(at.x, at.y, 6), fill=colours.NEW, stroke="#ffffff", width=1.4)
    x, y = number(at.x - 3.4), number(at.y - 3.4)
    arms = f"M{x} {number(at.y)}h6.8M{number(at.x)} {y}v6.8"
    yield Path(arms, stroke="#ffffff", width=2)


def draw_hold(at: Point) -> Iterator[Ink]:
    """Yield the eight-sided sign around a unit that stays."""
    turns = (pi / 8 + n * pi / 4 for n in range(8))
    corners = [Point(at.x + 15.5 * cos(turn), at.y + 15.5 * sin(turn)) for turn in turns]
    shape = path_of(corners) + "z"
    yield Path(shape, stroke="#ffffff", width=4, opacity=0.8)
    yield Path(shape, stroke=colours.INK, width=1.8)


def draw_dot(at: Point, owner: Side | None) -> Iterator[Ink]:
    """Yield a supply centre: with its owner's letter, or empty."""
    if owner is None:
        yield Path(circle(at.x, at.y, 4.4), fill="#ffffff", stroke=colours.INK, width=1.5)
        yield Path(circle(at.x, at.y, 1.7), fill=colours.INK)
        return
    strong = colours.paint(owner.colour).strong
    yield Path(circle(at.x, at.y, 7.2), fill="#ffffff", stroke=strong, width=1.7)
    yield Text(at.x, at.y + 4.1, owner.letter, 11.3, fill=strong, bold=True)


def draw_contested(at: Point) -> Iterator[Ink]:
    """Yield the sign on an area that nobody may enter now."""
    yield Path(circle(at.x, at.y, 9), fill="#ffffff", stroke=colours.FAILED, width=2, opacity=0.9)
    bar = f"M{number(at.x - 5)} {number(at.y)}h10"
    yield Path(bar, stroke=colours.FAILED, width=3)


def draw_dots(picture: Picture) -> Iterator[Ink]:
    """Yield all centres."""
    sides = {side.name: side for side in picture.sides}
    for area in picture.base.areas.values():
        if area.dot is not None:
            yield from draw_dot(area.dot, sides.get(picture.owners.get(area.name, "")))


def draw_tokens(picture: Picture) -> Iterator[Ink]:
    """Yield all units; those driven out lie above those that drove them out."""
    sides = {side.name: side for side in picture.sides}
    held = {hold.place for hold in picture.holds}
    for token in sorted(picture.tokens, key=lambda token: token.aside):
        at = spot_of(picture.base, token.place, token.aside)
        if token.place in held and not token.aside:
            yield from draw_hold(at)
        yield from draw_token(at, token.form, sides[token.side])
        yield from draw_state(at, token.state)


def draw_closed(picture: Picture) -> Iterator[Ink]:
    """Yield the signs on areas that nobody may enter."""
    for place in picture.contested:
        yield from draw_contested(picture.base.spot(place))
