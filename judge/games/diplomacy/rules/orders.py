"""Orders to units as values, their canonical text, and what became of them.

Places are written as in the map tables, in canonical text in upper case. An order does not know
whose it is: that is the power it is filed under.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar, assert_never

from judge.board.map import Map, Unit, UnitKind
from judge.model.phrase import Phrase

_Kind = TypeVar("_Kind")


def _equal_within(kind: type[_Kind]) -> type[_Kind]:
    """Make orders of a kind equal to others of that kind alone.

    As bare tuples the support of a move and its convoy by the same fleet would be the same order.
    """

    def equal(one: tuple[object, ...], other: object) -> bool:
        return type(other) is kind and tuple.__eq__(one, other)

    def unequal(one: tuple[object, ...], other: object) -> bool:
        return type(other) is not kind or tuple.__ne__(one, other)

    # The body of a named tuple may not hold them. Hashes stay those of tuples.
    setattr(kind, "__eq__", equal)
    setattr(kind, "__ne__", unequal)
    return kind


@_equal_within
class Hold(NamedTuple):
    """Stay."""

    unit: Unit


@_equal_within
class Move(NamedTuple):
    """Go to a place; `via`: by convoy, `route` the seas where they were written."""

    unit: Unit
    to: str
    via: bool = False
    route: tuple[str, ...] = ()


@_equal_within
class Support(NamedTuple):
    """Help another unit: to stay (`to` empty) or to move to a province."""

    unit: Unit
    helped: Unit
    to: str = ""


@_equal_within
class Convoy(NamedTuple):
    """Carry an army over this sea."""

    unit: Unit
    army: Unit
    to: str


@_equal_within
class Retreat(NamedTuple):
    """Go where a dislodged unit may go."""

    unit: Unit
    to: str


@_equal_within
class Disband(NamedTuple):
    """Leave the board: a dislodged unit, or a removal in an adjustment phase."""

    unit: Unit


@_equal_within
class Build(NamedTuple):
    """Put a new unit on an own, empty home centre."""

    unit: Unit


@_equal_within
class Waive(NamedTuple):
    """Leave one build unused."""


@_equal_within
class Proxy(NamedTuple):
    """Let another power order this unit too, in this phase; `power` empty: no longer."""

    unit: Unit
    power: str


Order = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive
"""What can be adjudicated."""

Entry = Order | Proxy
"""What may stand on a sheet."""


# Each order is told many times.
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
    """Read back what `order_text` wrote; players' texts are read by `reading`, not by this.

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


# A text on one map is always the same entry; most of a sheet stood on the one before it.
@lru_cache(maxsize=4096)
def parse_entry(text: str, board: Map) -> Entry:
    """Read back what stands on a sheet: an order, or a proxy.

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
    """Return upper-case place → place of a map; made once for each map."""
    if board.name not in _PLACES:
        _PLACES[board.name] = {
            place.upper(): place
            for abbr in board.provinces
            for place in (abbr, *board.fleet_places(abbr))
        }
    return _PLACES[board.name]


def unit_of(order: Entry | None) -> Unit | None:
    """Return the unit an order is for; None for a waived build, and for no order."""
    return None if order is None or isinstance(order, Waive) else order.unit


class Outcome(Enum):
    """What a result says of an order, in the words of its JSON form; an order may earn several."""

    SUCCEEDS = "succeeds"
    BOUNCE = "bounce"
    CUT = "cut"
    VOID = "void"
    """Illegal, or not matched by the order it refers to; of no effect."""
    DISLODGED = "dislodged"
    DISBANDED = "disbanded"
    NO_CONVOY = "no convoy"
    NO_ORDER = "no order"


Why = Callable[..., Phrase | None]
"""Finds a reason, when somebody asks for it."""


class Verdict:
    """An order, what became of it, and why; None where a success says everything.

    It never changes. The reason is worked out when it is first asked for, since most adjudications
    are of positions nobody will ever read about.
    """

    __slots__ = ("_order", "_outcomes", "_why", "_about")

    def __init__(
        self,
        order: Order,
        outcomes: tuple[Outcome, ...],
        why: Phrase | Why | None = None,
        about: tuple[object, ...] = (),
    ) -> None:
        """Make a verdict for a reason, or for a function that will find it and what to give it."""
        self._order = order
        self._outcomes = outcomes
        self._why = why
        self._about = about

    @property
    def order(self) -> Order:
        """The order; of a unit that had none, to hold."""
        return self._order

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """What became of it."""
        return self._outcomes

    @property
    def reason(self) -> Phrase | None:
        """Why, if there is more to say than the outcomes do."""
        why = self._why
        if why is not None and not isinstance(why, Phrase):
            why = self._why = why(*self._about)
            self._about = ()
        return why

    def with_reason(self, reason: Phrase | None) -> "Verdict":
        """Return the same verdict for another reason."""
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
