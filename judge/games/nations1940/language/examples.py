"""Examples of orders that a nation can give in a position, by verb."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from judge.games.nations1940.rules import orders, possible
from judge.games.nations1940.rules.legality import check_orders
from judge.games.nations1940.rules.orders import Item, Order, order_text
from judge.games.nations1940.rules.strikes import may_hit
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import in_order

_MAX_TRIED = 500
"""Maximum number of orders of a verb that are searched for an example."""
_MAX_SHOWN = 12
_MAX_LIKE = 4
_COUNTED = (
    orders.ArmyMove, orders.Rail, orders.Sail, orders.Escort, orders.ArmyDisband, orders.Scuttle,
)  # fmt: skip
_BETWEEN_NATIONS = ("give", "deal", "war", "treaty", "cancel", "withdraw")


class Wanted(NamedTuple):
    """Names that an example must have, as orders print them."""

    places: Collection[str] = ()
    nations: Collection[str] = ()
    kinds: Collection[str] = ()
    """Improvements and treaties."""
    start: str = ""
    """Place to leave, empty unless the text names exactly one."""
    counts: Sequence[int] = ()
    """Numbers of units."""


def examples_of(world: World, nation: str, verb: str, wanted: Wanted | None = None) -> list[str]:
    """Return orders with a verb that a nation can give now, the plainest first.

    Without *wanted*, any order of the verb is an example, but verbs between nations have none.
    Otherwise each example has the places, nations, kinds and number of *wanted*, and no other
    place. The result is empty if *wanted* has no names, or several numbers.
    """
    found, is_between = _find_orders(world, nation, verb), verb in _BETWEEN_NATIONS
    if wanted is None:
        shown = islice(found, 0 if is_between else _MAX_SHOWN)
        return [order_text(order, world.board) for order in shown]
    names = {*wanted.places, *wanted.nations, *wanted.kinds}
    is_named = wanted.nations and (verb != "treaty" or wanted.kinds)
    if not names or len({*wanted.counts}) > 1 or is_between and not is_named:
        return []
    texts = (order_text(order, world.board) for order in _with_count(found, wanted.counts))
    return list(islice((text for text in texts if _fits(text, names, wanted)), _MAX_SHOWN))


def _find_orders(world: World, nation: str, verb: str) -> Iterator[Order]:
    """Yield the orders with a verb that are searched for an example."""
    make = _EXAMPLES.get(verb)
    return islice(make(world, nation), _MAX_TRIED) if make else iter(())


def likes_of(world: World, nation: str, verb: str, wanted: Wanted | None) -> list[str]:
    """Return orders with a verb, the most similar to *wanted* first.

    Verbs between nations have none.
    """
    if verb in _BETWEEN_NATIONS:
        return []
    found = list(_find_orders(world, nation, verb))
    if wanted is None:
        return [order_text(order, world.board) for order in found[:_MAX_LIKE]]
    names, kinds = {*wanted.places, *wanted.kinds}, {*wanted.kinds}
    same = list(_with_count(found, wanted.counts[:1])) or found
    texts = [order_text(order, world.board) for order in same]
    start = wanted.start or next(iter(wanted.places), "")

    def unlikeness(text: str) -> tuple[int, bool]:
        codes = re.findall(r"#?\w+", text)
        first = next((code for code in codes if re.fullmatch(r"#[0-9]+|S[0-9]+", code)), "")
        return -len(names & {*codes}), first != start

    texts = [text for text in texts if not kinds or kinds & {*text.split()}]
    return sorted(texts, key=unlikeness)[:_MAX_LIKE]


def _with_count(found: Iterable[Order], counts: Sequence[int]) -> Iterator[Order]:
    """Yield orders with the highest wanted number of units. Skip those with fewer.

    Orders without a number are not changed.
    """
    least = max(counts, default=0)
    for order in found:
        if not least or not isinstance(order, _COUNTED):
            yield order
        elif least <= order.count:
            yield replace(order, count=least)


def _fits(text: str, names: Collection[str], wanted: Wanted) -> bool:
    """Return whether an order has all *names* and no place that is not wanted.

    Its first place is the wanted start. Without one, the places have the wanted sequence.
    """
    if not {*names} <= {*re.findall(r"#?\w+", text)}:
        return False
    ways = re.findall(r"#[0-9]+|\bS[0-9]+", re.sub(r" VIA [^>]*", " ", text))
    if not {*ways} <= {*wanted.places}:
        return False
    return ways[:1] == [wanted.start] if wanted.start else ways == list(wanted.places)


def examples_of_rest(world: World, nation: str) -> Iterator[Order]:
    """Yield a legal order of each kind that OPTIONS does not list in full."""
    for verb in _REST:
        found = _find_orders(world, nation, verb)
        legal = (one for one in found if not check_orders(world, nation, [one])[0].fault)
        yield from islice(legal, 1)


def _with(world: World, nation: str, what: str) -> list[int]:
    """Return own provinces where a nation has armies, fleets or Mobile HQs."""
    return [n for n in world.list_owned(nation) if getattr(world.provinces[n], what).get(nation)]


def _moves_of_hqs(world: World, nation: str) -> Iterator[Order]:
    for n in _with(world, nation, "mobile_hq"):
        for goal in sorted(world.board.roads.get(n, ())):
            if world.is_friendly(nation, goal):
                yield orders.ArmyMove(1, (n, goal), hq=True)


def _form(world: World, nation: str) -> Iterator[Order]:
    if world.strength(nation, "mobile_hq"):
        yield orders.Form(world.nations[nation].capital)


def _research(world: World, nation: str) -> Iterator[Order]:
    queue = world.nations[nation].queue
    for tech in possible.researchable(world, nation):
        if tech.name not in queue:
            yield orders.Research((*queue, tech.name))


def _of_kind(kind: type[Order]) -> Callable[[World, str], Iterator[Order]]:
    def make(world: World, nation: str) -> Iterator[Order]:
        yield from (one for one in possible.diplomacy(world, nation) if isinstance(one, kind))

    return make


def _spawn(world: World, nation: str) -> Iterator[Order]:
    """Yield lists of one province, those with a Military HQ first."""
    found = _provinces(world, nation)
    found.sort(key=lambda n: "HQ" not in world.provinces[n].improvements)
    yield from (orders.Spawn((n,)) for n in found)


def _provinces(world: World, nation: str) -> list[int]:
    """Return the own provinces of a nation except its capital."""
    capital = world.nations[nation].capital
    return [n for n in world.list_owned(nation) if n != capital]


def _escort(world: World, nation: str) -> Iterator[Order]:
    """Yield ferries of partners that fleets of the nation could carry."""
    for partner in world.alive:
        if partner == nation or not world.is_allied(nation, partner):
            continue
        for sea, fleets in world.seas.items():
            coasts = [n for n in sorted(world.board.waters[sea], key=in_order)
                      if isinstance(n, int)]
            starts = [n for n in coasts if world.provinces[n].owner == partner]
            if fleets.get(nation):
                yield from (
                    orders.Escort(1, sea, start, goal, partner)
                    for start in starts for goal in coasts if goal != start
                )


def _atom(world: World, nation: str) -> Iterator[Order]:
    if world.strength(nation, "atomic_bombs"):
        for bomb in possible.bombings(world, nation):
            yield orders.AtomicBomb(bomb.target, bomb.base)


def _missile(world: World, nation: str) -> Iterator[Order]:
    if any("SIL" in world.provinces[n].improvements for n in world.list_owned(nation)):
        hit = (n for n in world.provinces if may_hit(world, nation, n, is_nuclear=True))
        yield from (orders.Missile(1, n) for n in hit)


def _others(world: World, nation: str) -> list[str]:
    return [
        other for other in world.alive if other != nation and not world.is_at_war(nation, other)
    ]


def _give(world: World, nation: str) -> Iterator[Order]:
    """Yield gifts of a technology, which costs nothing, before gifts of land."""
    techs, lands = sorted(world.nations[nation].techs), _provinces(world, nation)
    items: tuple[Item, ...] = (*techs[:1], *lands[:1])
    for item in items:
        yield from (orders.Give((item,), other) for other in _others(world, nation))


def _deal(world: World, nation: str) -> Iterator[Order]:
    land = _provinces(world, nation)[:1]
    for other in _others(world, nation) if land else ():
        if theirs := _provinces(world, other)[:1]:
            yield orders.Trade(other, tuple(land), tuple(theirs))


_EXAMPLES: Mapping[str, Callable[[World, str], Iterator[Order]]] = {
    "move": possible.moves,
    "move_hq": _moves_of_hqs,
    "rail": possible.rails,
    "fleet": possible.sailings,
    "hold": lambda world, nation: (orders.ArmyHold(n) for n in _with(world, nation, "armies")),
    "build": possible.builds,
    "dismantle": possible.dismantlings,
    "commission": possible.commissions,
    "bomb": possible.bombings,
    "form": _form,
    "scuttle": lambda world, nation: (orders.Scuttle(1, n) for n in _with(world, nation, "fleets")),
    "disband": lambda world, nation: (
        orders.ArmyDisband(1, n) for n in _with(world, nation, "armies")
    ),
    "research": _research,
    "spawn": _spawn,
    "shed": lambda world, nation: (orders.Shed((n,)) for n in _provinces(world, nation)),
    "war": _of_kind(orders.War),
    "treaty": _of_kind(orders.Treaty),
    "give": _give,
    "deal": _deal,
    "escort": _escort,
    "atom": _atom,
    "missile": _missile,
}
"""Verb → its orders, the plainest first."""
_REST = (
    "hold", "disband", "form", "dismantle", "scuttle", "escort", "atom", "missile", "spawn", "shed",
    "give", "deal",
)  # fmt: skip
"""Verbs of orders that OPTIONS shows by one example."""
