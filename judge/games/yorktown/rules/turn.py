"""Sequence of steps, turns and days, and the end of a game.

See Y-12 to Y-17 and Y-81 to Y-84.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

from judge.games.yorktown.rules.battle import Combat
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    GLOUCESTER,
    SIDE_NAMES,
    YORKTOWN,
    CounterKind,
    counters,
    hexes,
)
from judge.games.yorktown.rules.field import EventLog, Roll, StepState
from judge.games.yorktown.rules.fire import Gunnery
from judge.games.yorktown.rules.movement import Mover
from judge.games.yorktown.rules.orders import (
    Attack,
    BoardingOrder,
    Fire,
    FrigateOrder,
    LandingOrder,
    Order,
    RedoubtOrder,
    Standing,
)
from judge.games.yorktown.rules.redoubts import build, end_turn, may_build
from judge.games.yorktown.rules.setup import set_up
from judge.games.yorktown.rules.ships import board_ship, land_unit, sail
from judge.games.yorktown.rules.state import Moment, SiegePosition, Step
from judge.model.phrase import Phrase, phrase

FIRST_DAY = date(1781, 9, 28)
DAYS, FIRST_DAYS = 18, 22
"""Default days of a game, by the present rules and by version 1 (Y-81)."""
MIN_DAYS, MAX_DAYS = 10, 40
IN_YORKTOWN, IN_GLOUCESTER, EXITS = 7, 3, 10
EITHER, BOTH = "either", "both"


def usual_days(position: SiegePosition) -> int:
    """Return the default days of a game, by its version of the rules."""
    return DAYS if position.rules > 1 else FIRST_DAYS


class YorktownRules(NamedTuple):
    """Options of a game: days, and which towns FA must take (Y-81, Y-82)."""

    days: int = DAYS
    victory: str = EITHER


class End(NamedTuple):
    """End of a game: its winner, empty for a draw, and the reason."""

    winner: str
    reason: Phrase


class Played(NamedTuple):
    """Result of playing a step."""

    after: SiegePosition
    told: EventLog
    end: End | None


def date_of(day: int) -> date:
    """Return the date of a day. Day 1 is 28 September 1781 (Y-81).

    >>> str(date_of(1)), str(date_of(18))
    ('1781-09-28', '1781-10-15')
    """
    return FIRST_DAY + timedelta(days=max(day, 1) - 1)


def play_step(
    position: SiegePosition,
    orders: Sequence[Order],
    standing: Mapping[str, Sequence[Standing]],
    rules: YorktownRules,
    roll: Roll | None,
    in_force: Mapping[str, tuple[str, ...]] | None = None,
) -> Played:
    """Play the step that a position waits for.

    Nothing is rolled without *roll* (PREVIEW). *in_force* are the standing orders that the new
    position stores.
    """
    field = StepState(position, roll)
    moment = position.moment
    if moment.step is Step.SETUP:
        set_up(field, orders)
    elif moment.step is Step.FIRE:
        _fire_step(field, orders, standing)
    else:
        _move_step(field, orders, standing)
    after = field.position(moment)
    end = end_of(after, rules) if moment.step is not Step.SETUP else None
    field.told.events += [("tally", told) for told in tally(after, rules)]
    found = field.position(moment if end and position.rules > 1 else _next(after))
    if in_force is not None:
        found = replace(found, standing=in_force)
    return Played(found, field.told, end)


def _fire_step(
    field: StepState, orders: Sequence[Order], standing: Mapping[str, Sequence[Standing]]
) -> None:
    """Play phases 1 to 3: redoubts, frigates, batteries (Y-13)."""
    build(field, [order for order in orders if isinstance(order, RedoubtOrder)])
    guns = Gunnery(field, standing)
    for order in orders:
        if isinstance(order, FrigateOrder):
            sail(field, order, guns)
    guns.batteries_fire([order for order in orders if isinstance(order, Fire)])
    guns.finish()


def _move_step(
    field: StepState, orders: Sequence[Order], standing: Mapping[str, Sequence[Standing]]
) -> None:
    """Play phases 4 to 7: ships, movement, combat, markers (Y-13, Y-17)."""
    shipped = [board_ship(field, order) for order in orders if isinstance(order, BoardingOrder)]
    for order in orders:
        if isinstance(order, FrigateOrder):
            sail(field, order, None)
    shipped += [land_unit(field, order) for order in orders if isinstance(order, LandingOrder)]
    Mover(field, orders, shipped).carry_out()
    combat = Combat(field, standing)
    combat.carry_out([order for order in orders if isinstance(order, Attack)])
    end_turn(field)


def _next(position: SiegePosition) -> Moment:
    """Return the next moment, skipping FIRE steps without anything to do (Y-15)."""
    moment = position.moment
    while True:
        moment = _following(moment)
        if moment.step is not Step.FIRE or may_fire(position, moment.side):
            return moment


def _following(moment: Moment) -> Moment:
    """Return the next moment of the sequence (Y-12, Y-13).

    >>> str(_following(Moment(0, "AP", Step.SETUP))), str(_following(Moment(0, "FA", Step.SETUP)))
    ('FA0S', 'FA1F')
    >>> str(_following(Moment(3, "FA", Step.MOVE))), str(_following(Moment(3, "AP", Step.MOVE)))
    ('AP3F', 'FA4F')
    """
    match moment:
        case Moment(_, side, Step.SETUP):
            return Moment(0, FA, Step.SETUP) if side == AP else Moment(1, FA, Step.FIRE)
        case Moment(day, side, Step.FIRE):
            return Moment(day, side, Step.MOVE)
    if moment.side == FA:
        return Moment(moment.day, AP, Step.FIRE)
    return Moment(moment.day + 1, FA, Step.FIRE)


def may_fire(position: SiegePosition, side: str) -> bool:
    """Return whether a side can act in a FIRE step (Y-15).

    It needs a battery, a frigate or a pioneer that can build.
    """
    for key, unit in position.units.items():
        counter = counters()[key]
        if (
            counter.side == side
            and unit.on_map
            and counter.kind in (CounterKind.ART, CounterKind.FRIG)
        ):
            return True
    return bool(may_build(position, side))


def count_occupiers(position: SiegePosition, town: str) -> int:
    """Return the number of FA combat units in a town's hexes (Y-82)."""
    return sum(
        unit.on_map and counters()[key].side == FA and hexes()[unit.at].feature == town
        for key, unit in position.units.items()
        if counters()[key].kind.is_combat
    )


