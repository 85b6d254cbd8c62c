"""Orders that a line takes off file: "cancel attack 1116", "cancel ART 2's shot"."""

import re
from typing import NamedTuple

from judge.games.yorktown.language.grammar import Control, Done, UnreadableLine, parse
from judge.games.yorktown.language.merging import MOVEMENTS, without_units
from judge.games.yorktown.language.names import UnitNames
from judge.games.yorktown.language.wording import plain_words, wordings
from judge.games.yorktown.rules.orders import (
    Attack,
    Fire,
    FrigateOrder,
    JoinOrder,
    Losses,
    Order,
    RedoubtOrder,
    RetreatAll,
    RetreatPreference,
    Stay,
    WhenHit,
)

_KINDS: dict[str, tuple[type, ...]] = {
    r"moves?|moving|movements?|march(?:es)?|way|entry|enters?|to|holds?|boards?|lands?|bewegung": (
        *MOVEMENTS, JoinOrder, Stay, FrigateOrder,
    ),
    r"shots?|fires?|firing|shooting|schuss": (Fire, FrigateOrder),
    r"attacks?|assaults?|angriff": (Attack,),
    r"retreats?|r(?:ü|u|ue)ckzug": (RetreatPreference,),
    r"hit": (WhenHit,),
    r"builds?|redoubts?|builds redoubt": (RedoubtOrder,),
    r"orders?|everything|befehle?": (),
}
_UNIT = r"(?P<unit>(?:inf|cav|art|pio|cmd|frig) [0-9]{1,2})s?"
_KIND = rf"(?P<kind>{'|'.join(_KINDS)})"
_FORMS = (
    re.compile(rf"{_UNIT}(?: {_KIND}(?: order)?)?"),
    re.compile(rf"{_KIND}(?: order)?(?: (?:of|by|with|for|from))? {_UNIT}"),
    re.compile(r"(?P<kind>attacks?|assaults?|angriff) (?:of |on |at )?(?P<at>[0-9]{4})"),
    re.compile(r"(?P<kind>retreats?) (?P<all>all)"),
    re.compile(r"(?P<losses>loss(?:es)?)"),
    re.compile(rf"all (?:my |of the )*(?P<every>{'|'.join(words for words in _KINDS)})"),
)


class OrdersMeant(NamedTuple):
    """Description of the orders that a line takes off file."""

    orders: frozenset[Order] = frozenset()
    unit: str = ""
    kinds: tuple[type, ...] = ()
    """Types of orders, empty for all types."""
    at: str = ""

    def means(self, order: Order) -> bool:
        """Return whether an order is taken off file."""
        if self.orders:
            return order in self.orders
        if self.kinds and not isinstance(order, self.kinds):
            return False
        if isinstance(order, Attack) and (self.at or self.unit):
            return self.at in order.at if self.at else self.unit in order.units
        if self.unit:
            return getattr(order, "unit", "") == self.unit
        return not self.at

    def without_unit(self, order: Order) -> Attack | None:
        """Return an attack of several units without the unit, or None for other orders."""
        if not isinstance(order, Attack) or not self.unit or {*order.units} == {self.unit}:
            return None
        return without_units(order, {self.unit})


def orders_meant(text: str, names: UnitNames) -> OrdersMeant | None:
    """Return the description of orders in the rest of a CANCEL line, or None.

    >>> orders_meant("attack 1116", UnitNames("FA")).at
    '1116'
    >>> orders_meant("bauman's move", UnitNames("FA")).unit
    'ART 2'
    >>> orders_meant("problem", UnitNames("FA"))
    """
    plain = plain_words(text, names)
    for form in _FORMS:
        found = form.fullmatch(plain)
        if found is None:
            continue
        parts = found.groupdict()
        if parts.get("losses"):
            return OrdersMeant(kinds=(Losses,))
        if parts.get("all"):
            return OrdersMeant(kinds=(RetreatAll,))
        kind = parts.get("kind") or parts.get("every") or "order"
        kinds = next(k for words, k in _KINDS.items() if re.fullmatch(words, kind))
        unit = (parts.get("unit") or "").upper()
        return OrdersMeant(unit=unit, kinds=kinds, at=parts.get("at") or "")
    wording = wordings(text, names.side, names)
    read = [parse(line) for line in (text, *(wording.lines if wording else ()))]
    orders = [each for each in read if not isinstance(each, UnreadableLine | Done | Control)]
    return OrdersMeant(orders=frozenset(orders)) if orders else None
