"""Pictures of a Diplomacy game: orders with their outcomes, or positions.

Land is tinted for the owner of its centre, and other land for the power of the unit there, because
it has no owner (rulebook: control is of supply centres only).
"""

import json
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple, assert_never

from judge.board.map import ARMY, Map, Unit, province_of
from judge.board.position import Phase, PhaseKind, Position, dump_position, load_position
from judge.drawing.base import Area, AreaKind, BoardGeometry, Frame
from judge.drawing.picture import (
    Head,
    HoldMark,
    Picture,
    Sample,
    Side,
    Stroke,
    StrokeKind,
    Token,
    TokenShape,
    TokenState,
)
from judge.games.diplomacy.boards import board_under
from judge.games.diplomacy.rules import orders
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, TurnResult
from judge.games.diplomacy.rules.orders import Convoy, Move, Outcome, Verdict
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.rules.seasons import winner_of
from judge.games.diplomacy.views.geometry import base
from judge.games.diplomacy.views.order_sheet import load_sheet, orders_of
from judge.games.diplomacy.views.phases import turn_title
from judge.games.diplomacy.views.record import read_record


def route_of(board: Map, move: Move, convoys: Iterable[Convoy]) -> tuple[str, ...]:
    """Return the seas of a move: the written route, or the shortest by its fleets.

    Empty for a move on foot or of a fleet, and where the fleets ordered to convoy the army do not
    reach from coast to coast.
    """
    start, goal = move.unit.province, province_of(move.to)
    if move.unit.kind is not ARMY or (goal in board.walk[start] and not move.via):
        return ()
    fleets = {
        convoy.unit.place
        for convoy in convoys
        if (convoy.army.province, province_of(convoy.to)) == (start, goal)
    }
    if move.route and fleets >= {*move.route}:
        return move.route
    return _shortest(board, start, goal, fleets)


def _shortest(board: Map, start: str, goal: str, fleets: set[str]) -> tuple[str, ...]:
    ways: deque[tuple[str, tuple[str, ...]]] = deque([(start, ())])
    seen = {start}
    while ways:
        here, way = ways.popleft()
        if way and goal in board.near[here]:
            return way
        for sea in sorted(board.near[here] & fleets - seen):
            seen.add(sea)
            ways.append((sea, (*way, sea)))
    return ()


FAILURES = {Outcome.BOUNCE, Outcome.CUT, Outcome.VOID, Outcome.DISLODGED, Outcome.NO_CONVOY}

UNITS_KEY = ((Sample.BLOCK, "army"), (Sample.BOAT, "fleet"))
BOARD_KEY = (
    (Sample.DOT, "free supply centre"),
    (Sample.OWNED, "a power's centre"),
    (Sample.TINTED, "land of its owner or of the unit there"),
    (Sample.SHUT, "impassable"),
)
BORDERS_KEY = (
    (Sample.WALK, "border for armies"),
    (Sample.SAIL, "for fleets"),
    (Sample.WALK_AND_SAIL, "for both"),
)
KEYS: Mapping[PhaseKind, tuple[tuple[Sample, str], ...]] = {
    PhaseKind.MOVEMENT: (
        (Sample.MOVE, "move"),
        (Sample.SUPPORT, "support"),
        (Sample.CONVOY, "convoy"),
        (Sample.CARRIER, "convoying fleet"),
        (Sample.HOLD, "hold"),
        (Sample.FAILED, "failed"),
        (Sample.BEATEN, "dislodged"),
    ),
    PhaseKind.RETREAT: (
        (Sample.BEATEN, "dislodged"),
        (Sample.RETREAT, "retreat"),
        (Sample.FAILED, "failed"),
        (Sample.GONE, "disbanded"),
    ),
    PhaseKind.ADJUSTMENT: ((Sample.NEW, "built"), (Sample.GONE, "removed")),
}


def standing_picture(board: Map, position: Position, game: str = "", due: str = "") -> Picture:
    """Return the picture of a position, with dislodged units and closed places."""
    phase = position.phase
    tokens = [_token(power, unit) for power, units in position.units.items() for unit in units]
    tokens += [
        Token(found.unit.place, power, _form(found.unit), TokenState.BEATEN, aside=True)
        for power, beaten in position.dislodged.items()
        for found in beaten
    ]
    turn = _turn(phase, board)
    subtitle = f"The board before the {phase.kind.title.lower()} orders of {phase}"
    if winner := winner_of(board, position):
        turn = f"{turn_title(phase, board)}: {winner} has won"
        subtitle = "The board at the end of the game"
    extra: list[tuple[Sample, str]] = []
    if position.dislodged:
        extra.append((Sample.BEATEN, "must retreat"))
    if position.contested:
        extra.append((Sample.CONTESTED, "contested: no retreat there"))
    return Picture(
        base=base(board.name),
        head=Head(_title(board, game), turn, subtitle, due),
        sides=_sides(board, position),
        tints=_tints(board, position),
        owners=position.owners,
        tokens=tuple(tokens),
        contested=tuple(sorted(position.contested)),
        key=(*UNITS_KEY, *extra, *_board_key(board)),
        describes=f"{turn}. {subtitle}. {_describe(board, position)}",
    )


