"""Country outlines from a TopoJSON file of world-atlas."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from judge_maps.plan import LonLat

Ring = tuple[LonLat, ...]

ROUND_THE_BACK = "Russia"
"""The country whose far east is moved beyond 180 degrees, next to the rest of it."""
FAR_WEST = -140.0
"""Longitude west of which pieces are drawn in the east as well."""


class Outline(NamedTuple):
    """One piece of a country: its outer ring, and the rings of its holes."""

    country: str
    rings: tuple[Ring, ...]


def read_atlas(path: Path) -> list[Outline]:
    """Return all pieces of all countries."""
    data = json.loads(path.read_text(encoding="utf-8"))
    arcs = [_arc(arc, data["transform"]) for arc in data["arcs"]]
    found: list[Outline] = []
    for shape in data["objects"]["countries"]["geometries"]:
        for piece in _pieces(shape):
            rings = tuple(_ring(numbers, arcs) for numbers in piece)
            found += _unroll_outline(Outline(shape["properties"]["name"], rings))
    return found


def _arc(steps: Sequence[Sequence[int]], transform: Mapping[str, Any]) -> Ring:
    (wide, high), (west, south) = transform["scale"], transform["translate"]
    across = accumulate(step[0] for step in steps)
    down = accumulate(step[1] for step in steps)
    return tuple((x * wide + west, y * high + south) for x, y in zip(across, down, strict=True))


def _pieces(shape: Mapping[str, Any]) -> Sequence[Sequence[Sequence[int]]]:
    match shape.get("type"):
        case "Polygon":
            return [shape["arcs"]]
        case "MultiPolygon":
            return list(shape["arcs"])
    return []


def _ring(numbers: Sequence[int], arcs: Sequence[Ring]) -> Ring:
    points: list[LonLat] = []
    for number in numbers:
        arc = arcs[number] if number >= 0 else arcs[~number][::-1]
        points.extend(arc[1:] if points else arc)
    return tuple(points)


def _unroll_outline(piece: Outline) -> Iterator[Outline]:
    """Yield a piece where it is drawn, beyond 180 degrees if needed.

    Pieces that span the whole earth are left out. Pieces in the far west are drawn twice.
    """
    lons = [lon for lon, _ in piece.rings[0]]
    if piece.country == ROUND_THE_BACK:
        yield Outline(piece.country, tuple(_eastward(ring) for ring in piece.rings))
    elif max(lons) - min(lons) < 180:
        yield piece
        if max(lons) < FAR_WEST:
            yield Outline(piece.country, tuple(_eastward(ring) for ring in piece.rings))


def _eastward(ring: Ring) -> Ring:
    return tuple((lon + 360 if lon < 0 else lon, lat) for lon, lat in ring)
