"""Drawing of a sketch: land, units, improvements, links (N-165)."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from judge.drawing import colours
from judge.drawing.base import Area, BoardGeometry, Point, Window
from judge.drawing.board_layers import Slice, Stack
from judge.drawing.drawing import Drawing
from judge.drawing.layout import PanelDrawing, ProvinceDrawing, clamp_into
from judge.drawing.phone import least_name, phone_windows
from judge.drawing.picture import Head, Picture, Sample, Side
from judge.drawing.primitives import (
    BASELINE,
    Layer,
    Mark,
    Path,
    Primitive,
    Text,
    box,
    text_width,
)
from judge.games.nations1940.rules.state import label_of
from judge.games.nations1940.scenario import KINDS
from judge.games.nations1940.sides import names_by_code, nations_called
from judge.games.nations1940.views.pictures import NAME, base, links_of

NEUTRAL = "#6b6256"
NOTES = 10.2
"""Size of the notes below a name, on lines of `KINDS_A_LINE`."""
NOTES_PART = 0.018
"""Least size of the notes, as a share of the width of a part of the map.

It is 7 CSS pixels on a phone.
"""
KINDS_A_LINE = 3
LARGE, ROOM = 15.0, 22.0
"""Size of the text on a block of units, and its greatest width."""
BLOCK = 20.0
"""Height of a block of units."""
OUTSIDE = 60.0
"""Square units of other names that a name may cover to stay inside its area."""
ABROAD = 300.0
"""Square units of names that units may cover to be drawn inside their own area."""
WAY_HALF = 4.0
"""Half the width of the line of a pass or crossing."""
SHIFTS = (0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1, 1)
"""Shifts of names that are tried, in shares of their width or height."""
LEADING = 0.6
"""Space between two lines of notes."""
STEP = 30.0
"""Distance between two blocks in one place."""
KEY = (
    (Sample.BLOCK, "armies"),
    (Sample.BOAT, "fleets"),
    (Sample.PASS, "mountain pass"),
    (Sample.CROSSING, "water crossing"),
    (Sample.MOUNTAINS, "mountains: closed"),
    (Sample.CLOSED, "closed coast or sea border"),
)

Lines = list[tuple[str, bool]]
"""Lines of notes, each with True if it is a warning."""


def drawing_of(sketch: str, title: str) -> "NationsDrawing":
    """Return the drawing of a sketch."""
    told = json.loads(sketch)
    return NationsDrawing(_picture(told, title), told=told)


def _picture(told: Mapping[str, Any], title: str) -> Picture:
    names = names_by_code(told["map"])
    sides = tuple(
        Side(one.name, one.letter, at, f"{told['counts'][one.code]} provinces")
        for at, one in enumerate(nations_called(told["map"])) if told["counts"].get(one.code)
    )
    turn = told["turn"]
    subtitle = "The world before the orders of this turn"
    if told["as"]:
        subtitle += f", as {names[told['as']]} sees it"
    summary = "; ".join(f"{side.name} {side.note}" for side in sides)
    return Picture(
        base=base(told["map"]),
        head=Head(title, f"Turn {turn} ({label_of(turn)})", subtitle),
        sides=sides,
        tints={area: names[found["o"]] for area, found in told["places"].items() if found["o"]},
        links=links_of(told["map"]),
        key=KEY,
        describes=f"Turn {turn}. {subtitle}. {summary}.",
    )


@dataclass(frozen=True)
class NationsDrawing(ProvinceDrawing):
    """The drawing of one sketch."""

    told: Mapping[str, Any] = field(default_factory=dict)
    is_small: bool = False
    """True if names are numbers and only marks are left of the notes."""

    @property
    def least_text(self) -> float:
        """Size of the notes below the names."""
        return NOTES

    @property
    def nation(self) -> str:
        """Name of the nation the sketch is made for, empty for other viewers."""
        return names_by_code(self.told["map"]).get(self.told["as"], "")

    @cached_property
    def _letters(self) -> Mapping[str, str]:
        """Code of a nation → its letter on the map."""
        return {one.code: one.letter for one in nations_called(self.told["map"])}

    @property
    def _ways(self) -> list[Window]:
        """Boxes of passes and crossings."""
        return [_link_box(*way) for way in self.picture.base.ways.values()]

    def layers(self) -> tuple[Layer, ...]:
        """Return the map with units and notes on it."""
        if self.window is None:
            return (*super().layers(), self._above())
        whole, (size, _), texts = self.picture.base, self._sizes, self._texts
        areas = {name: area._replace(label="") for name, area in whole.areas.items()}
        for name, (label, _, room) in texts.items():
            at = Point(room.x + room.width / 2, room.y + size / 2)
            areas[name] = whole.areas[name]._replace(label=label, size=size, label_at=at)
        shown = replace(self.picture, base=whole.with_areas(areas))
        return (*ProvinceDrawing(shown, self.window).layers(), self._above())

    def stack(self) -> Stack:
        """Return the map, with units and notes in a slice of their own."""
        under = super().stack()
        return under._replace(slices=(*under.slices, Slice((self._above(),))))

    def small(self) -> Drawing:
        """Return the parts that a sketch names, or the whole map with numbers for names."""
        if "windows" in self.told:
            return self._regions()
        windows, factor = phone_windows(self.picture.base)
        small = self.picture.base.scale_down(factor)
        areas = {
            name: area._replace(label=self._short_label(name))
            for name, area in small.areas.items()
        }
        picture = replace(self.picture, base=small.with_areas(areas))
        return PanelDrawing(replace(self, picture=picture, is_small=True), windows)

    def _short_label(self, name: str) -> str:
        """Return number and owner of a province ("50 G"), or the id of a sea region."""
        if not name.startswith("P"):
            return name
        return f"{name[1:]} {self._letters.get(self.told['places'][name]['o'], '')}".strip()

    def _regions(self) -> PanelDrawing:
        windows = tuple(Window(*window) for window in self.told["windows"])
        picture = self.picture
        seen = frozenset(
            side for name, side in picture.tints.items()
            if any(_is_seen(picture.base, name, window) for window in windows)
        )
        whose = f"{self.nation} and its neighbours" if self.told["as"] else "The map in parts"
        head = picture.head._replace(subtitle=whose)
        return PanelDrawing(replace(self, picture=replace(picture, head=head)), windows, seen)

    def _above(self) -> Layer:
        return Layer("things", tuple(self._things()))

    @property
    def _sizes(self) -> tuple[float, float]:
        """Sizes of names and notes."""
        if self.window is None:
            return NAME, NOTES
        return least_name(self.window), max(NOTES, NOTES_PART * self.window.width)

    @cached_property
    def _texts(self) -> Mapping[str, tuple[str, Lines, Window]]:
        """Area shown → its name, its notes and the box of both.

        In a part of the map names avoid earlier ones, passes, crossings and units.
        """
        base, window = self.picture.base, self.window or self.picture.base.whole
        taken: list[Window] = []
        if self.window is not None:
            taken = self._ways + [
                _units_box(base.areas[place].unit, len(facts["u"]))
                for place, facts in self.told["places"].items() if facts.get("u")
            ]
        found = {}
        for place, area in base.areas.items():
            if not (window.holds(area.label_at) or window.holds(area.unit)):
                continue
            facts = self.told["places"].get(place, {})
            letter = self._letters.get(facts.get("o", ""), "")
            lines = _marks(facts) if self.is_small else _notes(facts, letter)
            label = area.label
            if place.startswith("P") and not self._is_best_for(area.label_at):
                label, lines = label.partition(" ")[0], _marks(facts)
            room = _text_box(area._replace(label=label), lines, self._sizes, window)
            if self.window is not None:
                room = _least_covered(base, place, room, taken, window)
                taken.append(room)
            found[place] = label, lines, room
        return found

    def _is_best_for(self, at: Point) -> bool:
        """Return whether no other part of the map shows a point farther from its edge."""
        if self.window is None:
            return True
        windows = [Window(*window) for window in self.told.get("windows", ())]
        inner = max((_inset(window, at) for window in windows), default=0.0)
        return _inset(self.window, at) >= inner

    def _things(self) -> Iterator[Primitive]:
        paints = {code: colours.paint(at).strong for at, code in enumerate(self._letters)}
        window = self.window or self.picture.base.whole
        texts = self._texts
        boxes = [room for _, _, room in texts.values()]
        boxes += self._ways if self.window is not None else []
        for place, (_, lines, room) in texts.items():
            units = self.told["places"].get(place, {}).get("u", ())
            if units:
                there = _clear(self.picture.base, place, len(units), room, boxes, window)
                boxes.append(_units_box(there, len(units)))
                yield from _units(there, units, self._letters, paints)
            yield from _note_lines(room, lines, self._sizes)


def _notes(found: Mapping[str, Any], letter: str) -> Lines:
    """Return the owner and improvements of a province, after fallout and an epidemic."""
    kinds = [str(kind) for kind in found.get("i", ()) if kind in KINDS]
    first = [letter] if letter else []
    first += ["CAPITAL"] if found.get("c") else []
    rows = [first + kinds[:KINDS_A_LINE]]
    rows += [kinds[n : n + KINDS_A_LINE] for n in range(KINDS_A_LINE, len(kinds), KINDS_A_LINE)]
    return _warnings(found) + [(" ".join(words), False) for words in rows if words]


def _marks(found: Mapping[str, Any]) -> Lines:
    """Return the notes on fallout and an epidemic, else on a capital."""
    return _warnings(found) or ([("CAPITAL", False)] if found.get("c") else [])


def _warnings(found: Mapping[str, Any]) -> Lines:
    warned = [f"fallout {found['f']}"] if found.get("f") else []
    warned += ["epidemic"] if found.get("e") else []
    return [(", ".join(warned), True)] if warned else []


def _text_box(area: Area, lines: Lines, sizes: tuple[float, float], window: Window) -> Window:
    """Return the box of a name with the notes below it, inside a part of the map."""
    name, notes = sizes
    wide = max(
        text_width(area.label, name),
        *(text_width(text, notes, bold=warns) for text, warns in lines), 0,
    )  # fmt: skip
    high = name + len(lines) * (notes + LEADING)
    at = Point(area.label_at.x, area.label_at.y + (high - name) / 2)
    return _box_at(at, wide, high, window)


def _box_at(at: Point, wide: float, high: float, window: Window) -> Window:
    """Return the box around a point, moved into a part of the map."""
    middle = clamp_into(at, wide / 2 + 2, high / 2 + 2, window)
    return Window(middle.x - wide / 2, middle.y - high / 2, wide, high)


def _inset(window: Window, at: Point) -> float:
    """Return how far a point is from the edge of a window, negative outside."""
    across = min(at.x - window.x, window.x + window.width - at.x)
    return min(across, at.y - window.y, window.y + window.height - at.y)


def _link_box(first: Point, last: Point) -> Window:
    """Return the box of the line of a pass or crossing."""
    left, top = min(first.x, last.x) - WAY_HALF, min(first.y, last.y) - WAY_HALF
    wide, high = abs(first.x - last.x), abs(first.y - last.y)
    return Window(left, top, wide + 2 * WAY_HALF, high + 2 * WAY_HALF)


def _least_covered(
    whole: BoardGeometry, place: str, room: Window, taken: Collection[Window], window: Window
) -> Window:
    """Return a box shifted a little, for the least overlap with *taken* boxes.

    It stays inside its place, except for names of small islands, which are outside anyway.
    """
    is_inside = whole.is_within(place, _middle_of(room))
    steps = [(x, y) for y in SHIFTS for x in SHIFTS if abs(x) < 1]

    def move_box(step: tuple[float, float]) -> Window:
        across, down = step[0] * room.width, step[1] * room.height
        at = _middle_of(room._replace(x=room.x + across, y=room.y + down))
        return _box_at(at, room.width, room.height, window)

    near = [other for other in taken if other.meets(_around(room))]

    def cost(box: Window) -> tuple[float, float]:
        outside = OUTSIDE if is_inside and not whole.is_within(place, _middle_of(box)) else 0
        away = abs(box.x - room.x) + abs(box.y - room.y)
        return sum(_common(box, other) for other in near) + outside, away

    if not any(_common(room, other) for other in near):
        return room

    return min(map(move_box, steps), key=cost)


def _around(room: Window) -> Window:
    """Return the box that contains all shifts of a box."""
    wide, high = 2 * room.width, 3 * room.height
    return Window(room.x - room.width / 2, room.y - room.height, wide, high)


def _middle_of(room: Window) -> Point:
    return Point(room.x + room.width / 2, room.y + room.height / 2)


def _note_lines(box: Window, lines: Lines, sizes: tuple[float, float]) -> Iterator[Primitive]:
    name, notes = sizes
    for row, (text, warns) in enumerate(lines):
        down = box.y + name + (row + 0.5) * (notes + LEADING) + notes * BASELINE
        ink = colours.FAILED if warns else colours.INK
        yield Text(box.x + box.width / 2, down, text, notes, ink, bold=warns, halo="#ffffff")


def _units_box(at: Point, units: int) -> Window:
    across, down = units * STEP / 2, BLOCK / 2 + 1
    return Window(at.x - across, at.y - down, 2 * across, 2 * down)


def _clear(
    whole: BoardGeometry,
    place: str,
    units: int,
    own: Window,
    boxes: Collection[Window],
    window: Window,
) -> Point:
    """Return the middle of a place's units, for the least overlap with other boxes.

    *own* is the box of the place's name and notes. *boxes* are those of all names, notes and units.
    """
    across, down = units * STEP / 2, BLOCK / 2 + 1
    middle, beside = own.x + own.width / 2, own.y + own.height / 2
    spots = [
        whole.areas[place].unit,
        Point(middle, own.y - down - 1),
        Point(middle, own.y + own.height + down + 1),
        Point(own.x - across - 1, beside),
        Point(own.x + own.width + across + 1, beside),
    ]

    def cover_of(at: Point) -> float:
        covered = sum(_common(_units_box(at, units), box) for box in boxes)
        return covered + (0 if whole.is_within(place, at) else ABROAD)

    return min((clamp_into(at, across, down, window) for at in spots), key=cover_of)


def _common(one: Window, other: Window) -> float:
    """Return the area that two windows have in common."""
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(wide, 0) * max(high, 0)


def _units(
    at: Point, units: Sequence[tuple[str, int, str]], letters: Mapping[str, str],
    paints: Mapping[str, str],
) -> Iterator[Primitive]:
    for row, (code, count, kind) in enumerate(units):
        x = at.x + (row - (len(units) - 1) / 2) * STEP
        text = f"{letters[code]}{count}" if code else "N"
        if kind == "hq":
            text = f"{letters[code]}HQ"
        yield _unit(Point(x, at.y), text, kind, paints.get(code, NEUTRAL))


def _is_seen(whole: BoardGeometry, name: str, window: Window) -> bool:
    """Return whether a part of the map shows something of an area."""
    rings = map(whole.outline, whole.areas[name].rings)
    return any(window.holds(at) for ring in rings for at in ring)


def _unit(at: Point, text: str, kind: str, colour: str) -> Mark:
    """Return the units of a nation: a block with their number, or a hull."""
    shape = "M-15-8h30l-5 16h-20z"
    if kind != "fleet":
        shape = box(-13, -10, 26, 20, 3 if kind == "army" else 10)
    size = min(LARGE, LARGE * ROOM / text_width(text, LARGE, bold=True))
    inks = (
        Path(shape, fill=colour, stroke="#ffffff", width=1.4),
        Text(0, size * BASELINE, text, size, fill="#ffffff", bold=True),
    )
    return Mark(*at, inks, BLOCK, BLOCK)
