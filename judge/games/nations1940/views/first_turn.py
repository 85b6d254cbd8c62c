"""Facts that a nation needs for its first orders: links, choices, examples."""

from collections.abc import Iterator, Mapping

from judge.games.nations1940.language.examples import examples_of
from judge.games.nations1940.rules import possible
from judge.games.nations1940.rules.orders import ArmyMove, Research, Treaty, order_text
from judge.games.nations1940.rules.prospects import Prospects
from judge.games.nations1940.rules.state import NAP
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import (
    CROSSING,
    KINDS,
    LAND,
    PASS,
    Scenario,
    format_node,
    in_order,
)
from judge.games.nations1940.views.wording import EventWording
from judge.model.phrase import phrase

MAX_TECHS = 6
FAIR_ODDS = 50
"""Least chance in per cent of an attack that is suggested."""


def links_of(board: Scenario, n: int) -> Mapping[str, list[str]]:
    """Return the neighbours of a province by type of link, as letters show them."""
    roads = board.roads.get(n, {})

    def by(kind: str) -> list[str]:
        return [
            f"{format_node(one)} {board.name(one)}" for one in sorted(roads) if roads[one] == kind
        ]

    water = sorted(board.waters.get(n, ()), key=in_order)
    seas = [f"{format_node(one)} {board.name(one)}" for one in water]
    return {"land": by(LAND), "passes": by(PASS), "crossings": by(CROSSING), "seas": seas}


def first_turn_facts(world: World, wording: EventWording, nation: str) -> Mapping[str, object]:
    """Return the facts for a nation in its first turns."""
    techs = possible.researchable(world, nation)
    return {
        "places": [
            {"place": wording.place(n), **links_of(world.board, n)}
            for n in world.list_owned(nation)
        ],
        "kinds": [
            phrase("page-kind", kind=code, title=title)
            for code, title in KINDS.items()
            if any(possible.can_build(world, nation, code, n) for n in world.list_owned(nation))
        ],
        "techs": [f"{tech.name} ({tech.cost})" for tech in techs[:MAX_TECHS]],
        "more_techs": max(0, len(techs) - MAX_TECHS),
        "examples": list(_examples(world, nation)),
        "codes": [(code, wording.nation(code)) for code in sorted(world.nations)],
        "before": not world.turn,
        "queue": world.nations[nation].queue,
        "majority": world.board.majority,
        "lands": len(world.board.lands),
        "row": world.settings.domination_turns,
        "last": world.settings.last_turn,
    }


def _examples(world: World, nation: str) -> Iterator[Mapping[str, object]]:
    """Yield legal lines for a nation now, an attack with its odds."""
    found = possible.researchable(world, nation)
    if found and not world.nations[nation].queue:
        yield _example(order_text(Research(tuple(tech.name for tech in found[:2])), world.board))
    if world.turn:
        yield from _march(world, nation)
        yield from map(_example, examples_of(world, nation, "build")[:1])
    near = {
        world.provinces[n].owner
        for own in world.list_owned(nation) for n in world.board.roads.get(own, ())
    } - {
        "", nation, *(offer.to for offer in world.offers if offer.by == nation),
        *(one.other(nation) for one in world.bonds if one.joins(nation)),
    }  # fmt: skip
    for other in sorted(near)[:2]:
        yield _example(order_text(Treaty(NAP, other), world.board))


def _example(line: str, percent: int | None = None) -> Mapping[str, object]:
    return {"line": line, "percent": percent}


def _march(world: World, nation: str) -> Iterator[Mapping[str, object]]:
    """Yield the attack with the best odds, or else a march on own land."""
    prospects = Prospects(world, nation)
    odds: dict[ArmyMove, int | None] = {
        move: prospects.percent_of(move) for move in possible.moves(world, nation)
    }
    best = max(odds, key=lambda move: odds[move] or 0, default=None)
    if best and (odds[best] or 0) < FAIR_ODDS:
        # Armies that gather next to neutral land attack together later.
        own = [move for move in odds if odds[move] is None]
        near = [move for move in own if _is_near_neutral(world, move)]
        best = max(near or own, key=lambda move: move.count, default=best)
    if best:
        yield _example(order_text(best, world.board), odds[best])


def _is_near_neutral(world: World, move: ArmyMove) -> bool:
    near = world.board.roads.get(move.path[-1], ())
    return any(not world.provinces[n].owner for n in near)
