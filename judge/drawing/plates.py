"""Images of whole boards, rendered once and kept in memory and on disk.

A plate is found by its content: the SVG that it was rendered from, and its width. So it never
becomes outdated. A missing or damaged file is rendered again.
"""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path as FilePath
from tempfile import NamedTemporaryFile

from PIL import Image

from judge.drawing.primitives import Layer, Path, box
from judge.drawing.rasterizer import rasterize_svg
from judge.drawing.svg import ground_svg, layers_svg

log = logging.getLogger("judge.painter")

MAX_PLATES = 12
"""Number of plates in memory, about 3 MB each."""
MAX_FILES = 120
"""Number of plates on disk, at most about 0.5 MB each. The oldest are removed."""
PLATE_COLOURS = 24
"""Number of colours of a fixed layer, with their transparency. Its lines have three colours."""
_Size = tuple[float, float]
_folder: FilePath | None = None


def keep_plates_in(folder: FilePath | None) -> None:
    """Set the folder for plates on disk. None keeps them in memory only."""
    global _folder
    _folder = folder


@lru_cache(maxsize=MAX_PLATES)
def ground_plate(
    outlines: tuple[tuple[str, bool], ...], whole: _Size, scale: float
) -> Image.Image:
    """Return a board as an image of numbers: 0 is the sea, 1 the first area.

    The bands of areas are numbered after all areas. *outlines* are those of the areas, each with
    whether a band may lie inside it.
    """
    return _load_or_render(ground_svg(outlines, *whole), round(whole[0] * scale), _render_numbers)


@lru_cache(maxsize=MAX_PLATES)
def fixed_plate(layers: tuple[Layer, ...], whole: _Size, scale: float) -> Image.Image:
    """Return fixed layers of a whole board, in few colours to save memory."""
    return _load_or_render(layers_svg(layers, *whole), round(whole[0] * scale), _render_lines)


def hatch_plate(hatch: str, whole: _Size, scale: float) -> Image.Image:
    """Return a board that is hatched everywhere, on nothing."""
    board = Path(box(0, 0, *whole), fill=hatch)
    return fixed_plate((Layer("hatch", (board,)),), whole, scale)


def _render_numbers(svg: str, width: int) -> Image.Image:
    return rasterize_svg(svg, width, is_crisp=True).convert("RGB").getchannel("B")


def _render_lines(svg: str, width: int) -> Image.Image:
    return rasterize_svg(svg, width).convert("RGBA").quantize(
        PLATE_COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
    )


def _load_or_render(svg: str, width: int, render: Callable[[str, int], Image.Image]) -> Image.Image:
    """Return a plate from its file, or render it and write the file."""
    if _folder is None:
        return render(svg, width)
    file = _folder / f"{sha256(f'{width} {render.__name__} {svg}'.encode()).hexdigest()[:32]}.png"
    # A damaged file can raise errors of many types.
    with suppress(Exception), Image.open(file) as image:
        image.load()
        if image.width == width:
            return image
    plate = render(svg, width)
    try:
        _write(plate, file)
    except OSError as fault:
        log.warning("a plate cannot be kept in %s: %s", _folder, fault.strerror)
    return plate


def _write(image: Image.Image, file: FilePath) -> None:
    """Write a plate, so that another process finds all of it or nothing."""
    file.parent.mkdir(exist_ok=True)
    with NamedTemporaryFile(dir=file.parent, suffix=".new", delete=False) as new:
        try:
            image.save(new, "PNG")
            new.close()
            os.replace(new.name, file)
        except OSError:
            os.unlink(new.name)
            raise
    files = sorted(file.parent.glob("*.png"), key=lambda each: each.stat().st_mtime)
    for old in files[:-MAX_FILES]:
        old.unlink(missing_ok=True)
