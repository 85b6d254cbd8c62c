"""What a picture of a Diplomacy game shows: orders with what became of them, or where things stand.

Land is tinted for the owner of its centre; other land for the power whose unit stands there, as
nobody owns it (rulebook: control is of supply centres only).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import assert_never

from judge.board.map import ARMY, Map, Unit
from judge.board.phase import Phase, PhaseKind
from judge.board.position import Position
from judge.drawing.base import Base, load_base
from judge.drawing.picture import (
    Form,
    Head,
    Hold,
    Picture,
    Sample,
    Side,
    State,
    Stroke,
    Token,
    Way,
)
from judge.games.diplomacy import orders
from judge.games.diplomacy.adjudicate import Adjudged
from judge.games.diplomacy.outcome import Outcome, Verdict
from judge.games.diplomacy.routes import route_of
from judge.games.diplomacy.seasons import winner_of

FAILURES = {Outcome.BOUNCE, Outcome.CUT, Outcome.VOID, Outcome.DISLODGED, Outcome.NO_CONVOY}

UNITS_KEY = ((Sample.BLOCK, "army"), (Sample.BOAT, "fleet"))
BOARD_KEY = (
    (Sample.DOT, "free supply centre"),
    (Sample.OWNED, "a power's centre"),
    (Sample.TINTED, "land of its owner or of the unit there"),
    (Sample.SHUT, "impassable"),
)
KEYS: Mapping[PhaseKind, tuple[tuple[Sample, str], ...]] = {
    PhaseKind.MOVEMENT: (
        (Sample.MOVE, "move"),
        (Sample.SUPPORT, "support"),
        (Sample.CONVOY, "convoy"),
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


@cache
def base(map_name: str) -> Base:
    """Return what a map is drawn on."""
    file = files("judge.games.diplomacy") / "maps" / map_name / "shapes.json"
    return load_base(file.read_text(encoding="utf-8"))


def standing_picture(board: Map, position: Position, game: str = "", due: str = "") -> Picture:
    """Return the board as it stands: units, those that must retreat, centres, closed places."""
    phase = position.phase
    tokens = [_token(power, unit) for power, units in position.units.items() for unit in units]
    tokens += [
        Token(found.unit.place, power, _form(found.unit), State.BEATEN, aside=True)
        for power, beaten in position.dislodged.items()
        for found in beaten
    ]
    turn = _turn(phase)
    subtitle = f"The board before the {phase.kind.title.lower()} orders of {phase}"
    if winner := winner_of(board, position):
        turn, subtitle = f"{phase.title}: {winner} has won", "The board at the end of the game"
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
        key=(*UNITS_KEY, *extra, *BOARD_KEY),
        describes=f"{turn}. {subtitle}. {_describe(board, position)}",
    )


def orders_picture(
    board: Map, before: Position, adjudged: Adjudged, game: str = "", due: str = ""
) -> Picture:
    """Return what was ordered in a phase and what became of it, on the board before it."""
    kind = before.phase.kind
    verdicts = [
        (power, verdict) for power, found in adjudged.verdicts.items() for verdict in found
    ]
    carried = [verdict.order for _, verdict in verdicts if isinstance(verdict.order, orders.Convoy)]
    strokes = [
        stroke
        for _, verdict in verdicts
        for stroke in _strokes(board, verdict, carried, kind)
    ]
    holds = [
        Hold(verdict.order.unit.place)
        for _, verdict in verdicts
        if isinstance(verdict.order, orders.Hold) and Outcome.NO_ORDER not in verdict.outcomes
    ]
    subtitle = f"{kind.title} orders of {before.phase} and what became of them"
    ending = _ending(adjudged)
    described = f"{subtitle}: {_summary(verdicts)}. {_describe(board, adjudged.position)}"
    return Picture(
        base=base(board.name),
        head=Head(_title(board, game), _turn(before.phase), subtitle, ending or due),
        sides=_sides(board, adjudged.position),
        tints=_tints(board, before),
        owners=before.owners,
        tokens=tuple(_tokens(before, verdicts)),
        strokes=tuple(strokes),
        holds=tuple(holds),
        key=UNITS_KEY + KEYS[kind] + BOARD_KEY,
        describes=f"{described} {ending}".rstrip(),
    )


def _title(board: Map, game: str) -> str:
    return f"{game} · {board.title}" if game else board.title


def _turn(phase: Phase) -> str:
    """Return the turn, and what is ordered in it if it is not the moves."""
    match phase.kind:
        case PhaseKind.MOVEMENT:
            return phase.title
        case PhaseKind.RETREAT:
            return f"{phase.title}: retreats"
        case PhaseKind.ADJUSTMENT:
            return f"{phase.title}: builds and removals"
        case _:
            assert_never(phase.kind)


def _ending(adjudged: Adjudged) -> str:
    if adjudged.winner:
        return f"{adjudged.winner} has won."
    return "The game ends in a draw." if adjudged.drawn else ""


def _summary(verdicts: Sequence[tuple[str, Verdict]]) -> str:
    """Say how many orders there were, how many failed, and who was dislodged."""
    given = [one for _, one in verdicts if Outcome.NO_ORDER not in one.outcomes]
    failed = sum(bool(FAILURES & {*one.outcomes}) for one in given)
    beaten = [
        f"{power} in {one.order.unit.province}"
        for power, one in verdicts
        if Outcome.DISLODGED in one.outcomes and not isinstance(one.order, orders.Waive)
    ]
    told = f"{_counted(len(given), 'order')}, {failed} failed"
    return f"{told}; dislodged: {', '.join(beaten)}" if beaten else told


def _form(unit: Unit) -> Form:
    return Form.BLOCK if unit.kind is ARMY else Form.BOAT


def _token(power: str, unit: Unit, state: State = State.STANDING) -> Token:
    return Token(unit.place, power, _form(unit), state)


def _sides(board: Map, position: Position) -> tuple[Side, ...]:
    return tuple(
        Side(power.name, power.letter, COLOURS.get(power.name, number), _note(position, power.name))
        for number, power in enumerate(board.powers)
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
"""Power → colour of the palette, the same on every map."""


def _note(position: Position, power: str) -> str:
    beaten = len(position.dislodged.get(power, ()))
    units = len(position.units.get(power, ())) + beaten
    centres = len(position.centres(power))
    if not units and not centres:
        return "out of the game"
    return f"{_counted(centres, 'centre')}, {_counted(units, 'unit')}"


def _counted(number: int, what: str) -> str:
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
    counts = (f"{power.name} {_note(position, power.name)}" for power in board.powers)
    return "; ".join(counts) + "."


def _tokens(before: Position, verdicts: Iterable[tuple[str, Verdict]]) -> Iterable[Token]:
    """Yield the units there were, with what happened to them, and those that were built."""
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
            state = State.GONE if gone else State.BEATEN
            yield Token(found.unit.place, power, _form(found.unit), state, aside=True)
    for (power, unit), verdict in fate.items():
        if isinstance(verdict.order, orders.Build) and not FAILURES & {*verdict.outcomes}:
            yield _token(power, unit, State.NEW)


def _state(verdict: Verdict | None) -> State:
    if verdict is None:
        return State.STANDING
    if Outcome.DISLODGED in verdict.outcomes:
        return State.BEATEN
    removed = isinstance(verdict.order, orders.Disband) and Outcome.VOID not in verdict.outcomes
    return State.GONE if removed or Outcome.DISBANDED in verdict.outcomes else State.STANDING


def _strokes(
    board: Map, verdict: Verdict, carried: Iterable[orders.Convoy], kind: PhaseKind
) -> Iterable[Stroke]:
    """Yield the line of an order, if it is one that shows as a line."""
    failed = bool(FAILURES & {*verdict.outcomes})
    match verdict.order:
        case orders.Move(unit, to) as move:
            yield Stroke(Way.MOVE, unit.place, to, failed, route_of(board, move, carried))
        case orders.Support(unit, helped, to):
            goal = to or helped.place
            yield Stroke(Way.SUPPORT, unit.place, goal, failed, aim=helped.place)
        case orders.Convoy(unit, army, to):
            yield Stroke(Way.CONVOY, unit.place, to, failed, aim=army.place)
        case orders.Retreat(unit, to):
            yield Stroke(Way.RETREAT, unit.place, to, failed, aside=True)
        case _:
            pass
