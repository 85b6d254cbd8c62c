"""Every order that can be given now: what OPTIONS shows.

An order stands here if it would be filed without a word and the units as they stand now could
make something of it: convoys only over fleets at sea, supports only of units that are there.
"""

from collections.abc import Iterator, Mapping

from judge.board.map import ARMY, FLEET, Map, Power, Unit, UnitKind
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy.language.ahead import Stands, read_test
from judge.games.diplomacy.language.order_context import Scene
from judge.games.diplomacy.language.wording import unit_name
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
from judge.games.system import Menu
from judge.model.phrase import Reason, because

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
) -> tuple[Menu, ...] | Reason:
    """Return the orders for all units of a power, or for the one that `words` name.

    `lent` are units another power may order too, as `Scene` has them; whose they are is said.
    """
    scene = Scene(board, position, power or "", rules, lent or {})
    named = next((p.name for p in board.powers if _is_called(p, words)), "")
    if words and not named:
        return _of_one(words, scene)
    if power and named not in ("", power):
        return because("not-your-power", power=named)
    whose = named or power
    if not whose:
        return because("whose-options")
    if scene.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(whose, scene)
    if scene.kind is PhaseKind.RETREAT:
        units = tuple(beaten.unit for beaten in position.dislodged.get(whose, ()))
    else:
        units = position.units.get(whose, ())
    many = sorted(units, key=str)
    own = [_menu(whose, unit, scene, MOST_OF_MANY) for unit in many]
    return (*own, *(_lent_menu(place, scene) for place in _lent_to(scene) if not named))


def _lent_to(scene: Scene) -> list[str]:
    """Return where units of others stand that the power may order."""
    if scene.kind is not PhaseKind.MOVEMENT:
        return []
    may = (place for place, holder in scene.lent.items() if holder == scene.power)
    return sorted(place for place in may if scene.orderable(place))


def _lent_menu(province: str, scene: Scene) -> Menu:
    """Return the orders of a unit by proxy, as its holder could give them."""
    owner, unit = scene.standing[province]
    menu = _menu(scene.power, unit, scene, MOST_OF_ONE)
    return menu._replace(title=f"{menu.title}, of {owner}")


def _is_called(power: Power, words: str) -> bool:
    return words.casefold() in (name.casefold() for name in (power.name, power.adjective))


def _of_one(words: str, scene: Scene) -> tuple[Menu, ...] | Reason:
    meant = read_test(words, scene.board)
    if isinstance(meant, Reason):
        return meant
    if not isinstance(meant.test, Stands):
        return because("options-of-one")
    province = meant.test.place.partition("/")[0]
    found = scene.orderable(province)
    if found is None:
        if scene.kind is PhaseKind.ADJUSTMENT and scene.power:
            return _adjustments(scene.power, scene)
        return because("no-unit", place=province)
    if province in _lent_to(scene):
        return (_lent_menu(province, scene),)
    if scene.power and found[0] != scene.power:
        return because("not-your-unit", place=province, power=found[0])
    if scene.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(found[0], scene)
    return (_menu(*found, scene, MOST_OF_ONE),)


def _menu(power: str, unit: Unit, scene: Scene, most: int) -> Menu:
    orders = dict.fromkeys(_orders(unit, scene))
    texts = [order_text(order) for order in orders if not why_illegal_here(order, power, scene)]
    title = f"{unit_name(unit, scene.board)}"
    return Menu(title, tuple(texts[:most]), max(0, len(texts) - most))


def _orders(unit: Unit, scene: Scene) -> Iterator[Order]:
    """Yield what a unit may be told, the possible before the impossible is sorted out."""
    if scene.kind is PhaseKind.RETREAT:
        beaten = scene.beaten[unit.province][1]
        yield from (Retreat(unit, goal) for goal in retreats_of(beaten, scene))
        yield Disband(unit)
        return
    yield Hold(unit)
    yield from (Move(unit, goal) for goal in _steps(unit, scene.board))
    if unit.kind is ARMY:
        fleets = scene.fleets_at_sea
        for goal in _ports(scene.board):
            if scene.board.joins(unit.province, goal, fleets):
                yield Move(unit, goal, via=True)
    yield from _supports(unit, scene)
    if unit.kind is FLEET:
        yield from _convoys(unit, scene)


def _steps(unit: Unit, board: Map) -> list[str]:
    """Return where a unit can go by itself."""
    if unit.kind is ARMY:
        return sorted(board.walk.get(unit.province, ()))
    goals = board.sail.get(unit.place, {})
    return sorted(place for places in goals.values() for place in places)


def _ports(board: Map) -> list[str]:
    return sorted(p.abbr for p in board.provinces.values() if p.terrain.is_coastal)


def _supports(unit: Unit, scene: Scene) -> Iterator[Order]:
    near = [goal for goal in sorted(scene.board.near[unit.province])
            if can_reach(unit, goal, scene.board)]
    for province, (_, other) in sorted(scene.standing.items()):
        if province == unit.province:
            continue
        if province in near:
            yield Support(unit, other)
        steps = {goal.partition("/")[0] for goal in _steps(other, scene.board)}
        for goal in near:
            by_sea = other.kind is ARMY and scene.board.joins(
                province, goal, scene.fleets_at_sea & ~scene.board.sea_bit[unit.province]
            )
            if goal != province and (goal in steps or by_sea):
                yield Support(unit, other, goal)


def _convoys(unit: Unit, scene: Scene) -> Iterator[Order]:
    chain = _chain(unit, scene)
    for province, (_, army) in sorted(scene.standing.items()):
        if army.kind is ARMY:
            for goal in _ports(scene.board):
                if goal != province and scene.board.joins(province, goal, chain):
                    yield Convoy(unit, army, goal)


def _chain(unit: Unit, scene: Scene) -> int:
    """Return the seas with fleets that hang together with a fleet's own, as a bitset."""
    beside = scene.board.beside_by_index
    chain = todo = scene.board.sea_bit[unit.province]
    while todo:
        low = todo & -todo
        todo ^= low
        new = beside[low.bit_length() - 1] & scene.fleets_at_sea & ~chain
        chain |= new
        todo |= new
    return chain


def _adjustments(power: str, scene: Scene) -> tuple[Menu, ...]:
    board, position = scene.board, scene.position
    due = builds_due(board, position, power)
    if due < 0:
        units = sorted(position.units.get(power, ()), key=str)
        removals = tuple(order_text(Disband(unit)) for unit in units)
        return (Menu(f"{power}, {-due} to remove", removals),)
    if not due:
        return ()
    orders: list[Order] = []
    for centre in buildable(board, position, power, scene.rules):
        if board.provinces[centre].terrain.takes_armies:
            orders.append(Build(Unit(UnitKind.ARMY, centre)))
        orders += [Build(Unit(UnitKind.FLEET, place)) for place in board.fleet_places(centre)]
    able = [order for order in orders if not why_illegal_here(order, power, scene)]
    texts = tuple(map(order_text, [*able, Waive()]))
    return (Menu(f"{power}, {due} to build", texts),)
