"""Pictures that go with letters: from what each is drawn, and where in a letter it belongs."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple


class Form(Enum):
    """The forms in which a picture is sent, by the endings of their files."""

    PNG = "png"
    SVG = "svg"


class PictureState(Enum):
    """What became of a picture that was asked for."""

    NEW = "new"
    DRAWN = "drawn"
    FAILED = "failed"


class Sketch(NamedTuple):
    """All that a picture is drawn from: whoever asks for the same is given the same picture.

    `source` is what the game system wrote, and nobody else reads; `title` stands above the board.
    """

    system: str
    source: str
    title: str = ""
    form: Form = Form.PNG

    @property
    def key(self) -> str:
        """The name of this picture among all others."""
        return _digest(self.system, self.form.value, self.title, self.source)


@lru_cache(maxsize=32)
def _digest(*told: str) -> str:
    """Return the same for the same texts: the letters of a game ask for it many times."""
    return sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as one letter carries it."""

    sketch: Sketch
    name: str
    """Of its file, without an ending: "marco-S1901M-orders"."""
    shows: str
    """What it shows, in words that go on after "a picture of"."""
    proportion: float = 0.0
    """How high it is, in parts of its width; 0: nobody has looked."""


class Place(NamedTuple):
    """Where a picture belongs in a finished message: an offset, so that no text can look like it.

    `cid` names it for the other parts of the message; empty where none refers to it.
    """

    at: int
    key: str
    form: str
    name: str
    shows: str
    cid: str = ""


NOWHERE = Place(-1, "", "", "", "")
"""In no message: what is written down of a place cannot be read."""
