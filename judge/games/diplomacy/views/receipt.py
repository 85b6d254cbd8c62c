"""Facts of a receipt: orders of each unit, missing ones, warnings, and a draft."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from judge.board.map import Map, Unit, UnitKind, province_of
from judge.board.position import Dislodged, PhaseKind, Position
from judge.games.diplomacy.language.wording import (
    describe_dislodged,
    idle_line,
    in_full,
    order_line,
)
from judge.games.diplomacy.rules.adjudicate import buildable, builds_due
from judge.games.diplomacy.rules.convoys import is_useful, missing_seas
from judge.games.diplomacy.rules.order_context import fleets_at_sea
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Entry,
    Hold,
    Move,
    Order,
    Proxy,
    Retreat,
    Support,
    Waive,
    order_text,
    unit_of,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.order_sheet import builds_used, orders_of, removals_given
from judge.games.diplomacy.views.phases import make_title
from judge.games.diplomacy.views.pieces import Builds, Driven, beaten_piece
from judge.games.letter_facts import Draft, LetterPiece, SheetFacts
from judge.model.phrase import Phrase, phrase


def draft_lines(
    board: Map,
    position: Position,
    power: str,
    entries: Sequence[Entry],
    retreating: Sequence[Unit],
    rules: Rules,
) -> list[Draft]:
    """Return a draft line for every unit with a choice, or every build or removal."""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(board, position, power, entries, rules)
    if position.phase.kind is PhaseKind.MOVEMENT:
        units = list(position.units.get(power, ()))
    else:
        units = list(retreating)
    given: dict[str, list[Draft]] = {}
    for entry in entries:
        if not isinstance(entry, Waive):
            given.setdefault(entry.unit.province, []).append(Draft(order_text(entry)))
    found: list[Draft] = []
    for unit in sorted(units, key=str):
        found += given.get(unit.province) or [Draft(str(unit), open=True)]
    return found


def _adjustments(
    board: Map, position: Position, power: str, entries: Sequence[Entry], rules: Rules
) -> list[Draft]:
    due = builds_due(board, position, power)
    if due > 0:
        left = min(due, len(buildable(board, position, power, rules))) - builds_used(entries)
        begun = Draft("BUILD", open=True)
    else:
        left = -due - removals_given(entries)
        begun = Draft("REMOVE", open=True)
    return [*(Draft(order_text(entry)) for entry in entries), *[begun] * max(left, 0)]


def warnings(
    board: Map, position: Position, power: str, orders: Sequence[Order], rules: Rules
) -> tuple[Phrase, ...]:
    """Return warnings about a power's orders, taken together."""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return tuple(_wrong_counts(position, power, orders))
    by_place = {unit.province: order for order in orders if (unit := unit_of(order))}
    found: list[Phrase] = []
    for order in orders:
        match order:
            case Support(_, _, _):
                found.extend(_odd_support(order, position, power, by_place))
                if not rules.friendly_fire:
                    found.extend(_support_against_own(order, position, power, by_place))
            case Convoy(_, _, _):
                odd = list(_odd_convoy(order, position, power, by_place))
                found.extend(odd or _no_chain(order, board, position))
            case Move(unit, to, True, route):
                found.extend(_no_fleets(order, board, position, power, orders))
                text = order_text(order)
                found.extend(_not_needed(text, route, unit.province, to, board, position))
    found.extend(_same_goals(position, power, orders, by_place))
    found.extend(_swaps(orders, by_place))
    return tuple(found)


def _support_against_own(
    order: Support, position: Position, power: str, own: Mapping[str, Order]
) -> Iterator[Phrase]:
    """Yield a warning of support against an own unit that stays (DATC 6.D.14).

    Such a support does not count.
    """
    there = position.unit_at(province_of(order.to)) if order.to else None
    if there is None or there[0] != power:
        return
    if not isinstance(own.get(there[1].province, Hold(there[1])), Move):
        place, unit = there[1].province, str(there[1])
        yield phrase("support-against-own", order=order_text(order), unit=unit, place=place)


def _no_chain(order: Convoy, board: Map, position: Position) -> Iterator[Phrase]:
    """Yield warnings of a convoy that is impossible with the fleets where they are.

    A fleet that no route needs gives a warning too (DATC 4.E.1, 6.G.19).
    """
    text, sea, start = order_text(order), order.unit.province, order.army.province
    if not may_be_carried(order, board, position):
        yield phrase("no-convoy-chain", order=text)
    yield from _not_needed(text, (sea,), start, order.to, board, position)


def _not_needed(
    order: str, seas: Iterable[str], start: str, to: str, board: Map, position: Position
) -> Iterator[Phrase]:
    """Yield a warning of fleets in *seas* that are on no route between two coasts."""
    fleets, goal = fleets_at_sea(board, position), province_of(to)
    if not board.joins(start, goal, fleets):
        return
    bits = {sea: board.sea_bits([sea]) & fleets for sea in seas}
    spare = tuple(
        sea.upper() for sea, bit in bits.items()
        if bit and not is_useful(board, bit, start, goal, fleets)
    )
    if spare:
        yield phrase("fleet-not-needed", order=order, seas=spare, count=len(spare))


