"""The map of a game: land in its owners' colours, what stands there, what is built (N-165).

A sketch holds what one reader may see, and nothing else.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from judge.drawing import colours
from judge.drawing.base import Area, Base, Point, load_base
from judge.drawing.drawing import Drawing
from judge.drawing.ink import BASELINE, Ink, Layer, Path, Text, box, number, text_width
from judge.drawing.layout import OnProvinces
from judge.drawing.picture import Captions, Head, Picture, Sample, Side
from judge.drawing.stack import Slice, Stack
from judge.games.nations1940.rules.sight import seen_by
from judge.games.nations1940.rules.state import label_of
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import KINDS, Node, scenario
from judge.games.nations1940.sides import nations_called

NEUTRAL = "#6b6256"
NAME = 11.5
"""The size of names: they can be read at 800 pixels."""
SMALL = 9.5
"""The size of what is built, on lines of `KINDS_A_LINE`: it can be read at 1600 pixels, and just so
at 800."""
KINDS_A_LINE = 3
LARGE, ROOM = 15.0, 22.0
"""The size of what stands on a block of units, and how wide it may be."""
BLOCK = 20.0
"""How high a block of units is."""
STEP = 30.0
"""From one block to the next in the same place."""


def area_of(place: object) -> str:
    """Return a place as the shapes call it.

    >>> area_of(20), area_of("S16")
    ('P20', 'S16')
    """
    return f"P{place}" if isinstance(place, int) else str(place)


@cache
def base(map_name: str) -> Base:
    """Return what the map is drawn on, with the names of its places."""
    file = files("judge.games.nations1940") / "maps" / map_name / "shapes.json"
    found = load_base(file.read_text(encoding="utf-8"))
    board = scenario(map_name)
    places: tuple[Node, ...] = (*board.lands, *board.seas)
    areas = dict(found.areas)
    for place in places:
        name = board.name(place)
        label = f"{place} {name}" if isinstance(place, int) else name
        areas[area_of(place)] = areas[area_of(place)]._replace(
            label=label, size=NAME, dot=None
        )
    return replace(found, areas=areas)


def sketch_of(world: World, map_name: str, nation: str, *, is_master: bool) -> str:
    """Return what a picture shows a reader; the world is one that is only looked at."""
    seen = seen_by(world, nation, is_master=is_master)
    counts, places = _told(world)
    return (
        f'{{"map":{json.dumps(map_name)},"turn":{world.turn},"places":{{'
        + ",".join(
            whole if place in seen else short
            for place, (short, whole) in places.items()
            if short or place in seen
        )
        + f'}},"counts":{counts},"as":{json.dumps(nation)}}}'
    )


@lru_cache(maxsize=4)
def _told(world: World) -> tuple[str, Mapping[Node, tuple[str, str]]]:
    """Return how many provinces each nation has, and each place as whoever sees it may have it and
    as others may, all of it JSON: written once for all readers."""
    counts = {code: len(world.owned(code)) for code in world.nations}
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


def drawing_of(sketch: str, title: str) -> "NationsDrawing":
    """Return what is drawn of a sketch."""
    return NationsDrawing(json.loads(sketch), title)


@dataclass(frozen=True)
class NationsDrawing(Drawing):
    """The drawing of one sketch."""

    told: Mapping[str, Any]
    title: str

    @property
    def _picture(self) -> Picture:
        called = nations_called(self.told["map"])
        names = {one.code: one.name for one in called}
        sides = tuple(
            Side(one.name, one.letter, at, f"{self.told['counts'][one.code]} provinces")
            for at, one in enumerate(called) if one.code in self.told["counts"]
        )
        turn = self.told["turn"]
        subtitle = "The world before the orders of this turn"
        if self.told["as"]:
            subtitle += f", as {names[self.told['as']]} sees it"
        summary = "; ".join(f"{side.name} {side.note}" for side in sides)
        return Picture(
            base=base(self.told["map"]),
            head=Head(self.title, f"Turn {turn} ({label_of(turn)})", subtitle),
            sides=sides,
            tints={
                area: names[found["o"]]
                for area, found in self.told["places"].items() if found["o"]
            },
            key=((Sample.BLOCK, "armies"), (Sample.BOAT, "fleets")),
            describes=f"Turn {turn}. {subtitle}. {summary}.",
        )

    @property
    def captions(self) -> Captions:
        """What is written around the board."""
        return OnProvinces(self._picture).captions

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the map."""
        return OnProvinces(self._picture).size

    def layers(self) -> tuple[Layer, ...]:
        """Return the board of provinces with what stands on it."""
        return (*OnProvinces(self._picture).layers(), self._above())

    def stack(self) -> Stack:
        """Return the map apart from what stands on it."""
        under = OnProvinces(self._picture).stack()
        return under._replace(slices=(*under.slices, Slice((self._above(),))))

    def stamp(self) -> Stack:
        """Return whose provinces they are."""
        return OnProvinces(self._picture).stamp()

    def _above(self) -> Layer:
        return Layer("things", tuple(self._things()))

    def _things(self) -> Iterator[Ink]:
        called = nations_called(self.told["map"])
        paints = {one.code: colours.paint(at).strong for at, one in enumerate(called)}
        letters = {one.code: one.letter for one in called}
        areas = base(self.told["map"]).areas
        for name, found in self.told["places"].items():
            area = areas[name]
            units = found.get("u", ())
            there = _clear(area, len(units), found)
            for at, (code, count, what) in enumerate(units):
                x = there.x + (at - (len(units) - 1) / 2) * STEP
                text = f"{letters[code]}{count}" if code else "N"
                if what == "hq":
                    text = f"{letters[code]}HQ"
                yield from _unit(Point(x, there.y), text, what, paints.get(code, NEUTRAL))
            below = Point(area.label_at.x, area.label_at.y + NAME)
            yield from _notes(found, letters.get(found["o"], ""), below)


