"""Facts that a nation needs for its first orders: links, choices, examples."""

from collections.abc import Iterator, Mapping

from judge.games.nations1940.language.examples import examples_of
from judge.games.nations1940.rules import possible
from judge.games.nations1940.rules.orders import Research, Treaty, order_text
from judge.games.nations1940.rules.state import NAP
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import (
    CROSSING,
    KINDS,
    LAND,
    PASS,
    Scenario,
    in_order,
    placed,
)
from judge.games.nations1940.views.wording import Wording

MAX_TECHS = 6


def links_of(board: Scenario, n: int) -> Mapping[str, list[str]]:
    """Return the neighbours of a province by type of link, as letters show them."""
    roads = board.roads.get(n, {})

    def by(kind: str) -> list[str]:
        return [f"{placed(one)} {board.name(one)}" for one in sorted(roads) if roads[one] == kind]

    water = sorted(board.waters.get(n, ()), key=in_order)
    seas = [f"{placed(one)} {board.name(one)}" for one in water]
    return {"land": by(LAND), "passes": by(PASS), "crossings": by(CROSSING), "seas": seas}


def first_turn_facts(world: World, wording: Wording, nation: str) -> Mapping[str, object]:
    """Return the facts for a nation that has not ordered much yet."""
    return {
        "places": [
            {"place": wording.place(n), **links_of(world.board, n)} for n in world.owned(nation)
        ],
        "kinds": [
            f"{code} {title}" for code, title in KINDS.items()
            if any(possible.can_build(world, nation, code, n) for n in world.owned(nation))
        ],
        "techs": [
            f"{tech.name} ({tech.cost})"
            for tech in possible.researchable(world, nation)[:MAX_TECHS]
        ],
        "examples": list(_examples(world, nation)),
        "codes": [(code, wording.nation(code)) for code in sorted(world.nations)],
        "before": not world.turn,
        "majority": world.board.majority,
        "lands": len(world.board.lands),
        "row": world.settings.domination_turns,
        "last": world.settings.last_turn,
    }


def _examples(world: World, nation: str) -> Iterator[str]:
    """Yield three lines that work for a nation now."""
    found = possible.researchable(world, nation)
    if found and not world.nations[nation].queue:
        yield order_text(Research(tuple(tech.name for tech in found[:2])), world.board)
    if world.turn:
        marches = list(possible.moves(world, nation))
        taking = [one for one in marches if not world.provinces[one.path[-1]].owner]
        yield from (order_text(one, world.board) for one in (taking or marches)[:1])
        yield from examples_of(world, nation, "build")[:1]
    near = {
        world.provinces[n].owner
        for own in world.owned(nation) for n in world.board.roads.get(own, ())
    } - {
        "", nation, *(offer.to for offer in world.offers if offer.by == nation),
        *(one.other(nation) for one in world.bonds if one.joins(nation)),
    }  # fmt: skip
    yield from (order_text(Treaty(NAP, other), world.board) for other in sorted(near)[:2])
