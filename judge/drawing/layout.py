"""Boards of provinces as layers: areas, units, centres and lines of orders."""

from collections.abc import Iterator, Mapping
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
from judge.drawing.board_layers import MARK, Slice, Stack, band_letter, edge_band, pips, tints
from judge.drawing.borders import draw_borders
from judge.drawing.drawing import Drawing
from judge.drawing.framing import GAP, PageSection, add_frame, height_of
from judge.drawing.links import draw_links, draw_ways
from judge.drawing.phone import least_name, whole_on_phone
from judge.drawing.picture import Captions, Picture, Side, Token
from judge.drawing.primitives import (
    BASELINE,
    PHONE_PAGE,
    EdgeBand,
    FinishedDrawing,
    GroundArea,
    Layer,
    Mark,
    Path,
    Primitive,
    Text,
    box,
    circle,
    text_width,
)
from judge.drawing.strokes import Lines
from judge.drawing.tokens import draw_closed, draw_dots, draw_named_tokens, draw_tokens

OPEN = {AreaKind.LAND: colours.LAND, AreaKind.SEA: colours.SEA}
"""Fills of areas that may be entered, without an owner."""
CLOSED = {AreaKind.SHUT: "url(#shut)", AreaKind.SHUT_SEA: "url(#shut-sea)"}
"""Fills of impassable areas."""
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

    @property
    def least_text(self) -> float:
        """Size of the letters of bands, or of names on a board without bands."""
        return MARK if self.picture.bands else NAME

    def layers(self) -> tuple[Layer, ...]:
        """Return the board with all its layers."""
        picture, base = self.picture, self.picture.base
        window = self.window or base.whole
        if self.window is not None:
            picture = replace(picture, tokens=_tokens_in(picture, window))
        least = NAME if self.window is None else least_name(window)
        mark = MARK if self.window is None else least
        lines, above = Lines(picture).draw()
        return (
            Layer("areas", tuple(_surfaces(picture)), ground=_ground(picture)),
            Layer("covers", tuple(_covers(picture, mark))),
            Layer("lines", (*_closed_areas(base), *_lines(base)), fixed=True),
            Layer("links", _links(picture), fixed=True),
            Layer("frames", tuple(_frames(picture, window))),
            Layer("orders", lines),
            Layer("names", tuple(_names(base, window, least))),
            Layer("centres", tuple(draw_dots(picture))),
            Layer("closed", tuple(draw_closed(picture))),
            Layer("units", tuple(draw_tokens(picture))),
            Layer("failures", above),
        )

    def draw_page(self) -> FinishedDrawing:
        """Return the board with the texts around it."""
        return super().draw_page()._replace(whole=self.size)

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

    def named_layers(self) -> tuple[Layer, ...]:
        """Return the board with names of all areas and units, for the script of a page.

        A unit is named by its place. A dislodged unit has an asterisk behind it.
        """
        picture, base = self.picture, self.picture.base
        return (
            Layer("areas", tuple(_named_areas(picture))),
            Layer("covers", tuple(_hatches(picture))),
            Layer("lines", (*_closed_areas(base), *_lines(base))),
            Layer("frames", tuple(
                mark._replace(name=name) for name, mark in zip(
                    base.frames, _frames(picture, base.whole), strict=True
                )
            )),
            Layer("names", tuple(
                # The style of the page draws the halos, which halves the size of the names.
                each._replace(halo="") if isinstance(each, Text) else each
                for each in _names(base, base.whole, NAME)
            )),
            Layer("centres", tuple(draw_dots(picture))),
            Layer("closed", tuple(draw_closed(picture))),
            Layer("units", tuple(draw_named_tokens(picture))),
        )

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
            )._replace(whole=self.board.size)
            for number, window in enumerate(self.windows)
        )