def _clear(area: Area, units: int, found: Mapping[str, Any]) -> Point:
    """Return where the middle of a province's units is: above its name, where they would stand on
    it or on what is written below."""
    label, unit = area.label_at, area.unit
    rows = 1 + -(-len(found.get("i", ())) // KINDS_A_LINE)
    beside = abs(unit.x - label.x) > (text_width(area.label, NAME) + units * STEP) / 2
    above = unit.y + BLOCK / 2 < label.y - NAME
    below = unit.y - BLOCK / 2 > label.y + NAME + rows * SMALL
    if beside or above or below:
        return unit
    return Point(label.x, label.y - NAME - BLOCK / 2)


def _unit(at: Point, text: str, what: str, colour: str) -> Iterator[Ink]:
    """Yield units of one nation: a block with their number, a hull for fleets."""
    if what == "fleet":
        hull = f"M{number(at.x - 15)} {number(at.y - 8)}h30l-5 16h-20z"
        yield Path(hull, fill=colour, stroke="#ffffff", width=1.4)
    else:
        frame = box(at.x - 13, at.y - 10, 26, 20, 3 if what == "army" else 10)
        yield Path(frame, fill=colour, stroke="#ffffff", width=1.4)
    size = min(LARGE, LARGE * ROOM / text_width(text, LARGE, bold=True))
    yield Text(at.x, at.y + size * BASELINE, text, size, fill="#ffffff", bold=True)


def _notes(found: Mapping[str, Any], letter: str, at: Point) -> Iterator[Ink]:
    """Yield whose a province is and what is built there, fallout and an epidemic."""
    kinds = [str(kind) for kind in found.get("i", ())]
    first = [letter] if letter else []
    first += ["CAPITAL"] if found.get("c") else []
    lines = [first + kinds[:KINDS_A_LINE]]
    lines += [kinds[n : n + KINDS_A_LINE] for n in range(KINDS_A_LINE, len(kinds), KINDS_A_LINE)]
    warned = [f"fallout {found['f']}"] if found.get("f") else []
    warned += ["epidemic"] if found.get("e") else []
    if warned:
        yield Text(at.x, at.y + 2, ", ".join(warned), SMALL, colours.FAILED, bold=True,
                   halo="#ffffff")  # fmt: skip
    below = at.y + 2 + (SMALL if warned else 0)
    for row, words in enumerate(filter(None, lines)):
        yield Text(at.x, below + row * SMALL, " ".join(words), SMALL, halo="#ffffff")
