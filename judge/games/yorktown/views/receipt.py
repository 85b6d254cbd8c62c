"""Facts of a receipt: orders on file, their preview, and warnings (Y-92)."""

from collections.abc import Mapping, Sequence

from judge.games.letter_facts import Draft, LetterPiece, SheetFacts
from judge.games.yorktown.language.sheets import (
    DONE,
    read_sheet,
    standing_in_force,
    without_gaps,
    write_standing,
)
from judge.games.yorktown.language.sheets import YorktownSheet as Orders
from judge.games.yorktown.rules.board import (
    Counter,
    CounterKind,
    counters,
    counters_of,
    enemy_of,
    key_of,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import REACH, range_to
from judge.games.yorktown.rules.orders import (
    Attack,
    Order,
    PlacementOrder,
    order_text,
    replaces,
    unit_of,
)
from judge.games.yorktown.rules.setup import to_place
from judge.games.yorktown.rules.state import OFF, Moment, SiegePosition, Step
from judge.games.yorktown.rules.turn import Played
from judge.games.yorktown.views.moments import make_title
from judge.games.yorktown.views.report import shorten_moves, siege_of
from judge.model.phrase import Phrase, phrase

MAX_NAMED = 12
"""Maximum number of units without orders that a warning names."""
MAX_DRAFTED = 3
"""Maximum number of line beginnings that a letter offers."""


def sheet_facts(
    position: SiegePosition,
    side: str,
    power: str,
    sheets: Mapping[Moment, str],
    missing: Sequence[Phrase],
    tried: Sequence[Played],
) -> SheetFacts:
    """Return the facts of a side's sheet.

    *tried* are the results of its orders without dice, by step.
    """
    now = position.moment
    orders = read_sheet(sheets.get(now, ""))
    lines: list[str] = [order_text(order) for order in (*orders.orders, *orders.standing)]
    for moment in sorted(sheets, key=lambda each: each.rank):
        if moment != now and sheets[moment]:
            lines += [f"{moment}: {line}" for line in without_gaps(sheets[moment]).splitlines()]
    later = [
        order for moment, text in sheets.items()
        if moment.turn == now.turn and moment != now for order in read_sheet(text).orders
    ]
    idle = _idle(position, side, [*orders.orders, *later])
    in_force = write_standing(
        order for order in standing_in_force(position, side)
        if not any(replaces(new, order) for new in orders.standing)
    )
    pieces = [LetterPiece("in-force", in_force, "in-force")] if in_force else []
    if tried:
        events = [e for played in tried for e in played.told.events if e[0] != "tally"]
        siege = siege_of(shorten_moves(events))
        pieces += [LetterPiece("trial", siege, "trial")] if events else []
    return SheetFacts(
        power=power,
        title=make_title("title-orders", now),
        lines=tuple([*lines, *([DONE] if orders.done else [])]),
        missing=tuple(missing),
        draft=tuple(_draft(position, side, orders, idle)),
        final_word="" if orders.done or now.side != side else DONE,
        clock="step",
        warnings=tuple(_warnings(position, side, orders, idle)) if now.side == side else (),
        default=phrase("default-dealt" if now.step is Step.SETUP else "default-nothing"),
        pieces=tuple(pieces),
    )


def _draft(position: SiegePosition, side: str, orders: Orders, units: Sequence[str]) -> list[Draft]:
    drafts = [Draft(order_text(order)) for order in orders.orders]
    if orders.done or position.moment.side != side:
        return drafts
    begun = [_beginning(position, side, unit) for unit in units[:MAX_DRAFTED]]
    return [*drafts, *(Draft(text, open=True) for text in begun), Draft(DONE)]


def _beginning(position: SiegePosition, side: str, unit: str) -> str:
    """Return the beginning of a line for a unit without an order."""
    if position.moment.step is Step.SETUP:
        return f"{unit} at"
    if position.units[key_of(side, unit)].at == OFF:
        return f"{unit} enters"
    is_gun = position.moment.step is Step.FIRE and not unit.startswith("FRIG")
    return f"{unit} fires at" if is_gun else f"{unit}:"


def _idle(position: SiegePosition, side: str, orders: Sequence[Order]) -> list[str]:
    """Return the units without an order that could act in this step."""
    named = {unit_of(order) for order in orders}
    named |= {unit for order in orders if isinstance(order, Attack) for unit in order.units}
    step = position.moment.step
    if step is Step.SETUP:
        return [c.order_id for c in to_place(side) if c.order_id not in named]
    idle = []
    for counter in counters_of(side):
        unit = position.units[counter.key]
        guns = _has_target(position, counter) or (unit.on_map and bool(unit.bow))
        moves = unit.in_play and counter.kind.is_combat and not unit.ship and not unit.shots
        if counter.order_id not in named and (guns if step is Step.FIRE else moves):
            idle.append(counter.order_id)
    return idle


def _has_target(position: SiegePosition, counter: Counter) -> bool:
    """Return whether guns have an enemy within range."""
    gun = position.units[counter.key]
    if not counter.shots or not gun.on_map:
        return False
    return any(
        range_to(gun, name) <= REACH
        for enemy in counters_of(enemy_of(counter.side)) if enemy.kind is not CounterKind.CMD
        for name in position.units[enemy.key].hexes
    )


def _warnings(
    position: SiegePosition, side: str, orders: Orders, idle: Sequence[str]
) -> list[Phrase]:
    """Return warnings about units without orders and units that must attack."""
    told: list[Phrase] = []
    step = position.moment.step
    if step is Step.MOVE:
        attacking = {u for o in orders.orders if isinstance(o, Attack) for u in o.units}
        moving = {unit_of(order) for order in orders.orders}
        for key in StepState(position).must_fight(side):
            unit = counters()[key].order_id
            if unit not in attacking | moving:
                told.append(phrase("yw01", unit=unit))
    if idle and orders.orders and not any(isinstance(o, PlacementOrder) for o in orders.orders):
        code = "yw02-more" if len(idle) > MAX_NAMED else "yw02"
        told.append(phrase(code, units=tuple(idle[:MAX_NAMED]), count=len(idle)))
    return told
