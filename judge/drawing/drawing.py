"""What the drawing room draws: a picture of any game, whatever its board is made of.

A game system returns one from `Drawn.picture`. For boards of provinces it is made of a `Picture`
(`layout.OnProvinces`), for hexes of tiles and counters (`hexes.HexBoard`), for what is best listed
of a `TablePicture` (`tables.InTable`). A board of another kind is a `Drawing` of the system's own.
"""

from abc import ABC, abstractmethod

from judge.drawing.framing import framed, height_of
from judge.drawing.ink import Layer, Sheet
from judge.drawing.picture import Captions
from judge.drawing.stack import Slice, Stack


class Drawing(ABC):
    """A picture that can be measured, and drawn when somebody waits for it."""

    @property
    @abstractmethod
    def captions(self) -> Captions:
        """What is written around the board: the head, the sides with their colours, the key."""

    @property
    @abstractmethod
    def size(self) -> tuple[float, float]:
        """Width and height of the board: known without drawing it, for the letter's page."""

    @abstractmethod
    def layers(self) -> tuple[Layer, ...]:
        """Return the board, everything in its place; the zero of the layers is its upper left."""

    @property
    def pixels(self) -> int:
        """How wide it is painted: names can be read, and a letter stays below 300 kB."""
        return 1600

    @property
    def proportion(self) -> float:
        """How high the whole picture is, in parts of its width."""
        width, height = self.size
        return height_of(self.captions, width, height) / width

    def stack(self) -> Stack:
        """Return the board in slices, for pages on which it is seen many times: what lies around
        it a page tells itself. A kind of board knows best which are always the same."""
        return Stack(*self.size, (Slice(self.layers()),))

    def stamp(self) -> Stack:
        """Return the board as one sees it no larger than a stamp: the same, unless it knows better.
        """
        return self.stack()

    def drawn(self) -> Sheet:
        """Return the board with what is written around it."""
        return framed(self.layers(), *self.size, self.captions)

    def leaves(self) -> tuple[Sheet, ...]:
        """Return what is painted: the same, or in its place several, one below the other."""
        return (self.drawn(),)

    def small(self) -> "Drawing":
        """Return what a phone is shown of it: the same, unless a board knows better."""
        return self
