"""What a master may choose before a game begins, as the rules want it (section 17)."""

from collections.abc import Mapping
from typing import NamedTuple

from judge.games.nations1940.presets import PRESETS

WITHOUT = ("BUR", "SIC", "UKR", "KAL", "CAS", "DAN")
"""Who is left out first where fewer play (scenario, section 3)."""


START_TECHS = (
    "Assembly Lines", "Electric&Diesel Trains", "Monoplane Fighters", "Motorized Logistics",
    "National Service", "Submachine Guns",
)
"""The technologies that a nation begins with where `start_techs` is on."""


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
    start_techs: bool = False
    """Each nation begins with `START_TECHS`."""

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


def settings_on(map_name: str, options: Mapping[str, object]) -> Settings:
    """Return the settings of a game on a map, which may be a preset.

    >>> settings_on("blitz", {"nations": 8})[-3:]
    (60, 8, True)
    """
    preset = PRESETS.get(map_name)
    return settings_from({**preset.options, **options} if preset else options)