def orders_picture(
    board: Map, before: Position, adjudged: AdjudicationResult, game: str = "", due: str = ""
) -> Picture:
    """Return the picture of a phase's orders and outcomes, on the board before it."""
    kind = before.phase.kind
    verdicts = [(power, verdict) for power, found in adjudged.verdicts.items() for verdict in found]
    carried = [verdict.order for _, verdict in verdicts if isinstance(verdict.order, orders.Convoy)]
    strokes = [stroke for _, verdict in verdicts for stroke in _strokes(board, verdict, carried)]
    holds = [
        HoldMark(verdict.order.unit.place)
        for _, verdict in verdicts
        if isinstance(verdict.order, orders.Hold) and Outcome.NO_ORDER not in verdict.outcomes
    ]
    subtitle = f"{kind.title} orders of {before.phase} and what became of them"
    ending = _ending(adjudged)
    described = f"{subtitle}: {_summary(verdicts)}. {_describe(board, adjudged.position)}"
    return Picture(
        base=base(board.name),
        head=Head(_title(board, game), _turn(before.phase, board), subtitle, ending or due),
        sides=_sides(board, before, adjudged.position),
        tints=_tints(board, before),
        owners=before.owners,
        tokens=tuple(_tokens(before, verdicts)),
        strokes=tuple(strokes),
        holds=tuple(holds),
        key=(*UNITS_KEY, *KEYS[kind], *_board_key(board)),
        describes=f"{described} {ending}".rstrip(),
    )


def _board_key(board: Map) -> tuple[tuple[Sample, str], ...]:
    """Return the key to the board itself.

    Nodes and lines leave impassable places out.
    """
    if not base(board.name).is_schematic:
        return BOARD_KEY
    return (*(entry for entry in BOARD_KEY if entry[0] is not Sample.SHUT), *BORDERS_KEY)


def _title(board: Map, game: str) -> str:
    return f"{game} · {board.title}" if game else board.title


def _turn(phase: Phase, board: Map) -> str:
    """Return the turn, with the kind of phase unless it is movement."""
    title = turn_title(phase, board)
    match phase.kind:
        case PhaseKind.MOVEMENT:
            return title
        case PhaseKind.RETREAT:
            return f"{title}: retreats"
        case PhaseKind.ADJUSTMENT:
            return f"{title}: builds and removals"
        case _:
            assert_never(phase.kind)


def _ending(adjudged: AdjudicationResult) -> str:
    if adjudged.winner:
        return f"{adjudged.winner} has won."
    return "The game ends in a draw." if adjudged.drawn else ""


def _summary(verdicts: Sequence[tuple[str, Verdict]]) -> str:
    """Return the number of orders and of failed ones, with the dislodged units."""
    given = [one for _, one in verdicts if Outcome.NO_ORDER not in one.outcomes]
    failed = sum(bool(FAILURES & {*one.outcomes}) for one in given)
    beaten = [
        f"{power} in {one.order.unit.province}"
        for power, one in verdicts
        if Outcome.DISLODGED in one.outcomes and not isinstance(one.order, orders.Waive)
    ]
    told = f"{_format_count(len(given), 'order')}, {failed} failed"
    return f"{told}; dislodged: {', '.join(beaten)}" if beaten else told


def _form(unit: Unit) -> TokenShape:
    return TokenShape.BLOCK if unit.kind is ARMY else TokenShape.BOAT


def _token(power: str, unit: Unit, state: TokenState = TokenState.STANDING) -> Token:
    return Token(unit.place, power, _form(unit), state)


def _sides(board: Map, position: Position, after: Position | None = None) -> tuple[Side, ...]:
    """Return the entries of the legend: the figures of each power, and their change."""
    colours = colours_of(board)
    return tuple(
        Side(
            power.name, power.letter, colours[power.name],
            _note(position, power.name, after or position),
        )
        for power in board.powers
    )


COLOURS = {
    "Austria": 0,
    "China": 1,
    "England": 2,
    "France": 3,
    "Germany": 4,
    "India": 5,
    "Italy": 6,
    "Japan": 7,
    "Russia": 8,
    "Turkey": 9,
}
"""Power → colour of the palette, on every map that gives it no other."""


