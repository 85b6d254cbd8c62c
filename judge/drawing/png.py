"""Pictures as PNG: the SVG rendered with the shipped fonts, in few colours."""

import io
import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

from PIL import Image

from judge.drawing import colours
from judge.drawing.primitives import EdgeBand, FinishedDrawing, Mark, Path, Primitive, Text
from judge.drawing.raster import rasterize_page
from judge.drawing.rasterizer import rasterize_svg
from judge.drawing.svg import layers_svg

MIXED = 24
"""Number of colours for the soft edges between others.

More are no gain. Dithering would add noise and size.
"""
ALL = 256
COMPRESSION = 8
"""Level of compression. 9 saves 2 % of the bytes, and takes three times as long."""
_COLOUR = re.compile(r'(?<=")#[0-9a-f]{6}(?=")')


def paint_png(svg: str, width: int) -> bytes:
    """Return an SVG as a PNG *width* pixels wide, the same on every machine."""
    return _encode(rasterize_svg(svg, width).convert("RGB"), {*_COLOUR.findall(svg)})


def paint_pages(pages: Sequence[FinishedDrawing], width: int) -> bytes:
    """Return pages as one PNG, one below the other."""
    image = _join_images([rasterize_page(page, width) for page in pages])
    return _encode(image, _pattern_colours().union(*map(_colours_of, pages)))


def _colours_of(page: FinishedDrawing) -> set[str]:
    found = {colours.SEA, colours.PAPER, colours.COAST}
    for layer in (*page.board, *page.around):
        found.update(*map(_colours_in, layer.inks))
        for area in layer.ground:
            found |= {area.fill, area.band}
    return {each for each in found if each.startswith("#")}


def _colours_in(ink: Primitive) -> Iterable[str]:
    match ink:
        case Path():
            return ink.fill, ink.stroke
        case Text():
            return ink.fill, ink.halo
        case EdgeBand():
            return (ink.stroke,)
        case Mark():
            return {each for part in ink.inks for each in _colours_in(part)}


@cache
def _pattern_colours() -> frozenset[str]:
    """Return the colours of the patterns, which are in each SVG."""
    return frozenset(_COLOUR.findall(layers_svg((), 1, 1)))


def _encode(image: Image.Image, named: AbstractSet[str]) -> bytes:
    """Return an image as a PNG, with the colours that its drawing names."""
    few = image.quantize(palette=_palette(image, named), dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", compress_level=COMPRESSION)
    return out.getvalue()


def _join_images(images: Sequence[Image.Image]) -> Image.Image:
    if len(images) == 1:
        return images[0]
    whole = Image.new("RGB", (images[0].width, sum(image.height for image in images)))
    top = 0
    for image in images:
        whole.paste(image, (0, top))
        top += image.height
    return whole


def _palette(image: Image.Image, named: AbstractSet[str]) -> Image.Image:
    """Return the palette: the exact colours of a drawing, and mixtures between them.

    By frequency alone, the colour of a side with few areas would be missing from the legend.
    """
    exact = sorted(named)[: ALL - MIXED]
    mixed = image.quantize(MIXED, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    parts = (mixed.getpalette() or [])[: 3 * MIXED]
    parts += bytes.fromhex("".join(exact).replace("#", ""))
    # The rest of the 256 repeats the first colour.
    parts += parts[:3] * (ALL - len(parts) // 3)
    palette = Image.new("P", (1, 1))
    palette.putpalette(parts)
    return palette
