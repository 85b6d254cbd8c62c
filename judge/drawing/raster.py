"""Pages as images. The parts that boards share are rendered once.

These are the ground and the fixed layers of a board (`plates`), and texts and marks (`stamps`). The
other paths of a page, such as the lines of orders, are rendered together as one SVG.
"""

from collections.abc import Sequence
from itertools import groupby

from PIL import Image, ImageChops, ImageDraw

from judge.drawing import colours
from judge.drawing.plates import fixed_plate, ground_plate, hatch_plate
from judge.drawing.primitives import FinishedDrawing, GroundArea, Layer, Mark, Text
from judge.drawing.rasterizer import rasterize_svg
from judge.drawing.stamps import Stampable, render_stamps, stamp_of, stamps_in
from judge.drawing.svg import EDGE_WIDTH, paths_svg, sheet_svg


def rasterize_page(page: FinishedDrawing, width: int) -> Image.Image:
    """Return a page as an RGB image *width* pixels wide."""
    if any(layer.fixed or layer.ground for layer in page.board):
        return _PageRaster(page, width).draw()
    return rasterize_svg(sheet_svg(page), width).convert("RGB")


class _PageRaster:
    """A page whose layers are pasted one above the other."""

    def __init__(self, page: FinishedDrawing, width: int) -> None:
        self._page, self._width = page, width
        unit = width / page.width
        """Pixels of a unit of the picture."""
        self._text_scale = unit * page.page
        self._scale = unit if page.window is None else width / page.window.width
        """Pixels of a unit of the board."""
        self._corner = (page.window.x, page.window.y) if page.window else (0.0, 0.0)
        self._top = round(page.board_top * unit)
        self._edge = max(1, round(EDGE_WIDTH * unit))
        self._board = Image.new("RGB", (width, round(page.board_height * unit)), colours.SEA)
        self._image = Image.new("RGB", (width, round(page.height * unit)), colours.PAPER)
        self._pending: list[Layer] = []
        self._around = tuple(_paths_of(layer) for layer in page.around)
        """Paths around the board that are not rendered yet."""

    def draw(self) -> Image.Image:
        """Return the image of the page."""
        page = self._page
        moving = [layer for layer in page.board if not layer.fixed]
        render_stamps([
            *((ink, self._scale) for layer in moving for ink in stamps_in(layer)),
            *((ink, self._text_scale) for layer in page.around for ink in stamps_in(layer)),
        ])
        for fixed, group in groupby(page.board, lambda layer: layer.fixed):
            if fixed:
                self._paste_fixed(tuple(group))
                continue
            for layer in group:
                self._add(layer)
        self._flush()
        self._image.paste(self._board, (0, self._top))
        self._draw_edge()
        for layer in page.around:
            for ink in stamps_in(layer):
                self._stamp(self._image, ink, ink.x, ink.y, self._text_scale)
        return self._image

    def _draw_edge(self) -> None:
        """Draw the line around the board, half of it outside."""
        outside = self._edge // 2
        low = self._top + self._board.height - 1 + outside
        box = (-outside, self._top - outside, self._width - 1 + outside, low)
        ImageDraw.Draw(self._image).rectangle(box, outline=colours.COAST, width=self._edge)

    def _add(self, layer: Layer) -> None:
        """Add a layer: its paths to the next SVG, its texts and marks to the board."""
        if layer.ground:
            self._paste_ground(layer.ground)
            return
        if (paths := _paths_of(layer)).inks:
            self._pending.append(paths)
        for number, ink in enumerate(stamps_in(layer)):
            if number == 0 and self._pending:
                self._flush()
            self._stamp(
                self._board, ink, ink.x - self._corner[0], ink.y - self._corner[1], self._scale
            )

    def _paste_ground(self, ground: Sequence[GroundArea]) -> None:
        outlines = tuple((area.outline, area.takes_band) for area in ground)
        part = self._part_of(ground_plate(outlines, self._page.whole, round(self._scale, 4)))
        lines = [self._hatch(part, hatch, ground) for hatch in sorted({a.hatch for a in ground})]
        part.putpalette(_palette_of(ground))
        self._board.paste(part.convert("RGB"))
        for mask in filter(None, lines):
            self._board.paste("#ffffff", mask=mask)

    def _hatch(
        self, part: Image.Image, hatch: str, ground: Sequence[GroundArea]
    ) -> Image.Image | None:
        """Return the lines of a hatching within its areas, as a mask."""
        if not hatch:
            return None
        hatched = {number for number, area in enumerate(ground, 1) if area.hatch == hatch}
        over = self._part_of(hatch_plate(hatch, self._page.whole, round(self._scale, 4)))
        within = part.point([255 if number in hatched else 0 for number in range(256)])
        return ImageChops.multiply(over.convert("RGBA").getchannel("A"), within)

    def _paste_fixed(self, layers: tuple[Layer, ...]) -> None:
        if self._pending:
            self._flush()
        plate = fixed_plate(layers, self._page.whole, round(self._scale, 4))
        part = self._part_of(plate).convert("RGBA")
        self._board.paste(part, mask=part)

    def _part_of(self, plate: Image.Image) -> Image.Image:
        """Return the part of an image of the whole board that the page shows."""
        left, top = (round(at * self._scale) for at in self._corner)
        return plate.crop((left, top, left + self._board.width, top + self._board.height))

    def _flush(self) -> None:
        """Render the pending paths, the first time with those around the board."""
        if not self._pending and not any(layer.inks for layer in self._around):
            return
        page = self._page._replace(board=tuple(self._pending), around=self._around)
        self._pending, self._around = [], ()
        over = rasterize_svg(paths_svg(page), self._width).convert("RGBA")
        low = self._top + self._board.height
        part = over.crop((0, self._top, self._width, low))
        self._board.paste(part, mask=part)
        if any(layer.inks for layer in page.around):
            for top, bottom in ((0, self._top), (low, self._image.height)):
                strip = over.crop((0, top, self._width, bottom))
                self._image.paste(strip, (0, top), strip)

    def _stamp(self, on: Image.Image, ink: Stampable, x: float, y: float, scale: float) -> None:
        stamp = stamp_of(ink, scale)
        left, top = round(x * scale) - stamp.left, round(y * scale) - stamp.top
        wide, high = stamp.image.size
        if -wide < left < on.width and -high < top < on.height:
            on.paste(stamp.image, (left, top), stamp.image)


def _paths_of(layer: Layer) -> Layer:
    return layer._replace(
        inks=tuple(ink for ink in layer.inks if not isinstance(ink, Text | Mark))
    )


def _palette_of(ground: Sequence[GroundArea]) -> bytes:
    """Return the colours of the numbers in the image of a ground."""
    bands = (area.band or area.fill for area in ground if area.takes_band)
    found = (colours.SEA, *(area.fill for area in ground), *bands)
    return bytes.fromhex("".join(colour.removeprefix("#") for colour in found))
