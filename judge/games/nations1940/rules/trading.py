"""Step 7: gifts, deals and transfers of land (N-109 to N-112, N-115)."""

from collections.abc import Mapping, Sequence

from judge.games.nations1940.rules.capitals import settle
from judge.games.nations1940.rules.limits import research_points
from judge.games.nations1940.rules.orders import Give, Item, Order, Trade
from judge.games.nations1940.rules.research import project_of
from judge.games.nations1940.rules.retreating import put_to_sea
from judge.games.nations1940.rules.state import Deal
from judge.games.nations1940.rules.world import World

Arrivals = list[tuple[str, str, str]]
"""Traded technologies, as receiver, technology and giver."""

UNTRADEABLE = "win"
"""Key of an effect whose technology is never traded (N-92)."""


def trade(world: World, orders: Mapping[str, Sequence[Order]]) -> Arrivals:
    """Carry out step 7.

    Return the technologies that arrive at the start of the next turn.
    """
    arrivals: Arrivals = []
    trades: list[tuple[str, Trade]] = []
    for nation in world.alive:
        for order in orders.get(nation, ()):
            if isinstance(order, Give):
                _present(world, nation, order, arrivals)
            elif isinstance(order, Trade):
                trades.append((nation, order))
                _say(world, Deal(nation, order.nation, order.gives, order.wants, world.turn))
    agreed = set()
    for one, other in _contracts(world):
        if _conclude(world, one, other, arrivals):
            agreed |= {(one.by, one.to), (other.by, other.to)}
    waiting = {(deal.by, deal.to) for deal in world.deals}
    for nation, order in trades:
        pair = (nation, order.nation)
        world.note(order, "stands" if pair in agreed else "waits" if pair in waiting else "fails")
    for n in sorted(world.provinces):
        if world.provinces[n].due_to:
            _hand_over(world, n)
    settle(world)
    return arrivals


def _present(world: World, nation: str, order: Give, arrivals: Arrivals) -> None:
    deal = Deal(nation, order.nation, order.items, (), world.turn)
    why = _find_trade_refusal(world, deal, arrivals)
    world.note(order, "fails" if why else "done")
    if why:
        _fail(world, deal, why)
    else:
        _carry_out(world, deal, arrivals)
        world.record_event("given", nation=nation, to=order.nation, gives=list(order.items))


def _say(world: World, deal: Deal) -> None:
    """Store one side's terms of a trade in place of its earlier ones with the nation."""
    world.deals = [one for one in world.deals if (one.by, one.to) != (deal.by, deal.to)]
    world.deals.append(deal)


def _contracts(world: World) -> list[tuple[Deal, Deal]]:
    found = sorted(world.deals, key=lambda deal: (deal.by, deal.to))
    return [
        (one, other)
        for one in found
        for other in found
        if one.by < other.by and one.mirrors(other)
    ]


def _conclude(world: World, one: Deal, other: Deal, arrivals: Arrivals) -> bool:
    """Carry out a contract as a whole, or not at all (N-110).

    Return whether it was carried out.
    """
    world.deals = [deal for deal in world.deals if deal not in (one, other)]
    why = _find_trade_refusal(world, one, arrivals) or _find_trade_refusal(world, other, arrivals)
    if why:
        _fail(world, one, why)
        return False
    for deal in (one, other):
        _carry_out(world, deal, arrivals)
    world.record_event(
        "deal", nation=one.by, to=other.by, gives=list(one.gives), wants=list(other.gives)
    )
    return True


def _fail(world: World, deal: Deal, why: tuple[str, Item]) -> None:
    code, item = why
    world.record_event(
        "no-deal", only=(deal.by, deal.to), nation=deal.by, to=deal.to, why=code, item=item
    )


def _find_trade_refusal(world: World, deal: Deal, arrivals: Arrivals) -> tuple[str, Item] | None:
    """Return the reason why one side cannot give its part, with the item, or None."""
    if world.is_at_war(deal.by, deal.to) or not world.nations[deal.to].alive:
        return "war", ""
    giver, taker = world.nations[deal.by], world.nations[deal.to]
    arriving = {tech for code, tech, _ in arrivals if code == deal.to} | {*deal.gives}
    for item in deal.gives:
        if isinstance(item, int):
            province = world.provinces[item]
            if province.owner != deal.by or province.due_to or giver.capital == item:
                return "owner", item
        elif item not in giver.techs:
            return "owner", item
        elif item in taker.techs:
            return "known", item
        else:
            known = taker.techs | arriving | _about_to_know(world, deal.to)
            if not {*world.board.techs[item].requires} <= known:
                return "queue", item
    return None


def _about_to_know(world: World, nation: str) -> frozenset[str]:
    """Return the project that will be completed in step 8 of this turn (N-110)."""
    head = project_of(world, nation)
    if head is None:
        return frozenset()
    left = world.board.techs[head].cost - world.nations[nation].progress.get(head, 0)
    return frozenset({head} if left <= research_points(world, nation) else ())


def _carry_out(world: World, deal: Deal, arrivals: Arrivals) -> None:
    for item in deal.gives:
        if isinstance(item, int):
            world.change(item, due_to=deal.to)
        else:
            arrivals.append((deal.to, item, deal.by))


def _hand_over(world: World, n: int) -> None:
    """Transfer a sold province once its old owner has no units in it (N-111).

    Units are armies and Mobile HQs. The sale ends if the buyer is eliminated or at war.
    """
    province = world.provinces[n]
    old, new = province.owner, province.due_to
    if not world.nations[new].alive or world.is_at_war(old, new):
        world.change(n, due_to="")
        world.record_event("handover-off", nation=old, to=new, at=n)
        return
    if province.armies.get(old) or province.mobile_hq.get(old):
        world.record_event("handover-waits", only=(old, new), nation=old, to=new, at=n)
        return
    world.change(n, owner=new, due_to="")
    world.record_event("handover", nation=old, to=new, at=n)
    if old in world.provinces[n].fleets and not world.is_friendly(old, n):
        put_to_sea(world, old, n)


def arrive(world: World, arrivals: Arrivals) -> None:
    """Add the traded technologies to those of their receivers (N-110).

    Those whose requirements are missing fail.
    """
    waiting = list(arrivals)
    while waiting:
        ready = [
            one for one in waiting
            if {*world.board.techs[one[1]].requires} <= world.nations[one[0]].techs
        ]  # fmt: skip
        if not ready:
            break
        for nation, tech, giver in ready:
            learn(world, nation, tech)
            world.record_event(
                "arrived", only=(nation, giver), nation=nation, tech=tech, giver=giver
            )
        waiting = [one for one in waiting if one not in ready]
    for nation, tech, giver in waiting:
        world.record_event(
            "no-deal", only=(nation, giver), nation=giver, to=nation, why="queue", item=tech
        )


def learn(world: World, nation: str, tech: str) -> None:
    """Add a technology to those of a nation and drop its own progress."""
    now = world.nations[nation]
    world.reform(
        nation,
        techs=now.techs | {tech},
        queue=tuple(one for one in now.queue if one != tech),
        progress={one: rp for one, rp in now.progress.items() if one != tech},
    )
