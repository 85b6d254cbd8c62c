"""Repairs of a draft.

What the judge would refuse is changed, and noted in the log.
"""

from collections import defaultdict

from judge.board.map import COAST_NAMES
from judge_maps.importing.draft import NEUTRAL, DraftMap, DraftPlace, DraftUnit, province_key

_ARMIES = frozenset({"land", "coast", "port"})
_FLEETS = frozenset({"sea", "coast", "port"})


def mend(draft: DraftMap) -> None:
    """Repair a draft in place."""
    for key in [k for k in draft.coast_aliases if province_key(k) not in draft.places]:
        draft.log.add("lost", f"the coast {key} of no province")
        del draft.coast_aliases[key]
    _rename_coasts(draft)
    _drop_odd_steps(draft)
    _mend_one_way(draft)
    _drop_dead_places(draft)
    _mend_centres(draft)
    _mend_units(draft)
    _mend_victory(draft)


def coasts_of(draft: DraftMap, province: str) -> list[str]:
    """Return the keys of a province's coasts, in the order of the compass."""
    return [f"{province}/{c}" for c in COAST_NAMES if f"{province}/{c}" in draft.coast_aliases]


def _rename_coasts(draft: DraftMap) -> None:
    """Give coasts with other names one of the four. A single coast is no coast."""
    found: dict[str, list[str]] = defaultdict(list)
    for key in draft.coast_aliases:
        found[province_key(key)].append(key)
    names: dict[str, str] = {}
    for province, keys in found.items():
        free = [c for c in COAST_NAMES if f"{province}/{c}" not in keys]
        for key in keys:
            if len(keys) == 1:
                names[key] = province
            elif key.partition("/")[2] not in COAST_NAMES and free:
                names[key] = f"{province}/{free.pop(0)}"
                draft.log.add("renamed", f"the coast {key} is {names[key]}")
    for key, new in names.items():
        aliases = draft.coast_aliases.pop(key)
        if "/" in new:
            draft.coast_aliases[new] = aliases
        else:
            draft.log.add("renamed", f"{key}, the only coast of its province, is {new}")
    draft.sail = {(names.get(a, a), names.get(b, b)) for a, b in draft.sail}
    draft.units = [u._replace(place=names.get(u.place, u.place)) for u in draft.units]


def _drop_odd_steps(draft: DraftMap) -> None:
    """Drop steps that units of a type cannot make."""
    places, split = draft.places, {province_key(key) for key in draft.coast_aliases}
    for province in split:
        if province in places and places[province].kind == "port":
            draft.log.add("lost", f"fleets in {province}, which has coasts, do not convoy")
        if province in places:
            places[province].kind = "coast"

    def takes(key: str, kinds: frozenset[str]) -> bool:
        place = places.get(province_key(key))
        return place is not None and place.kind in kinds

    walk = {(a, b) for a, b in draft.walk if a != b and takes(a, _ARMIES) and takes(b, _ARMIES)}
    sail, bare = set(), set()
    for a, b in draft.sail:
        if province_key(a) == province_key(b) or not (takes(a, _FLEETS) and takes(b, _FLEETS)):
            continue
        if a in split or b in split:
            bare.add((a, b))
        elif all("/" not in key or key in draft.coast_aliases for key in (a, b)):
            sail.add((a, b))
    joined = {frozenset((province_key(a), province_key(b))) for a, b in sail}
    for a, b in sorted(bare):
        if frozenset((province_key(a), province_key(b))) not in joined:
            draft.log.add("lost", f"the border {a}-{b} of fleets names no coast")
    for kind, before, after in (("armies", draft.walk, walk), ("fleets", draft.sail, sail | bare)):
        for a, b in sorted(before - after):
            if province_key(a) != province_key(b) and (b, a) not in after:
                draft.log.add("lost", f"no {kind} can go {a}-{b}")
    draft.walk, draft.sail = walk, sail


def _mend_one_way(draft: DraftMap) -> None:
    for kind, steps in (("armies", draft.walk), ("fleets", draft.sail)):
        back = {(b, a) for a, b in steps}
        for a, b in sorted(steps - back):
            draft.log.add("guessed", f"the border {a}-{b} of {kind} is one way: now it is two-way")
        steps |= back


def _drop_dead_places(draft: DraftMap) -> None:
    """Drop coasts that no fleet leaves. Close seas that no fleet leaves."""
    for key in [k for k in draft.coast_aliases if not any(k == a for a, _ in draft.sail)]:
        del draft.coast_aliases[key]
        draft.log.add("lost", f"the coast {key}, which no fleet leaves")
    _rename_coasts(draft)
    sailors = {province_key(a) for a, _ in draft.sail}
    walkers = {a for a, _ in draft.walk}
    for key, place in draft.places.items():
        if place.kind == "sea" and key not in sailors:
            place.kind = "shut"
            draft.log.add("guessed", f"{place.name} is closed: no fleet leaves it")
        elif place.kind in ("coast", "port") and key not in sailors and key in walkers:
            place.kind = "land"
            draft.log.add("guessed", f"{place.name} is land: no fleet leaves it")


def _mend_centres(draft: DraftMap) -> None:
    for place in draft.places.values():
        if place.is_centre and place.kind == "shut":
            place.is_centre = False
            draft.log.add("lost", f"the centre {place.name}, which no unit reaches")
        for power in (place.home, place.owner):
            if power and power not in draft.powers:
                draft.log.add("lost", f"{place.name} belongs to {power}, which is no power")
        place.home = place.home if place.is_centre and place.home in draft.powers else ""
        if place.owner is None or not place.is_centre:
            place.owner = place.home
        elif place.owner not in draft.powers:
            place.owner = NEUTRAL


def _mend_units(draft: DraftMap) -> None:
    kept: dict[str, DraftUnit] = {}
    for unit in draft.units:
        province = province_key(unit.place)
        place = draft.places.get(province)
        told = f"the unit {unit.kind} {unit.place} of {unit.power}"
        mended = place and _mend_unit(draft, unit, place)
        if unit.power not in draft.powers or not mended:
            draft.log.add("lost", f"{told}, which cannot be there")
        elif province in kept:
            draft.log.add("lost", f"{told}: another unit is there")
        else:
            kept[province] = mended
    draft.units = list(kept.values())


def _mend_unit(draft: DraftMap, unit: DraftUnit, place: DraftPlace) -> DraftUnit | None:
    """Return a unit where it can be, or None."""
    province = province_key(unit.place)
    if unit.kind == "A":
        return unit._replace(place=province) if place.kind in _ARMIES else None
    if place.kind not in _FLEETS:
        return None
    coasts = coasts_of(draft, province)
    if not coasts:
        return unit._replace(place=province)
    if unit.place in coasts:
        return unit
    draft.log.add("guessed", f"the fleet in {place.name} is on the coast {coasts[0]}")
    return unit._replace(place=coasts[0])


def _mend_victory(draft: DraftMap) -> None:
    centres = sum(place.is_centre for place in draft.places.values())
    if draft.victory is not None and not 2 <= draft.victory <= centres:
        draft.log.add("guessed", f"victory at {draft.victory} of {centres} centres: more than half")
        draft.victory = None