@lru_cache(maxsize=64)
def colours_of(board: Map) -> Mapping[str, int]:
    """Return power → colour, each colour once.

    The map decides (`powers.tsv`), then `COLOURS`. Other powers get the first colours left.
    """
    found = {power.name: power.colour for power in board.powers if power.colour is not None}
    for power in board.powers:
        usual = COLOURS.get(power.name)
        if power.name not in found and usual is not None and usual not in found.values():
            found[power.name] = usual
    left = (number for number in count() if number not in {*found.values()})
    for power in board.powers:
        if power.name not in found:
            found[power.name] = next(left)
    return found


def _note(position: Position, power: str, after: Position) -> str:
    """Return the centres and units of a power, with the later figures if they differ."""
    (centres, units), (more_centres, more_units) = (_counts(p, power) for p in (position, after))
    if not any((centres, units, more_centres, more_units)):
        return "out of the game"
    changes = (
        _format_change(centres, more_centres, "centre"), _format_change(units, more_units, "unit")
    )
    return ", ".join(changes)


def _counts(position: Position, power: str) -> tuple[int, int]:
    units = len(position.units.get(power, ())) + len(position.dislodged.get(power, ()))
    return len(position.centres(power)), units


def _format_change(number: int, then: int, what: str) -> str:
    if number == then:
        return _format_count(number, what)
    return f"{number} → {_format_count(then, what)}"


def _format_count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _tints(board: Map, position: Position) -> Mapping[str, str]:
    tints = dict(position.owners)
    for power, units in position.units.items():
        for unit in units:
            province = board.provinces[unit.province]
            if not province.is_centre and province.terrain.takes_armies:
                tints[province.abbr] = power
    return tints


def _describe(board: Map, position: Position) -> str:
    counts = (f"{power.name} {_note(position, power.name, position)}" for power in board.powers)
    return "; ".join(counts) + "."


def _tokens(before: Position, verdicts: Iterable[tuple[str, Verdict]]) -> Iterable[Token]:
    """Yield the units of the position with their outcomes, and those that were built."""
    fate = {
        (power, verdict.order.unit): verdict
        for power, verdict in verdicts
        if not isinstance(verdict.order, orders.Waive)
    }
    for power, units in before.units.items():
        for unit in units:
            yield _token(power, unit, _state(fate.get((power, unit))))
    for power, beaten in before.dislodged.items():
        for found in beaten:
            verdict = fate.get((power, found.unit))
            lost = verdict is None or not isinstance(verdict.order, orders.Retreat)
            gone = lost or Outcome.DISBANDED in verdict.outcomes  # type: ignore[union-attr]
            state = TokenState.GONE if gone else TokenState.BEATEN
            yield Token(found.unit.place, power, _form(found.unit), state, aside=True)
    for (power, unit), verdict in fate.items():
        if isinstance(verdict.order, orders.Build) and not FAILURES & {*verdict.outcomes}:
            yield _token(power, unit, TokenState.NEW)


def _state(verdict: Verdict | None) -> TokenState:
    if verdict is None:
        return TokenState.STANDING
    if Outcome.DISLODGED in verdict.outcomes:
        return TokenState.BEATEN
    removed = isinstance(verdict.order, orders.Disband) and Outcome.VOID not in verdict.outcomes
    return (
        TokenState.GONE if removed or Outcome.DISBANDED in verdict.outcomes else TokenState.STANDING
    )


def _strokes(board: Map, verdict: Verdict, carried: Iterable[orders.Convoy]) -> Iterable[Stroke]:
    """Yield the line of an order, if it is drawn as a line."""
    failed = bool(FAILURES & {*verdict.outcomes})
    match verdict.order:
        case orders.Move(unit, to) as move:
            yield Stroke(StrokeKind.MOVE, unit.place, to, failed, route_of(board, move, carried))
        case orders.Support(unit, helped, to):
            goal = to or helped.place
            yield Stroke(StrokeKind.SUPPORT, unit.place, goal, failed, aim=helped.place)
        case orders.Convoy(unit, army, to):
            yield Stroke(StrokeKind.CONVOY, unit.place, to, failed, aim=army.place)
        case orders.Retreat(unit, to):
            yield Stroke(StrokeKind.RETREAT, unit.place, to, failed, aside=True)
        case _:
            pass


_TRIED = "A preview of {kind} orders for {phase}: nothing of it has happened"
_GIVEN = "{kind} orders for {phase}, as they are on file"


class VisibleArea(NamedTuple):
    """Power whose view is drawn, and the provinces it sees."""

    power: str
    provinces: frozenset[str]


def board_sketch(board: Map, position: Position, *, only: VisibleArea | None = None) -> str:
    """Return the picture request of a position, limited to the sight of *only*."""
    return json.dumps(board_values(board, position, only))