def may_be_carried(order: Move | Convoy, board: Map, position: Position) -> bool:
    """Return whether the fleets of all powers could convoy an army to its goal."""
    fleets = fleets_at_sea(board, position)
    army = order.army if isinstance(order, Convoy) else order.unit
    return board.joins(army.province, province_of(order.to), fleets)


def note_replaced_order(
    sheet: Sequence[Entry],
    order: Entry,
    given: Collection[Entry],
    board: Map,
    position: Position,
) -> Iterator[Phrase]:
    """Yield a note on the order that a new one replaces, if that may be unintended.

    Both orders are of one mail then (*given* has its orders), or no fleets can carry the new one
    out.
    """
    if isinstance(order, Proxy | Waive):
        return
    is_vain = (
        isinstance(order, Convoy) or isinstance(order, Move) and order.via
    ) and not may_be_carried(order, board, position)
    for old in sheet:
        if isinstance(old, Proxy | Waive) or old == order or not (is_vain or old in given):
            continue
        if old.unit.province == order.unit.province:
            yield phrase("order-replaced", order=order_text(order), before=order_text(old))


def _swaps(orders: Sequence[Order], own: Mapping[str, Order]) -> Iterator[Phrase]:
    """Yield warnings of own units that would swap, neither by convoy (DATC 6.G.1)."""
    carried = {each.army.province for each in orders if isinstance(each, Convoy)}
    for order in orders:
        if isinstance(order, Move) and not order.via:
            here, goal = order.unit.province, province_of(order.to)
            other = own.get(goal)
            if isinstance(other, Move) and not other.via and province_of(other.to) == here:
                if here < goal and not carried & {here, goal}:
                    first, second = order_text(order), order_text(other)
                    yield phrase("own-units-swap", first=first, second=second)


def _odd_support(
    order: Support, position: Position, power: str, own: Mapping[str, Order]
) -> Iterator[Phrase]:
    helped = order.helped
    there = position.unit_at(helped.province)
    if there is None:
        yield phrase("support-of-nobody", order=order_text(order), place=helped.province)
    elif there[0] == power:
        given = own.get(helped.province)
        goal = province_of(given.to) if isinstance(given, Move) else ""
        if goal != province_of(order.to):
            code = "support-of-another-order" if given else "support-of-no-order"
            text = order_text(given) if given else ""
            yield phrase(code, order=order_text(order), given=text, unit=str(there[1]))


def _odd_convoy(
    order: Convoy, position: Position, power: str, own: Mapping[str, Order]
) -> Iterator[Phrase]:
    there = position.unit_at(order.army.province)
    if there is None:
        yield phrase("convoy-of-nobody", order=order_text(order), place=order.army.province)
    elif there[0] == power:
        given = own.get(order.army.province)
        if not isinstance(given, Move) or province_of(given.to) != province_of(order.to):
            code = "convoy-of-another-order" if given else "convoy-of-no-order"
            text = order_text(given) if given else ""
            yield phrase(code, order=order_text(order), given=text, unit=str(there[1]))


def _no_fleets(
    order: Move, board: Map, position: Position, power: str, orders: Sequence[Order]
) -> Iterator[Phrase]:
    """Yield a warning of a move by sea that is impossible, even by foreign fleets."""
    start, goal = order.unit.province, province_of(order.to)
    own = {
        convoy.unit.province
        for convoy in orders
        if isinstance(convoy, Convoy) and (convoy.army.province, convoy.to) == (start, goal)
    }
    foreign = {
        unit.province
        for other, units in position.units.items()
        for unit in units
        if other != power and unit.kind is UnitKind.FLEET
    }
    fleets = board.sea_bits(own | foreign)
    if board.joins(start, goal, fleets):
        return
    missing = missing_seas(board, start, goal, fleets) if own else ()
    if missing:
        seas = tuple(sea.upper() for sea in missing)
        yield phrase("no-convoy-link", order=order_text(order), seas=seas)
    else:
        yield phrase("no-convoy-ordered", order=order_text(order))


def _same_goals(
    position: Position, power: str, orders: Sequence[Order], own: Mapping[str, Order]
) -> Iterator[Phrase]:
    """Yield warnings of own units with one goal, or whose goal an own unit keeps."""
    goals: dict[str, Order] = {}
    stays = {
        unit.province
        for unit in position.units.get(power, ())
        if position.phase.kind is PhaseKind.MOVEMENT
        and not isinstance(own.get(unit.province, Hold(unit)), Move)
    }
    for order in orders:
        if isinstance(order, Move | Retreat):
            goal = province_of(order.to)
            if goal in goals:
                first = order_text(goals[goal])
                yield phrase("same-goal", first=first, second=order_text(order), place=goal)
            elif goal in stays:
                yield phrase("goal-taken", order=order_text(order), place=goal)
            goals.setdefault(goal, order)


