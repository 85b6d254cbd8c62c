"""Lists of possible orders (`rules.possible`) for OPTIONS."""

from collections.abc import Mapping

from judge.board.map import Map, Power, Unit
from judge.board.position import PhaseKind, Position
from judge.games.capabilities import Menu
from judge.games.diplomacy.language.future_orders import UnitAt, read_test
from judge.games.diplomacy.language.wording import describe_unit, in_full
from judge.games.diplomacy.rules.adjudicate import builds_due
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Waive, order_text
from judge.games.diplomacy.rules.possible import possible_texts
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.phrase import Phrase, phrase

MAX_OF_MANY = 60
"""Orders shown of each unit if there are several units."""
MAX_OF_ONE = 600

Choices = Mapping[str, Mapping[Unit, tuple[str, ...]]]
"""Power → unit → its orders."""


def menus(
    board: Map,
    position: Position,
    power: str | None,
    words: str,
    rules: Rules,
    lent: Mapping[str, str] | None = None,
) -> tuple[Menu, ...] | Phrase:
    """Return the orders for all units of a power, or for the one that *words* name.

    *lent* is as in `OrderContext`. The owners of such units are named.
    """
    context = OrderContext(board, position, power or "", rules, lent or {})
    named = next((p.name for p in board.powers if _is_called(p, words)), "")
    able = possible_texts(board, position, rules)
    if words and not named:
        return _of_one(words, context, able)
    if power and named not in ("", power):
        return phrase("not-your-power", power=named)
    whose = named or power
    if not whose:
        return phrase("whose-options")
    if context.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(whose, context, able)
    own = [_menu(whose, unit, context, able, MAX_OF_MANY)
           for unit in sorted(able.get(whose, {}), key=str)]
    return (*own, *(_lent_menu(place, context, able) for place in _lent_to(context) if not named))


def _lent_to(context: OrderContext) -> list[str]:
    """Return the provinces of units that the power may order by proxy."""
    if context.kind is not PhaseKind.MOVEMENT:
        return []
    return sorted(place for place, holder in context.lent.items() if holder == context.power)


def _lent_menu(province: str, context: OrderContext, able: Choices) -> Menu:
    """Return the orders of a unit by proxy, as its holder could give them."""
    owner, unit = context.standing[province]
    menu = _menu(owner, unit, context, able, MAX_OF_ONE)
    return menu._replace(title=phrase("menu-lent", unit=menu.title, owner=owner))


def _is_called(power: Power, words: str) -> bool:
    return words.casefold() in (name.casefold() for name in (power.name, power.adjective))


def _of_one(words: str, context: OrderContext, able: Choices) -> tuple[Menu, ...] | Phrase:
    meant = read_test(words, context.board)
    if isinstance(meant, Phrase):
        return meant
    if not isinstance(meant.test, UnitAt):
        return phrase("options-of-one")
    province = meant.test.place.partition("/")[0]
    found = context.orderable(province)
    if found is None:
        if context.kind is PhaseKind.ADJUSTMENT and context.power:
            return _adjustments(context.power, context, able)
        return in_full(phrase("no-unit", place=province), context.board)
    if province in _lent_to(context):
        return (_lent_menu(province, context, able),)
    if context.power and found[0] != context.power:
        fault = phrase("not-your-unit", place=province, power=found[0])
        return in_full(fault, context.board)
    if context.kind is PhaseKind.ADJUSTMENT:
        return _adjustments(found[0], context, able)
    return (_menu(*found, context, able, MAX_OF_ONE),)


def _menu(owner: str, unit: Unit, context: OrderContext, able: Choices, most: int) -> Menu:
    texts = able[owner][unit]
    return Menu(describe_unit(unit, context.board), texts[:most], max(0, len(texts) - most))


def _adjustments(power: str, context: OrderContext, able: Choices) -> tuple[Menu, ...]:
    due = builds_due(context.board, context.position, power)
    texts = tuple(text for found in able.get(power, {}).values() for text in found)
    if due < 0:
        return (Menu(phrase("menu-removals", power=power, count=-due), tuple(sorted(texts))),)
    if due > 0:
        waive = order_text(Waive())
        return (Menu(phrase("menu-builds", power=power, count=due), (*texts, waive)),)
    return ()
