"""The drawing of a sketch: land in its owners' colours, units, improvements, links (N-165)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from judge.drawing import colours
from judge.drawing.base import Area, Base, Point, Window
from judge.drawing.drawing import Drawing
from judge.drawing.ink import BASELINE, Ink, Layer, Path, Sheet, Text, box, number, text_width
from judge.drawing.layout import OnPanels, OnProvinces, kept_in
from judge.drawing.phone import least_name, phone_windows
from judge.drawing.picture import Head, Picture, Sample, Side
from judge.drawing.stack import Slice, Stack
from judge.games.nations1940.rules.state import label_of
from judge.games.nations1940.scenario import KINDS
from judge.games.nations1940.sides import nations_called
from judge.games.nations1940.views.pictures import NAME, base, links_of

NEUTRAL = "#6b6256"
NOTES = 10.2
"""Size of the notes below a name, on lines of `KINDS_A_LINE`."""
NOTES_PART = 0.018
"""The same at least, in parts of the width of a part of the map: 7 CSS pixels on a phone."""
KINDS_A_LINE = 3
LARGE, ROOM = 15.0, 22.0
"""Size of the text on a block of units, and its greatest width."""
BLOCK = 20.0
"""Height of a block of units."""
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


def drawing_of(sketch: str, title: str) -> "NationsDrawing":
    """Return what is drawn of a sketch."""
    told = json.loads(sketch)
    return NationsDrawing(_picture(told, title), told=told)


def _picture(told: Mapping[str, Any], title: str) -> Picture:
    called = nations_called(told["map"])
    names = {one.code: one.name for one in called}
    sides = tuple(
        Side(one.name, one.letter, at, f"{told['counts'][one.code]} provinces")
        for at, one in enumerate(called) if one.code in told["counts"]
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
        tints={
            area: names[found["o"]] for area, found in told["places"].items() if found["o"]
        },
        links=links_of(told["map"]),
        key=KEY,
        describes=f"Turn {turn}. {subtitle}. {summary}.",
    )


@dataclass(frozen=True)
class NationsDrawing(OnProvinces):
    """The drawing of one sketch."""

    told: Mapping[str, Any] = field(default_factory=dict)
    is_small: bool = False
    """True if names are numbers and notes are left out."""

    @property
    def nation(self) -> str:
        """Name of the nation the sketch is made for. Empty for other readers."""
        names = {one.code: one.name for one in nations_called(self.told["map"])}
        return names.get(self.told["as"], "")

    def layers(self) -> tuple[Layer, ...]:
        """Return the map with units and notes on it."""
        if self.window is None:
            return (*super().layers(), self._above())
        shown = replace(self.picture, base=_with_names_in(self.picture.base, self.window))
        return (*OnProvinces(shown, self.window).layers(), self._above())

    def drawn(self) -> Sheet:
        """Return the map with the texts around it; all but units and notes is shared."""
        sheet = super().drawn()
        return sheet._replace(shared=len(sheet.board) - 1)

    def stack(self) -> Stack:
        """Return the map apart from the units and notes on it."""
        under = super().stack()
        return under._replace(slices=(*under.slices, Slice((self._above(),))))

    def small(self) -> Drawing:
        """Return the parts of the map a sketch names, or the whole with numbers for names."""
        if "windows" in self.told:
            return self._regions()
        windows, factor = phone_windows(self.picture.base)
        letters = {one.code: one.letter for one in nations_called(self.told["map"])}
        small = self.picture.base.reduced(factor)
        areas = {
            name: area._replace(label=self._short_label(name, letters))
            for name, area in small.areas.items()
        }
        picture = replace(self.picture, base=small.with_areas(areas))
        return OnPanels(replace(self, picture=picture, is_small=True), windows)

    def _short_label(self, name: str, letters: Mapping[str, str]) -> str:
        """Return number and owner of a province ("50 G"), or the id of a sea region."""
        if not name.startswith("P"):
            return name
        return f"{name[1:]} {letters.get(self.told['places'][name]['o'], '')}".strip()

    def _regions(self) -> OnPanels:
        windows = tuple(Window(*window) for window in self.told["windows"])
        picture = self.picture
        seen = frozenset(
            side for name, side in picture.tints.items()
            if any(_is_seen(picture.base, name, window) for window in windows)
        )
        head = picture.head._replace(subtitle=f"{self.nation} and its neighbours")
        return OnPanels(replace(self, picture=replace(picture, head=head)), windows, seen)

    def _above(self) -> Layer:
        return Layer("things", tuple(self._things()))

    def _things(self) -> Iterator[Ink]:
        called = nations_called(self.told["map"])
        paints = {one.code: colours.paint(at).strong for at, one in enumerate(called)}
        letters = {one.code: one.letter for one in called}
        window = self.window or self.picture.base.whole
        name = NAME if self.window is None else least_name(window)
        notes = NOTES if self.window is None else max(NOTES, NOTES_PART * window.width)
        for place, found in self.told["places"].items():
            area = self.picture.base.areas[place]
            if not (window.holds(area.label_at) or window.holds(area.unit)):
                continue
            area = _kept_within(area, name, window)
            units = found.get("u", ())
            there = _clear(area, len(units), 0 if self.is_small else len(found.get("i", ())))
            there = kept_in(there, len(units) * STEP / 2, BLOCK / 2 + 2, window)
            for at, (code, count, kind) in enumerate(units):
                x = there.x + (at - (len(units) - 1) / 2) * STEP
                text = f"{letters[code]}{count}" if code else "N"
                if kind == "hq":
                    text = f"{letters[code]}HQ"
                yield from _unit(Point(x, there.y), text, kind, paints.get(code, NEUTRAL))
            below = Point(area.label_at.x, area.label_at.y + (name + notes) / 2 + 1)
            if self.is_small:
                yield from _marks(found, Point(below.x, below.y), notes)
            else:
                yield from _notes(found, letters.get(found["o"], ""), below, notes)


def _with_names_in(whole: Base, window: Window) -> Base:
    """Return a base without the names that a part of it would cut off."""
    size = least_name(window)
    return whole.with_areas({
        name: _kept_within(area, size, window)
        if window.holds(area.label_at) or window.holds(area.unit) else area._replace(label="")
        for name, area in whole.areas.items()
    })  # fmt: skip


def _kept_within(area: Area, size: float, window: Window) -> Area:
    """Return an area with its name, of such a size, inside a part of the map."""
    across, down = text_width(area.label, size) / 2 + 2, size / 2 + 2
    at = kept_in(area.label_at, across, down, window)
    return area._replace(size=size, label_at=at)


def _is_seen(whole: Base, name: str, window: Window) -> bool:
    """Return whether a part of the map shows something of an area."""
    rings = map(whole.outline, whole.areas[name].rings)
    return any(window.holds(at) for ring in rings for at in ring)


def _clear(area: Area, units: int, improvements: int) -> Point:
    """Return the middle of a province's units: their usual spot, or above the name if they would
    cover it or the notes below it."""
    label, unit = area.label_at, area.unit
    rows = 1 + -(-improvements // KINDS_A_LINE)
    beside = abs(unit.x - label.x) > (text_width(area.label, area.size) + units * STEP) / 2
    above = unit.y + BLOCK / 2 < label.y - area.size
    below = unit.y - BLOCK / 2 > label.y + area.size + rows * NOTES
    if beside or above or below:
        return unit
    return Point(label.x, label.y - area.size / 2 - BLOCK / 2 - 3)


def _unit(at: Point, text: str, kind: str, colour: str) -> Iterator[Ink]:
    """Yield units of one nation: a block with their number, a hull for fleets."""
    if kind == "fleet":
        hull = f"M{number(at.x - 15)} {number(at.y - 8)}h30l-5 16h-20z"
        yield Path(hull, fill=colour, stroke="#ffffff", width=1.4)
    else:
        frame = box(at.x - 13, at.y - 10, 26, 20, 3 if kind == "army" else 10)
        yield Path(frame, fill=colour, stroke="#ffffff", width=1.4)
    size = min(LARGE, LARGE * ROOM / text_width(text, LARGE, bold=True))
    yield Text(at.x, at.y + size * BASELINE, text, size, fill="#ffffff", bold=True)


def _notes(
    found: Mapping[str, Any], letter: str, at: Point, size: float
) -> Iterator[Ink]:
    """Yield the owner and improvements of a province, after fallout and an epidemic."""
    kinds = [str(kind) for kind in found.get("i", ()) if kind in KINDS]
    first = [letter] if letter else []
    first += ["CAPITAL"] if found.get("c") else []
    lines = [first + kinds[:KINDS_A_LINE]]
    lines += [kinds[n : n + KINDS_A_LINE] for n in range(KINDS_A_LINE, len(kinds), KINDS_A_LINE)]
    warning = _warning(found)
    for row, text in enumerate([warning, *(" ".join(words) for words in lines)], -(not warning)):
        if text:
            down = at.y + row * (size + 0.5) + size * BASELINE
            ink = colours.FAILED if text == warning else colours.INK
            yield Text(at.x, down, text, size, ink, bold=text == warning, halo="#ffffff")


def _warning(found: Mapping[str, Any]) -> str:
    warned = [f"fallout {found['f']}"] if found.get("f") else []
    return ", ".join(warned + (["epidemic"] if found.get("e") else []))


def _marks(found: Mapping[str, Any], at: Point, size: float) -> Iterator[Ink]:
    """Yield that a province is a capital, or has fallout or an epidemic."""
    warning = _warning(found)
    text, ink = (warning, colours.FAILED) if warning else ("CAPITAL", colours.INK)
    if warning or found.get("c"):
        down = at.y + size * BASELINE
        yield Text(at.x, down, text, size, ink, bold=bool(warning), halo="#ffffff")
