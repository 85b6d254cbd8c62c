"""Boards of a public archive, each a stack of files that boards share.

Layers that never change for a kind of board are in one folder for all games, the others next to the
pages of their game. Every file is named by its content, so that nothing is stored twice. The
drawing of a whole board is a file that only refers to its layers. It can be opened by itself.
"""

import hashlib
import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple

from judge.drawing.card import WIDTH, Card
from judge.drawing.colours import paint
from judge.drawing.drawing import Drawing
from judge.drawing.picture import Captions
from judge.drawing.png import paint_png
from judge.drawing.svg import card_svg, key_svg, slice_svg, stacked_svg
from judge.games.painting import picture_of
from judge.model.letter import PictureRequest
from judge.model.record import PageBoard
from judge.site.folder import SiteFolder

SHARED = "boards"
"""Folder of layers that are the same for all games."""
READABLE = 7.2
"""Minimum size of a text on a board, in CSS pixels."""
_PLACE = re.compile(r'<image href="([^"]+)"')
_SIZE = re.compile(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"')


class DrawnBoard(NamedTuple):
    """Board on a page, with paths of its files relative to the page."""

    file: str
    layers: tuple[str, ...]
    width: int
    height: int
    caption: str
    alt: str
    sides: tuple[Mapping[str, str], ...] = ()
    key: str = ""
    """Path of a drawing of the legend, or ""."""
    least_width: int = 0
    """Width in CSS pixels at which all its texts can be read. 0: any width."""


class SiteBoards:
    """Boards of one game in a site."""

    def __init__(self, site: SiteFolder, game: str) -> None:
        self._site = site
        self._part = game
        self._folder = f"games/{game}"

    def draw_board(self, board: PageBoard) -> DrawnBoard:
        """Draw a board unless its files exist. Return it with its captions."""
        drawing = picture_of(board.sketch)
        captions = drawing.captions
        found = self._draw_stack(board, drawing, captions)
        least = READABLE * found.width / drawing.least_text if drawing.least_text else 0
        return found._replace(
            sides=_sides(captions), key=self._put(key_svg(captions), fixed=True),
            least_width=round(least),
        )

    def draw_thumbnail(self, board: PageBoard) -> DrawnBoard:
        """Draw a board as a thumbnail unless its files exist, and return it."""
        drawing = picture_of(board.sketch)
        return self._draw_stack(board, drawing, drawing.captions, small=True)

    def card(self, board: PageBoard, card: Card) -> str:
        """Paint a card of the game unless it exists. Return its file name."""
        told = hashlib.sha256(f"{board.sketch.key} {card!r}".encode("utf-8", "replace"))
        file = f"card-{told.hexdigest()[:16]}.png"
        if not self._site.keep(self._part, f"{self._folder}/{file}"):
            painted = paint_png(card_svg(picture_of(board.sketch), card), WIDTH)
            self._site.put(self._part, f"{self._folder}/{file}", painted)
        return file

    def chart(self, sketch: PictureRequest) -> DrawnBoard:
        """Draw a chart and return it."""
        drawing = picture_of(sketch)
        file = self._put(slice_svg(drawing.stack(), 0), fixed=False)
        width, height = drawing.size
        return DrawnBoard(file, (), round(width), round(height), "", drawing.captions.describes)

    def _draw_stack(
        self, board: PageBoard, drawing: Drawing, captions: Captions, *, small: bool = False
    ) -> DrawnBoard:
        file = f"{board.sketch.key[:16]}{'-small' if small else ''}.svg"
        whole = self._retain_drawing(file)
        if not whole:
            stack = drawing.thumbnail() if small else drawing.stack()
            drawn = [
                self._put(slice_svg(stack, at), fixed=one.fixed)
                for at, one in enumerate(stack.slices)
            ]
            whole = stacked_svg(stack, captions, tuple(filter(None, drawn)))
            self._site.put(self._part, f"{self._folder}/{file}", whole.encode())
        width, height = (round(float(side)) for side in _SIZE.findall(whole)[0])
        alt = captions.describes or board.caption
        return DrawnBoard(file, tuple(_PLACE.findall(whole)), width, height, board.caption, alt)

    def _retain_drawing(self, file: str) -> str:
        """Retain an existing drawing of a whole board with its layers. Return it, or ""."""
        if not self._site.keep(self._part, f"{self._folder}/{file}"):
            return ""
        whole = self._site.read(f"{self._folder}/{file}").decode("utf-8", "replace")
        places = _PLACE.findall(whole)
        there = [self._site.keep(self._part, self._inside(place)) for place in places]
        return whole if places and _SIZE.search(whole) and all(there) else ""

    def _put(self, svg: str, *, fixed: bool) -> str:
        """Write a drawing. Return its path relative to the pages of the game, or ""."""
        if not svg:
            return ""
        name = f"{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
        place = posixpath.relpath(f"{SHARED}/{name}", self._folder) if fixed else name
        self._site.put(self._part, self._inside(place), svg.encode())
        return place

    def _inside(self, place: str) -> str:
        """Return the path within the site for a path in a drawing.

        The path is not trusted, and leads to no other folder.
        """
        *folders, name = place.split("/")
        return f"{SHARED}/{name}" if SHARED in folders else f"{self._folder}/{name}"


def _sides(captions: Captions) -> tuple[Mapping[str, str], ...]:
    """Return the sides on a board with their letters and colours."""
    return tuple(
        {
            "name": side.name, "letter": side.letter, "note": side.note,
            "tint": paint(side.colour).tint, "strong": paint(side.colour).strong,
        }
        for side in captions.sides
    )
