"""Land without a centre: the powers whose units were last there, for pictures.

Control is of supply centres only (rulebook), and a position does not record earlier units. This is
therefore computed from the positions that were played.
"""

import json
from collections.abc import Iterable, Mapping

from judge.board.map import Map
from judge.board.position import Position


def stood_last(board: Map, past: Iterable[Position]) -> Mapping[str, str]:
    """Return land without a centre → the power whose unit was there last."""
    found: dict[str, str] = {}
    for position in past:
        for place, (power, _) in position.standing.items():
            province = board.provinces[place]
            if not province.is_centre and province.terrain.takes_armies:
                found[place] = power
    return dict(sorted(found.items()))


def with_bands(sketch: str, stood: Mapping[str, str]) -> str:
    """Return the sketch of a board with the powers last in each province.

    >>> with_bands('{"map": "standard"}', {"Bur": "France"})
    '{"map": "standard", "stood": {"Bur": "France"}}'
    """
    if not sketch or not stood:
        return sketch
    return f'{sketch[:-1]}, "stood": {json.dumps(stood)}}}'