def _under(picture: Picture) -> tuple[Slice, Slice, Slice]:
    """Return the lowest slices: the ground, the owners of land, and the borders."""
    base = picture.base
    bare = Picture(base, picture.head)
    veils = (
        Path(base.shapes[name], fill=UNSEEN)
        for name in sorted(picture.unseen) if name in base.areas
    )
    return (
        Slice((Layer("areas", (*_surfaces(bare), *_closed_areas(base))),), fixed=True),
        Slice((Layer("land", (*tints(picture), *veils)),)),
        Slice((
            Layer("lines", tuple(_lines(base))),
            Layer("links", _links(picture)),
            Layer("frames", tuple(_frames(bare, base.whole))),
        ), fixed=True),
    )  # fmt: skip


def _held_frames(picture: Picture) -> Iterator[Mark]:
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


MAX_NUMBERS = 255
"""Number of areas and bands that the image of a ground can tell apart."""


def _ground(picture: Picture) -> tuple[GroundArea, ...]:
    """Return the colours of all open areas, or nothing for a board with too many.

    Nodes lie above the lines between them, and are no ground.
    """
    base = picture.base
    if base.is_schematic:
        return ()
    sides = {side.name: side for side in picture.sides}
    found = [GroundArea(base.shapes[OUTSIDE], colours.OUTSIDE)]
    for area in filter(_is_ownable, base.areas.values()):
        last = sides.get(picture.bands.get(area.name, ""))
        found.append(GroundArea(
            base.shapes[area.name], _fill_of(area, picture.tints, sides),
            _hatch_of(area, picture.tints, sides),
            colours.paint(last.colour).tint if last else "", not area.ground.is_water,
        ))
    numbers = len(found) + sum(each.takes_band for each in found)
    return tuple(found) if numbers <= MAX_NUMBERS else ()


def _named_areas(picture: Picture) -> Iterator[Path]:
    """Yield all open areas in their colours, with their names."""
    base = picture.base
    sides = {side.name: side for side in picture.sides}
    yield Path(base.shapes[OUTSIDE], fill=colours.PAPER if base.is_schematic else colours.OUTSIDE)
    yield from draw_borders(base)
    for area in base.areas.values():
        if area.ground in OPEN:
            fill = _fill_of(area, picture.tints, sides)
            yield Path(base.shapes[area.name], fill=fill, name=area.name)


def _hatches(picture: Picture) -> Iterator[Path]:
    """Yield the hatching of the owned areas that need it."""
    sides = {side.name: side for side in picture.sides}
    for area in picture.base.areas.values():
        if hatch := _hatch_of(area, picture.tints, sides):
            yield Path(picture.base.shapes[area.name], fill=hatch)


def _is_ownable(area: Area) -> bool:
    """Return whether an area usually has an owner: open land, or a sea with a centre."""
    return area.ground in OPEN and (area.dot is not None or not area.ground.is_water)


def _fill_of(area: Area, tints: Mapping[str, str], sides: Mapping[str, Side]) -> str:
    owner = sides.get(tints.get(area.name, ""))
    return OPEN[area.ground] if owner is None else colours.paint(owner.colour).tint


def _hatch_of(area: Area, tints: Mapping[str, str], sides: Mapping[str, Side]) -> str:
    owner = sides.get(tints.get(area.name, ""))
    is_hatched = owner is not None and colours.is_hatched(owner.colour)
    return colours.hatching(owner.colour) if owner is not None and is_hatched else ""


def _surfaces(picture: Picture) -> Iterator[Path | EdgeBand]:
    """Yield the open areas in their colours, and the hatching and bands in them."""
    base = picture.base
    sides = {side.name: side for side in picture.sides}
    ground = colours.PAPER if base.is_schematic else colours.OUTSIDE
    yield Path(base.shapes[OUTSIDE], fill=ground)
    yield from draw_borders(base)
    for area in base.areas.values():
        if not (_is_ownable(area) or base.is_schematic):
            continue
        yield Path(base.shapes[area.name], fill=_fill_of(area, picture.tints, sides))
        if hatch := _hatch_of(area, picture.tints, sides):
            yield Path(base.shapes[area.name], fill=hatch)
        if last := sides.get(picture.bands.get(area.name, "")):
            yield edge_band(area, base.shapes[area.name], last)


