"""Colours of the board and of the sides.

The tints were found by search. The minimum difference (CIE76) between any two of them, and to the
board's own colours, is as large as possible for normal vision and for the three common kinds of
colour blindness. No two are equally light, for prints in grey. Each remains near the colour usual
for a power and light enough for a dark name (tests/drawing/test_colours simulates it). The same
holds for the colours of lines. Nothing depends on colour alone: tokens and owned centres bear the
side's letter, and from the eleventh side on land is hatched and tokens have a double outline. No
two of `MAX_SIDES` sides have the same colour and hatching.
"""

from typing import NamedTuple


class Paint(NamedTuple):
    """Colours of a side: `tint` for its land, `strong` for tokens with white letters."""

    tint: str
    strong: str


PALETTE = (
    Paint("#db7664", "#a3271c"),
    Paint("#ebc942", "#7a6a00"),
    Paint("#8692f6", "#1f3fa0"),
    Paint("#72ace9", "#11689a"),
    Paint("#758083", "#2f3538"),
    Paint("#ffaa6c", "#a34f00"),
    Paint("#4fcb9d", "#0a6e3c"),
    Paint("#a771b3", "#8d2383"),
    Paint("#b8aac4", "#5a3f78"),
    Paint("#b68237", "#5c3d0c"),
    Paint("#8be79c", "#2c6b0e"),
    Paint("#afa31b", "#565000"),
)
"""Colours of twelve sides. More sides repeat them."""
PLAIN = 10
"""Number of sides with plain land. Others have hatching and double outlines."""
HATCHINGS = ("hatch", "hatch-2", "hatch-3", "hatch-4", "hatch-5", "hatch-6")
"""Patterns of the SVG for sides with hatching, each used with all colours."""
MAX_SIDES = PLAIN + len(HATCHINGS) * len(PALETTE)
"""Number of sides that differ from each other on land."""

SEA = "#d0e2ec"
LAND = "#f0e8d4"
OUTSIDE = "#dddbd5"
SHUT = "#c9c4b8"
SHUT_SEA = "#c3d0d6"
UNSEEN = "#8b939b"
PAPER = "#f8f4ea"
INK = "#0e141a"
FAINT_INK = "#5d6a75"
COAST = "#3a4f66"
BORDER = "#8a7a66"
MOUNTAIN = "#8a5a2e"
RIDGE = "#4a2c12"
CLOSED = "#1d3a5c"
WAY = "#d8001c"
WATERLINE = "#9dbdd0"
WALK = "#8a6a44"
SAIL = "#5f8fb5"
SEA_NAME = "#3a6180"
MOVE = "#14181c"
FAILED = "#dd2222"
SUPPORT = "#08584c"
CONVOY = "#2260cc"
RETREAT = "#8a2bb0"
NEW = "#0b7a34"


def paint(number: int) -> Paint:
    """Return the colours of a side by its number in the palette."""
    return PALETTE[number % len(PALETTE)]


def is_hatched(number: int) -> bool:
    """Return whether a side needs hatching, as it is beyond the first `PLAIN`."""
    return number >= PLAIN


def hatching(number: int) -> str:
    """Return the fill of a side's hatching.

    >>> hatching(10), hatching(21), hatching(22)
    ('url(#hatch)', 'url(#hatch)', 'url(#hatch-2)')
    """
    return f"url(#{HATCHINGS[(number - PLAIN) // len(PALETTE) % len(HATCHINGS)]})"
