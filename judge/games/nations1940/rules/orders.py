"""Orders of Nations 1940 as frozen values, as text, and as JSON (N-153).

A count of 0 means ALL. Texts are the long forms, with the number and the name of every province,
and can be sent back unchanged.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from judge.games.nations1940.scenario import Node, Scenario, format_node

Item = int | str
"""Item of a trade: a province by its number, a technology by its name."""


@dataclass(frozen=True, slots=True)
class ArmyMove:
    """A march, with every province named.

    A ferry leg is step number `leg` (from 1), over `seas`. Without a ferry `leg` is 0.
    """

    count: int
    path: tuple[int, ...]
    seas: tuple[str, ...] = ()
    leg: int = 0
    hq: bool = False
    """True if a Mobile HQ moves."""


@dataclass(frozen=True, slots=True)
class Rail:
    """A rail move, with every province on its route."""

    count: int
    path: tuple[int, ...]
    hq: bool = False


@dataclass(frozen=True, slots=True)
class ArmyHold:
    """An order without effect, for the reader of the sheet."""

    province: int


@dataclass(frozen=True, slots=True)
class Sail:
    """A move of fleets."""

    count: int
    path: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Escort:
    """Fleets lent to a partner's army for one sea region of its ferry."""

    count: int
    sea: str
    start: int
    goal: int
    nation: str


@dataclass(frozen=True, slots=True)
class Bomb:
    """A Bombing Action. Without a kind of improvement one is drawn by the dice."""

    target: int
    base: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class AtomicBomb:
    """An atomic bomb."""

    target: int
    base: int


@dataclass(frozen=True, slots=True)
class Missile:
    """Nuclear missiles."""

    count: int
    target: int


@dataclass(frozen=True, slots=True)
class ImprovementBuild:
    """An improvement to build."""

    kind: str
    province: int


@dataclass(frozen=True, slots=True)
class Dismantle:
    """An improvement to dismantle."""

    kind: str
    province: int


@dataclass(frozen=True, slots=True)
class Form:
    """A Mobile HQ from an army."""

    province: int


@dataclass(frozen=True, slots=True)
class Commission:
    """A fleet from an army, at a Port."""

    province: int


@dataclass(frozen=True, slots=True)
class Scuttle:
    """Docked fleets to give up."""

    count: int
    province: int


@dataclass(frozen=True, slots=True)
class ArmyDisband:
    """Armies to give up."""

    count: int
    province: int


@dataclass(frozen=True, slots=True)
class Research:
    """The new queue of projects."""

    techs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spawn:
    """Provinces where armies appear first, after the capital.

    An empty list ends the standing order.
    """

    provinces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shed:
    """Provinces where armies above the limit are removed first.

    An empty list ends the standing order.
    """

    provinces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class War:
    """A declaration of war."""

    nation: str


@dataclass(frozen=True, slots=True)
class Treaty:
    """An announcement of a treaty, or of peace."""

    kind: str
    nation: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The withdrawal of an open announcement or of a deal."""

    kind: str
    nation: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """The end of a treaty."""

    kind: str
    nation: str


@dataclass(frozen=True, slots=True)
class Give:
    """A gift."""

    items: tuple[Item, ...]
    nation: str


@dataclass(frozen=True, slots=True)
class Trade:
    """One side's terms of a trade (DEAL)."""

    nation: str
    gives: tuple[Item, ...]
    wants: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Deploy:
    """Armies moved to another province on Turn 0."""

    count: int
    start: int
    goal: int


@dataclass(frozen=True, slots=True)
class Govern:
    """The government chosen on Turn 0."""

    government: str


@dataclass(frozen=True, slots=True)
class Traits:
    """The traits chosen on Turn 0."""

    names: tuple[str, ...]


Order = (
    ArmyMove | Rail | ArmyHold | Sail | Escort | Bomb | AtomicBomb | Missile | ImprovementBuild
    | Dismantle | Form | Commission | Scuttle | ArmyDisband | Research | Spawn | Shed | War
    | Treaty | Withdraw | Cancel | Give | Trade | Deploy | Govern | Traits
)  # fmt: skip

_OLDER_TAGS = {
    "ArmyMove": "Move", "ArmyHold": "Hold", "AtomicBomb": "Atom", "ImprovementBuild": "Build",
    "ArmyDisband": "Disband",
}
"""Tags of stored orders that differ from the names of their classes."""


def tag_of(kind: type) -> str:
    """Return the tag of a kind of order in stored sheets and records."""
    return _OLDER_TAGS.get(kind.__name__, kind.__name__)


_KINDS: Mapping[str, type] = {tag_of(kind): kind for kind in Order.__args__}


def dump_order(order: Order) -> list[Any]:
    """Return an order as a JSON value.

    >>> dump_order(ImprovementBuild("ACA", 20))
    ['Build', 'ACA', 20]
    """
    values = [getattr(order, each.name) for each in fields(order)]
    return [tag_of(type(order)), *values]


