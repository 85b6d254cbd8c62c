"""Pictures: sketches as JSON, and the boards drawn from them."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from judge.drawing import colours
from judge.drawing.hexes import (
    ROAD,
    STAFF,
    WALL,
    WORKS,
    Fallen,
    HexBoard,
    Shot,
    Tile,
    TitlePosition,
)
from judge.drawing.hexes import CounterDrawing as Block
from judge.drawing.picture import Captions, Head, Side
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    REDOUBT,
    Counter,
    CounterKind,
    HexTerrain,
    counters,
    hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import COLUMNS, ROWS
from judge.games.yorktown.rules.state import OFF, SiegePosition, dump, load, parse_moment
from judge.games.yorktown.rules.strength import factor_now
from judge.games.yorktown.rules.turn import date_of
from judge.games.yorktown.views.moments import POWERS
from judge.games.yorktown.views.record import YorktownRecord
from judge.games.yorktown.views.textboard import unit_code

Part = tuple[int, int, int, int]
"""First and last column, and top and bottom row, of a part of the board."""
FILLS = {
    HexTerrain.CLEAR: "#eef0d9",
    HexTerrain.WOODS: "#c3d9a8",
    HexTerrain.MARSH: "#cfd8c0",
    HexTerrain.SHORE: "#e9ddb5",
    HexTerrain.RIVER: colours.SEA,
    HexTerrain.TOWN: "#e7c9b4",
}
COLOURS = {"US": 2, "FR": 8, "GB": 0, "DE": 6}
NATIONS = {"US": "American", "FR": "French", "GB": "British", "DE": "German"}
SIDES = (Side(POWERS[FA], "F", COLOURS["US"]), Side(POWERS[AP], "A", COLOURS["GB"]))
AROUND = (3, 2, 1)
"""Hexes shown around a fight, fewer if it is spread out."""
LARGEST, MIN, BROADER = 20, 10, 1.9
"""Most and fewest columns of the enlarged part, and minimum number of columns for each row."""
ON_PHONE = 11
"""Columns and rows that a phone can show."""
MAX_PARTS = 3
"""Maximum number of board parts in a picture of a side's own army."""


def board_sketch(position: SiegePosition) -> str:
    """Return the sketch of a position."""
    return json.dumps({"position": dump(position), "moment": str(position.moment)})


def front_sketch(position: SiegePosition, record: YorktownRecord | None, side: str) -> str:
    """Return the sketch of the parts of the board with a side's units.

    With a record it also shows the hexes fought over, the shots and the lost units. It is empty if
    the side has no unit on the map.
    """
    own = {key: unit for key, unit in position.units.items() if counters()[key].side == side}
    stands = [unit.at for unit in own.values() if unit.on_map]
    if not stands:
        return ""
    entries = _entries({counters()[key].setup for key, unit in own.items() if unit.at == OFF})
    told = json.loads(board_sketch(position))
    if record:
        fights = [at for at, _ in record.told.fought]
        told |= {"fights": fights, "fallen": _fallen(record), "shots": record.told.shots}
        stands += fights
    return _with_fronts(told | {"shows": stands, "entries": list(entries)})


def _with_fronts(told: Mapping[str, Any]) -> str:
    """Return a sketch with the parts to show, entry hexes only if there is room."""
    found = _parts(told["shows"])
    left = _outside(told["entries"], found)
    return json.dumps({**told, "fronts": [*found, *_parts(left)][:MAX_PARTS]})


def _entries(setups: Collection[str]) -> Iterator[str]:
    """Yield the hexes by which units enter, of row 24 those with a road."""
    if any(setup.startswith("enter:west") for setup in setups):
        yield "0118"
    if any(setup.startswith("enter:south") for setup in setups):
        yield from (name for name, each in hexes().items() if name.endswith("24") and each.roads)


def _fallen(record: YorktownRecord) -> list[tuple[str, str]]:
    """Return the units lost in a step, with their hexes."""
    # A fight first records its first attacker with the attacked hex, and losses after that.
    where = {key: at for at, key in record.told.fought}
    return [(at, key) for key, at in where.items() if not record.after.units[key].in_play]


def join_sketches(earlier: str, later: str) -> str:
    """Return the sketch of a step with the marks of the step before it."""
    first, last = json.loads(earlier), json.loads(later)
    marks = ("ways", "shots", "fights", "fallen")
    joined = last | {
        mark: [*first.get(mark, ()), *last.get(mark, ())] for mark in marks if mark in last
    }
    if "shows" in last:
        return _with_fronts(joined | {"shows": [*last["shows"], *first.get("fights", ())]})
    return json.dumps(joined)


def _parts(names: Sequence[str]) -> list[Part]:
    """Return at most `MAX_PARTS` parts that together show some hexes, fullest first."""
    left = list(names)
    found: list[Part] = []
    while left and len(found) < MAX_PARTS:
        found.append(_fullest(left))
        left = _outside(left, found[-1:])
    return found


def _outside(names: Sequence[str], parts: Sequence[Part]) -> list[str]:
    """Return the hexes that are in none of the parts."""
    return [
        name for name in names if not any(
            first <= int(name[:2]) <= last and top <= int(name[2:]) <= bottom
            for first, last, top, bottom in parts
        )
    ]


