"""Position facts: public ones and each nation's own (N-160 to N-164)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from judge.games.letter_facts import LetterPiece, PositionFacts, Score
from judge.games.nations1940.rules.limits import (
    LimitTerm,
    army_parts,
    improvement_limit,
    max_army,
    research_parts,
    research_points,
)
from judge.games.nations1940.rules.orders import Trade, Treaty, order_text
from judge.games.nations1940.rules.state import WAR, Nation, NationsState, ProvinceState
from judge.games.nations1940.rules.visibility import seen_by
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import KINDS, Node, format_node, in_order
from judge.games.nations1940.views.first_turn import first_turn_facts
from judge.games.nations1940.views.naming import label, title_of
from judge.games.nations1940.views.wording import EventWording
from judge.model.phrase import Phrase, phrase

NEUTRAL_ARMY = phrase("unit-neutral")
KEY_TURNS = 3
"""Turns in which letters explain the codes of improvements."""


class PublicFacts:
    """Facts of a position that all viewers share, computed once.

    These are the public facts (N-161), and the contents of each place for viewers that see into it.
    """

    def __init__(self, world: World, wording: EventWording) -> None:
        self.nations = _nations(world, wording)
        self.relations = _relations(world, wording)
        self.dangers = dangers_facts(world, wording)
        self.places = dict(_places(world, wording))
        self.scores = tuple(
            Score(wording.nation(code), len(world.list_owned(code))) for code in world.nations
        )


def standing_facts(
    world: World, wording: EventWording, public: PublicFacts, nation: str, *, is_master: bool
) -> PositionFacts:
    """Return the position facts for a viewer: public ones, and its nation's own."""
    seen = seen_by(world, nation, is_master=is_master)
    found: list[tuple[str, object]] = []
    if nation in world.nations and world.nations[nation].alive:
        found.append(("own", _own(world, wording, nation)))
        found.append(("offers", offers_facts(world.freeze(world.turn), wording, nation)))
        if world.turn <= 1:
            found.append(("first-turn", first_turn_facts(world, wording, nation)))
    found += [
        ("sighted", _sighted_facts(public, nation, seen)),
        ("nations", public.nations),
        ("relations", public.relations),
        ("dangers", public.dangers),
        ("governments", list(_governments(world, wording)) if is_master else []),
    ]
    return PositionFacts(
        title=title_of("title-position", world.turn), phase=label(world.turn), rows=(),
        scores=public.scores,
        pieces=tuple(LetterPiece(name, facts, name) for name, facts in found if facts),
    )


def dangers_facts(world: World, wording: EventWording) -> Mapping[str, object]:
    """Return the provinces with fallout, with an epidemic, and populous ones (N-161)."""
    provinces = world.provinces.items()
    return {
        "fallout": [
            {"place": wording.place(n), "units": province.fallout}
            for n, province in provinces if province.fallout
        ],
        "epidemics": [wording.place(n) for n, province in provinces if province.epidemic],
        "populous": [wording.place(n) for n, province in provinces if province.populous],
    }  # fmt: skip


def _nations(world: World, wording: EventWording) -> Mapping[str, object]:
    """Return a row for each nation, the neutral provinces, and the majority."""
    return {
        "majority": world.board.majority,
        "neutral": [
            format_node(n) for n, province in world.provinces.items() if not province.owner
        ],
        "rows": [
            {
                "code": code,
                "nation": wording.nation(code),
                "alive": nation.alive,
                "government": phrase(f"government-{nation.government.lower()}"),
                "capital": wording.place(nation.capital),
                "loyalist": nation.loyalist,
                "provinces": [format_node(n) for n in world.list_owned(code)],
                "domination": world.domination.get(code, 0),
            }
            for code, nation in sorted(world.nations.items())
        ],
    }


def _relations(world: World, wording: EventWording) -> Mapping[str, object]:
    """Return each pair of nations with a war or a treaty, and the announcements."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for one in sorted(world.bonds):
        pairs.setdefault((one.a, one.b), []).append(one.kind)
    by_kinds: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for (a, b), kinds in sorted(pairs.items()):
        by_kinds.setdefault(tuple(kinds), []).append((wording.nation(a), wording.nation(b)))
    return {
        "groups": [
            {"kinds": kinds, "pairs": found}
            for kinds, found in sorted(by_kinds.items(), key=lambda each: WAR not in each[0])
        ],
        "pairs": [
            {"nation": wording.nation(a), "to": wording.nation(b), "kinds": kinds}
            for (a, b), kinds in sorted(pairs.items())
        ],
        "offers": [
            {"nation": wording.nation(one.by), "to": wording.nation(one.to), "what": one.kind}
            for one in world.offers
        ],
    }


def ties_facts(world: World, wording: EventWording, nation: str) -> Mapping[str, object]:
    """Return all wars, and the treaties of one nation by kind."""
    own: dict[str, list[str]] = {}
    wars = []
    for one in sorted(world.bonds):
        if one.kind == WAR:
            wars.append((wording.nation(one.a), wording.nation(one.b)))
        elif one.joins(nation):
            own.setdefault(one.kind, []).append(wording.nation(one.other(nation)))
    return {"wars": wars, "treaties": sorted(own.items())}


def _governments(world: World, wording: EventWording) -> Iterator[Mapping[str, object]]:
    """Yield a master's facts on each living nation."""
    for code in world.alive:
        now = world.nations[code]
        yield {
            "nation": wording.nation(code),
            "armies": world.armies_of(code), "cap": max_army(world, code),
            "rp": research_points(world, code), "limit": improvement_limit(world, code),
            "missed": now.missed_turns, "techs": sorted(now.techs),
            "projects": [
                f"{tech} {now.progress.get(tech, 0)}/{world.board.techs[tech].cost}"
                for tech in now.queue
            ],
            "treaties": [
                f"{one.kind} {wording.nation(one.other(code))}"
                for one in sorted(world.bonds) if one.joins(code)
            ],
        }  # fmt: skip


