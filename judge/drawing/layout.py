"""Boards of provinces: the areas, what stands on them, and the lines of orders, as layers."""

from collections.abc import Iterator
from dataclasses import dataclass

from judge.drawing import colours
from judge.drawing.base import NAME, OUTSIDE, Area, Base, Frame, Ground, Line, Point
from judge.drawing.drawing import Drawing
from judge.drawing.ink import Ink, Layer, Path, Text, box, circle
from judge.drawing.picture import Captions, Picture
from judge.drawing.strokes import Lines
from judge.drawing.tokens import draw_closed, draw_dots, draw_tokens

GROUNDS = {
    Ground.LAND: colours.LAND,
    Ground.SEA: colours.SEA,
    Ground.SHUT: "url(#shut)",
    Ground.SHUT_SEA: "url(#shut-sea)",
}
UNSEEN = "url(#unseen)"
"""What lies over an area that is not seen."""
BASELINE = 0.36
"""How far below its middle a text's baseline lies, in parts of its size."""


@dataclass(frozen=True)
class OnProvinces(Drawing):
    """The drawing of a board of provinces."""

    picture: Picture

    @property
    def captions(self) -> Captions:
        """What is written around the board."""
        return self.picture.captions

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the base: the same for all pictures on it."""
        return self.picture.base.width, self.picture.base.height

    def layers(self) -> tuple[Layer, ...]:
        """Return the board with everything in its place."""
        picture = self.picture
        lines, above = Lines(picture).draw()
        return (
            Layer("areas", tuple(_surfaces(picture))),
            Layer("lines", tuple(_lines(picture.base))),
            Layer("frames", tuple(_frames(picture))),
            Layer("orders", lines),
            Layer("names", tuple(_names(picture.base))),
            Layer("centres", tuple(draw_dots(picture))),
            Layer("closed", tuple(draw_closed(picture))),
            Layer("units", tuple(draw_tokens(picture))),
            Layer("failures", above),
        )


def _surfaces(picture: Picture) -> Iterator[Ink]:
    base = picture.base
    sides = {side.name: side for side in picture.sides}
    yield Path(base.shapes[OUTSIDE], fill=colours.OUTSIDE)
    for area in base.areas.values():
        owner = sides.get(picture.tints.get(area.name, ""))
        if owner is not None:
            yield Path(base.shapes[area.name], fill=colours.paint(owner.colour).tint)
            if colours.is_hatched(owner.colour):
                yield Path(base.shapes[area.name], fill="url(#hatch)")
        elif area.ground is not Ground.SEA:
            yield Path(base.shapes[area.name], fill=GROUNDS[area.ground])
        if area.name in picture.unseen:
            yield Path(base.shapes[area.name], fill=UNSEEN)


def _lines(base: Base) -> Iterator[Ink]:
    yield Path(base.lines[Line.WATER], stroke=colours.WATERLINE, width=1.4)
    yield Path(base.lines[Line.BORDER], stroke=colours.BORDER, width=1.1)
    yield Path(base.lines[Line.COAST], stroke=colours.COAST, width=1.3)


def _names(base: Base) -> Iterator[Ink]:
    for area in base.areas.values():
        yield _name(area)


def _name(area: Area) -> Text:
    wet = area.ground.is_water
    return Text(
        area.label_at.x,
        area.label_at.y + area.size * BASELINE,
        area.label,
        area.size,
        fill=colours.SEA_NAME if wet else colours.INK,
        italic=wet,
        halo=colours.SEA if wet else "#ffffff",
    )


def _frames(picture: Picture) -> Iterator[Ink]:
    sides = {side.name: side for side in picture.sides}
    for frame in picture.base.frames.values():
        owner = sides.get(picture.tints.get(frame.name, ""))
        fill = colours.paint(owner.colour).tint if owner else _frame_ground(frame)
        yield from _door(frame)
        outline = box(frame.x, frame.y, frame.width, frame.height, 5)
        yield Path(outline, fill=fill, stroke=colours.COAST, width=2)
        if frame.name in picture.unseen:
            yield Path(outline, fill=UNSEEN)
        right_of = frame.unit.x < frame.x + frame.width / 2
        left = frame.unit.x + 18 if right_of else frame.x + 8
        yield Text(left, frame.y + 17, frame.name, 14, anchor="start", bold=True)
        yield Text(left, frame.y + 33, "leads to", NAME, colours.FAINT_INK, "start")
        letters = " ".join(frame.links)
        yield Text(left, frame.y + 48, letters, NAME, anchor="start", bold=True)


def _frame_ground(frame: Frame) -> str:
    return "#e6f0f6" if frame.ground.is_water else "#f7f1e2"


def _door(frame: Frame) -> Iterator[Ink]:
    """Yield the line from a frame to the area it opens to."""
    x = min(max(frame.door.x, frame.x), frame.x + frame.width)
    y = min(max(frame.door.y, frame.y), frame.y + frame.height)
    start = Point(x, y)
    line = f"M{start.x:g} {start.y:g}L{frame.door.x:g} {frame.door.y:g}"
    yield Path(line, stroke="#ffffff", width=4, opacity=0.7)
    yield Path(line, stroke=colours.COAST, width=2, dash="2 3")
    yield Path(circle(frame.door.x, frame.door.y, 4), fill=colours.COAST)
