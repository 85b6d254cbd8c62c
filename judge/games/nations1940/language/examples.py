"""Examples of orders that a nation can give in a position, by verb."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from judge.games.nations1940.rules import possible
from judge.games.nations1940.rules.legality import check_orders
from judge.games.nations1940.rules.orders import (
    ArmyDisband,
    ArmyHold,
    ArmyMove,
    AtomicBomb,
    Escort,
    Form,
    Give,
    Missile,
    Order,
    Rail,
    Research,
    Sail,
    Scuttle,
    Shed,
    Spawn,
    Trade,
    Treaty,
    War,
    order_text,
)
from judge.games.nations1940.rules.strikes import may_hit
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import in_order

_MAX_TRIED = 500
"""Maximum number of orders of a verb that are searched for an example."""
_MAX_SHOWN = 12
_MAX_LIKE = 4
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


def examples_of(
    world: World, nation: str, verb: str, wanted: Wanted | None = None
) -> list[str]:
    """Return orders with a verb that a nation can give now, the plainest first.

    Without *wanted*, any order of the verb is an example, but verbs between nations have none.
    Otherwise each example has the places, nations, kinds and number of *wanted*, and no other
    place. The result is empty if *wanted* has no names, or several numbers.
    """
    make = _EXAMPLES.get(verb)
    if make is None:
        return []
    orders = islice(make(world, nation), _MAX_TRIED)
    if wanted is None and verb in _BETWEEN_NATIONS:
        return []
    if wanted is None:
        return [order_text(order, world.board) for order in islice(orders, _MAX_SHOWN)]
    names = {*wanted.places, *wanted.nations, *wanted.kinds}
    if not names or len({*wanted.counts}) > 1:
        return []
    if verb in _BETWEEN_NATIONS and (not wanted.nations or verb == "treaty" and not wanted.kinds):
        return []
    texts = (order_text(order, world.board) for order in _with_count(orders, wanted.counts))
    return list(islice((text for text in texts if _fits(text, names, wanted)), _MAX_SHOWN))


def likes_of(world: World, nation: str, verb: str, wanted: Wanted | None) -> list[str]:
    """Return orders with a verb, the most similar to *wanted* first.

    Verbs between nations have none.
    """
    make = _EXAMPLES.get(verb)
    if make is None or verb in _BETWEEN_NATIONS:
        return []
    orders = list(islice(make(world, nation), _MAX_TRIED))
    if wanted is None:
        return [order_text(order, world.board) for order in orders[:_MAX_LIKE]]
    names, kinds = {*wanted.places, *wanted.kinds}, {*wanted.kinds}
    same = list(_with_count(orders, wanted.counts[:1])) or orders
    texts = [order_text(order, world.board) for order in same]
    start = wanted.start or next(iter(wanted.places), "")

    def unlikeness(text: str) -> tuple[int, bool]:
        codes = re.findall(r"#?\w+", text)
        first = next((code for code in codes if re.fullmatch(r"#[0-9]+|S[0-9]+", code)), "")
        return -len(names & {*codes}), first != start

    texts = [text for text in texts if not kinds or kinds & {*text.split()}]
    return sorted(texts, key=unlikeness)[:_MAX_LIKE]


def _with_count(orders: Iterable[Order], counts: Sequence[int]) -> Iterator[Order]:
    """Yield orders with the highest wanted number of units. Skip those with fewer.

    Orders without a number are not changed.
    """
    least = max(counts, default=0)
    for order in orders:
        match order:
            case ArmyMove() | Rail() | Sail() | Escort() | ArmyDisband() | Scuttle() if least:
                if least <= order.count:
                    yield replace(order, count=least)
            case _:
                yield order


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
        found = islice(_EXAMPLES[verb](world, nation), _MAX_TRIED)
        legal = (one for one in found if not check_orders(world, nation, [one])[0].fault)
        yield from islice(legal, 1)


def _hold(world: World, nation: str) -> Iterator[Order]:
    yield from (ArmyHold(n) for n in _with(world, nation, "armies"))


def _with(world: World, nation: str, what: str) -> list[int]:
    """Return own provinces where a nation has armies, fleets or Mobile HQs."""
    return [n for n in world.list_owned(nation) if getattr(world.provinces[n], what).get(nation)]


def _moves_of_hqs(world: World, nation: str) -> Iterator[Order]:
    for n in _with(world, nation, "mobile_hq"):
        near = (goal for goal in sorted(world.board.roads.get(n, ())))
        yield from (
            ArmyMove(1, (n, goal), hq=True) for goal in near if world.is_friendly(nation, goal)
        )


def _form(world: World, nation: str) -> Iterator[Order]:
    if world.strength(nation, "mobile_hq"):
        yield Form(world.nations[nation].capital)


def _research(world: World, nation: str) -> Iterator[Order]:
    queue = world.nations[nation].queue
    for tech in possible.researchable(world, nation):
        if tech.name not in queue:
            yield Research((*queue, tech.name))


def _of_kind(kind: type[Order]) -> Callable[[World, str], Iterator[Order]]:
    def make(world: World, nation: str) -> Iterator[Order]:
        yield from (one for one in possible.diplomacy(world, nation) if isinstance(one, kind))

    return make


def _spawn(world: World, nation: str) -> Iterator[Order]:
    """Yield lists of one province, those with a Military HQ first."""
    capital = world.nations[nation].capital
    found = [n for n in world.list_owned(nation) if n != capital]
    found.sort(key=lambda n: "HQ" not in world.provinces[n].improvements)
    yield from (Spawn((n,)) for n in found)


def _shed(world: World, nation: str) -> Iterator[Order]:
    capital = world.nations[nation].capital
    yield from (Shed((n,)) for n in world.list_owned(nation) if n != capital)


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
                    Escort(1, sea, start, goal, partner)
                    for start in starts for goal in coasts if goal != start
                )


def _atom(world: World, nation: str) -> Iterator[Order]:
    if world.strength(nation, "atomic_bombs"):
        yield from (AtomicBomb(bomb.target, bomb.base) for bomb in possible.bombings(world, nation))


def _missile(world: World, nation: str) -> Iterator[Order]:
    if any("SIL" in world.provinces[n].improvements for n in world.list_owned(nation)):
        yield from (
            Missile(1, n) for n in world.provinces if may_hit(world, nation, n, is_nuclear=True)
        )


def _others(world: World, nation: str) -> list[str]:
    return [
        other for other in world.alive if other != nation and not world.is_at_war(nation, other)
    ]


def _land(world: World, nation: str) -> int | None:
    """Return a province that can be given away, or None."""
    capital = world.nations[nation].capital
    return next((n for n in world.list_owned(nation) if n != capital), None)


def _give(world: World, nation: str) -> Iterator[Order]:
    """Yield gifts of a technology, which costs nothing, before gifts of land."""
    for tech in sorted(world.nations[nation].techs)[:1]:
        yield from (Give((tech,), other) for other in _others(world, nation))
    land = _land(world, nation)
    if land is not None:
        yield from (Give((land,), other) for other in _others(world, nation))


def _deal(world: World, nation: str) -> Iterator[Order]:
    land = _land(world, nation)
    for other in _others(world, nation):
        theirs = _land(world, other)
        if land is not None and theirs is not None:
            yield Trade(other, (land,), (theirs,))


_EXAMPLES: Mapping[str, Callable[[World, str], Iterator[Order]]] = {
    "move": possible.moves,
    "move_hq": _moves_of_hqs,
    "rail": possible.rails,
    "fleet": possible.sailings,
    "hold": _hold,
    "build": possible.builds,
    "dismantle": possible.dismantlings,
    "commission": possible.commissions,
    "bomb": possible.bombings,
    "form": _form,
    "scuttle": lambda world, nation: (Scuttle(1, n) for n in _with(world, nation, "fleets")),
    "disband": lambda world, nation: (ArmyDisband(1, n) for n in _with(world, nation, "armies")),
    "research": _research,
    "spawn": _spawn,
    "shed": _shed,
    "war": _of_kind(War),
    "treaty": _of_kind(Treaty),
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