def _own(world: World, wording: EventWording, nation: str) -> Mapping[str, object]:
    """Return a nation's own report (N-162)."""
    now = world.nations[nation]
    points = research_points(world, nation)
    built = [kind for n in world.list_owned(nation) for kind in world.provinces[n].improvements]
    provinces = [_province(world, wording, n) for n in world.list_owned(nation)]
    return {
        "code": nation,
        "nation": wording.nation(nation),
        "government": phrase(f"government-{now.government.lower()}"),
        "capital": wording.place(now.capital),
        "loyalist": wording.place(now.old_capital) if now.loyalist else "",
        "provinces": [row for row in provinces if not _is_bare(row)],
        "bare": [
            f"{row['number']} {row['name']}{'*' if row['populous'] else ''}"
            for row in provinces if _is_bare(row)
        ],
        "abroad": [
            {"place": wording.place(n), **_units_of(p, nation)} for n, p in world.provinces.items()
            if p.owner != nation and any(nation in c for c in (p.armies, p.mobile_hq, p.fleets))
        ],
        "fleets": [
            {"place": wording.place(sea), "fleets": fleets[nation]}
            for sea, fleets in world.seas.items() if nation in fleets
        ],
        "armies": world.armies_of(nation),
        "cap": max_army(world, nation), "cap_parts": _parts(army_parts(world, nation)),
        "rp": points, "rp_parts": _parts(research_parts(world, nation)),
        "kinds": tuple(
            phrase("page-kind", kind=kind, title=title)
            for kind, title in KINDS.items() if kind in built and world.turn <= KEY_TURNS
        ),
        "projects": list(_projects(world, now, points)),
        "techs": sorted(now.techs), "traits": list(now.traits),
        "limit": improvement_limit(world, nation), "factories": built.count("FAC"),
        "deals": [
            {"nation": wording.nation(d.by), "to": wording.nation(d.to),
             "gives": [wording.item(item) for item in d.gives],
             "wants": [wording.item(item) for item in d.wants]}
            for d in world.deals if d.by == nation
        ],
        "spawn": [
            wording.place(n) for n in now.spawn_order if "HQ" in world.provinces[n].improvements
        ],
        "shed": [wording.place(n) for n in now.shed_order],
        "missed": now.missed_turns,
    }  # fmt: skip


def offers_facts(
    state: NationsState, wording: EventWording, nation: str
) -> list[Mapping[str, object]]:
    """Return the offers to a nation, with the line that accepts each."""
    found: list[Mapping[str, object]] = []
    for offer in state.offers:
        if offer.to == nation:
            line = order_text(Treaty(offer.kind, offer.by), wording.board)
            by = wording.nation(offer.by)
            found.append({"offer": phrase("mine-offer", nation=by, what=offer.kind), "line": line})
    for deal in state.deals:
        if deal.to == nation:
            gives, wants = (tuple(map(wording.item, items)) for items in (deal.gives, deal.wants))
            by = wording.nation(deal.by)
            told = phrase("mine-deal", nation=by, gives=gives, wants=wants)
            line = order_text(Trade(deal.by, deal.wants, deal.gives), wording.board)
            found.append({"offer": told, "line": line})
    return found


