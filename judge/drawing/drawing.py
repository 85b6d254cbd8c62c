"""Base class of all pictures, for any game and any type of board.

A game system returns one from `Drawn.picture`. A board of provinces is drawn from a `LetterPicture`
(`layout.ProvinceDrawing`), a board of hexes from tiles and counters (`hexes.HexBoard`), and a list
from a `TablePicture` (`tables.TableDrawing`). A board of another type is a `PicturePlaceholder` of
the game system's own.
"""

from abc import ABC, abstractmethod

from judge.drawing.board_layers import Slice, Stack
from judge.drawing.framing import add_frame, height_of
from judge.drawing.picture import Captions
from judge.drawing.primitives import FinishedDrawing, Layer


class Drawing(ABC):
    """A picture that can be measured at once and drawn later."""

    @property
    @abstractmethod
    def captions(self) -> Captions:
        """Texts around the board: the head, the sides with their colours, the key."""

    @property
    @abstractmethod
    def size(self) -> tuple[float, float]:
        """Width and height of the board, known without drawing it, for letters in HTML."""

    @abstractmethod
    def layers(self) -> tuple[Layer, ...]:
        """Return the layers of the board. Their origin is its upper left corner."""

    @property
    def pixels(self) -> int:
        """Width of the PNG in pixels: twice that of the picture in a letter."""
        return 1360

    @property
    def least_text(self) -> float:
        """Size of the smallest text on the board, in its units. 0: it fits any screen."""
        return 0

    @property
    def proportion(self) -> float:
        """Height of the whole picture, in parts of its width."""
        width, height = self.size
        return height_of(self.captions, width, height) / width

    def stack(self) -> Stack:
        """Return the board in slices, for pages that show it many times.

        Such a page renders the texts around the board itself. A subclass should mark the slices
        that are always the same.
        """
        return Stack(*self.size, (Slice(self.layers()),))

    def thumbnail(self) -> Stack:
        """Return the board for the size of a stamp, by default as `stack` does."""
        return self.stack()

    def draw_page(self) -> FinishedDrawing:
        """Return the board with the texts around it."""
        return add_frame(self.layers(), *self.size, self.captions)

    def pages(self) -> tuple[FinishedDrawing, ...]:
        """Return the sheets to render, one below the other, by default the whole picture."""
        return (self.draw_page(),)

    def small(self) -> "Drawing":
        """Return the version for a phone, by default the same."""
        return self
