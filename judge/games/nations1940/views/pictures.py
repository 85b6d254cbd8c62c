"""Sketches of the map: land, units and improvements that one viewer sees."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from judge.drawing.base import BoardGeometry, load_base
from judge.drawing.links import Link, Pair
from judge.games.nations1940.presets import board_of
from judge.games.nations1940.rules.visibility import seen_by
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import CROSSING, KINDS, PASS, Node, scenario

NAME = 11.5
"""Size of names, readable at a width of 800 pixels."""


def area_of(place: object) -> str:
    """Return the name of a place in the file of shapes.

    >>> area_of(20), area_of("S16")
    ('P20', 'S16')
    """
    return f"P{place}" if isinstance(place, int) else str(place)


@cache
def base(map_name: str) -> BoardGeometry:
    """Return the base of a map for drawing, with the names of its places."""
    if board_of(map_name) != map_name:
        return base(board_of(map_name))
    file = files("judge.games.nations1940") / "maps" / map_name / "shapes.json"
    found = load_base(file.read_text(encoding="utf-8"))
    board = scenario(map_name)
    places: tuple[Node, ...] = (*board.lands, *board.seas)
    areas = dict(found.areas)
    for place in places:
        name = board.name(place)
        label = f"{place} {name}" if isinstance(place, int) else name
        areas[area_of(place)] = areas[area_of(place)]._replace(label=label, size=NAME, dot=None)
    return replace(found, areas=areas)


LINKS = {PASS: Link.PASS, CROSSING: Link.CROSSING}


@cache
def links_of(map_name: str) -> Mapping[Pair, Link]:
    """Return pairs of linked areas → the type of their link."""
    board = scenario(map_name)
    found = {
        frozenset((area_of(place), area_of(near))): Link.OPEN
        for place, waters in board.waters.items() for near in waters
    }
    for place, roads in board.roads.items():
        for near, kind in roads.items():
            found[frozenset((area_of(place), area_of(near)))] = LINKS.get(kind, Link.OPEN)
    return found


def sketch_of(world: World, map_name: str, nation: str, *, is_master: bool) -> str:
    """Return the sketch of a position for one viewer, as JSON.

    Viewers with the same visibility get the same sketch. It names a nation only if fog hides
    something.
    """
    seen = seen_by(world, nation, is_master=is_master)
    viewer = nation if len(seen) < len(world.board.links) else ""
    counts, places = _place_facts(world)
    return (
        f'{{"map":{json.dumps(map_name)},"turn":{world.turn},"places":{{'
        + ",".join(
            whole if place in seen else short
            for place, (short, whole) in places.items()
            if short or place in seen
        )
        + f'}},"counts":{counts},"as":{json.dumps(viewer)}}}'
    )


@lru_cache(maxsize=4)
def _place_facts(world: World) -> tuple[str, Mapping[Node, tuple[str, str]]]:
    """Return the number of provinces by nation, and each place, as JSON.

    Each place has a short form for viewers that do not see into it, and a whole one. The result is
    cached for all viewers.
    """
    counts = {code: len(world.list_owned(code)) for code in world.nations}
    places = {**dict(_lands(world)), **dict(_seas(world))}
    return _json(counts), places


def _lands(world: World) -> Iterator[tuple[Node, tuple[str, str]]]:
    for n, province in world.provinces.items():
        told: dict[str, Any] = {"o": province.owner}
        if province.fallout:
            told["f"] = province.fallout
        if province.epidemic:
            told["e"] = 1
        if province.owner and world.nations[province.owner].capital == n:
            told["c"] = 1
        units = [[code, count, "army"] for code, count in sorted(province.armies.items())]
        units += [[code, count, "hq"] for code, count in sorted(province.mobile_hq.items())]
        units += [[code, count, "fleet"] for code, count in sorted(province.fleets.items())]
        if province.neutral:
            units.append(["", 1, "army"])
        built = [kind for kind in KINDS if kind in province.improvements]
        name = json.dumps(area_of(n))
        whole = {**told, "u": units, "i": built}
        yield n, (f"{name}:{_json(told)}", f"{name}:{_json(whole)}")


def _seas(world: World) -> Iterator[tuple[Node, tuple[str, str]]]:
    for sea, fleets in world.seas.items():
        if fleets:
            told = {"o": "", "u": [[c, n, "fleet"] for c, n in sorted(fleets.items())]}
            yield sea, ("", f"{json.dumps(sea)}:{_json(told)}")


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
