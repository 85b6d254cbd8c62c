"""Images of texts and marks, rendered once and kept.

Most texts and marks of a picture are on many others: names of areas, units of a power, signs of the
key. An image of each is kept by its content and scale, and pasted at the nearest whole pixel.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from PIL import Image

from judge.drawing.primitives import Layer, Mark, Text, text_width
from judge.drawing.rasterizer import rasterize_svg
from judge.drawing.svg import atlas_svg

MAX_PIXELS = 8_000_000
"""Number of pixels of all kept images, 4 bytes each."""
_ATLAS = 1024
"""Least width of the image on which missing stamps are rendered together."""
_HALO = 3.0
"""Width of the line around a text with a halo."""

Stampable = Text | Mark


class Stamp(NamedTuple):
    """Image of a text or mark, and the pixels from its corner to its position."""

    image: Image.Image
    left: int
    top: int


class _Cell(NamedTuple):
    """Place of a stamp on the image it is rendered on, in pixels."""

    x: int
    y: int
    left: int
    top: int
    width: int
    height: int


_Key = tuple[Stampable, float]
_stamps: dict[_Key, Stamp] = {}
"""Images by content and scale."""


def stamps_in(layer: Layer) -> Iterator[Stampable]:
    """Yield the texts and marks of a layer."""
    return (ink for ink in layer.inks if isinstance(ink, Text | Mark))


def stamp_of(ink: Stampable, scale: float) -> Stamp:
    """Return the image of a text or mark that `render_stamps` has rendered."""
    return _stamps[_key(ink, scale)]


def render_stamps(inks: Iterable[tuple[Stampable, float]]) -> None:
    """Render the texts and marks that are not kept yet, each in its scale."""
    wanted = dict.fromkeys(_key(ink, scale) for ink, scale in inks)
    if sum(map(_pixels_of, _stamps.values())) > MAX_PIXELS:
        _stamps.clear()
    missing = {key: _measure(*key) for key in wanted if key not in _stamps}
    if not missing:
        return
    # Rows of equal height leave the least of the common image empty.
    missing = dict(sorted(missing.items(), key=lambda item: item[1].height))
    cells = [*missing.values()]
    width = max([_ATLAS, *(cell.width for cell in cells)])
    placed, height = _place(cells, width)
    marks = [
        (ink, scale, cell.x + cell.left, cell.y + cell.top)
        for (ink, scale), cell in zip(missing, placed, strict=True)
    ]
    atlas = rasterize_svg(atlas_svg(marks, width, height), width).convert("RGBA")
    for key, cell in zip(missing, placed, strict=True):
        box = (cell.x, cell.y, cell.x + cell.width, cell.y + cell.height)
        _stamps[key] = Stamp(atlas.crop(box), cell.left, cell.top)


def _pixels_of(stamp: Stamp) -> int:
    return stamp.image.width * stamp.image.height


def _key(ink: Stampable, scale: float) -> _Key:
    return ink._replace(x=0, y=0), round(scale, 4)


def _measure(ink: Stampable, scale: float) -> _Cell:
    """Return the size of a stamp, with its position in it."""
    if isinstance(ink, Mark):
        left = right = ink.across
        up = down = ink.down
    else:
        wide = text_width(ink.text, ink.size, ink.bold)
        left = wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[ink.anchor] + _HALO
        right = wide - left + 2 * _HALO
        up, down = ink.size + _HALO, 0.4 * ink.size + _HALO
    before, above = int(left * scale) + 1, int(up * scale) + 1
    after, below = int(right * scale) + 1, int(down * scale) + 1
    return _Cell(0, 0, before, above, before + after, above + below)


def _place(cells: Sequence[_Cell], width: int) -> tuple[list[_Cell], int]:
    """Return the cells in rows on the common image, and its height."""
    placed, x, y, high = [], 0, 0, 0
    for cell in cells:
        if x + cell.width > width:
            x, y, high = 0, y + high, 0
        placed.append(cell._replace(x=x, y=y))
        x, high = x + cell.width, max(high, cell.height)
    return placed, y + high
