"""Areas of pixels from the layer of an SVG in which each province has a shape."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw
from svgelements import Circle, Ellipse, Matrix, Path, Polygon, Rect

from judge_maps.importing.draft import ImportFault
from judge_maps.importing.safe_xml import parse_xml, tag_of

Points = list[tuple[float, float]]
Pixels = npt.NDArray[np.int32]

LAYERS = ("provinces", "MouseLayer")
"""Ids of the layer in the files of godip and jDip."""
LONG_SIDE = 2100
"""Pixels of the longer side."""
MAX_POINTS = 2_000_000
CURVE_POINTS = 12
"""Points of a curve."""
_SKIPPED = frozenset({"defs", "pattern", "text", "style", "metadata", "clippath", "mask"})
_COAST = re.compile(r"(.+?)[-_/](?:[nsew]c|[a-z]{2})\Z")


class LayerShape(NamedTuple):
    """A shape: the id of its province, and its outlines."""

    name: str
    outlines: list[Points]


def read_layer(octets: bytes, layer: str, names: Mapping[str, str]) -> list[LayerShape]:
    """Return the shapes of a layer in their order.

    *names* are spellings → names of provinces.

    Raises:
        ImportFault: there is no such layer, or no shape of a province.
    """
    root = parse_xml(octets, "the SVG")
    wanted = (layer,) if layer else LAYERS
    found = next((e for name in wanted for e in _layers(root, name)), None)
    if found is None:
        raise ImportFault(f"the SVG has no layer {' or '.join(wanted)}; name it with --layer")
    shapes, left = [], MAX_POINTS
    for element, name, matrix in _provinces(root, found, names):
        outlines = _outlines(element, matrix)
        left -= sum(map(len, outlines))
        if left < 0:
            raise ImportFault(f"the SVG has more than {MAX_POINTS} points")
        if outlines:
            shapes.append(LayerShape(name, outlines))
    if not shapes:
        raise ImportFault("no shape of the layer has the id of a province")
    return shapes


def _layers(root: Element, name: str) -> Iterator[Element]:
    for element in root.iter():
        values = (value for key, value in element.items() if key.rpartition("}")[2] in _IDS)
        if name.lower() in map(str.lower, values):
            yield element


_IDS = ("id", "label")


def _provinces(
    root: Element, layer: Element, names: Mapping[str, str]
) -> Iterator[tuple[Element, str, Any]]:
    """Yield each shape below a layer, its province and its transform."""
    pending: list[tuple[Element, str, Any, bool]] = [(root, "", Matrix(), root is layer)]
    while pending:
        element, name, matrix, inside = pending.pop()
        if tag_of(element) in _SKIPPED:
            continue
        try:
            matrix = Matrix(element.get("transform", "")) * matrix
        except (ArithmeticError, IndexError, TypeError, ValueError) as fault:
            raise ImportFault(f"a transform of the SVG: {fault}") from fault
        inside = inside or element is layer
        if inside:
            name = _province(element, names) or name
            if name and tag_of(element) in _SHAPES:
                yield element, name, matrix
        pending += [(child, name, matrix, inside) for child in reversed(element)]


def _province(element: Element, names: Mapping[str, str]) -> str:
    """Return the province of an element by its id, with or without a coast."""
    for key, value in element.items():
        if key.rpartition("}")[2] in _IDS:
            low = value.strip().lower().lstrip("_")
            coast = _COAST.fullmatch(low)
            for spelling in (low, coast[1] if coast else ""):
                if spelling in names:
                    return names[spelling]
    return ""


def _rect(e: Element) -> Any:
    return Rect(*(e.get(key, "0") for key in ("x", "y", "width", "height")))


def _circle(e: Element) -> Any:
    return Circle(e.get("cx", "0"), e.get("cy", "0"), e.get("r", "0"))


def _ellipse(e: Element) -> Any:
    return Ellipse(*(e.get(key, "0") for key in ("cx", "cy", "rx", "ry")))


_SHAPES: Mapping[str, Callable[[Element], Any]] = {
    "path": lambda e: Path(e.get("d", "")),
    "polygon": lambda e: Path(Polygon(e.get("points", ""))),
    "polyline": lambda e: Path(Polygon(e.get("points", ""))),
    "rect": lambda e: Path(_rect(e)),
    "circle": lambda e: Path(_circle(e)),
    "ellipse": lambda e: Path(_ellipse(e)),
}


def _outlines(element: Element, matrix: Any) -> list[Points]:
    """Return the outlines of a shape, its curves as short lines."""
    try:
        path = _SHAPES[tag_of(element)](element) * matrix
        path.reify()
        found = [[*_points(subpath)] for subpath in path.as_subpaths()]
    except (ArithmeticError, AttributeError, IndexError, RecursionError, TypeError,
            ValueError) as fault:
        raise ImportFault(f"the shape {element.get('id')!r} of the SVG: {fault}") from fault
    return [points for points in found if len(points) > 2]


def _points(subpath: Any) -> Iterator[tuple[float, float]]:
    for segment in subpath:
        if segment.end is None:
            continue
        straight = type(segment).__name__ in ("Move", "Line", "Close")
        for number in range(1, 1 if straight else CURVE_POINTS):
            point = segment.point(number / CURVE_POINTS)
            yield float(point.x), float(point.y)
        yield float(segment.end.x), float(segment.end.y)


def paint_layer(shapes: list[LayerShape], names: list[str]) -> Pixels:
    """Return the number of a name for each pixel, from 1, or 0 outside of all shapes.

    Raises:
        ImportFault: the shapes have no size.
    """
    points = np.array([p for shape in shapes for outline in shape.outlines for p in outline])
    low, high = points.min(0), points.max(0)
    if not np.isfinite(points).all() or (high - low).min() <= 0:
        raise ImportFault("the shapes of the SVG have no size")
    scale = LONG_SIDE / float((high - low).max())
    width, height = (max(20, int(side)) for side in (high - low) * scale)
    labels: Pixels = np.zeros((height, width), np.int32)
    for number, shape in ((names.index(shape.name) + 1, shape) for shape in shapes):
        lines = [(np.array(outline) - low) * scale for outline in shape.outlines]
        every = np.concatenate(lines)
        left, top = (int(side) for side in every.min(0))
        right, bottom = (int(side) + 2 for side in every.max(0))
        mask = np.zeros((bottom - top, right - left), bool)
        for line in lines:
            # A ring inside of another one is a hole.
            _invert(mask, line - (left, top))
        part = labels[top:bottom, left:right]
        part[mask[: part.shape[0], : part.shape[1]]] = number
    return labels


def _invert(mask: npt.NDArray[np.bool_], line: npt.NDArray[np.float64]) -> None:
    """Invert the pixels inside a line."""
    left, top = (int(side) for side in line.min(0))
    width, height = (int(side) + 2 for side in line.max(0) - (left, top))
    image = Image.new("1", (width, height))
    ImageDraw.Draw(image).polygon([tuple(p) for p in (line - (left, top)).tolist()], fill=1)
    part = mask[top : top + height, left : left + width]
    part ^= np.asarray(image)[: part.shape[0], : part.shape[1]]
