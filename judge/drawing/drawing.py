"""What the drawing room draws: a picture of any game, whatever its board is made of.

A game system returns one from `Drawn.picture`. For boards of provinces it is made of a `Picture`
(`layout.OnProvinces`), for hexes of a `HexPicture` (`hexes.OnHexes`), for what is best listed of a
`TablePicture` (`tables.InTable`). A board of another kind is a `Drawing` of the system's own, whose
layers go through `framing.framed`.
"""

from abc import ABC, abstractmethod

from judge.drawing.ink import Sheet
from judge.drawing.picture import Captions


class Drawing(ABC):
    """A picture that can be measured, and drawn when somebody waits for it."""

    @property
    @abstractmethod
    def captions(self) -> Captions:
        """What is written around the board: the head, the sides with their colours, the key."""

    @property
    @abstractmethod
    def proportion(self) -> float:
        """How high it is, in parts of its width: known without drawing it, for the letter's page.
        """

    @abstractmethod
    def drawn(self) -> Sheet:
        """Return the layers, with everything in its place."""
