"""Orders to units as values, their canonical text, and verdicts on them.

Places are written as in the map tables, in canonical text in upper case. An order does not record
its power: that is the power it is filed under.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, assert_never

from judge.board.map import Map, Unit, UnitKind
from judge.model.phrase import Phrase

_Kind = TypeVar("_Kind")


def _equal_within(kind: type[_Kind]) -> type[_Kind]:
    """Make orders of a kind equal only to orders of that kind.

    As bare tuples the support of a move and its convoy by the same fleet would be the same order.
    """

    def equal(one: tuple[object, ...], other: object) -> bool:
        return type(other) is kind and tuple.__eq__(one, other)

    def unequal(one: tuple[object, ...], other: object) -> bool:
        return type(other) is not kind or tuple.__ne__(one, other)

    # The class body of a named tuple may not define these. Hashes stay those of tuples.
    setattr(kind, "__eq__", equal)
    setattr(kind, "__ne__", unequal)
    return kind


@_equal_within
class Hold(NamedTuple):
    """Order to hold."""

    unit: Unit


@_equal_within
class Move(NamedTuple):
    """Order to move to a place.

    *via* is true for a convoy. *route* names its seas if they were written.
    """

    unit: Unit
    to: str
    via: bool = False
    route: tuple[str, ...] = ()


@_equal_within
class Support(NamedTuple):
    """Order to support another unit to hold (*to* empty) or to move to a province."""

    unit: Unit
    helped: Unit
    to: str = ""


@_equal_within
class Convoy(NamedTuple):
    """Order to convoy an army over this sea."""

    unit: Unit
    army: Unit
    to: str


@_equal_within
class Retreat(NamedTuple):
    """Order to retreat to a place."""

    unit: Unit
    to: str


@_equal_within
class Disband(NamedTuple):
    """Order to leave the board, for a dislodged unit or as a removal."""

    unit: Unit


@_equal_within
class Build(NamedTuple):
    """Order to build a new unit in an owned, empty centre."""

    unit: Unit


@_equal_within
class Waive(NamedTuple):
    """Order to leave one build unused."""


@_equal_within
class Proxy(NamedTuple):
    """Permission for another power to order this unit too, in this phase.

    An empty *power* withdraws it.
    """

    unit: Unit
    power: str


Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive
"""Order that can be adjudicated."""

Entry = Order | Proxy
"""Entry of a sheet: an order or a proxy."""


# The same orders are formatted many times.
@lru_cache(maxsize=4096)
def order_text(order: Entry) -> str:
    """Return the canonical text of an order.

    >>> army, fleet = Unit(UnitKind.ARMY, "Lon"), Unit(UnitKind.FLEET, "Nth")
    >>> order_text(Move(army, "Nwy", via=True, route=("Nth",)))
    'A LON - NWY VIA NTH'
    >>> order_text(Convoy(fleet, army, "Nwy"))
    'F NTH C A LON - NWY'
    >>> order_text(Proxy(army, "France")), order_text(Proxy(army, ""))
    ('A LON PROXY FRANCE', 'A LON NO PROXY')
    """
    match order:
        case Hold(unit):
            return f"{unit} H"
        case Move(unit, to, via, route):
            by_sea = " VIA" + "".join(f" {sea.upper()}" for sea in route) if via else ""
            return f"{unit} - {to.upper()}{by_sea}"
        case Support(unit, helped, to):
            return f"{unit} S {helped}" + (f" - {to.upper()}" if to else "")
        case Convoy(unit, army, to):
            return f"{unit} C {army} - {to.upper()}"
        case Retreat(unit, to):
            return f"{unit} R {to.upper()}"
        case Disband(unit):
            return f"{unit} D"
        case Build(unit):
            return f"BUILD {unit}"
        case Waive():
            return "WAIVE"
        case Proxy(unit, power):
            return f"{unit} PROXY {power.upper()}" if power else f"{unit} NO PROXY"
        case _:
            assert_never(order)


def parse_order(text: str, board: Map) -> Order:
    """Parse the canonical text of an order, as written by `order_text`.

    Players' texts are parsed by `reading` instead.

    Raises:
        ValueError: the text is not canonical.
        KeyError: it names a place the map does not have.
    """
    words = text.split(" ")
    places = _places(board)

    def unit(at: int) -> Unit:
        return Unit(UnitKind(words[at]), places[words[at + 1]])

    match words:
        case ["WAIVE"]:
            return Waive()
        case ["BUILD", _, _]:
            return Build(unit(1))
        case [_, _, "H"]:
            return Hold(unit(0))
        case [_, _, "D"]:
            return Disband(unit(0))
        case [_, _, "R", to]:
            return Retreat(unit(0), places[to])
        case [_, _, "-", to, "VIA", *route]:
            return Move(unit(0), places[to], True, tuple(places[sea] for sea in route))
        case [_, _, "-", to]:
            return Move(unit(0), places[to])
        case [_, _, "S", _, _]:
            return Support(unit(0), unit(3))
        case [_, _, "S", _, _, "-", to]:
            return Support(unit(0), unit(3), places[to])
        case [_, _, "C", _, _, "-", to]:
            return Convoy(unit(0), unit(3), places[to])
    raise ValueError(f"no canonical order: {text!r}")


# A text on one map is always the same entry, and a sheet repeats most of the one before it.
@lru_cache(maxsize=4096)
def parse_entry(text: str, board: Map) -> Entry:
    """Parse an entry of a sheet: an order, or a proxy.

    Raises:
        ValueError: the text is not canonical.
        KeyError: it names a place or a power the map does not have.
    """
    unit, is_proxy, name = text.partition(" PROXY ")
    if not is_proxy:
        return parse_order(text, board)
    kind, _, place = unit.partition(" ")
    powers = {power.name.upper(): power.name for power in board.powers}
    return Proxy(Unit(UnitKind(kind), _places(board)[place]), powers[name])


_PLACES: dict[str, dict[str, str]] = {}


def _places(board: Map) -> dict[str, str]:
    """Return upper-case place → place of a map, made once for each map."""
    if board.name not in _PLACES:
        _PLACES[board.name] = {
            place.upper(): place
            for abbr in board.provinces
            for place in (abbr, *board.fleet_places(abbr))
        }
    return _PLACES[board.name]


def unit_of(order: Entry | None) -> Unit | None:
    """Return the unit of an order, or None for a waived build and for no order."""
    return None if order is None or isinstance(order, Waive) else order.unit


class Outcome(Enum):
    """Outcome of an order, in the words of its JSON form.

    An order may have several.
    """

    SUCCEEDS = "succeeds"
    BOUNCE = "bounce"
    CUT = "cut"
    VOID = "void"
    """Illegal, or not matched by the order it refers to. The order has no effect."""
    DISLODGED = "dislodged"
    DISBANDED = "disbanded"
    NO_CONVOY = "no convoy"
    NO_ORDER = "no order"


Why = Callable[..., Phrase | None]
"""Function that finds a reason on demand."""


class Verdict:
    """Order with its outcomes and the reason for them.

    A success that says everything has no reason (None). Immutable. The reason is found on first
    access, since most adjudicated positions are never reported.
    """

    __slots__ = ("_order", "_outcomes", "_why", "_about")

    def __init__(
        self,
        order: Order,
        outcomes: tuple[Outcome, ...],
        why: Phrase | Why | None = None,
        about: tuple[object, ...] = (),
    ) -> None:
        self._order = order
        self._outcomes = outcomes
        self._why = why
        self._about = about

    @property
    def order(self) -> Order:
        """The order, or the default order of a unit without one."""
        return self._order

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes of the order."""
        return self._outcomes

    @property
    def reason(self) -> Phrase | None:
        """The reason, or None if the outcomes say everything."""
        why = self._why
        if why is not None and not isinstance(why, Phrase):
            why = self._why = why(*self._about)
            self._about = ()
        return why

    def with_reason(self, reason: Phrase | None) -> "Verdict":
        """Return the same verdict with another reason."""
        return Verdict(self._order, self._outcomes, reason)

    def __iter__(self) -> Iterator[Any]:
        return iter((self._order, self._outcomes, self.reason))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Verdict) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Verdict({self._order!r}, {self._outcomes!r}, {self.reason!r})"

    def __reduce__(self) -> tuple[type["Verdict"], tuple[object, ...]]:
        return Verdict, tuple(self)
