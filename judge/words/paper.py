"""What a player wrote and others do not read yet: his diary, and press for the next results."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class PaperKind(Enum):
    """What a paper waits for."""

    DIARY = "diary"
    """The end of the game."""
    POSTAL = "postal"
    """The next results."""


@dataclass(frozen=True, slots=True)
class Paper:
    """One such text. `id` 0 means: not stored yet."""

    id: int
    game: int
    seat: int
    kind: PaperKind
    phase: str
    at: datetime
    text: str
    """Of a diary as typed; of press as it will be an event."""
