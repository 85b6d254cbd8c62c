"""Orders as values, and as the texts that sheets and receipts show (Y-86)."""

from dataclasses import dataclass
from typing import assert_never

from judge.games.yorktown.rules.hexes import SIDES


@dataclass(frozen=True, slots=True)
class Place:
    """Set-up: a unit in a hex; a frigate with stern and bow."""

    unit: str
    at: str
    bow: str = ""
    face: int | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """A pioneer puts a redoubt into its hex (Y-35)."""

    unit: str


@dataclass(frozen=True, slots=True)
class Fire:
    """A battery fires at a hex; `target` names one of two units in it, by its owner's id."""

    unit: str
    at: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class Sail:
    """A frigate's line: "F", "L", "R", "beach" and "fire 1713", one step each."""

    unit: str
    does: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A unit boards a frigate (Y-54)."""

    unit: str
    ship: str


@dataclass(frozen=True, slots=True)
class Land:
    """A unit lands from its frigate (Y-55)."""

    unit: str
    at: str
    face: int | None = None


@dataclass(frozen=True, slots=True)
class March:
    """A unit moves along a path, turns, or leaves the map; an empty path is a unit that stays."""

    unit: str
    path: tuple[str, ...] = ()
    face: int | None = None
    leaves: str = ""


@dataclass(frozen=True, slots=True)
class Enter:
    """A unit enters from off the map; the first hex is where."""

    unit: str
    path: tuple[str, ...]
    face: int | None = None


@dataclass(frozen=True, slots=True)
class Hold:
    """A unit stays where it is."""

    unit: str


@dataclass(frozen=True, slots=True)
class Join:
    """A commander goes to a unit (Y-32)."""

    unit: str
    other: str


@dataclass(frozen=True, slots=True)
class Stay:
    """A commander does not go along with his unit (Y-32)."""

    unit: str


@dataclass(frozen=True, slots=True)
class Attack:
    """Units attack hexes; some of them may advance (Y-65, Y-71)."""

    at: tuple[str, ...]
    units: tuple[str, ...]
    advance: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retreat:
    """Standing: hexes a unit would retreat to, in order of wish (Y-78)."""

    unit: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetreatAll:
    """Standing: sides by which any unit would retreat (Y-78)."""

    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WhenHit:
    """Standing: what a commander does when his unit is hit; empty: he stays (Y-79)."""

    unit: str
    to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Losses:
    """Standing: who is given up in an exchange (Y-80)."""

    units: tuple[str, ...]


Standing = Retreat | RetreatAll | WhenHit | Losses
FireOrder = Build | Fire | Sail
MoveOrder = Sail | Board | Land | March | Enter | Hold | Join | Stay | Attack
Order = Place | FireOrder | MoveOrder | Standing


def order_text(order: Order) -> str:
    """Return an order as a line that can be sent.

    >>> order_text(March("INF 3", ("1204", "1305"), face=1))
    'INF 3: 1204-1305 face NE'
    >>> order_text(Sail("FRIG 1", ("F", "F", "L", "fire 1713", "F", "beach")))
    'FRIG 1: F2 L fire 1713 F1 beach'
    >>> order_text(Attack(("1511",), ("INF 3", "INF 4"), ("INF 3",)))
    'attack 1511 with INF 3, INF 4 advance INF 3'
    """
    match order:
        case Place(unit, at, bow, face):
            return f"{unit} at {at}{f' {bow}' if bow else ''}{_facing(face)}"
        case Build(unit):
            return f"{unit} builds redoubt"
        case Fire(unit, at, target):
            return f"{unit} fires at {at}{f' {target}' if target else ''}"
        case Sail(unit, does):
            return f"{unit}: {' '.join(_sailing(does))}"
        case Board(unit, ship):
            return f"{unit} boards {ship}"
        case Land(unit, at, face):
            return f"{unit} lands {at}{_facing(face)}"
        case Enter(unit, path, face):
            return f"{unit} enters {'-'.join(path)}{_facing(face)}"
        case March():
            return _march_text(order)
        case Hold(unit):
            return f"{unit} holds"
        case Join(unit, other):
            return f"{unit} with {other}"
        case Stay(unit):
            return f"{unit} stays"
        case Attack(at, units, advance):
            follow = f" advance {', '.join(advance)}" if advance else ""
            return f"attack {' '.join(at)} with {', '.join(units)}{follow}"
        case Retreat() | RetreatAll() | WhenHit() | Losses():
            return _standing_text(order)
    assert_never(order)


def _march_text(order: March) -> str:
    path = f": {'-'.join(order.path)}" if order.path else ""
    leaves = f" exit {order.leaves}" if order.leaves else ""
    return f"{order.unit}{path}{leaves}{_facing(order.face)}"


def _standing_text(order: Standing) -> str:
    match order:
        case Retreat(unit, to):
            return f"retreat {unit} to {' '.join(to)}" if to else f"retreat {unit} none"
        case RetreatAll(sides):
            return f"retreat all {' '.join(SIDES[side] for side in sides) or 'none'}"
        case WhenHit(unit, to):
            return f"hit {unit} {'leave ' + ' '.join(to) if to else 'stay'}"
        case Losses(units):
            return f"losses {' '.join(units) or 'none'}"
    assert_never(order)


def _facing(face: int | None) -> str:
    return "" if face is None else f" face {SIDES[face]}"


def _sailing(does: tuple[str, ...]) -> list[str]:
    """Return a frigate's steps, those straight ahead counted together."""
    told: list[str] = []
    ahead = 0
    for step in (*does, ""):
        if step == "F":
            ahead += 1
            continue
        if ahead:
            told.append(f"F{ahead}")
        ahead = 0
        if step:
            told.append(step)
    return told


def unit_of(order: Order) -> str:
    """Return the order id an order is for; empty where it is for several or all."""
    match order:
        case Attack() | RetreatAll() | Losses():
            return ""
    return order.unit


def is_void(order: Standing) -> bool:
    """Return whether a standing order only takes an earlier one out of force."""
    match order:
        case Retreat(_, to):
            return not to
        case RetreatAll(sides):
            return not sides
        case Losses(units):
            return not units
    return False


def void_of(order: Standing) -> Standing:
    """Return the standing order that takes one out of force."""
    match order:
        case Retreat(unit):
            return Retreat(unit, ())
        case RetreatAll():
            return RetreatAll(())
        case WhenHit(unit):
            return WhenHit(unit)
    return Losses(())


def replaces(order: Standing, other: Standing) -> bool:
    """Tell whether a standing order takes the place of another one (Y-77)."""
    return type(order) is type(other) and unit_of(order) == unit_of(other)
