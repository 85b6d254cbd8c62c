"""How a game stands: what everybody knows, and each nation's own report (N-160 to N-164)."""

from collections.abc import Iterator, Mapping
from typing import Any

from judge.games.facts import Piece, Score, Standing
from judge.games.nations1940.rules.limits import (
    Part,
    army_parts,
    improvement_limit,
    max_army,
    research_parts,
    research_points,
)
from judge.games.nations1940.rules.research import project_of
from judge.games.nations1940.rules.sight import seen_by
from judge.games.nations1940.rules.state import Province
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import KINDS, Node, in_order, placed
from judge.games.nations1940.views.naming import label, title_of
from judge.games.nations1940.views.wording import Wording
from judge.model.phrase import Phrase, phrase


def standing_facts(
    world: World, wording: Wording, nation: str, *, is_master: bool
) -> Standing:
    """Return the facts of a position: public ones, and the reader's own if he has a nation."""
    seen = seen_by(world, nation, is_master=is_master)
    found: list[tuple[str, object]] = []
    if nation in world.nations and world.nations[nation].alive:
        found.append(("own", _own(world, wording, nation)))
    found += [
        ("sighted", list(_sighted(world, wording, nation, seen))),
        ("nations", _nations(world, wording)),
        ("relations", _relations(world, wording)),
        ("dangers", _dangers(world, wording)),
        ("state", list(_state_rows(world, nation, seen))),
    ]
    return Standing(
        title=title_of("title-position", world.turn),
        phase=label(world.turn),
        rows=(),
        scores=tuple(
            Score(wording.nation(code), len(world.owned(code))) for code in world.nations
        ),
        pieces=tuple(Piece(name, facts, name) for name, facts in found if facts),
    )


def _dangers(world: World, wording: Wording) -> Mapping[str, object]:
    """Return where there is fallout, an epidemic, and where many people live (N-161)."""
    provinces = world.provinces.items()
    return {
        "fallout": [
            {"place": wording.place(n), "units": province.fallout}
            for n, province in provinces if province.fallout
        ],
        "epidemics": [wording.place(n) for n, province in provinces if province.epidemic],
        "populous": [wording.place(n) for n, province in provinces if province.populous],
    }  # fmt: skip


def _nations(world: World, wording: Wording) -> Mapping[str, object]:
    """Return a row for each nation, the neutral provinces, and how many are a majority."""
    return {
        "majority": world.board.majority,
        "neutral": [placed(n) for n, province in world.provinces.items() if not province.owner],
        "rows": [
            {
                "nation": wording.nation(code),
                "alive": nation.alive,
                "government": phrase(f"government-{nation.government.lower()}"),
                "capital": wording.place(nation.capital),
                "loyalist": nation.loyalist,
                "provinces": [placed(n) for n in world.owned(code)],
                "domination": world.domination.get(code, 0),
            }
            for code, nation in sorted(world.nations.items())
        ],
    }


