"""How wide texts are in the fonts we ship, in thousandths of their size.

Only what layout needs: printable ASCII; anything else counts as a wide letter.
"""

REGULAR = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)
"""Widths from the space to the tilde, DejaVu Sans; its oblique is as wide."""

BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696,
    696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683,
    683, 821, 837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771,
    724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665,
    343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
)
"""The same of DejaVu Sans Bold."""

WIDE = 1000


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return how wide a text is when its letters are `size` high.

    >>> text_width("Bur", 10), text_width("Bur", 10, bold=True)
    (17.31, 19.67)
    """
    table = BOLD if bold else REGULAR
    return sum(_width(letter, table) for letter in text) * size / 1000


def _width(letter: str, table: tuple[int, ...]) -> int:
    at = ord(letter) - 32
    return table[at] if 0 <= at < len(table) else WIDE
