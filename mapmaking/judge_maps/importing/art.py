"""Outlines of an imported map, from an SVG or another picture of it."""

from collections.abc import Mapping
from pathlib import Path

from judge.board.map import Map, Terrain
from judge_maps.importing.draft import DraftMap, ImportFault
from judge_maps.importing.outlines import AreaPixels, make_shapes
from judge_maps.importing.raster import fill_areas, read_picture
from judge_maps.importing.sources import read_file
from judge_maps.importing.svg_layer import paint_layer, read_layer


def draw_outlines_of(
    draft: DraftMap, board: Map, abbrs: Mapping[str, str], art: Path, layer: str, is_fine: bool
) -> str:
    """Return the text of `shapes.json` for a map.

    Closed places may have no shape.

    Raises:
        ImportFault: the picture cannot be read, or lacks a province.
    """
    octets = read_file(art)
    if art.suffix.lower() == ".svg" or octets.lstrip()[:1] == b"<":
        areas = _from_svg(draft, abbrs, octets, layer)
    else:
        areas = _from_raster(draft, abbrs, octets)
    closed = [p.abbr for p in board.provinces.values() if p.terrain is Terrain.SHUT]
    lacking = [name for name in board.provinces if name not in areas.names and name not in closed]
    if lacking:
        raise ImportFault(f"the picture has no {', '.join(lacking[:10])}; no outlines are made")
    return make_shapes(areas, board, draft.log, is_fine)


def _from_svg(
    draft: DraftMap, abbrs: Mapping[str, str], octets: bytes, layer: str
) -> AreaPixels:
    spellings: dict[str, str] = {}
    for key, place in draft.places.items():
        for word in (abbrs[key], key, place.name, *place.aliases):
            spellings.setdefault(word.lower(), abbrs[key])
            spellings.setdefault(word.lower().replace(" ", "_"), abbrs[key])
    shapes = read_layer(octets, layer, spellings)
    names = sorted({shape.name for shape in shapes})
    return AreaPixels(paint_layer(shapes, names), names)


def _from_raster(draft: DraftMap, abbrs: Mapping[str, str], octets: bytes) -> AreaPixels:
    points = {
        abbrs[key]: place.position for key, place in draft.places.items()
        if place.position is not None
    }
    if not points:
        raise ImportFault("the map has no points of provinces, from which a picture is filled")
    names = sorted(points)
    return AreaPixels(fill_areas(read_picture(octets), points, names, draft.log), names)


def drop_undrawn(draft: DraftMap, abbrs: Mapping[str, str], shapes: Mapping[str, object]) -> bool:
    """Drop closed places that the outlines lack. Return True if there were any."""
    undrawn = [key for key in draft.places if abbrs[key] not in shapes]
    for key in undrawn:
        draft.log.add("lost", f"{draft.places[key].name}, which is closed and not in the picture")
        del draft.places[key]
    return bool(undrawn)
