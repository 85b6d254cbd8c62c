"""Adjudication of one phase.

A pure function of its arguments for movement, retreats and adjustments: position and orders in, the
next position and all verdicts out. Readable but illegal orders are accepted and become void, with
the rule they break.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from judge.board.map import Map, Unit
from judge.board.position import Dislodged, PhaseKind, Position
from judge.games.diplomacy.rules.adjustments import adjust, adjustment_count, buildable, builds_due
from judge.games.diplomacy.rules.movement import settle_movement
from judge.games.diplomacy.rules.movement_state import (
    MOVE,
    OK,
    MovementState,
    UnitState,
    is_vacated,
    prevention,
)
from judge.games.diplomacy.rules.orders import Order, Outcome, Verdict
from judge.games.diplomacy.rules.reasons import verdict_on
from judge.games.diplomacy.rules.retreats import open_retreats, retreat, retreats_open_to
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.rules.seasons import advance, find_ordering_powers
from judge.games.system import Ending
from judge.model.phrase import phrase


def verdicts_on(field: MovementState) -> dict[str, tuple[Verdict, ...]]:
    """Return power → verdicts on its units as units are listed, then on others."""
    verdicts = {
        power: tuple([verdict_on(field, piece) for piece in pieces])
        for power, pieces in groupby(field.at.values(), attrgetter("power"))
    }
    for power, order, reason in field.strays:
        void = Verdict(order, (Outcome.VOID,), reason)
        verdicts[power] = (*verdicts.get(power, ()), void)
    return verdicts


def position_after(field: MovementState, position: Position) -> Position:
    """Return the position after movement.

    It is still in its phase and has all dislodged units.
    """
    board = field.board
    beaten = field.beaten
    contested = frozenset([
        battle.province
        for battle in field.battles.values()
        if battle.winner is None
        and is_vacated(battle) is OK
        and any([prevention(attacker, battle.holder)[0] for attacker in battle.attackers])
    ])
    units: dict[str, list[Unit]] = {power: [] for power in position.units}
    for piece in field.at.values():
        if piece.fact is OK and piece.task is MOVE:
            units[piece.power].append(piece.landing)
        elif piece not in beaten:
            units[piece.power].append(piece.unit)
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    if beaten:
        closed = {*contested, *[unit.province for own in units.values() for unit in own]}
        for unit in board.sort_units([piece.unit for piece in beaten]):
            piece = field.at[unit.province]
            one = _make_dislodged(field, piece, beaten[piece], closed)
            dislodged[piece.power] = (*dislodged.get(piece.power, ()), one)
    return Position(
        phase=position.phase, units={power: board.sort_units(own) for power, own in units.items()},
        owners=position.owners, dislodged=dislodged, contested=contested,
        quiet_falls=position.quiet_falls,
    )


def _make_dislodged(
    field: MovementState, piece: UnitState, by: UnitState, closed: set[str]
) -> Dislodged:
    found = Dislodged(piece.unit, by.province, by.by_sea)
    if piece.power in field.board.neutral:
        return found._replace(retreats=())
    return found._replace(retreats=retreats_open_to(field.board, found, closed, field.rules))


__all__ = [
    "AdjudicationResult", "TurnResult", "adjudicate", "adjustment_count", "buildable", "builds_due",
    "open_retreats", "find_ordering_powers",
]


class TurnResult(NamedTuple):
    """Result of a phase whose orders are decided."""

    position: Position
    """The position in the next phase in which any power has a choice."""
    dislodged: Mapping[str, tuple[Dislodged, ...]] = {}
    """All units dislodged in this phase with `retreats` filled in, even if empty."""
    contested: frozenset[str] = frozenset()
    gained: Mapping[str, str] = {}
    """Centre → its new owner, where ownership changed."""
    winner: str = ""
    """The power that won, or empty."""
    drawn: tuple[str, ...] = ()
    """Powers that share the game after quiet Falls or its last year, or empty."""
    removed: Mapping[str, tuple[Unit, ...]] = {}
    """Power without centres → its units removed in a skipped adjustment phase.

    A phase is skipped if no power has a choice.
    """
    is_last: bool = False
    """True if the last year is over. The powers in `drawn` share the game, or the only one won."""


class AdjudicationResult:
    """One adjudicated phase: a verdict on each order, and the result (`TurnResult`).

    Immutable. The result is computed on first access: a comparison of plans needs verdicts alone.
    """

    __slots__ = ("verdicts", "_after")

    def __init__(
        self,
        verdicts: Mapping[str, tuple[Verdict, ...]],
        after: TurnResult | Callable[[], TurnResult],
    ) -> None:
        self.verdicts = verdicts
        """Power → a verdict on each of its orders, and on each unit without one."""
        self._after = after

    @property
    def after(self) -> TurnResult:
        """The result, computed on first access."""
        if not isinstance(self._after, TurnResult):
            self._after = self._after()
        return self._after

    @property
    def position(self) -> Position:
        """The next position. See `TurnResult` for this and the properties below."""
        return self.after.position

    @property
    def dislodged(self) -> Mapping[str, tuple[Dislodged, ...]]:
        """The units that were dislodged."""
        return self.after.dislodged

    @property
    def contested(self) -> frozenset[str]:
        """The provinces closed to retreats."""
        return self.after.contested

    @property
    def gained(self) -> Mapping[str, str]:
        """The centres that changed hands."""
        return self.after.gained

    @property
    def winner(self) -> str:
        """The power that won, or empty."""
        return self.after.winner

    @property
    def drawn(self) -> tuple[str, ...]:
        """The powers that share the game."""
        return self.after.drawn

    @property
    def removed(self) -> Mapping[str, tuple[Unit, ...]]:
        """The units removed in a skipped adjustment phase."""
        return self.after.removed

    @property
    def is_last(self) -> bool:
        """True if the last year is over."""
        return self.after.is_last

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AdjudicationResult):
            return NotImplemented
        return (self.verdicts, self.after) == (other.verdicts, other.after)

    def __repr__(self) -> str:
        return f"Adjudged({self.verdicts!r}, {self.after!r})"

    def __reduce__(self) -> tuple[type["AdjudicationResult"], tuple[object, ...]]:
        return AdjudicationResult, (self.verdicts, self.after)


def adjudicate(
    board: Map, position: Position, orders: Mapping[str, Sequence[Order]], rules: Rules
) -> AdjudicationResult:
    """Adjudicate a phase of any kind.

    A unit without an order holds, and a dislodged one disbands. Missing removals are chosen by
    civil disorder. The order of units and orders does not matter, except that the last of several
    orders for one unit counts, and by default the first of too many builds or removals.
    """
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            field = settle_movement(board, position, orders, rules)
            return AdjudicationResult(
                verdicts_on(field),
                lambda: _led_to(board, position_after(field, position), rules),
            )
        case PhaseKind.RETREAT:
            after, verdicts = retreat(board, position, orders, rules)
        case PhaseKind.ADJUSTMENT:
            after, verdicts = adjust(board, position, orders, rules)
    return AdjudicationResult(verdicts, _led_to(board, after, rules))


def _led_to(board: Map, after: Position, rules: Rules) -> TurnResult:
    """Return the result that follows from the position after a played phase."""
    found = advance(board, after, rules)
    return TurnResult(
        position=found.position,
        dislodged=after.dislodged,
        contested=after.contested,
        gained=found.gained,
        winner=found.winner,
        drawn=found.drawn,
        removed=found.removed,
        is_last=found.is_last,
    )


def ending_of(adjudged: AdjudicationResult, year: int) -> Ending | None:
    """Return how a phase of *year* ends the game, or None if the game goes on."""
    if adjudged.winner:
        count = len(adjudged.position.centres(adjudged.winner))
        reason = phrase("victory", power=adjudged.winner, centres=count)
        return Ending((adjudged.winner,), reason)
    if adjudged.is_last:
        return _at_end(adjudged, year)
    if adjudged.drawn:
        falls = adjudged.position.quiet_falls
        return Ending(adjudged.drawn, phrase("quiet-draw", powers=adjudged.drawn, falls=falls))
    return None


def _at_end(adjudged: AdjudicationResult, year: int) -> Ending:
    """Return the ending of a game whose last year is over."""
    sharing = adjudged.drawn
    if len(sharing) == 1:
        power, centres = sharing[0], len(adjudged.position.centres(sharing[0]))
        reason = phrase("last-year-won", power=power, centres=centres, year=year)
        return Ending(sharing, reason)
    return Ending(sharing, phrase("last-year-shared", powers=sharing, year=year))