def end_of(position: SiegePosition, rules: YorktownRules) -> End | None:
    """Return the end of a game after a step, or None (Y-82 to Y-84)."""
    if position.exits >= EXITS:
        return End(AP, phrase("end-exits", n=position.exits))
    beaten = [side for side in SIDE_NAMES if not position.combat_units(side)]
    if beaten:
        winner = "" if len(beaten) == 2 else AP if beaten == [FA] else FA
        return End(winner, phrase("end-nobody-left"))
    moment = position.moment
    if moment.step is not Step.MOVE or moment.side != AP:
        return None
    yorktown = count_occupiers(position, YORKTOWN) >= IN_YORKTOWN
    gloucester = count_occupiers(position, GLOUCESTER) >= IN_GLOUCESTER
    if yorktown and gloucester:
        return End(FA, phrase("end-both"))
    if rules.victory == EITHER and yorktown:
        return End(FA, phrase("end-yorktown", n=count_occupiers(position, YORKTOWN)))
    if rules.victory == EITHER and gloucester:
        return End(FA, phrase("end-gloucester", n=count_occupiers(position, GLOUCESTER)))
    if moment.day >= rules.days:
        return End(AP, phrase("end-held", days=rules.days))
    return None


def tally(position: SiegePosition, rules: YorktownRules) -> list[Phrase]:
    """Return the progress of each side towards its victory (Y-97)."""
    return [
        phrase("tally-yorktown", n=count_occupiers(position, YORKTOWN), of=IN_YORKTOWN),
        phrase("tally-gloucester", n=count_occupiers(position, GLOUCESTER), of=IN_GLOUCESTER),
        phrase("tally-exits", n=position.exits, of=EXITS),
        phrase("tally-days", n=position.moment.day, of=rules.days),
    ]
