"""A deadline as an entry of a calendar, as it goes with letters."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Appointment:
    """The deadline of one phase of a game, as its readers were told it last.

    Nothing in it is anybody's own: all who read of the game may be told the same.
    """

    game: int
    name: str
    """Of the game."""
    phase: str
    clock: str
    """What is due then, as `PhaseInfo` has it."""
    turn: str
    """"Spring of 1901"."""
    at: datetime
    sequence: int
    """How often it was changed since it was first told (RFC 5545, 3.8.7.4)."""
    is_on: bool
    """False: it was called off."""
    told: datetime
    """When it came to be as it is."""
