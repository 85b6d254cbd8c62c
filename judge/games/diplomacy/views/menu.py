"""Every order that can be given now: what OPTIONS shows.

An order stands here if it would be filed without a word and the units as they stand now could
make something of it: convoys only over fleets at sea, supports only of units that are there.
"""

from collections.abc import Iterator, Mapping

from judge.board.map import ARMY, FLEET, Map, Power, Unit, UnitKind
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy.language.ahead import Stands, read_test
from judge.games.diplomacy.language.order_context import OrderContext
from judge.games.diplomacy.language.wording import unit_told
from judge.games.diplomacy.rules.adjudicate import buildable, builds_due
from judge.games.diplomacy.rules.legality import can_reach, retreats_of, why_illegal_here
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
    order_text,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.capabilities import Menu
from judge.model.phrase import Phrase, phrase

MOST_OF_MANY = 60
"""Orders shown of each unit where several units are."""
MOST_OF_ONE = 600


def menus(
    board: Map,
    position: Position,
    power: str | None,
    words: str,
    rules: Rules,
    lent: Mapping[str, str] | None = None,
) -> tuple[Menu, ...] | Phrase:
    """Return the orders for all units of a power, or for the one that `words` name.

    `lent` are units another power may order too, as `OrderContext` has them; whose they are is
    said.
    """
    context = OrderContext(board, position, power or "", rules, lent or {})
    named = next((p.name for p in board.powers if _is_called(p, words)), "")
    if words and not named:
        return _of_one(words, context)
    if power and named not in ("", power):
        return phrase("not-your-power", power=named)
    whose = named or power
    if not whose:
        return phrase("whose-options")
    if context.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(whose, context)
    if context.kind is PhaseKind.RETREAT:
        units = tuple(beaten.unit for beaten in position.dislodged.get(whose, ()))
    else:
        units = position.units.get(whose, ())
    many = sorted(units, key=str)
    own = [_menu(whose, unit, context, MOST_OF_MANY) for unit in many]
    return (*own, *(_lent_menu(place, context) for place in _lent_to(context) if not named))


def _lent_to(context: OrderContext) -> list[str]:
    """Return where units of others stand that the power may order."""
    if context.kind is not PhaseKind.MOVEMENT:
        return []
    may = (place for place, holder in context.lent.items() if holder == context.power)
    return sorted(place for place in may if context.orderable(place))


def _lent_menu(province: str, context: OrderContext) -> Menu:
    """Return the orders of a unit by proxy, as its holder could give them."""
    owner, unit = context.standing[province]
    menu = _menu(context.power, unit, context, MOST_OF_ONE)
    return menu._replace(title=phrase("menu-lent", unit=menu.title, owner=owner))


def _is_called(power: Power, words: str) -> bool:
    return words.casefold() in (name.casefold() for name in (power.name, power.adjective))


def _of_one(words: str, context: OrderContext) -> tuple[Menu, ...] | Phrase:
    meant = read_test(words, context.board)
    if isinstance(meant, Phrase):
        return meant
    if not isinstance(meant.test, Stands):
        return phrase("options-of-one")
    province = meant.test.place.partition("/")[0]
    found = context.orderable(province)
    if found is None:
        if context.kind is PhaseKind.ADJUSTMENT and context.power:
            return _adjustments(context.power, context)
        return phrase("no-unit", place=province)
    if province in _lent_to(context):
        return (_lent_menu(province, context),)
    if context.power and found[0] != context.power:
        return phrase("not-your-unit", place=province, power=found[0])
    if context.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(found[0], context)
    return (_menu(*found, context, MOST_OF_ONE),)


def _menu(power: str, unit: Unit, context: OrderContext, most: int) -> Menu:
    orders = dict.fromkeys(_orders(unit, context))
    texts = [order_text(order) for order in orders if not why_illegal_here(order, power, context)]
    return Menu(unit_told(unit, context.board), tuple(texts[:most]), max(0, len(texts) - most))


def _orders(unit: Unit, context: OrderContext) -> Iterator[Order]:
    """Yield what a unit may be told, the possible before the impossible is sorted out."""
    if context.kind is PhaseKind.RETREAT:
        beaten = context.beaten[unit.province][1]
        yield from (Retreat(unit, goal) for goal in retreats_of(beaten, context))
        yield Disband(unit)
        return
    yield Hold(unit)
    yield from (Move(unit, goal) for goal in _steps(unit, context.board))
    if unit.kind is ARMY:
        fleets = context.fleets_at_sea
        for goal in _ports(context.board):
            if context.board.joins(unit.province, goal, fleets):
                yield Move(unit, goal, via=True)
    yield from _supports(unit, context)
    if unit.kind is FLEET:
        yield from _convoys(unit, context)


def _steps(unit: Unit, board: Map) -> list[str]:
    """Return where a unit can go by itself."""
    if unit.kind is ARMY:
        return sorted(board.walk.get(unit.province, ()))
    goals = board.sail.get(unit.place, {})
    return sorted(place for places in goals.values() for place in places)


def _ports(board: Map) -> list[str]:
    return sorted(p.abbr for p in board.provinces.values() if p.terrain.is_coastal)


def _supports(unit: Unit, context: OrderContext) -> Iterator[Order]:
    near = [goal for goal in sorted(context.board.near[unit.province])
            if can_reach(unit, goal, context.board)]
    for province, (_, other) in sorted(context.standing.items()):
        if province == unit.province:
            continue
        if province in near:
            yield Support(unit, other)
        steps = {goal.partition("/")[0] for goal in _steps(other, context.board)}
        for goal in near:
            by_sea = other.kind is ARMY and context.board.joins(
                province, goal, context.fleets_at_sea & ~context.board.sea_bit[unit.province]
            )
            if goal != province and (goal in steps or by_sea):
                yield Support(unit, other, goal)


def _convoys(unit: Unit, context: OrderContext) -> Iterator[Order]:
    chain = _chain(unit, context)
    for province, (_, army) in sorted(context.standing.items()):
        if army.kind is ARMY:
            for goal in _ports(context.board):
                if goal != province and context.board.joins(province, goal, chain):
                    yield Convoy(unit, army, goal)


def _chain(unit: Unit, context: OrderContext) -> int:
    """Return the seas with fleets that hang together with a fleet's own, as a bitset."""
    beside = context.board.beside_by_index
    chain = todo = context.board.sea_bit[unit.province]
    while todo:
        low = todo & -todo
        todo ^= low
        new = beside[low.bit_length() - 1] & context.fleets_at_sea & ~chain
        chain |= new
        todo |= new
    return chain


def _adjustments(power: str, context: OrderContext) -> tuple[Menu, ...]:
    board, position = context.board, context.position
    due = builds_due(board, position, power)
    if due < 0:
        units = sorted(position.units.get(power, ()), key=str)
        removals = tuple(order_text(Disband(unit)) for unit in units)
        return (Menu(phrase("menu-removals", power=power, count=-due), removals),)
    if not due:
        return ()
    orders: list[Order] = []
    for centre in buildable(board, position, power, context.rules):
        if board.provinces[centre].terrain.takes_armies:
            orders.append(Build(Unit(UnitKind.ARMY, centre)))
        orders += [Build(Unit(UnitKind.FLEET, place)) for place in board.fleet_places(centre)]
    able = [order for order in orders if not why_illegal_here(order, power, context)]
    texts = tuple(map(order_text, [*able, Waive()]))
    return (Menu(phrase("menu-builds", power=power, count=due), texts),)
