"""The colours of the board and of the sides.

The tints were found by search: the least difference (CIE76) between any two of them, and to the
board's own colours, is as large as could be for full sight and for the three common kinds of
colour blindness, while each stays near the colour a power is used to and light enough for a dark
name (tests/drawing/test_colours simulates it). Nothing hangs on colour alone: tokens and owned
centres bear the side's letter.
"""

from typing import NamedTuple


class Paint(NamedTuple):
    """The colours of a side: of its land, and of its tokens, on which letters are white."""

    tint: str
    strong: str


PALETTE = (
    Paint("#dd7867", "#a3271c"),
    Paint("#fbd455", "#7a6a00"),
    Paint("#6b95f8", "#1f3fa0"),
    Paint("#98cafb", "#11689a"),
    Paint("#7d898c", "#2f3538"),
    Paint("#ffa86d", "#a34f00"),
    Paint("#4dc699", "#0a6e3c"),
    Paint("#aa74b6", "#8d2383"),
    Paint("#b6a8c3", "#5a3f78"),
    Paint("#af7d32", "#5c3d0c"),
    Paint("#88f4a0", "#2c6b0e"),
    Paint("#b8ac28", "#565000"),
)
"""Enough for twelve sides; a system with more begins again, and the letters tell them apart."""

SEA = "#d0e2ec"
LAND = "#f0e8d4"
OUTSIDE = "#dddbd5"
SHUT = "#c9c4b8"
SHUT_SEA = "#c3d0d6"
PAPER = "#f8f4ea"
INK = "#1b2530"
FAINT_INK = "#5d6a75"
COAST = "#3a4f66"
BORDER = "#8a7a66"
WATERLINE = "#9dbdd0"
SEA_NAME = "#3a6180"
MOVE = "#14181c"
FAILED = "#c8102e"
SUPPORT = "#0b7a34"
CONVOY = "#1d55c4"
RETREAT = "#8a2bb0"
NEW = "#0b7a34"


def paint(number: int) -> Paint:
    """Return the colours of a side by its number in the palette."""
    return PALETTE[number % len(PALETTE)]
