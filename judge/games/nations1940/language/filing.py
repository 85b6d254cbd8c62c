"""Orders of one mail, filed together with those on file.

The last order for a unit counts, and a nation has one order of some kinds. A note on an order names
what it replaces, from an earlier mail or from an earlier line of the same one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

from judge.games.nations1940.language.replacing import replaced_orders
from judge.games.nations1940.language.suggesting import remedies_of
from judge.games.nations1940.language.verdicts import NationsVerdict
from judge.games.nations1940.rules import orders
from judge.games.nations1940.rules.legality import CheckedOrder, check_orders
from judge.games.nations1940.rules.orders import Order, order_text
from judge.games.nations1940.rules.world import World
from judge.model.phrase import phrase

_LISTS = (orders.Research, orders.Spawn, orders.Shed)
"""Orders that are lists: a line with several of a kind is one list."""

_REPLACES = (*_LISTS, orders.Govern, orders.Traits)
"""Orders of which a nation has one at a time."""

_COUNTED = (
    orders.ArmyMove, orders.Rail, orders.Sail, orders.Escort, orders.Missile, orders.Scuttle,
    orders.ArmyDisband,
)  # fmt: skip
"""Orders with a count. The same order twice takes twice as many units."""


@dataclass(eq=False, slots=True)
class _Entry:
    """Order on file.

    An order of this mail has the verdict on its line, and its part of the line.
    """

    order: Order
    verdict: NationsVerdict | None = None
    part: str | None = None


_Replaced = dict[_Entry, list[_Entry]]
"""Orders of this mail and the orders that they replace."""


class Filing:
    """The orders on file and those of one mail."""

    def __init__(self, world: World, nation: str, on_file: Sequence[Order]) -> None:
        self._world = world
        self._nation = nation
        self._entries = [_Entry(order) for order in on_file]

    def text(self, order: Order) -> str:
        """Return an order in its long form."""
        return order_text(order, self._world.board)

    def orders(self) -> list[Order]:
        """Return the orders on file and those of this mail so far."""
        return [one.order for one in self._entries]

    def has(self, kind: type[Order]) -> bool:
        """Return whether any of the orders is of a kind."""
        return any(isinstance(one, kind) for one in self.orders())

    def good_orders(self) -> list[Order]:
        """Return the orders on file and those of this mail that are not refused so far."""
        checked = self._check({})
        return [one.order for one in self._entries if not (one.verdict and checked[one].fault)]

    def clear(self) -> None:
        """Drop all orders."""
        self._entries = []

    def add(self, order: Order, verdict: NationsVerdict, part: str | None) -> None:
        """Add an order of this mail, or join it to a list of the same line.

        An equal order from an earlier mail is removed: one of a counted kind, else all.
        """
        if longer := self._find_list(order, verdict):
            longer.order = _join_lists(longer.order, order)
            return
        same = [one for one in self._entries if not one.verdict and one.order == order]
        for one in same[:1] if isinstance(order, _COUNTED) else same:
            self._entries.remove(one)
        self._entries.append(_Entry(order, verdict, part))

    def _find_list(self, order: Order, verdict: NationsVerdict) -> _Entry | None:
        """Return the list of the same line that an order continues, or None."""
        same = (one for one in self._entries if type(one.order) is type(order))
        found = (one for one in same if one.verdict is verdict)
        return next(found, None) if isinstance(order, _LISTS) else None

    def take_off(self, orders: Sequence[Order], verdict: NationsVerdict) -> None:
        """Take orders off file."""
        self._entries = [one for one in self._entries if one.order not in orders]
        verdict.withdrawn += map(self.text, orders)

    def finish(self) -> tuple[Order, ...]:
        """Check all orders and complete the verdicts. Return the orders on file."""
        replaced = self._find_replaced()
        checked = self._check(replaced)
        while refused := [one for one in replaced if one in checked and checked[one].fault]:
            # A refused order replaces nothing.
            replaced = {one: old for one, old in replaced.items() if one not in refused}
            checked = self._check(replaced)
        for entry in {one for old in replaced.values() for one in old if one.verdict}:
            if fault := self._fault_of(entry, replaced):
                replaced = _without(entry, replaced)
                self._refuse(fault, entry, [])
        kept = [one.order for one in checked if one.verdict is None]
        for entry, found in checked.items():
            if found.fault and entry.verdict:
                self._refuse(found, entry, kept)
            elif entry.verdict:
                if older := [self.text(one) for one in _all_replaced(entry, replaced)]:
                    self._note_replaced(self.text(found.order), older, entry.verdict)
                _file(found, entry.verdict, kept, self.text(found.order))
        return tuple(kept)

    def _fault_of(self, entry: _Entry, replaced: _Replaced) -> CheckedOrder | None:
        """Return the refusal of an order that another replaces, or None if it is legal."""
        newer = {one for one, old in replaced.items() if entry in old}
        gone = {one for old in replaced.values() for one in old}
        live = [one for one in self._entries if one is entry or one not in gone | newer]
        checked = check_orders(self._world, self._nation, [one.order for one in live])
        found = checked[live.index(entry)]
        return found if found.fault else None

    def _note_replaced(self, new: str, older: Sequence[str], verdict: NationsVerdict) -> None:
        if {*older} != {new}:
            verdict.notes.append(phrase("w-replaced", order=new, filed=tuple(older)))

    def _refuse(self, found: CheckedOrder, entry: _Entry, kept: Sequence[Order]) -> None:
        assert found.fault and entry.verdict
        lines = remedies_of(found, kept, self._world, self._nation)
        entry.verdict.complain(found.fault, lines, entry.part)

    def _check(self, replaced: _Replaced) -> dict[_Entry, CheckedOrder]:
        """Check all orders except those that another replaces."""
        gone = {one for old in replaced.values() for one in old}
        live = [one for one in self._entries if one not in gone]
        found = check_orders(self._world, self._nation, [one.order for one in live])
        return dict(zip(live, found, strict=True))

    def _find_replaced(self) -> _Replaced:
        """Return the orders that each order of this mail replaces."""
        found: _Replaced = {}
        gone: set[_Entry] = set()
        for at, entry in enumerate(self._entries):
            if entry.verdict is None:
                continue
            before = [
                one for one in self._entries[:at]
                if one.verdict is not entry.verdict and one not in gone
            ]
            others = [
                one.order for one in self._entries
                if one is not entry and one.verdict and one not in before and one not in gone
            ]
            if old := self._replaced_by(entry.order, before, others):
                found[entry] = old
                gone.update(old)
        return found

    def _replaced_by(
        self, order: Order, before: Sequence[_Entry], others: Sequence[Order]
    ) -> list[_Entry]:
        pool = [one.order for one in before]
        wanted = replaced_orders(self._world, self._nation, order, pool, others)
        found: list[_Entry] = []
        for one in before:
            is_older = _is_replaced(one.order, order) and one.order != order
            if is_older or one.order in wanted:
                found.append(one)
            if one.order in wanted:
                wanted.remove(one.order)
        return found


def _join_lists(first: Order, second: Order) -> Order:
    """Return two lists of the same kind as one."""
    make: Callable[..., Order] = type(first)
    (name,) = (field.name for field in fields(first))
    return make(tuple(dict.fromkeys((*getattr(first, name), *getattr(second, name)))))


def _file(found: CheckedOrder, verdict: NationsVerdict, kept: list[Order], text: str) -> None:
    """File a legal order, and remove the older ones of its kind that it replaces."""
    verdict.notes += found.notes
    if found.is_filed:
        verdict.filed.append(text)
        kept[:] = [one for one in kept if not _is_replaced(one, found.order)]
        kept.append(found.order)


def _without(entry: _Entry, replaced: _Replaced) -> _Replaced:
    """Return *replaced* without a refused order.

    The order that replaces it also replaces what it would have replaced.
    """
    older = replaced.get(entry, [])
    return {
        one: [two for each in old for two in (older if each is entry else [each])]
        for one, old in replaced.items() if one is not entry
    }


def _all_replaced(entry: _Entry, replaced: _Replaced) -> list[Order]:
    """Return the orders that one replaces, directly or through others."""
    old = replaced.get(entry, [])
    further = [order for one in old for order in _all_replaced(one, replaced)]
    return [*(one.order for one in old), *further]


def _is_replaced(old: Order, new: Order) -> bool:
    """Return whether a new order replaces an old one of its kind."""
    if old == new:
        return not isinstance(new, _COUNTED)
    if isinstance(old, orders.Trade) and isinstance(new, orders.Trade):
        return old.nation == new.nation
    return isinstance(old, _REPLACES) and type(old) is type(new)
