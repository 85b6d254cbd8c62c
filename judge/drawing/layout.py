"""Boards of provinces as layers: areas, units, centres and lines of orders."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from judge.drawing import colours
from judge.drawing.base import (
    NAME,
    OUTSIDE,
    ArcKind,
    Area,
    AreaKind,
    BoardGeometry,
    Frame,
    Point,
    Window,
)
from judge.drawing.board_layers import MARK, Slice, Stack, band, pips, tints
from judge.drawing.drawing import Drawing
from judge.drawing.framing import GAP, PageSection, add_frame, height_of
from judge.drawing.links import draw_links
from judge.drawing.phone import least_name, whole_on_phone
from judge.drawing.picture import Captions, Picture, Token
from judge.drawing.primitives import (
    BASELINE,
    PHONE_PAGE,
    FinishedDrawing,
    Layer,
    Path,
    Primitive,
    Text,
    box,
    circle,
    text_width,
)
from judge.drawing.strokes import Lines
from judge.drawing.tokens import draw_closed, draw_dots, draw_tokens

GROUNDS = {
    AreaKind.LAND: colours.LAND,
    AreaKind.SEA: colours.SEA,
    AreaKind.SHUT: "url(#shut)",
    AreaKind.SHUT_SEA: "url(#shut-sea)",
}
NEARBY = 45.0
"""Distance from its place that a token drawn next to it may reach."""
UNSEEN = "url(#unseen)"
"""Fill over an area that the viewer cannot see."""


@dataclass(frozen=True)
class ProvinceDrawing(Drawing):
    """The drawing of a board of provinces."""

    picture: Picture
    window: Window | None = None
    """Part of the board to draw, with names large enough for a phone. None means all."""

    @property
    def captions(self) -> Captions:
        """Texts around the board."""
        return self.picture.captions

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the base, the same for all pictures on it."""
        return self.picture.base.width, self.picture.base.height

    def layers(self) -> tuple[Layer, ...]:
        """Return the board with all its layers."""
        picture = self.picture
        window = self.window or picture.base.whole
        if self.window is not None:
            picture = replace(picture, tokens=_tokens_in(picture, window))
        least = NAME if self.window is None else least_name(window)
        mark = MARK if self.window is None else least
        lines, above = Lines(picture).draw()
        return (
            Layer("areas", tuple(_surfaces(picture, window, mark))),
            Layer("lines", tuple(_lines(picture.base, self.window))),
            Layer("links", _links(picture, self.window)),
            Layer("frames", tuple(_frames(picture, window))),
            Layer("orders", lines),
            Layer("names", tuple(_names(picture.base, window, least))),
            Layer("centres", tuple(draw_dots(picture))),
            Layer("closed", tuple(draw_closed(picture))),
            Layer("units", tuple(draw_tokens(picture))),
            Layer("failures", above),
        )

    def stack(self) -> Stack:
        """Return the fixed ground, borders and names apart from owners and units."""
        picture, base = self.picture, self.picture.base
        bare = Picture(base, picture.head)
        lines, above = Lines(picture).draw()
        ground, land, borders = _under(picture)
        units = (
            Layer("closed", tuple(draw_closed(picture))),
            Layer("units", tuple(draw_tokens(picture))),
            Layer("failures", above),
        )
        return Stack(*self.size, (
            ground,
            land,
            borders,
            Slice((Layer("frames", tuple(_held_frames(picture))), Layer("orders", lines))),
            Slice((Layer("names", tuple(_names(base, base.whole, NAME))),), fixed=True),
            Slice((Layer("free", tuple(draw_dots(bare))),), fixed=True),
            Slice((Layer("centres", tuple(draw_dots(picture, owned=True))),)),
            Slice(units),
        ))

    def thumbnail(self) -> Stack:
        """Return the owners of land, and units as plain marks."""
        return Stack(*self.size, (
            *_under(self.picture), Slice((Layer("units", tuple(pips(self.picture))),))
        ))

    def small(self) -> Drawing:
        """Return the board with fewer and larger names, in panels if it is wide."""
        picture, windows = whole_on_phone(self.picture)
        return PanelDrawing(ProvinceDrawing(picture), windows)


