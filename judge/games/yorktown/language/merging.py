"""Merging of a mail's orders with those on file.

Movements are carried out in the order written, so a corrected line must take the place of the line
that it corrects. A refused line leaves a gap in its sheet for that.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from judge.games.yorktown.rules.board import counters, key_of
from judge.games.yorktown.rules.orders import (
    Attack,
    BoardingOrder,
    Enter,
    Fire,
    FrigateOrder,
    HoldOrder,
    JoinOrder,
    LandingOrder,
    MarchOrder,
    Order,
    PlacementOrder,
    Stay,
    unit_of,
)

ATTACK = "attack"
"""Name in the gap of a refused attack, in place of a unit."""
MOVEMENTS = (MarchOrder, Enter, HoldOrder, PlacementOrder, BoardingOrder, LandingOrder)
"""Orders of which a unit has one of a kind at a time. A later one replaces it.

Boarding, landing and moving are three kinds, as a unit may board, sail and land in one turn (Y-17).
"""


@dataclass(frozen=True, slots=True)
class Gap:
    """Place of a refused line in a sheet: its unit, "attack", or an empty string.

    Units that a name can mean are separated by slashes: "INF 14/INF 15".
    """

    unit: str


Entry = Order | Gap


@dataclass
class Pile:
    """The orders of one mail for one step."""

    entries: list[Entry] = field(default_factory=list)
    """Orders, and gaps where lines were refused."""
    done: bool | None = None
    cleared: bool = False
    withdrawn: list[Order] = field(default_factory=list)
    """Orders of earlier mails that are taken off file."""
    reduced: dict[Order, Attack] = field(default_factory=dict)
    """Attacks of earlier mails that lose units, with the attacks that are left."""

    def withdraw(self, order: Order, rest: Attack | None) -> None:
        """Take an order off file, or replace an attack with the *rest* of it."""
        self.done = False
        if rest:
            self.entries = [rest if entry == order else entry for entry in self.entries]
            self.reduced[order] = rest
        else:
            self.entries = [entry for entry in self.entries if entry != order]
            self.withdrawn.append(order)

    @property
    def orders(self) -> tuple[Order, ...]:
        """Orders without the gaps."""
        return orders_in(self.entries)

    @property
    def has_gaps_only(self) -> bool:
        """True if the mail has only refused lines for this step."""
        return bool(self.entries) and not self.has_changes and self.done is None

    @property
    def has_changes(self) -> bool:
        """True if the mail changes the orders of the step."""
        return bool(self.orders or self.cleared or self.withdrawn or self.reduced)


def orders_in(entries: Sequence[Entry]) -> tuple[Order, ...]:
    """Return the orders of entries, without the gaps."""
    return tuple(entry for entry in entries if not isinstance(entry, Gap))


def one_each(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries with only the last one of each kind for each unit.

    The kinds are those of movements, fire and joining. Other entries are all kept.
    """
    kept: dict[object, Entry] = {}
    for number, entry in enumerate(entries):
        key: object = number
        if isinstance(entry, (*MOVEMENTS, Fire, JoinOrder)):
            key = (entry.unit, _kind(entry))
        kept.pop(key, None)
        kept[key] = entry
    return list(kept.values())


def merge_orders(on_file: Sequence[Entry], new: Sequence[Entry], side: str) -> list[Entry]:
    """Return the entries on file with new ones added.

    A new order takes the place of the one it replaces, or of the refused line it corrects.
    """
    found = list(on_file)
    rest: list[Entry] = []
    for entry in new:
        at = _place(found, entry, side)
        if at is None:
            rest.append(entry)
            continue
        found[at] = entry
        found = [each for n, each in enumerate(found) if n == at or not _same(each, entry)]
    return one_each([*_without_attackers(found, new), *rest])


def _without_attackers(on_file: Sequence[Entry], new: Sequence[Entry]) -> list[Entry]:
    """Return entries on file whose older attacks lack the units of new attacks."""
    attacks = [each for each in new if isinstance(each, Attack)]
    units = frozenset(unit for each in attacks for unit in each.units)
    left: list[Entry | None] = [
        without_units(old, units) if isinstance(old, Attack) and old not in attacks else old
        for old in on_file
    ]
    return [each for each in left if each is not None]


def without_units(attack: Attack, units: Collection[str]) -> Attack | None:
    """Return an attack without some of its units, or None if no unit is left."""
    left = tuple(unit for unit in attack.units if unit not in units)
    advance = tuple(unit for unit in attack.advance if unit not in units)
    return replace(attack, units=left, advance=advance) if left else None


def find_replaced(on_file: Sequence[Entry], new: Sequence[Entry]) -> list[Order]:
    """Return orders on file that have no successor among the new entries."""
    return [
        old for old in on_file
        if not isinstance(old, Gap) and not any(_succeeds(each, old) for each in new)
    ]


def _place(on_file: Sequence[Entry], entry: Entry, side: str) -> int | None:
    """Return the index of the order that a new one replaces, or of its gap, or None."""
    for at, old in enumerate(on_file):
        if _same(old, entry):
            return at
    if isinstance(entry, Gap):
        return None
    name = ATTACK if isinstance(entry, Attack) else unit_of(entry)
    gaps = [(at, old.unit.split("/")) for at, old in enumerate(on_file) if isinstance(old, Gap)]
    mine = [at for at, units in gaps if name in units]
    open_to_any = [
        at for at, units in gaps
        if units[0] != ATTACK and key_of(side, units[0]) not in counters()
    ]
    return next(iter([*mine, *open_to_any]), None)


def is_repeated(order: Order, entries: Sequence[Entry]) -> bool:
    """Return whether an order equals the mail's last one on the same topic.

    A frigate may do the same twice, as it has two shots.
    """
    before = [entry for entry in entries if _same(entry, order)]
    return bool(before) and before[-1] == order and not isinstance(order, FrigateOrder)


def _succeeds(new: Entry, old: Order) -> bool:
    """Return whether a new order replaces an old one with all its units."""
    if isinstance(old, Attack) and isinstance(new, Attack):
        return {*old.at} == {*new.at} and {*old.units} <= {*new.units}
    return _same(old, new)


def _same(old: Entry, new: Entry) -> bool:
    return _topic(old) == _topic(new)


def _topic(entry: Entry) -> object:
    match entry:
        case Gap(unit):
            return Gap, unit
        case Attack(at, _, _):
            return ATTACK, frozenset(at)
    return unit_of(entry), _kind(entry)


def _kind(order: Order) -> type:
    """Return the type that represents all orders of which a unit has one."""
    if isinstance(order, BoardingOrder | LandingOrder | Fire | FrigateOrder):
        return type(order)
    return JoinOrder if isinstance(order, JoinOrder | Stay) else MarchOrder
