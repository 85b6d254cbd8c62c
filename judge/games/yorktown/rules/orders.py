"""Orders as values, and their texts for sheets and receipts (Y-86)."""

from dataclasses import dataclass
from typing import assert_never

from judge.games.yorktown.rules.hexes import SIDES


@dataclass(frozen=True, slots=True)
class PlacementOrder:
    """Set-up of a unit in a hex, or of a frigate with stern and bow."""

    unit: str
    at: str
    bow: str = ""
    face: int | None = None


@dataclass(frozen=True, slots=True)
class RedoubtOrder:
    """Order to build a redoubt in the pioneer's hex (Y-35)."""

    unit: str


@dataclass(frozen=True, slots=True)
class Fire:
    """Order to a battery to fire at a hex.

    *target* names one of two units in it, by its owner's order id.
    """

    unit: str
    at: str
    target: str = ""


@dataclass(frozen=True, slots=True)
class FrigateOrder:
    """Order to a frigate, one step each: "F", "L", "R", "beach" or "fire 1713"."""

    unit: str
    does: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BoardingOrder:
    """Order to board a frigate (Y-54)."""

    unit: str
    ship: str


@dataclass(frozen=True, slots=True)
class LandingOrder:
    """Order to land from a frigate (Y-55)."""

    unit: str
    at: str
    face: int | None = None


@dataclass(frozen=True, slots=True)
class MarchOrder:
    """Order to move along a path, to turn, or to leave the map.

    With an empty path the unit stays.
    """

    unit: str
    path: tuple[str, ...] = ()
    face: int | None = None
    leaves: str = ""


@dataclass(frozen=True, slots=True)
class Enter:
    """Order to enter from off the map, at the first hex of the path."""

    unit: str
    path: tuple[str, ...]
    face: int | None = None


@dataclass(frozen=True, slots=True)
class HoldOrder:
    """Order to stay in the hex."""

    unit: str


@dataclass(frozen=True, slots=True)
class JoinOrder:
    """Order to a commander to go to a unit (Y-32)."""

    unit: str
    other: str


@dataclass(frozen=True, slots=True)
class Stay:
    """Order to a commander not to go along with its unit (Y-32)."""

    unit: str


@dataclass(frozen=True, slots=True)
class Attack:
    """Order to units to attack hexes. Some of the units may advance (Y-65, Y-71)."""

    at: tuple[str, ...]
    units: tuple[str, ...]
    advance: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetreatPreference:
    """Standing order: hexes a unit retreats to, in order of preference (Y-78)."""

    unit: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RetreatAll:
    """Standing order: sides by which any unit retreats (Y-78)."""

    sides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WhenHit:
    """Standing order: units a commander leaves for when its unit is hit (Y-79).

    If *to* is empty, the commander stays.
    """

    unit: str
    to: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Losses:
    """Standing order: units to give up in an exchange (Y-80)."""

    units: tuple[str, ...]


Standing = RetreatPreference | RetreatAll | WhenHit | Losses
FireOrder = RedoubtOrder | Fire | FrigateOrder
MoveOrder = (
    FrigateOrder
    | BoardingOrder
    | LandingOrder
    | MarchOrder
    | Enter
    | HoldOrder
    | JoinOrder
    | Stay
    | Attack
)
Order = PlacementOrder | FireOrder | MoveOrder | Standing


def order_text(order: Order) -> str:
    """Return an order as a line that can be sent.

    >>> order_text(MarchOrder("INF 3", ("1204", "1305"), face=1))
    'INF 3: 1204-1305 face NE'
    >>> order_text(FrigateOrder("FRIG 1", ("F", "F", "L", "fire 1713", "F", "beach")))
    'FRIG 1: F2 L fire 1713 F1 beach'
    >>> order_text(Attack(("1511",), ("INF 3", "INF 4"), ("INF 3",)))
    'attack 1511 with INF 3, INF 4 advance INF 3'
    """
    match order:
        case PlacementOrder(unit, at, bow, face):
            return f"{unit} at {at}{f' {bow}' if bow else ''}{_facing(face)}"
        case RedoubtOrder(unit):
            return f"{unit} builds redoubt"
        case Fire(unit, at, target):
            return f"{unit} fires at {at}{f' {target}' if target else ''}"
        case FrigateOrder(unit, does):
            return f"{unit}: {' '.join(_sailing(does))}"
        case BoardingOrder(unit, ship):
            return f"{unit} boards {ship}"
        case LandingOrder(unit, at, face):
            return f"{unit} lands {at}{_facing(face)}"
        case Enter(unit, path, face):
            return f"{unit} enters {'-'.join(path)}{_facing(face)}"
        case MarchOrder():
            return _march_text(order)
        case HoldOrder(unit):
            return f"{unit} holds"
        case JoinOrder(unit, other):
            return f"{unit} with {other}"
        case Stay(unit):
            return f"{unit} stays"
        case Attack(at, units, advance):
            follow = f" advance {', '.join(advance)}" if advance else ""
            return f"attack {' '.join(at)} with {', '.join(units)}{follow}"
        case RetreatPreference() | RetreatAll() | WhenHit() | Losses():
            return _standing_text(order)
    assert_never(order)


def _march_text(order: MarchOrder) -> str:
    path = f": {'-'.join(order.path)}" if order.path else ""
    leaves = f" exit {order.leaves}" if order.leaves else ""
    return f"{order.unit}{path}{leaves}{_facing(order.face)}"


def _standing_text(order: Standing) -> str:
    match order:
        case RetreatPreference(unit, to):
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
    """Return a frigate's steps, with consecutive steps ahead added up."""
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
    """Return the order id of an order's unit, or an empty string for several units."""
    match order:
        case Attack() | RetreatAll() | Losses():
            return ""
    return order.unit


def is_void(order: Standing) -> bool:
    """Return whether a standing order only cancels an earlier one."""
    match order:
        case RetreatPreference(_, to):
            return not to
        case RetreatAll(sides):
            return not sides
        case Losses(units):
            return not units
    return False


def void_of(order: Standing) -> Standing:
    """Return the standing order that cancels one."""
    match order:
        case RetreatPreference(unit):
            return RetreatPreference(unit, ())
        case RetreatAll():
            return RetreatAll(())
        case WhenHit(unit):
            return WhenHit(unit)
    return Losses(())


def replaces(order: Standing, other: Standing) -> bool:
    """Return whether a standing order replaces another one (Y-77)."""
    return type(order) is type(other) and unit_of(order) == unit_of(other)
