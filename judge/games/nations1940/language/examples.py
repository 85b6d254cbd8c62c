"""Examples of orders that a nation could really give, one for each verb."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import islice

from judge.games.nations1940.rules import possible
from judge.games.nations1940.rules.orders import (
    Disband,
    Form,
    Give,
    Hold,
    Order,
    Research,
    Scuttle,
    Shed,
    Spawn,
    Trade,
    Treaty,
    War,
    order_text,
)
from judge.games.nations1940.rules.world import World

_MAX_TRIED = 500
"""Orders of a verb among which an example is looked for."""
_BETWEEN_NATIONS = ("give", "deal")


def example_of(
    world: World, nation: str, verb: str, named: Collection[str] = (), *, is_bare: bool = True
) -> str:
    """Return an order with a verb that a nation could give now, or nothing.

    The order has most of the places and nations that are *named*, and all of them where it gives
    something away. It is nothing if none has any. *is_bare* is false for a text that says more
    than a verb without naming anything; no gift is an example for that.
    """
    make = _EXAMPLES.get(verb)
    if make is None or verb in _BETWEEN_NATIONS and not is_bare:
        return ""
    found = (order_text(order, world.board) for order in islice(make(world, nation), _MAX_TRIED))
    if not named:
        return next(found, "")
    fits = {text: len({*re.findall(r"#?\w+", text)} & {*named}) for text in found}
    best = max(fits, key=fits.__getitem__, default="")
    needed = len(named) if verb in _BETWEEN_NATIONS else 1
    return best if fits.get(best, 0) >= needed else ""


def _hold(world: World, nation: str) -> Iterator[Order]:
    yield from (Hold(n) for n in _with(world, nation, "armies"))


def _with(world: World, nation: str, what: str) -> list[int]:
    """Return own provinces where a nation has armies, fleets or Mobile HQs."""
    return [n for n in world.owned(nation) if getattr(world.provinces[n], what).get(nation)]


def _form(world: World, nation: str) -> Iterator[Order]:
    if world.strength(nation, "mobile_hq"):
        yield Form(world.nations[nation].capital)


def _research(world: World, nation: str) -> Iterator[Order]:
    if found := possible.researchable(world, nation):
        yield Research((found[0].name,))


def _standing_list(order: type[Spawn] | type[Shed]) -> Callable[[World, str], Iterator[Order]]:
    def make(world: World, nation: str) -> Iterator[Order]:
        capital = world.nations[nation].capital
        yield from (order((n,)) for n in world.owned(nation) if n != capital)

    return make


def _of_kind(kind: type[Order]) -> Callable[[World, str], Iterator[Order]]:
    def make(world: World, nation: str) -> Iterator[Order]:
        yield from (one for one in possible.diplomacy(world, nation) if isinstance(one, kind))

    return make


def _others(world: World, nation: str) -> list[str]:
    return [other for other in world.alive if other != nation and not world.at_war(nation, other)]


def _land(world: World, nation: str) -> int | None:
    """Return a province that could be given away."""
    capital = world.nations[nation].capital
    return next((n for n in world.owned(nation) if n != capital), None)


def _give(world: World, nation: str) -> Iterator[Order]:
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
    "rail": possible.rails,
    "fleet": possible.sailings,
    "hold": _hold,
    "build": possible.builds,
    "dismantle": possible.dismantlings,
    "commission": possible.commissions,
    "bomb": possible.bombings,
    "form": _form,
    "scuttle": lambda world, nation: (Scuttle(1, n) for n in _with(world, nation, "fleets")),
    "disband": lambda world, nation: (Disband(1, n) for n in _with(world, nation, "armies")),
    "research": _research,
    "spawn": _standing_list(Spawn),
    "shed": _standing_list(Shed),
    "war": _of_kind(War),
    "treaty": _of_kind(Treaty),
    "give": _give,
    "deal": _deal,
}
"""Verb → its orders, the plainest first."""
