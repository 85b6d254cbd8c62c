"""Areas of pixels from a picture: each province is filled from its point."""

from collections.abc import Mapping
from io import BytesIO

import numpy as np
import numpy.typing as npt
from PIL import Image

from judge_maps.importing.draft import ImportFault, ImportLog
from judge_maps.painting import pieces_of

Pixels = npt.NDArray[np.int32]

MAX_SIDE = 4096
"""Maximum pixels of a side."""
NEAR = 12
"""Distance from a point at which its province may begin, in pixels."""
STAMP = 7
"""Half of the side of a square that stands for a province without pixels."""
MIN_PIXELS = 30
MAX_LOST = 0.2
"""Maximum part of the provinces whose point is not in an area of their own."""


def read_picture(octets: bytes) -> Pixels:
    """Return the colours of a picture, as one number for each pixel.

    Raises:
        ImportFault: it is no picture, or too large.
    """
    try:
        with Image.open(BytesIO(octets), formats=("PNG", "GIF", "JPEG", "BMP")) as image:
            if max(image.size) > MAX_SIDE:
                raise ImportFault(f"the picture is larger than {MAX_SIDE} x {MAX_SIDE} pixels")
            pixels = np.asarray(image.convert("RGB")).astype(np.int32)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as fault:
        raise ImportFault(f"the picture cannot be read: {fault}") from fault
    # Colours are rounded, as lossy pictures have many of each.
    low = pixels // 16
    colours: Pixels = low[:, :, 0] * 256 + low[:, :, 1] * 16 + low[:, :, 2]
    return colours


def fill_areas(
    colours: Pixels, points: Mapping[str, tuple[float, float]], names: list[str], log: ImportLog
) -> Pixels:
    """Return the number of a name for each pixel, from 1, or 0 where none was filled.

    Raises:
        ImportFault: the points are not those of this picture.
    """
    height, width = colours.shape
    outside = [n for n, (x, y) in points.items() if not (0 <= x < width and 0 <= y < height)]
    if outside:
        raise ImportFault(
            f"{len(outside)} of {len(points)} points are outside of the picture: another scale?"
        )
    pieces = pieces_of(colours)
    sizes = np.bincount(pieces.ravel())
    labels: Pixels = np.zeros(colours.shape, np.int32)
    owner: dict[int, str] = {}
    lost: list[str] = []
    for name, (x, y) in points.items():
        piece = _piece_at(pieces, sizes, int(x), int(y))
        if piece is None or piece in owner:
            lost.append(name)
            if piece is not None:
                log.add("picture", f"{name} is in the same area as {owner[piece]}")
        else:
            owner[piece] = name
    if len(lost) > MAX_LOST * len(points):
        raise ImportFault(f"{len(lost)} of {len(points)} points are in no area of their own")
    number = np.zeros(len(sizes), np.int32)
    for piece, name in owner.items():
        number[piece] = names.index(name) + 1
    labels = number[pieces]
    for name in lost:
        x, y = map(int, points[name])
        rows = slice(max(0, y - STAMP), y + STAMP + 1)
        labels[rows, max(0, x - STAMP) : x + STAMP + 1] = names.index(name) + 1
        log.add("guessed", f"{name} is a square at its point")
    return labels


def _piece_at(pieces: Pixels, sizes: npt.NDArray[np.int64], x: int, y: int) -> int | None:
    """Return the piece at a point, or None.

    If a line or letter is there, it is the largest piece near it.
    """
    here = int(pieces[y, x])
    if sizes[here] >= MIN_PIXELS * 10:
        return here
    near = pieces[max(0, y - NEAR) : y + NEAR + 1, max(0, x - NEAR) : x + NEAR + 1]
    found = [int(piece) for piece in np.unique(near) if sizes[piece] >= MIN_PIXELS]
    return max(found, key=lambda piece: int((near == piece).sum()), default=None)
