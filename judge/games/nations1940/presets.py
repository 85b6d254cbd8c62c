"""Presets, with other defaults of options and clock on the map of the scenario."""

from collections.abc import Mapping
from typing import NamedTuple


class Preset(NamedTuple):
    """A preset: title, map, hours of a turn, and the options it changes."""

    title: str
    board: str
    hours: float
    options: Mapping[str, object]


PRESETS: Mapping[str, Preset] = {
    "blitz": Preset(
        "Blitz, 1940", "nations1940", 24.0, {"last_turn": 60, "nations": 6, "start_techs": "on"}
    ),
}


def board_of(map_name: str) -> str:
    """Return the base map of a preset, or the map's own name.

    >>> board_of("blitz"), board_of("nations1940")
    ('nations1940', 'nations1940')
    """
    return PRESETS[map_name].board if map_name in PRESETS else map_name
