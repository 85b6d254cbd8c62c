"""Facts of a receipt: orders on file, warnings, beginnings of lines."""

from collections.abc import Iterator, Sequence

from judge.games.letter_facts import Draft, LetterPiece, SheetFacts
from judge.games.nations1940.rules.limits import improvement_limit, max_army, research_points
from judge.games.nations1940.rules.orders import (
    ArmyDisband,
    ArmyMove,
    Commission,
    Dismantle,
    Form,
    ImprovementBuild,
    Order,
    Rail,
    Research,
    Shed,
    Spawn,
    format_place,
    order_text,
)
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.views.naming import title_of
from judge.model.phrase import Phrase, phrase


def sheet_facts(
    world: World,
    nation: str,
    power: str,
    orders: Sequence[Order],
    faults: Sequence[Phrase],
    *,
    is_sent: bool,
) -> SheetFacts:
    """Return the facts of a nation's sheet, with its standing orders (N-156, N-162).

    *faults* are those of orders that have become illegal. A sheet that *is_sent* may be empty.
    """
    now = world.nations[nation]
    lines = tuple(order_text(order, world.board) for order in orders)
    draft = [Draft(line) for line in lines]
    given = {type(order) for order in orders}
    standing = tuple(_standing(
        world, () if Research in given else now.queue, () if Spawn in given else now.spawn_order,
        () if Shed in given else now.shed_order,
    ))
    return SheetFacts(
        power=power,
        title=title_of("title-sheet", world.turn),
        lines=lines or ((phrase("sheet-empty"),) if is_sent else ()),
        missing=() if is_sent else (phrase("owes-orders"),),
        draft=tuple(draft or [Draft(line, open=True) for line in _beginnings(world, nation)]),
        clock="turn",
        warnings=tuple(warnings(world, nation, orders)),
        impossible=tuple(faults),
        default=phrase("without-orders"),
        pieces=(LetterPiece("persist", standing, "own"),) if standing else (),
        is_open_ended=True,
    )


def _standing(
    world: World, queue: Sequence[str], spawn: Sequence[int], shed: Sequence[int]
) -> Iterator[str]:
    """Yield the standing orders, in force until they are changed (N-151).

    The arguments are empty for those that an order on file replaces.
    """
    if queue:
        yield "RESEARCH " + ", ".join(f'"{tech}"' for tech in queue)
    for verb, provinces in (("SPAWN", spawn), ("SHED", shed)):
        if provinces:
            yield f"{verb} " + ", ".join(format_place(n, world.board) for n in provinces)


def _beginnings(world: World, nation: str) -> Iterator[str]:
    """Yield beginnings of lines: one for each place with armies, and usual others."""
    if world.turn:
        for n, province in sorted(world.provinces.items()):
            if count := province.armies.get(nation, 0):
                yield f"MOVE {count} {format_place(n, world.board)} ->"
        yield "BUILD"
    if not world.nations[nation].queue:
        yield "RESEARCH"
    yield "TREATY NAP"


def warnings(world: World, nation: str, orders: Sequence[Order]) -> Iterator[Phrase]:
    """Yield warnings about a nation's orders taken together (N-157, codes W-)."""
    if not world.turn:
        return
    if empty := tuple(_left_empty(world, nation, orders)):
        capital = world.nations[nation].capital
        if capital in empty:
            yield phrase("w-capital", place=format_place(capital, world.board))
        others = tuple(format_place(n, world.board) for n in empty if n != capital)
        if others:
            yield phrase("w-empty", places=others)
    limit = improvement_limit(world, nation)
    used = sum(isinstance(order, ImprovementBuild | Dismantle) for order in orders)
    if orders and used < limit:
        yield phrase("w-pi", used=used, limit=limit)
    queue = next((order.techs for order in orders if isinstance(order, Research)), None)
    if queue is None:
        queue = world.nations[nation].queue
    if _runs_out(world, nation, queue):
        yield phrase("w-queue")
    armies, most = world.armies_of(nation), max_army(world, nation)
    if armies > most:
        yield phrase("w-over", armies=armies, most=most)


def _left_empty(world: World, nation: str, orders: Sequence[Order]) -> Iterator[int]:
    """Yield own provinces that have armies now and will have none."""
    gone: dict[int, int] = {}
    for order in orders:
        match order:
            case ArmyMove(count, path, hq=False) | Rail(count, path, False) if path[0] != path[-1]:
                gone[path[0]] = gone.get(path[0], 0) + count
                gone[path[-1]] = gone.get(path[-1], 0) - count
            case Form(n) | Commission(n):
                gone[n] = gone.get(n, 0) + 1
            case ArmyDisband(count, n):
                gone[n] = gone.get(n, 0) + (count or world.armies_of(nation))
            case ImprovementBuild("HQ", n):
                gone[n] = gone.get(n, 0) + 2
    for n in world.list_owned(nation):
        there = world.provinces[n].armies.get(nation, 0)
        if there and there - gone.get(n, 0) <= 0:
            yield n


def _runs_out(world: World, nation: str, queue: Sequence[str]) -> bool:
    """Return whether the queue is empty or will be after this turn (N-89)."""
    if len(queue) > 1:
        return False
    now = world.nations[nation]
    if not queue:
        return len(now.techs) < len(world.board.techs)
    left = world.board.techs[queue[0]].cost - now.progress.get(queue[0], 0)
    return left <= research_points(world, nation)