def _fullest(names: Sequence[str]) -> Part:
    """Return the phone-sized part with the most of some hexes.

    Of several, it is the one in which they are nearest to the middle.
    """
    at = [(int(name[:2]), int(name[2:])) for name in names]
    best = (-1, 0.0, 1, 1)
    for left in range(1, COLUMNS - ON_PHONE + 2):
        for top in range(1, ROWS - ON_PHONE + 2):
            there = [
                (column, row) for column, row in at
                if 0 <= column - left < ON_PHONE and 0 <= row - top < ON_PHONE
            ]
            middle = (ON_PHONE - 1) / 2
            off = sum(abs(c - left - middle) + abs(r - top - middle) for c, r in there)
            best = max(best, (len(there), -off, left, top))
    _, _, left, top = best
    return left, left + ON_PHONE - 1, top, top + ON_PHONE - 1


def turn_sketch(record: YorktownRecord, *, tried: bool) -> str:
    """Return the sketch of a step: position after it, paths, shots, losses."""
    told = record.told
    return json.dumps(
        {
            "position": dump(record.after),
            "moment": str(record.before.moment),
            "ways": told.ways,
            "shots": told.shots,
            "fights": [at for at, _ in told.fought],
            "fallen": _fallen(record),
            "tried": tried,
        }
    )


def picture_of(sketch: str, title: str) -> HexBoard:
    """Return the picture of a sketch."""
    stored = json.loads(sketch)
    position = load(stored["position"])
    fights = tuple(dict.fromkeys(stored.get("fights", ())))
    shots = tuple(Shot(start, at) for start, at in stored.get("shots", ()))
    # Sketches of older letters have one part.
    fronts = stored.get("fronts") or ([stored["front"]] if stored.get("front") else [])
    busy = [*fights, *(shot.to for shot in shots)]
    return HexBoard(
        tiles=_tiles(position),
        around=Captions(
            _head(stored, title),
            SIDES,
            describes=f"The board of Yorktown, {stored['moment']}.",
        ),
        counters=tuple(_blocks(position)),
        ways=tuple(tuple(way) for _, way in stored.get("ways", ())),
        shots=shots,
        fallen=tuple(Fallen(at, unit_code(key)) for at, key in stored.get("fallen", ())),
        fights=fights,
        window=_window(busy),
        parts=tuple((first, last, top, bottom) for first, last, top, bottom in fronts),
        window_title="Where the fighting is",
        swatches=_key(),
    )


def _head(stored: Mapping[str, object], title: str) -> Head:
    told = str(stored["moment"])
    moment = parse_moment(told)
    assert moment
    when = f"{date_of(moment.day):%d %B %Y}"
    aside = "a preview: nothing of it has happened" if stored.get("tried") else ""
    return Head(title=title, phase=told, subtitle=f"Yorktown, {when}", aside=aside)


def _tiles(position: SiegePosition) -> dict[str, Tile]:
    return {
        name: Tile(
            name,
            FILLS[found.terrain],
            found.roads,
            found.walls if found.feature != REDOUBT else frozenset(),
            found.title,
            TitlePosition(found.label) if found.label else TitlePosition.BELOW,
            works=found.feature == REDOUBT or name in position.redoubts,
        )
        for name, found in hexes().items()
    }


def _blocks(position: SiegePosition) -> Iterable[Block]:
    staffs = {
        unit.attached: counters()[key].name[0]
        for key, unit in position.units.items()
        if unit.attached
    }
    field = StepState(position)
    for key, unit in position.units.items():
        counter = counters()[key]
        if not unit.on_map or counter.kind is CounterKind.CMD:
            continue
        is_ship = counter.kind is CounterKind.FRIG
        yield Block(
            unit.at,
            COLOURS[counter.nation],
            unit_code(key),
            _below(counter, field),
            None if is_ship or field.is_redoubt(unit.at) else unit.facing,
            unit.bow,
            bool(unit.marked),
            staffs.get(key, ""),
        )


def _below(counter: Counter, field: StepState) -> str:
    """Return the second line of a counter: its present strength, or a ship's cargo."""
    if counter.kind is CounterKind.FRIG:
        aboard = len(field.aboard(counter.key))
        return f"+{aboard}" if aboard else ""
    return str(factor_now(field, counter.key))


def _window(busy: Sequence[str]) -> Part | None:
    """Return the part of the board around the fights, broader than high.

    Return None if there are no fights or the part would be too large.
    """
    if not busy:
        return None
    columns = [int(name[:2]) for name in busy]
    rows = [int(name[2:]) for name in busy]
    for around in AROUND:
        top, bottom = max(1, min(rows) - around), min(ROWS, max(rows) + around)
        across = max(columns) - min(columns) + 1 + 2 * around
        wide = max(across, MIN, round((bottom - top + 1) * BROADER))
        if wide <= LARGEST:
            middle = (min(columns) + max(columns)) // 2
            first = min(max(1, middle - wide // 2), COLUMNS - wide + 1)
            return first, first + wide - 1, top, bottom
    return None


def _key() -> tuple[tuple[str, str], ...]:
    nations = [(colours.paint(COLOURS[n]).strong, NATIONS[n]) for n in COLOURS]
    grounds = [
        (FILLS[HexTerrain.WOODS], "woods"),
        (FILLS[HexTerrain.MARSH], "marsh"),
        (FILLS[HexTerrain.SHORE], "shore"),
        (ROAD, "road"),
        (WALL, "wall"),
        (WORKS, "redoubt"),
        (colours.MOVE, "way"),
        (colours.FAILED, "shot, ½ hit, X lost"),
        (STAFF, "commander, by initial"),
        ("#111111", "front"),
    ]
    return (*nations, *grounds)
