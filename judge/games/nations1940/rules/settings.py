"""What a master may choose before a game begins, as the rules want it (section 17)."""

from collections.abc import Mapping
from typing import NamedTuple

WITHOUT = ("BUR", "SIC", "UKR", "KAL", "CAS", "DAN")
"""Who is left out first where fewer play (scenario, section 3)."""


class Settings(NamedTuple):
    """The options of one game."""

    fog: str = "border"
    """`border`: what is linked to one's own is seen; `open`: everything (N-160)."""
    deploy0: bool = False
    free_government: bool = False
    traits: bool = False
    events: bool = True
    event_chance: int = 25
    nuke_neutrals: bool = False
    domination_turns: int = 6
    last_turn: int = 240
    nations: int = 12

    @property
    def left_out(self) -> tuple[str, ...]:
        """The nations nobody plays: neutral land."""
        return WITHOUT[: 12 - self.nations]


def settings_from(options: Mapping[str, object]) -> Settings:
    """Return the settings among a game's options; what is not said is as it is by default.

    >>> settings_from({"fog": "open", "traits": "on", "last_turn": 24}).traits
    True
    """
    found = {}
    for name, default in Settings._field_defaults.items():
        value = options.get(name, default)
        if isinstance(default, bool):
            value = value in (True, "on")
        elif isinstance(default, int):
            value = int(str(value))
        found[name] = value
    return Settings(**found)  # type: ignore[arg-type]