@dataclass(frozen=True)
class PanelDrawing(Drawing):
    """Parts of a board of provinces, one below the other, each as wide as the phone."""

    board: ProvinceDrawing
    windows: tuple[Window, ...]
    sides: frozenset[str] | None = None
    """Names of the only sides in the legend. None means all."""

    @property
    def captions(self) -> Captions:
        """Texts around the board."""
        told = self.board.captions
        if self.sides is None:
            return told
        return replace(told, sides=tuple(s for s in told.sides if s.name in self.sides))

    @property
    def picture(self) -> Picture:
        """The picture of the whole board."""
        return self.board.picture

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of all panels."""
        gaps = GAP * (len(self.windows) - 1)
        return PHONE_PAGE, sum(map(_height, self.windows)) + gaps

    @property
    def pixels(self) -> int:
        """Width in pixels, nearly twice that of a phone in CSS pixels."""
        return 640

    @property
    def proportion(self) -> float:
        """Height of the whole picture, in parts of its width."""
        width, height = self.size
        return height_of(self.captions, width, height, PHONE_PAGE) / width

    def layers(self) -> tuple[Layer, ...]:
        """Return the whole board, none of its parts enlarged."""
        return self.board.layers()

    def draw_page(self) -> FinishedDrawing:
        """Return the whole board, none of its parts enlarged."""
        return self.board.draw_page()

    def pages(self) -> tuple[FinishedDrawing, ...]:
        """Return a sheet for each part."""
        last = len(self.windows) - 1
        return tuple(
            add_frame(
                replace(self.board, window=window).layers(), PHONE_PAGE, _height(window),
                self.captions, PHONE_PAGE, PageSection(window, number == 0, number == last),
            )
            for number, window in enumerate(self.windows)
        )


def _under(picture: Picture) -> tuple[Slice, Slice, Slice]:
    """Return the lowest slices: the ground, the owners of land, and the borders."""
    bare = Picture(picture.base, picture.head)
    veils = (
        Path(picture.base.shapes[name], fill=UNSEEN)
        for name in sorted(picture.unseen) if name in picture.base.areas
    )
    whole = picture.base.whole
    return (
        Slice((Layer("areas", tuple(_surfaces(bare, whole))),), fixed=True),
        Slice((Layer("land", (*tints(picture), *veils)),)),
        Slice((
            Layer("lines", tuple(_lines(picture.base, None))),
            Layer("links", _links(picture)),
            Layer("frames", tuple(_frames(bare, whole))),
        ), fixed=True),
    )  # fmt: skip


def _held_frames(picture: Picture) -> Iterator[Primitive]:
    """Yield the frames that do not look as on the empty board."""
    told = {*picture.tints, *picture.bands, *picture.unseen}
    frames = {name: frame for name, frame in picture.base.frames.items() if name in told}
    return _frames(replace(picture, base=replace(picture.base, frames=frames)), picture.base.whole)


def _height(window: Window) -> float:
    return PHONE_PAGE * window.height / window.width


def _tokens_in(picture: Picture, window: Window) -> tuple[Token, ...]:
    """Return the tokens visible in a part of the board."""
    x, y, width, height = window
    wider = Window(x - NEARBY, y - NEARBY, width + 2 * NEARBY, height + 2 * NEARBY)
    return tuple(t for t in picture.tokens if wider.holds(picture.base.spot(t.place)))


def _surfaces(picture: Picture, window: Window, mark: float = MARK) -> Iterator[Primitive]:
    base = picture.base
    sides = {side.name: side for side in picture.sides}
    yield Path(base.shapes[OUTSIDE], fill=colours.OUTSIDE)
    for area in base.areas.values():
        if not window.meets(base.reaches[area.name]):
            continue
        owner = sides.get(picture.tints.get(area.name, ""))
        if owner is not None:
            yield Path(base.shapes[area.name], fill=colours.paint(owner.colour).tint)
            if colours.is_hatched(owner.colour):
                yield Path(base.shapes[area.name], fill="url(#hatch)")
        elif area.ground is not AreaKind.SEA:
            yield Path(base.shapes[area.name], fill=GROUNDS[area.ground])
        if last := sides.get(picture.bands.get(area.name, "")):
            yield from band(area, base.shapes[area.name], last, mark)
        if area.name in picture.unseen:
            yield Path(base.shapes[area.name], fill=UNSEEN)


def _lines(base: BoardGeometry, window: Window | None) -> Iterator[Primitive]:
    lines = base.lines if window is None else base.lines_in(window)
    yield Path(lines[ArcKind.WATER], stroke=colours.WATERLINE, width=1.4)
    yield Path(lines[ArcKind.BORDER], stroke=colours.BORDER, width=1.1)
    yield Path(lines[ArcKind.COAST], stroke=colours.COAST, width=1.3)


def _links(picture: Picture, window: Window | None = None) -> tuple[Primitive, ...]:
    return draw_links(picture.base, picture.links, window) if picture.links else ()


def _names(base: BoardGeometry, window: Window, least: float) -> Iterator[Primitive]:
    for area in base.areas.values():
        if area.label and window.meets(base.reaches[area.name]):
            size = max(area.size, least)
            at = area.label_at
            if window.holds(area.unit):
                at = clamp_into(at, text_width(area.label, size) / 2 + 2, size / 2 + 2, window)
            yield _name(area._replace(size=size, label_at=at))


def clamp_into(at: Point, across: float, down: float, window: Window) -> Point:
    """Return the nearest point to *at* for an item to be inside a window.

    The item reaches *across* and *down* from its middle.
    """
    return Point(
        min(max(at.x, window.x + across), window.x + window.width - across),
        min(max(at.y, window.y + down), window.y + window.height - down),
    )


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


def _frames(picture: Picture, window: Window) -> Iterator[Primitive]:
    sides = {side.name: side for side in picture.sides}
    for frame in picture.base.frames.values():
        if not window.meets(Window(frame.x, frame.y, frame.width, frame.height)):
            continue
        owner = sides.get(picture.tints.get(frame.name, ""))
        fill = colours.paint(owner.colour).tint if owner else _frame_ground(frame)
        yield from _draw_exit(frame)
        outline = box(frame.x, frame.y, frame.width, frame.height, 5)
        yield Path(outline, fill=fill, stroke=colours.COAST, width=2)
        if last := sides.get(picture.bands.get(frame.name, "")):
            inner = box(frame.x + 3.5, frame.y + 3.5, frame.width - 7, frame.height - 7, 3)
            yield Path(inner, stroke=colours.paint(last.colour).tint, width=5)
        if frame.name in picture.unseen:
            yield Path(outline, fill=UNSEEN)
        right_of = frame.unit.x < frame.x + frame.width / 2
        left = frame.unit.x + 18 if right_of else frame.x + 8
        yield Text(left, frame.y + 17, frame.name, 14, anchor="start", bold=True)
        if not frame.links:
            continue
        yield Text(left, frame.y + 33, "leads to", NAME, colours.FAINT_INK, "start")
        letters = " ".join(frame.links)
        yield Text(left, frame.y + 48, letters, NAME, anchor="start", bold=True)


def _frame_ground(frame: Frame) -> str:
    return "#e6f0f6" if frame.ground.is_water else "#f7f1e2"


def _draw_exit(frame: Frame) -> Iterator[Primitive]:
    """Yield the line from a frame to the area it opens to."""
    x = min(max(frame.door.x, frame.x), frame.x + frame.width)
    y = min(max(frame.door.y, frame.y), frame.y + frame.height)
    start = Point(x, y)
    line = f"M{start.x:g} {start.y:g}L{frame.door.x:g} {frame.door.y:g}"
    yield Path(line, stroke="#ffffff", width=4, opacity=0.7)
    yield Path(line, stroke=colours.COAST, width=2, dash="2 3")
    yield Path(circle(frame.door.x, frame.door.y, 4), fill=colours.COAST)
