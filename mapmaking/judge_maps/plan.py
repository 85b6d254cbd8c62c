"""Plan of a map: its lens, the points of its areas and coasts, strokes, frames."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from judge.board.mapfile import read_rows

OUTSIDE = "-"

LonLat = tuple[float, float]


class Swell(NamedTuple):
    """A region enlarged (strength above 0) or reduced, in degrees.

    `edge` is the steepness of its edge.
    """

    lon: float
    lat: float
    wide: float
    high: float
    strength: float
    edge: float


class Lens(NamedTuple):
    """Parameters of the projection: overall scale, reduction to the north, swells.

    `north` is (amount, start latitude, range in degrees). `domain` is the range of lon and lat that
    the lens is computed for. The picture reaches to four points, on its left, right, upper and
    lower edge.
    """

    domain: tuple[float, float, float, float]
    step: float
    base: float
    north: tuple[float, float, float]
    swells: tuple[Swell, ...]
    left: LonLat
    right: LonLat
    top: LonLat
    bottom: LonLat
    width: int
    shut_waters: tuple[str, ...]
    """Areas that no unit can enter and that are drawn as water."""


class Paintstroke(NamedTuple):
    """A line painted over everything else: a canal, a bridge, a strait."""

    area: str
    width: float
    points: tuple[LonLat, ...]


class FramePlan(NamedTuple):
    """A box next to the board: its middle, and its door, in units of the picture."""

    middle: tuple[float, float]
    door: tuple[float, float]


class Plan(NamedTuple):
    """All data to make a map."""

    lens: Lens
    seeds: Mapping[str, tuple[LonLat, ...]]
    """Area → points that belong to it. Other points belong to the nearest of them."""
    countries: Mapping[str, tuple[str, ...]]
    """Present-day country → the areas its land may belong to.

    The land of other countries is outside the game.
    """
    strokes: tuple[Paintstroke, ...]
    frames: Mapping[str, FramePlan]
    coasts: Mapping[str, LonLat]
    """Separate coast → its point on the earth, from `coasts.tsv`."""


def read_plan(folder: Path) -> Plan:
    """Read the plan in a map's folder."""
    data: dict[str, Any] = json.loads((folder / "plan" / "lens.json").read_text(encoding="utf-8"))
    frames = data.pop("frames")
    swells = tuple(Swell(*swell) for swell in data.pop("swells"))
    lists: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
    }
    return Plan(
        lens=Lens(swells=swells, **lists),
        seeds={name: _points(points) for name, points in _rows(folder, "seeds")},
        countries={name: tuple(areas.split()) for name, areas in _rows(folder, "countries")},
        strokes=tuple(_stroke(name, text) for name, text in _rows(folder, "strokes")),
        frames={
            name: FramePlan(tuple(found["middle"]), tuple(found["door"]))
            for name, found in frames.items()
        },
        coasts={
            row["abbr"]: (float(row["lon"]), float(row["lat"]))
            for row in read_rows(folder, "coasts")
        },
    )


def _rows(folder: Path, name: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of one of the plan's tables, with two tab-separated columns."""
    text = (folder / "plan" / f"{name}.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            first, _, second = line.partition("\t")
            yield first, second


def _points(text: str) -> tuple[LonLat, ...]:
    """Parse points.

    >>> _points("2.5,50.1 0.9,49.6")
    ((2.5, 50.1), (0.9, 49.6))
    """
    pairs = (pair.split(",") for pair in text.split())
    return tuple((float(lon), float(lat)) for lon, lat in pairs)


def _stroke(area: str, text: str) -> Paintstroke:
    width, _, points = text.partition("\t")
    return Paintstroke(area, float(width), _points(points))
