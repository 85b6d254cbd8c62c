"""What a board shows of the phases before: who stood last in land without a centre.

Control is of supply centres only (rulebook), and a position does not know who came by earlier, so
this is no part of it: it is read from the positions that were played.
"""

import json
from collections.abc import Iterable, Mapping

from judge.board.map import Map
from judge.board.position import Position


def stood_last(board: Map, past: Iterable[Position]) -> Mapping[str, str]:
    """Return land without a centre → the power whose unit stood there last."""
    found: dict[str, str] = {}
    for position in past:
        for place, (power, _) in position.standing.items():
            province = board.provinces[place]
            if not province.is_centre and province.terrain.takes_armies:
                found[place] = power
    return dict(sorted(found.items()))


def with_bands(sketch: str, stood: Mapping[str, str]) -> str:
    """Return a sketch of a board that shows besides who stood where last.

    >>> with_bands('{"map": "standard"}', {"Bur": "France"})
    '{"map": "standard", "stood": {"Bur": "France"}}'
    """
    if not sketch or not stood:
        return sketch
    return f'{sketch[:-1]}, "stood": {json.dumps(stood)}}}'