def load_order(told: list[Any]) -> Order:
    """Return the order of a JSON value.

    >>> load_order(["Sail", 2, [65, "S13"]])
    Sail(count=2, path=(65, 'S13'))
    """
    kind, *values = told
    found: Order = _KINDS[kind](*(tuple(v) if isinstance(v, list) else v for v in values))
    return found


def format_place(place: Node, world: Scenario) -> str:
    """Return a place with its number and its name.

    >>> from judge.games.nations1940.scenario import scenario
    >>> format_place(20, scenario("nations1940")), format_place("S16", scenario("nations1940"))
    ('#20 Kiev', 'S16 Ionian Sea')
    """
    return f"{format_node(place)} {world.name(place)}"


def _path(path: tuple[Node, ...], world: Scenario) -> str:
    return " -> ".join(format_place(place, world) for place in path)


def _ferry(order: ArmyMove, world: Scenario) -> str:
    steps = [format_place(order.path[0], world)]
    for at, place in enumerate(order.path[1:], 1):
        via = f" VIA {', '.join(order.seas)}" if at == order.leg else ""
        steps.append(format_place(place, world) + via)
    return " -> ".join(steps)


def _items(items: tuple[Item, ...], world: Scenario) -> str:
    return ", ".join(
        format_place(one, world) if isinstance(one, int) else f'"{one}"' for one in items
    )


def _list(provinces: tuple[int, ...], world: Scenario) -> str:
    return ", ".join(format_place(one, world) for one in provinces)


def order_text(order: Order, world: Scenario) -> str:
    """Return an order in its long form.

    >>> from judge.games.nations1940.scenario import scenario
    >>> order_text(ArmyMove(1, (65, 33), ("S16",), 1), scenario("nations1940"))
    'MOVE 1 #65 Sicily -> #33 Athens VIA S16'
    """
    match order:
        case ArmyMove(count, hq=hq):
            return f"MOVE {'HQ' if hq else count or 'ALL'} {_ferry(order, world)}"
        case Rail(count, path, hq):
            return f"RAIL {'HQ' if hq else count or 'ALL'} {_path(path, world)}"
        case Sail(count, path):
            return f"FLEET {count or 'ALL'} {_path(path, world)}"
        case Escort(count, sea, start, goal, nation):
            way = f"{format_place(start, world)} -> {format_place(goal, world)}"
            return f"ESCORT {count or 'ALL'} {sea} {way} FOR {nation}"
        case ArmyHold(province) | Form(province) | Commission(province):
            return f"{_VERBS[type(order)]} {format_place(province, world)}"
        case Scuttle(count, province) | ArmyDisband(count, province) | Missile(count, province):
            return f"{_VERBS[type(order)]} {count or 'ALL'} {format_place(province, world)}"
        case Bomb(target, base, kind):
            told = f"BOMB {format_place(target, world)} FROM {format_place(base, world)}"
            return f"{told} {kind}".rstrip()
        case AtomicBomb(target, base):
            return f"ATOM {format_place(target, world)} FROM {format_place(base, world)}"
        case ImprovementBuild(kind, province) | Dismantle(kind, province):
            return f"{_VERBS[type(order)]} {kind} {format_place(province, world)}"
        case Deploy(count, start, goal):
            return f"DEPLOY {count or 'ALL'} {_path((start, goal), world)}"
        case _:
            return _word_of_state(order, world)


def _word_of_state(order: Order, world: Scenario) -> str:
    """Return the text of an order that moves nothing."""
    match order:
        case Research(techs):
            return "RESEARCH " + ", ".join(f'"{tech}"' for tech in techs)
        case Traits(names):
            return "TRAITS " + ", ".join(f'"{name}"' for name in names)
        case Spawn(provinces) | Shed(provinces):
            return f"{_VERBS[type(order)]} {_list(provinces, world) or 'NONE'}"
        case War(nation):
            return f"WAR {nation}"
        case Treaty(kind, nation) | Withdraw(kind, nation) | Cancel(kind, nation):
            return f"{_VERBS[type(order)]} {kind} {nation}"
        case Give(items, nation):
            return f"GIVE {_items(items, world)} TO {nation}"
        case Trade(nation, gives, wants):
            return f"DEAL {nation} GIVE {_items(gives, world)} FOR {_items(wants, world)}"
        case Govern(government):
            return f"GOVERNMENT {government}"
    raise AssertionError(order)


_VERBS: Mapping[type, str] = {
    ArmyHold: "HOLD",
    Form: "FORM HQ",
    Commission: "COMMISSION",
    Scuttle: "SCUTTLE",
    ArmyDisband: "DISBAND",
    Missile: "MISSILE",
    ImprovementBuild: "BUILD",
    Dismantle: "DISMANTLE",
    Spawn: "SPAWN",
    Shed: "SHED",
    Treaty: "TREATY",
    Withdraw: "WITHDRAW",
    Cancel: "CANCEL",
}