def _relations(world: World, wording: Wording) -> Mapping[str, object]:
    """Return each pair of nations with a war or a treaty, and what was announced."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for one in sorted(world.bonds):
        pairs.setdefault((one.a, one.b), []).append(one.kind)
    return {
        "pairs": [
            {"nation": wording.nation(a), "to": wording.nation(b), "kinds": kinds}
            for (a, b), kinds in sorted(pairs.items())
        ],
        "offers": [
            {"nation": wording.nation(one.by), "to": wording.nation(one.to), "what": one.kind}
            for one in world.offers
        ],
    }


def _own(world: World, wording: Wording, nation: str) -> Mapping[str, object]:
    """Return a nation's own report (N-162)."""
    now = world.nations[nation]
    project = project_of(world, nation)
    points = research_points(world, nation)
    cost = world.board.techs[project].cost if project else 0
    done = now.progress.get(project, 0) if project else 0
    factories = sum("FAC" in world.provinces[n].improvements for n in world.owned(nation))
    return {
        "code": nation,
        "nation": wording.nation(nation),
        "government": phrase(f"government-{now.government.lower()}"),
        "capital": wording.place(now.capital),
        "loyalist": wording.place(now.old_capital) if now.loyalist else "",
        "provinces": [_province(world, wording, n) for n in world.owned(nation)],
        "abroad": [
            {"place": wording.place(n), "armies": p.armies.get(nation, 0),
             "hqs": p.mobile_hq.get(nation, 0), "fleets": p.fleets.get(nation, 0)}
            for n, p in world.provinces.items()
            if p.owner != nation and any(nation in c for c in (p.armies, p.mobile_hq, p.fleets))
        ],
        "fleets": [
            {"place": wording.place(sea), "fleets": fleets[nation]}
            for sea, fleets in world.seas.items() if nation in fleets
        ],
        "armies": world.armies_of(nation),
        "cap": max_army(world, nation), "cap_parts": _parts(army_parts(world, nation)),
        "rp": points, "rp_parts": _parts(research_parts(world, nation)),
        "project": project or "", "done": done, "cost": cost,
        "turns": max(1, -(-(cost - done) // points)) if project and points else 0,
        "queue": [tech for tech in now.queue if tech != project],
        "techs": sorted(now.techs), "traits": list(now.traits),
        "limit": improvement_limit(world, nation), "factories": factories,
        "deals": [
            {"nation": wording.nation(d.by), "to": wording.nation(d.to),
             "gives": [wording.item(item) for item in d.gives],
             "wants": [wording.item(item) for item in d.wants]}
            for d in world.deals if nation in (d.by, d.to)
        ],
        "spawn": [wording.place(n) for n in now.spawn_order],
        "shed": [wording.place(n) for n in now.shed_order],
        "missed": now.missed_turns,
    }  # fmt: skip


def _parts(parts: list[Part]) -> list[Mapping[str, object]]:
    return [
        {"what": phrase(f"part-{part.what}", n=part.times), "gives": part.gives}
        for part in parts
    ]


def _province(world: World, wording: Wording, n: int) -> Mapping[str, object]:
    province = world.provinces[n]
    owner = province.owner
    return {
        "number": placed(n), "name": world.board.name(n),
        "capital": world.nations[owner].capital == n, "populous": province.populous,
        "armies": province.armies.get(owner, 0), "hqs": province.mobile_hq.get(owner, 0),
        "fleets": province.fleets.get(owner, 0), "improvements": _built(province),
        "fallout": province.fallout, "epidemic": province.epidemic,
        "due": wording.nation(province.due_to) if province.due_to else "",
    }  # fmt: skip


def _built(province: Province) -> list[str]:
    """Return the codes of improvements in the order of N-96."""
    return [kind for kind in KINDS if kind in province.improvements]


def _sighted(
    world: World, wording: Wording, nation: str, seen: frozenset[Node]
) -> Iterator[Mapping[str, object]]:
    """Yield what a reader sees in foreign land and at sea, place by place."""
    for place in sorted(seen, key=in_order):
        if isinstance(place, str):
            units = [_count(wording, code, count, "fleet") for code, count in
                     sorted(world.seas[place].items()) if code != nation]  # fmt: skip
            if units:
                yield {"place": wording.place(place), "owner": "", "units": units, "built": []}
            continue
        province = world.provinces[place]
        if province.owner == nation and nation:
            continue
        units = [
            _count(wording, code, count, what)
            for what, counts in (
                ("army", province.armies), ("hq", province.mobile_hq), ("fleet", province.fleets),
            )
            for code, count in sorted(counts.items())
            if code != nation
        ]  # fmt: skip
        if province.neutral:
            units.append(phrase("unit-neutral"))
        built = _built(province)
        if units or built:
            name = wording.nation(province.owner)
            owner: str | Phrase = name if province.owner else phrase("neutral")
            yield {"place": wording.place(place), "owner": owner, "units": units, "built": built}


def _count(wording: Wording, code: str, count: int, what: str) -> Phrase:
    return phrase(f"unit-{what}", nation=wording.nation(code), count=count)


def _state_rows(world: World, nation: str, seen: frozenset[Node]) -> Iterator[str]:
    """Yield the rows of the block STATE v1, parted by tabs (N-164): number, owner, populous,
    fallout, epidemic; for who may see into a province also its units and improvements."""
    for n, p in world.provinces.items():
        row: list[Any] = [n, p.owner or "-", int(p.populous), p.fallout, int(p.epidemic)]
        if n in seen:
            row += [_units(counts) for counts in (p.armies, p.mobile_hq, p.fleets)]
            row.append(",".join(_built(p)) or "-")
        yield "\t".join(map(str, row))
    for sea, fleets in world.seas.items():
        if sea in seen and fleets:
            yield "\t".join([sea, "-", "0", "0", "0", "-", "-", _units(fleets), "-"])


def _units(counts: Mapping[str, int]) -> str:
    return ",".join(f"{code}:{count}" for code, count in sorted(counts.items())) or "-"