def board_values(board: Map, position: Position, only: VisibleArea | None) -> dict[str, object]:
    """Return the values of the picture request of a position."""
    told = {"map": board.name, "board": dump_position(position), "victory": board.victory}
    return {**told, **_as(only)}


def _as(only: VisibleArea | None) -> dict[str, object]:
    return {"only": only.power, "sight": sorted(only.provinces)} if only else {}


def orders_sketch(
    board: Map, position: Position, sheets: Mapping[str, str], *, only: VisibleArea | None = None
) -> str:
    """Return the sketch of a position with orders not yet adjudicated."""
    given = {power: json.loads(sheet) for power, sheet in sorted(sheets.items()) if sheet}
    shown = {"map": board.name, "board": dump_position(position), "given": given}
    return json.dumps({**shown, **_as(only)})


def turn_sketch(map_name: str, record: str, *, tried: bool, only: VisibleArea | None = None) -> str:
    """Return the sketch of an adjudicated phase, on the board before it.

    *tried* is true for a preview.
    """
    return json.dumps({"map": map_name, "turn": record, "tried": tried, **_as(only)})


SCHEMATIC = "drawn from the list of borders"
"""Note on a picture of nodes and lines."""


def picture_of(sketch: str, title: str) -> Picture:
    """Return the picture of a sketch."""
    return read_picture(json.loads(sketch), title)


def read_picture(told: Mapping[str, Any], title: str) -> Picture:
    """Return the picture of a parsed sketch."""
    found = _with_bands(_picture_of(told, title), told.get("stood", {}))
    if found.base.is_schematic:
        subtitle = f"{found.head.subtitle}, {SCHEMATIC}"
        found = replace(found, head=found.head._replace(subtitle=subtitle))
    if "only" not in told:
        return found
    # A sketch stored before an update may lack the provinces in sight.
    seen = told.get("sight")
    unseen = frozenset() if seen is None else _open_areas(found.base) - {*seen}
    return _apply_fog(found, told["only"], unseen)


def _with_bands(picture: Picture, stood: Mapping[str, str]) -> Picture:
    """Return a picture with bands on empty land for the powers last there."""
    bands = {place: power for place, power in stood.items() if place not in picture.tints}
    if not bands:
        return picture
    return replace(picture, bands=bands, key=(*picture.key, (Sample.BAND, "who stood there last")))


def _open_areas(drawn: BoardGeometry) -> frozenset[str]:
    """Return the areas and frames that can be entered."""
    places: list[Area | Frame] = [*drawn.areas.values(), *drawn.frames.values()]
    return frozenset(
        place.name for place in places if place.ground in (AreaKind.LAND, AreaKind.SEA)
    )


def _apply_fog(picture: Picture, power: str, unseen: frozenset[str]) -> Picture:
    """Return a picture as one power sees it, without the figures of other powers."""
    sides = tuple(side if side.name == power else side._replace(note="") for side in picture.sides)
    subtitle = f"{picture.head.subtitle}, as {power} sees it"
    key = tuple((sample, _VEILED.get(label, label)) for sample, label in picture.key)
    head = picture.head._replace(subtitle=subtitle)
    return replace(
        picture,
        sides=sides,
        head=head,
        key=(*key, (Sample.UNSEEN, "not seen")) if unseen else key,
        unseen=unseen,
        describes=f"{subtitle}.",
    )


_VEILED = {"free supply centre": "supply centre, not yours"}


def _picture_of(told: Mapping[str, Any], title: str) -> Picture:
    board = board_under(told["map"], Rules(victory=told.get("victory", 0)))
    if "turn" in told:
        record = read_record(told["turn"], board)
        found = orders_picture(board, record.before, record.adjudged, title)
        if told["tried"]:
            return _add_subtitle(found, _TRIED, record.before, found.describes)
        return found
    position = load_position(told["board"])
    standing = standing_picture(board, position, title)
    if "given" not in told:
        return standing
    verdicts = {
        power: tuple(
            Verdict(order, ()) for order in orders_of(load_sheet(json.dumps(texts), board))
        )
        for power, texts in told["given"].items()
    }
    undecided = AdjudicationResult(verdicts, TurnResult(position))
    found = orders_picture(board, position, undecided, title)
    return _add_subtitle(found, _GIVEN, position, standing.describes)


def _add_subtitle(picture: Picture, text: str, position: Position, describes: str) -> Picture:
    """Return a picture whose subtitle says whether its orders count."""
    phase = position.phase
    subtitle = text.format(kind=phase.kind.title.lower(), phase=phase)
    subtitle = subtitle[0].upper() + subtitle[1:]
    described = f"{subtitle}. {describes}"
    return replace(picture, head=picture.head._replace(subtitle=subtitle), describes=described)