def _covers(picture: Picture, mark: float) -> Iterator[Path | Text]:
    """Yield the items over areas: other owned areas, letters of bands, veils."""
    base = picture.base
    sides = {side.name: side for side in picture.sides}
    for area in base.areas.values():
        owner = sides.get(picture.tints.get(area.name, ""))
        if owner is not None and not _is_ownable(area):
            yield Path(base.shapes[area.name], fill=colours.paint(owner.colour).tint)
            if colours.is_hatched(owner.colour):
                yield Path(base.shapes[area.name], fill=colours.hatching(owner.colour))
        if last := sides.get(picture.bands.get(area.name, "")):
            yield band_letter(area, last, mark)
        if area.name in picture.unseen:
            yield Path(base.shapes[area.name], fill=UNSEEN)


def _closed_areas(base: BoardGeometry) -> Iterator[Path]:
    """Yield the areas of the board that are impassable."""
    for area in base.areas.values():
        if area.ground in CLOSED:
            yield Path(base.shapes[area.name], fill=CLOSED[area.ground])


def _lines(base: BoardGeometry) -> Iterator[Path]:
    yield Path(base.lines[ArcKind.WATER], stroke=colours.WATERLINE, width=1.4)
    yield Path(base.lines[ArcKind.BORDER], stroke=colours.BORDER, width=1.1)
    yield Path(base.lines[ArcKind.COAST], stroke=colours.COAST, width=1.3)


def _links(picture: Picture) -> tuple[Path, ...]:
    if picture.links:
        return draw_links(picture.base, picture.links)
    return tuple(draw_ways(picture.base))


def _names(base: BoardGeometry, window: Window, least: float) -> Iterator[Primitive]:
    for mark in base.marks:
        yield Text(mark.at.x, mark.at.y + NAME * BASELINE, mark.text, NAME, colours.FAINT_INK)
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


def _frames(picture: Picture, window: Window) -> Iterator[Mark]:
    """Yield the boxes in a window, of areas that have no place on the board."""
    sides = {side.name: side for side in picture.sides}
    for frame in picture.base.frames.values():
        if window.meets(Window(frame.x, frame.y, frame.width, frame.height)):
            across, down = abs(frame.door.x - frame.x), abs(frame.door.y - frame.y)
            inks = (*_exit(frame), *_frame(frame, picture, sides))
            reach = max(across, frame.width) + 5, max(down, frame.height) + 5
            yield Mark(frame.x, frame.y, inks, *reach)


def _frame(
    frame: Frame, picture: Picture, sides: Mapping[str, Side]
) -> Iterator[Path | Text]:
    owner = sides.get(picture.tints.get(frame.name, ""))
    fill = colours.paint(owner.colour).tint if owner else _frame_ground(frame)
    outline = box(0, 0, frame.width, frame.height, 5)
    yield Path(outline, fill=fill, stroke=colours.COAST, width=2)
    if last := sides.get(picture.bands.get(frame.name, "")):
        inner = box(3.5, 3.5, frame.width - 7, frame.height - 7, 3)
        yield Path(inner, stroke=colours.paint(last.colour).tint, width=5)
    if frame.name in picture.unseen:
        yield Path(outline, fill=UNSEEN)
    right_of = frame.unit.x < frame.x + frame.width / 2
    left = frame.unit.x - frame.x + 18 if right_of else 8
    yield Text(left, 17, frame.name, 14, anchor="start", bold=True)
    if frame.links:
        yield Text(left, 33, "leads to", NAME, colours.FAINT_INK, "start")
        yield Text(left, 48, " ".join(frame.links), NAME, anchor="start", bold=True)


def _frame_ground(frame: Frame) -> str:
    return "#e6f0f6" if frame.ground.is_water else "#f7f1e2"


def _exit(frame: Frame) -> Iterator[Path]:
    """Yield the line from a frame to the area it opens to."""
    door = Point(frame.door.x - frame.x, frame.door.y - frame.y)
    x, y = min(max(door.x, 0), frame.width), min(max(door.y, 0), frame.height)
    line = f"M{x:g} {y:g}L{door.x:g} {door.y:g}"
    yield Path(line, stroke="#ffffff", width=4, opacity=0.7)
    yield Path(line, stroke=colours.COAST, width=2, dash="2 3")
    yield Path(circle(*door, 4), fill=colours.COAST)
