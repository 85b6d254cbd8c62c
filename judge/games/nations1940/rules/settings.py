"""Options of a game in the form that the rules use (section 17)."""

from collections.abc import Mapping
from typing import NamedTuple

from judge.games.nations1940.presets import PRESETS

WITHOUT = ("BUR", "SIC", "UKR", "KAL", "CAS", "DAN")
"""Nations in the order in which small games leave them out (scenario, section 3)."""


START_TECHS = (
    "Assembly Lines", "Electric&Diesel Trains", "Monoplane Fighters", "Motorized Logistics",
    "National Service", "Submachine Guns",
)
"""Technologies of each nation at the start if `start_techs` is on."""


class Settings(NamedTuple):
    """The options of one game."""

    fog: str = "border"
    """`border` shows what is linked to own land, `open` shows everything (N-160)."""
    deploy0: bool = False
    free_government: bool = False
    traits: bool = False
    events: bool = True
    event_chance: int = 25
    nuke_neutrals: bool = False
    domination_turns: int = 6
    last_turn: int = 240
    nations: int = 12
    start_techs: bool = False
    """True if each nation begins with `START_TECHS`."""

    @property
    def left_out(self) -> tuple[str, ...]:
        """The nations that are not played, whose land is neutral."""
        return WITHOUT[: 12 - self.nations]


def settings_from(options: Mapping[str, object]) -> Settings:
    """Return the settings of a game's options, with defaults for the others.

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


def settings_on(map_name: str, options: Mapping[str, object]) -> Settings:
    """Return the settings of a game on a map, which may be a preset.

    >>> settings_on("blitz", {"nations": 8})[-3:]
    (60, 8, True)
    """
    preset = PRESETS.get(map_name)
    return settings_from({**preset.options, **options} if preset else options)