def _projects(world: World, now: Nation, points: int) -> Iterator[Mapping[str, object]]:
    """Yield the projects of a queue, with the number of turns until each is complete.

    Points above a cost are lost, so that each project takes whole turns (N-88).
    """
    after = 0
    for tech in (one for one in now.queue if one not in now.techs):
        cost, done = world.board.techs[tech].cost, now.progress.get(tech, 0)
        after += max(1, -(-(cost - done) // points)) if points else 0
        yield {"name": tech, "done": done, "cost": cost, "turns": after}


def _parts(parts: list[LimitTerm]) -> list[Mapping[str, object]]:
    return [
        {"what": phrase(f"part-{part.what}", n=part.times), "gives": part.gives}
        for part in parts
    ]


def _province(world: World, wording: EventWording, n: int) -> Mapping[str, object]:
    province = world.provinces[n]
    owner = province.owner
    return {
        "number": format_node(n), "name": world.board.name(n),
        "capital": world.nations[owner].capital == n, "populous": province.populous,
        **_units_of(province, owner), "improvements": _built(province), "fallout": province.fallout,
        "epidemic": province.epidemic,
        "due": wording.nation(province.due_to) if province.due_to else "",
    }  # fmt: skip


def _units_of(province: ProvinceState, nation: str) -> Mapping[str, int]:
    """Return the number of a nation's units of each kind in a province."""
    counts = {"armies": province.armies, "hqs": province.mobile_hq, "fleets": province.fleets}
    return {name: count.get(nation, 0) for name, count in counts.items()}


def _is_bare(row: Mapping[str, object]) -> bool:
    """Return whether a province is empty, so that it is only listed by its name."""
    names = ("capital", "armies", "hqs", "fleets", "improvements", "fallout", "epidemic", "due")
    return not any(row[name] for name in names)


def _built(province: ProvinceState) -> list[str]:
    """Return the codes of improvements in the order of N-96."""
    return [kind for kind in KINDS if kind in province.improvements]


def _sighted_facts(
    public: PublicFacts, nation: str, seen: frozenset[Node]
) -> Mapping[str, object] | None:
    """Return the contents of foreign places that a viewer sees.

    Places with only a neutral army are a list of their own.
    """
    rows = list(_list_sightings(public, nation, seen))
    plain = [row for row in rows if row["units"] == [NEUTRAL_ARMY] and not row["built"]]
    left = [row for row in rows if row not in plain]
    return {"rows": left, "neutral": [row["place"] for row in plain]} if rows else None


def _list_sightings(
    public: PublicFacts, nation: str, seen: frozenset[Node]
) -> Iterator[Mapping[str, object]]:
    """Yield the contents of foreign land and seas that a viewer sees, place by place."""
    for place in sorted(seen & public.places.keys(), key=in_order):
        there = public.places[place]
        if nation and there.owner == nation:
            continue
        units = [unit for code, unit in there.units if code != nation or not nation]
        if units or there.built:
            yield {**there.facts, "units": units} if nation in there.nations else there.facts


class PlaceContents(NamedTuple):
    """Contents of a place: its owner, units by nation, and improvements."""

    owner: str
    units: tuple[tuple[str, Phrase], ...]
    built: list[str]
    facts: Mapping[str, object]

    @property
    def nations(self) -> set[str]:
        """Codes of the nations with units there."""
        return {code for code, _ in self.units}


def _places(world: World, wording: EventWording) -> Iterator[tuple[Node, PlaceContents]]:
    """Yield all places with their contents."""
    for n, province in world.provinces.items():
        units = [
            *_units_there(wording, "army", province.armies, province.owner),
            *_units_there(wording, "hq", province.mobile_hq, province.owner),
            *_units_there(wording, "fleet", province.fleets, province.owner),
            *([("", NEUTRAL_ARMY)] if province.neutral else []),
        ]
        owner = wording.nation(province.owner) if province.owner else phrase("neutral")
        yield n, _there(wording.place(n), province.owner, owner, units, _built(province))
    for sea, fleets in world.seas.items():
        units = list(_units_there(wording, "fleet", fleets, None))
        yield sea, _there(wording.place(sea), "", "", units, [])


def _there(
    place: str, code: str, owner: str | Phrase, units: list[tuple[str, Phrase]], built: list[str]
) -> PlaceContents:
    shown = [unit for _, unit in units]
    facts = {"place": place, "owner": owner, "units": shown, "built": built}
    return PlaceContents(code, tuple(units), built, facts)


def _units_there(
    wording: EventWording, what: str, counts: Mapping[str, int], owner: str | None
) -> Iterator[tuple[str, Phrase]]:
    """Yield units of a kind with their nation, which is not printed for the owner."""
    for code, count in sorted(counts.items()):
        if code == owner:
            yield code, phrase(f"there-{what}", count=count)
        else:
            yield code, phrase(f"unit-{what}", nation=wording.nation(code), count=count)


def state_rows(world: World, seen: frozenset[Node]) -> Iterator[str]:
    """Yield the rows of the block STATE v1, with units where they are *seen* (N-164).

    The columns, separated by tabs, are number, owner, populous, fallout and epidemic. Armies,
    Mobile HQs, fleets and improvements follow where the place is seen.
    """
    for n, p in world.provinces.items():
        row = [str(n), p.owner or "-", *map(str, (int(p.populous), p.fallout, int(p.epidemic)))]
        if n in seen:
            row += [_units(counts) for counts in (p.armies, p.mobile_hq, p.fleets)]
            row.append(",".join(_built(p)) or "-")
        yield "\t".join(row)
    for sea, fleets in world.seas.items():
        if fleets and sea in seen:
            yield f"{sea}\t-\t0\t0\t0\t-\t-\t{_units(fleets)}\t-"


def _units(counts: Mapping[str, int]) -> str:
    return ",".join(f"{code}:{count}" for code, count in sorted(counts.items())) or "-"
