"""Preview card of a game for links on other sites: text left, board right."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.drawing import Drawing
from judge.drawing.primitives import Layer, Path, Primitive, Text, box, text_width

WIDTH, HEIGHT = 1200, 630
MARGIN = 40.0
WORDS = 380.0
"""Width of the text."""
TITLE, MIN, LINE, SHARE = 54.0, 26.0, 25.0, 26.0
MAX_LINES, MAX_SHARES = 6, 7


class Card(NamedTuple):
    """Content of a card: names of the game and its map, a sentence, and the scores."""

    title: str
    subtitle: str
    sentence: str
    shares: tuple[tuple[str, int, str], ...] = ()
    """Letter, colour and text of each side with a score, in descending order."""


class Placed(NamedTuple):
    """Position of the board on a card."""

    x: float
    y: float
    width: float
    height: float


def card_words(card: Card) -> Layer:
    """Return the texts of a card."""
    size = max(MIN, min(TITLE, TITLE * WORDS / max(text_width(card.title, TITLE, True), 1)))
    title = _shorten_text(card.title, size, bold=True)
    inks: list[Primitive] = [
        Text(MARGIN, 92, title, size, anchor="start", bold=True),
        Text(MARGIN, 130, _shorten_text(card.subtitle, 24), 24, colours.FAINT_INK, "start"),
    ]
    for number, line in enumerate(wrap_text(card.sentence, LINE)):
        inks.append(Text(MARGIN, 186 + 1.35 * LINE * number, line, LINE, anchor="start"))
    shares = card.shares[:MAX_SHARES]
    top = HEIGHT - MARGIN - 34 * len(shares)
    for number, (letter, colour, told) in enumerate(shares):
        y, paint = top + 34 * number, colours.paint(colour)
        chip = box(MARGIN, y, 36, 28, 5)
        inks.append(Path(chip, fill=paint.strong, stroke=paint.tint, width=3))
        size = min(20.0, 20.0 * 30 / max(text_width(letter, 20, True), 1))
        inks.append(Text(MARGIN + 18, y + 21, letter, size, "#ffffff", bold=True))
        share = _shorten_text(told, SHARE - 4, less=52)
        inks.append(Text(MARGIN + 52, y + 22, share, SHARE - 4, anchor="start"))
    return Layer("words", tuple(inks))


def place_of(drawing: Drawing) -> Placed:
    """Return the position of the board on a card, as large as there is room."""
    stamp = drawing.thumbnail()
    left = 2 * MARGIN + WORDS
    wide, high = WIDTH - left - MARGIN / 2, HEIGHT - MARGIN
    factor = min(wide / stamp.width, high / stamp.height)
    width, height = stamp.width * factor, stamp.height * factor
    return Placed(left + (wide - width) / 2, (HEIGHT - height) / 2, width, height)


def wrap_text(text: str, size: float) -> list[str]:
    """Return a text in lines as wide as the text of a card.

    Lines beyond the limit are dropped, and words that are too wide are shortened.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= WORDS or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > MAX_LINES:
        lines[MAX_LINES - 1] += " …"
    return [_shorten_text(line, size) for line in lines[:MAX_LINES]]


def _shorten_text(text: str, size: float, *, bold: bool = False, less: float = 0) -> str:
    """Return as much of a text as there is room for."""
    if text_width(text, size, bold) <= WORDS - less:
        return text
    while text and text_width(f"{text}…", size, bold) > WORDS - less:
        text = text[:-1]
    return f"{text}…"


def shares_of(counts: Sequence[tuple[str, str, int, int]]) -> tuple[tuple[str, int, str], ...]:
    """Return a card's `shares`, greatest first, of (name, letter, colour, score).

    Sides without a score are left out.
    """
    left = sorted((one for one in counts if one[3]), key=lambda one: -one[3])
    return tuple((letter, colour, f"{name} {count}") for name, letter, colour, count in left)