def _wrong_counts(position: Position, power: str, orders: Sequence[Order]) -> Iterator[Phrase]:
    due = len(position.centres(power)) - len(position.units.get(power, ()))
    built = sum(isinstance(order, Build | Waive) for order in orders)
    removed = sum(isinstance(order, Disband) for order in orders)
    if built > max(due, 0):
        yield phrase("too-many-builds", given=built, due=max(due, 0))
    if removed > max(-due, 0):
        yield phrase("too-many-removals", given=removed, due=max(-due, 0))


CLOCKS = {PhaseKind.MOVEMENT: "move", PhaseKind.RETREAT: "retreat", PhaseKind.ADJUSTMENT: "adjust"}
"""Phase → the clock that runs in it, as the contract names them."""

Retreating = Sequence[tuple[Dislodged, tuple[str, ...]]]
"""Dislodged units of a power, each with the places open to it."""


def receipt_facts(
    board: Map,
    position: Position,
    power: str,
    entries: Sequence[Entry],
    *,
    missing: Sequence[str | Phrase],
    retreating: Retreating,
    rules: Rules,
) -> SheetFacts:
    """Return the facts of one power's sheet.

    They have nJudge's lines, one for every unit with a choice, and the retreats of dislodged units
    or the possible builds.
    """
    phase, orders = position.phase, orders_of(entries)
    adjective = board.power(power).adjective
    goals = tuple(
        Driven(power, describe_dislodged(adjective, beaten, to, board)) for beaten, to in retreating
    )
    builds = _builds(board, position, power, orders, rules) if missing or not orders else None
    units = [beaten.unit for beaten, _ in retreating]
    odd = warnings(board, position, power, orders, rules)
    return SheetFacts(
        power=power,
        title=make_title("title-orders", phase, board),
        lines=tuple(_lines(board, position, power, entries, retreating)),
        missing=tuple(missing),
        draft=tuple(draft_lines(board, position, power, entries, units, rules)),
        clock=CLOCKS[phase.kind],
        warnings=tuple(in_full(each, board) for each in odd),
        default=_default(phase.kind),
        pieces=(
            *([beaten_piece(phrase("intro-retreats"), goals)] if goals else ()),
            *([LetterPiece("builds", builds, "builds")] if builds else ()),
        ),
    )


def _default(kind: PhaseKind) -> Phrase | None:
    """Return the phrase on units without an order, or None for builds and removals."""
    match kind:
        case PhaseKind.MOVEMENT:
            return phrase("default-hold")
        case PhaseKind.RETREAT:
            return phrase("default-disband")
        case PhaseKind.ADJUSTMENT:
            return None


def _lines(
    board: Map, position: Position, power: str, entries: Sequence[Entry], retreating: Retreating
) -> list[str]:
    kind, orders = position.phase.kind, orders_of(entries)
    if kind is PhaseKind.ADJUSTMENT:
        lines = [order_line(power, order, board, removing=True) for order in orders]
        unused = builds_due(board, position, power) - builds_used(orders)
        if unused > 0:
            lines.append(f"{power}: {unused} unused build{'s' if unused > 1 else ''} pending.")
        return lines
    if kind is PhaseKind.MOVEMENT:
        units = list(position.units.get(power, ()))
    else:
        units = [beaten.unit for beaten, _ in retreating]
    by_place = {order.unit.province: order for order in orders if not isinstance(order, Waive)}
    lent = {entry.unit.province: entry for entry in entries if isinstance(entry, Proxy)}
    lines = []
    for unit in sorted(units, key=str):
        own = by_place.get(unit.province)
        line = order_line(power, own, board) if own else idle_line(power, unit, board)
        proxy = lent.get(unit.province)
        if proxy:
            lines.append(order_line(power, proxy, board))
            line = f"{line}  (if {proxy.power} gives no order)"
        lines.append(line)
    return lines


def _builds(
    board: Map, position: Position, power: str, orders: Sequence[Order], rules: Rules
) -> Builds | None:
    """Return the builds or removals due, and the places that no order on file uses.

    None in other phases, and if none are due.
    """
    if position.phase.kind is not PhaseKind.ADJUSTMENT:
        return None
    due = builds_due(board, position, power)
    if not due:
        return None
    used = {order.unit.province for order in orders if not isinstance(order, Waive)}
    free = [each for each in buildable(board, position, power, rules) if each not in used]
    examples = [f"{_kinds(board, c)[0]} {c.upper()}" for c in free]
    if due < 0:
        standing = sorted(position.units[power], key=str)
        examples = [str(unit) for unit in standing if unit.province not in used]
    return Builds(
        due=due,
        usable=min(due, len(free)),
        where=phrase("home-centre") if rules.builds == "home" else phrase("own-centre"),
        places=tuple(phrase(_BUILDS[_kinds(board, c)], place=board.place_name(c)) for c in free),
        example=examples[0] if examples else "",
    )


_BUILDS = {"A": "build-army", "F": "build-fleet", "AF": "build-army-or-fleet"}


def _kinds(board: Map, province: str) -> str:
    """Return the kinds that can be built in a centre: A, F or both."""
    army = "A" if board.provinces[province].terrain.takes_armies else ""
    return army + ("F" if board.fleet_places(province) else "")
