"""Wars, announcements and treaties in steps 1 and 10 (N-100 to N-108)."""

from collections.abc import Mapping, Sequence

from judge.games.nations1940.rules.orders import Cancel, Order, Treaty, War, Withdraw
from judge.games.nations1940.rules.state import (
    DEAL,
    EXCHANGE,
    NAP,
    PACT,
    PEACE,
    TREATIES,
    WAR,
    Bond,
    Offer,
    bond,
)
from judge.games.nations1940.rules.world import World

MAX_EXCHANGES = 2


def declare(world: World, orders: Mapping[str, Sequence[Order]]) -> None:
    """Carry out step 1: withdrawals, then wars, then treaty announcements."""
    for nation in world.alive:
        for order in orders.get(nation, ()):
            if isinstance(order, Withdraw):
                _withdraw(world, nation, order)
    at_war = set()
    for nation in world.alive:
        for order in orders.get(nation, ()):
            if isinstance(order, War) and world.nations[order.nation].alive:
                _go_to_war(world, nation, order.nation)
                world.note(order, "stands")
                at_war.add(frozenset((nation, order.nation)))
    for nation in world.alive:
        for line, order in enumerate(orders.get(nation, ()), 1):
            if isinstance(order, Treaty) and frozenset((nation, order.nation)) not in at_war:
                _announce(world, Offer(order.kind, nation, order.nation, world.turn, line))


def _withdraw(world: World, nation: str, order: Withdraw) -> None:
    offers = [o for o in world.offers if (o.kind, o.by, o.to) != (order.kind, nation, order.nation)]
    deals = world.deals
    if order.kind == DEAL:
        deals = [deal for deal in deals if (deal.by, deal.to) != (nation, order.nation)]
    if len(offers) < len(world.offers) or len(deals) < len(world.deals):
        only = (nation, order.nation) if order.kind == DEAL else ()
        world.record_event("withdrawn", only=only, nation=nation, to=order.nation, what=order.kind)
        world.note(order, "done")
    world.offers, world.deals = offers, deals


def _go_to_war(world: World, nation: str, other: str) -> None:
    """Start a war at once (N-101).

    All treaties, offers and deals between the two nations end.
    """
    war = bond(WAR, nation, other)
    if war in world.bonds:
        return
    pair = {nation, other}
    broken = sorted(one.kind for one in world.bonds if {one.a, one.b} == pair)
    world.bonds = {one for one in world.bonds if {one.a, one.b} != pair} | {war}
    world.offers = [offer for offer in world.offers if {offer.by, offer.to} != pair]
    world.deals = [deal for deal in world.deals if {deal.by, deal.to} != pair]
    world.record_event("war", nation=nation, to=other, broken=broken)


def _announce(world: World, offer: Offer) -> None:
    same = (offer.kind, offer.by, offer.to)
    world.offers = [one for one in world.offers if (one.kind, one.by, one.to) != same]
    world.offers.append(offer)
    world.record_event("announced", nation=offer.by, to=offer.to, what=offer.kind)


def conclude(world: World, orders: Mapping[str, Sequence[Order]]) -> None:
    """Carry out the diplomatic part of step 10 (N-102, N-107).

    Cancellations come first, then the treaties that both sides announced. Announcements of earlier
    turns expire.
    """
    for nation in world.alive:
        for order in orders.get(nation, ()):
            if isinstance(order, Cancel):
                _end(world, nation, order)
    agreed = _agreed(world)
    for kind in (PEACE, NAP, PACT, EXCHANGE):
        for offers in sorted((o for o in agreed if o[0].kind == kind), key=_by_lines):
            _begin(world, *offers)
    settled = {offer for pair in agreed for offer in pair}
    world.offers = [
        offer for offer in world.offers if offer not in settled and offer.turn == world.turn
    ]
    world.deals = [deal for deal in world.deals if deal.turn == world.turn]
    for nation in world.alive:
        for order in orders.get(nation, ()):
            if isinstance(order, Treaty):
                world.note(order, _became(world, nation, order))


def _became(world: World, nation: str, order: Treaty) -> str:
    """Return the outcome code of a treaty announced this turn."""
    peace = order.kind == PEACE and not world.is_at_war(nation, order.nation)
    if peace or bond(order.kind, nation, order.nation) in world.bonds:
        return "stands"
    same = (order.kind, nation, order.nation)
    return "waits" if any((o.kind, o.by, o.to) == same for o in world.offers) else "dropped"


def _agreed(world: World) -> list[tuple[Offer, Offer]]:
    """Return the pairs of matching announcements."""
    by_side = {(offer.kind, offer.by, offer.to): offer for offer in world.offers}
    return [
        (offer, by_side[kind, to, by])
        for (kind, by, to), offer in sorted(by_side.items())
        if by < to and (kind, to, by) in by_side
    ]


def _by_lines(pair: tuple[Offer, Offer]) -> tuple[int, str, str]:
    """Return the sort key of a pair: sum of the line numbers, then codes (N-104)."""
    return pair[0].line + pair[1].line, pair[0].by, pair[0].to


def _end(world: World, nation: str, order: Cancel) -> None:
    gone = [bond(order.kind, nation, order.nation)]
    if order.kind == NAP:
        gone.append(bond(EXCHANGE, nation, order.nation))
    ended = [one for one in gone if one in world.bonds]
    world.bonds -= set(ended)
    if ended:
        kinds = [one.kind for one in ended]
        world.record_event("cancelled", nation=nation, to=order.nation, what=kinds)
        world.note(order, "done")


def _begin(world: World, one: Offer, other: Offer) -> None:
    """Conclude a treaty that both nations announced, if allowed (N-103 to N-106)."""
    kind, a, b = one.kind, one.by, one.to
    war = bond(WAR, a, b)
    if kind in (PEACE, NAP) and war in world.bonds:
        world.bonds.discard(war)
        world.record_event("peace", nation=a, to=b)
    why = find_treaty_refusal(world, kind, a, b)
    if why:
        world.record_event("dropped", nation=a, to=b, what=kind, why=why)
    elif kind in TREATIES:
        world.bonds.add(bond(kind, a, b))
        world.record_event("treaty", nation=a, to=b, what=kind)


def find_treaty_refusal(world: World, kind: str, a: str, b: str) -> str:
    """Return the code of the reason a treaty cannot begin now, or an empty string."""
    if kind in (PACT, EXCHANGE) and world.is_at_war(a, b):
        return "war"
    if kind == EXCHANGE and bond(NAP, a, b) not in world.bonds:
        return "nap"
    if kind == EXCHANGE and max(map(world.exchanges, (a, b))) >= MAX_EXCHANGES:
        return "full"
    return ""


def between(world: World, one: str, other: str) -> list[Bond]:
    """Return all wars and treaties in force between two nations."""
    return sorted(found for found in world.bonds if {found.a, found.b} == {one, other})
