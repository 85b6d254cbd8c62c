"""Random positions and orders, spelled in many ways and mistyped."""

from collections.abc import Iterator
from random import Random

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Position, parse_phase
from judge.games.diplomacy.rules.legality import explain_illegality_here
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Convoy, Hold, Move, Order, Support
from judge.games.diplomacy.rules.ruleset import Rules

ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def random_position(board: Map, rng: Random, units: int) -> Position:
    """Return a position with units of all powers on random legal places."""
    open_provinces = [p for p in board.provinces.values() if board.near[p.abbr]]
    found: dict[str, list[Unit]] = {power.name: [] for power in board.powers}
    for province in rng.sample(open_provinces, units):
        kinds = []
        if province.terrain.takes_armies:
            kinds.append(Unit(UnitKind.ARMY, province.abbr))
        if province.terrain.takes_fleets:
            kinds.append(Unit(UnitKind.FLEET, rng.choice(board.fleet_places(province.abbr))))
        found[rng.choice(board.powers).name].append(rng.choice(kinds))
    standing = {power: tuple(units) for power, units in found.items() if units}
    return Position(parse_phase("S1901M"), standing, {})


def possible_orders(board: Map, position: Position, power: str, rng: Random) -> Iterator[Order]:
    """Yield some of the legal orders of each unit."""
    everybody = [unit for units in position.units.values() for unit in units]
    context = OrderContext(board, position, power, Rules())
    fleets = board.sea_bits(u.province for u in everybody if u.kind is UnitKind.FLEET)
    for unit in position.units.get(power, ()):
        options: list[Order] = [Hold(unit)]
        options += [Move(unit, goal) for goal in goals_of(board, unit)]
        options += [
            Move(unit, goal, via=True)
            for goal in board.walk
            if unit.kind is UnitKind.ARMY
            and goal not in board.walk[unit.province]
            and board.joins(unit.province, goal, fleets)
        ]
        # Unreachable supports and convoys are skipped before the legality check, which would take
        # most of the time: no unit supports beyond its reach, and only fleets at sea convoy armies,
        # from coast to coast.
        at_sea = unit.kind is UnitKind.FLEET and board.may_convoy(unit.province)
        near = {goal.partition("/")[0] for goal in goals_of(board, unit)}
        for helped in everybody:
            carries = at_sea and helped.kind is UnitKind.ARMY and helped.province in board.coastal
            options += [Support(unit, helped)] if helped.province in near else []
            for goal in sorted({goal.partition("/")[0] for goal in goals_of(board, helped)}):
                options += [Support(unit, helped, goal)] if goal in near else []
                options += [Convoy(unit, helped, goal)] if carries and goal in board.coastal else []
        able = [o for o in options if not explain_illegality_here(o, power, context)]
        yield from rng.sample(able, min(3, len(able)))


def goals_of(board: Map, unit: Unit) -> list[str]:
    """Return the places that a unit reaches by itself, sorted."""
    if unit.kind is UnitKind.ARMY:
        return sorted(board.walk[unit.province])
    return sorted(place for goals in board.sail[unit.place].values() for place in goals)


def spell(order: Order, board: Map, rng: Random) -> str:
    """Write an order in one of the spellings that players use."""
    arrow = rng.choice([" - ", "-", " -> ", " to ", " moves to "])
    match order:
        case Hold(unit):
            return _unit(unit, board, rng) + rng.choice([" H", " holds", " hold", "-Holds"])
        case Move(unit, to, via, _):
            by_sea = rng.choice(["", " via convoy"]) if via else ""
            return _unit(unit, board, rng) + arrow + _place(to, board, rng) + by_sea
        case Support(unit, helped, to):
            verb = rng.choice([" S ", " s ", " supports "])
            goal = arrow + _place(to, board, rng) if to else ""
            return _unit(unit, board, rng) + verb + _unit(helped, board, rng) + goal
        case Convoy(unit, army, to):
            verb = rng.choice([" C ", " c ", " convoys "])
            carried = _unit(army, board, rng) + arrow + _place(to, board, rng)
            return _unit(unit, board, rng) + verb + carried
    raise ValueError(order)


def _unit(unit: Unit, board: Map, rng: Random) -> str:
    kind = unit.kind.value
    types = ["", f"{kind} ", f"{kind} ", f"{kind} ", f"{kind.lower()} ", f"{unit.kind.title} "]
    return rng.choice(types) + _place(unit.place, board, rng)


def _place(place: str, board: Map, rng: Random) -> str:
    abbr, slash, coast = place.partition("/")
    province = board.provinces[abbr]
    names = [abbr, abbr.lower(), abbr.upper(), province.name, province.name.lower()]
    return rng.choice([*names, *province.aliases]) + slash + coast


def mistype(text: str, rng: Random, slips: int) -> str:
    """Return *text* with random typing errors.

    An error is a neighbouring or random key, a lost, doubled or swapped letter, or a lost hyphen or
    blank.
    """
    for _ in range(slips):
        at = rng.randrange(len(text))
        char = text[at]
        if char in " -":
            text = text[:at] + text[at + 1 :]
            continue
        match rng.randrange(5):
            case 0:
                text = text[:at] + _neighbour(char, rng) + text[at + 1 :]
            case 1:
                text = text[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + text[at + 1 :]
            case 2:
                text = text[:at] + text[at + 1 :]
            case 3:
                text = text[:at] + char + text[at:]
            case _:
                text = text[:at] + text[at + 1 : at + 2] + char + text[at + 2 :]
    return text


def _neighbour(char: str, rng: Random) -> str:
    for row in ROWS:
        at = row.find(char.lower())
        if at >= 0:
            return rng.choice([row[i] for i in (at - 1, at + 1) if 0 <= i < len(row)])
    return char


def mistyped_lines(
    board: Map, rng: Random, count: int
) -> Iterator[tuple[Position, str, Order, str]]:
    """Yield the position, the power, the intended order and the mistyped line."""
    given = 0
    sizes = (18, 27)
    while given < count:
        position = random_position(board, rng, rng.choice(sizes))
        for power in sorted(position.units):
            for order in possible_orders(board, position, power, rng):
                if given == count:
                    return
                given += 1
                slips = rng.choices([1, 2, 3], [75, 20, 5])[0]
                yield position, power, order, mistype(spell(order, board, rng), rng, slips)
