"""Pictures as PNG: the SVG rendered with the shipped fonts, in few colours."""

import io
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import as_file, files

import resvg_py
from PIL import Image

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
MIXED = 128
"""Number of colours for the soft edges between others.

More are no gain. Dithering would add noise and size.
"""
ALL = 256
_COLOUR = re.compile(r'"#([0-9a-f]{6})"')


def paint_png(svg: str, width: int) -> bytes:
    """Return an SVG as a PNG *width* pixels wide, the same on every machine."""
    return paint_leaves([("", svg)], width, optimize=True)


def paint_leaves(leaves: Sequence[tuple[str, str]], width: int, *, optimize: bool = False) -> bytes:
    """Return several pictures as one PNG, one below the other.

    Each is two SVGs: the layers it shares with other pictures, or an empty string, and the layers
    above them.

    *optimize* takes a tenth of the total time and saves a twentieth of the bytes.
    """
    full = _join_images([_compose(under, over, width) for under, over in leaves])
    svgs = "".join(svg for leaf in leaves for svg in leaf)
    few = full.quantize(palette=_palette(full, svgs), dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", optimize=optimize)
    return out.getvalue()


def _compose(under: str, over: str, width: int) -> Image.Image:
    if not under:
        return _rasterize_svg(over, width).convert("RGB")
    whole = _paint_shared(under, width).copy()
    top = _rasterize_svg(over, width).convert("RGBA")
    whole.paste(top, mask=top)
    return whole


@lru_cache(maxsize=2)
def _paint_shared(svg: str, width: int) -> Image.Image:
    return _rasterize_svg(svg, width).convert("RGB")


def _rasterize_svg(svg: str, width: int) -> Image.Image:
    with as_file(files("judge.drawing") / "fonts") as fonts:
        painted = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(fonts / name) for name in FONTS],
            skip_system_fonts=True,
        )
    with Image.open(io.BytesIO(bytes(painted))) as image:
        image.load()
        return image


def _join_images(images: Sequence[Image.Image]) -> Image.Image:
    if len(images) == 1:
        return images[0]
    whole = Image.new("RGB", (images[0].width, sum(image.height for image in images)))
    top = 0
    for image in images:
        whole.paste(image, (0, top))
        top += image.height
    return whole


def _palette(image: Image.Image, svg: str) -> Image.Image:
    """Return the palette: the exact colours of the SVG, and mixtures between them.

    By frequency alone, the colour of a side with few areas would be missing from the legend.
    """
    named = sorted(set(_COLOUR.findall(svg)))[: ALL - MIXED]
    mixed = image.quantize(MIXED, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    parts = [*(mixed.getpalette() or [])[: 3 * MIXED], *bytes.fromhex("".join(named))]
    # The rest of the 256 repeats the first colour.
    parts += parts[:3] * (ALL - len(parts) // 3)
    palette = Image.new("P", (1, 1))
    palette.putpalette(parts)
    return palette
