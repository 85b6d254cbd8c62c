"""Reader of maps of jDip: `variants.xml` and its list of borders."""

import re
from xml.etree.ElementTree import Element

from judge.board.map import COAST_NAMES
from judge.digits import is_number
from judge_maps.importing.draft import (
    NEUTRAL,
    DraftMap,
    DraftPlace,
    DraftPower,
    DraftUnit,
    ImportFault,
    phase_label,
    province_key,
)
from judge_maps.importing.safe_xml import children, parse_xml
from judge_maps.importing.sources import SourceFiles

_TURN = re.compile(r"(\w+)\s*,?\s*(-?[0-9]{1,6})\s*(BC|AD)?\s*,?\s*\(?(\w+)", re.I)
_AUTHOR = re.compile(r"(?:author|designed by|created by)s?\s*:?\s*([^<(\n.;]{2,60})", re.I)
_BUILDS = {
    "VALUE_BUILDS_ANY_OWNED": "any",
    "VALUE_BUILDS_ANY_IF_HOME_OWNED": "one",
    "VALUE_BUILDS_HOME_ONLY": "home",
}


def read_jdip(files: SourceFiles, variant: str = "") -> DraftMap:
    """Return a variant of `variants.xml`: the default one, or that of a name.

    Raises:
        ImportFault: there is no such variant, or no map.
    """
    name = files.only([n for n in files.names(".xml") if "variants" in n.lower()], "variants")
    root = parse_xml(files.read_octets(name), name)
    chosen = _choose(files, [*children(root, "variant")], variant)
    draft = DraftMap(title=chosen.get("name", ""))
    others = [v.get("name", "") for v in children(root, "variant") if v is not chosen]
    if others and not variant:
        draft.log.add("lost", f"further variants (--variant): {', '.join(others)}")
    uri = next((found.get("adjacencyURI", "") for found in children(chosen, "map")), "")
    if not uri:
        raise ImportFault(f"{files.path}: the variant has no adjacencyURI")
    borders = parse_xml(files.read_octets(uri), uri)
    for element in children(borders, "province"):
        _add_place(draft, element)
    for element in children(borders, "province"):
        _add_steps(draft, element)
    words = " ".join(t for d in children(chosen, "description") for t in d.itertext()).split()
    text = " ".join(words)
    if found := _AUTHOR.search(text):
        draft.author = found[1].strip()
    _read_powers(draft, chosen)
    _read_rules(draft, chosen)
    _set_kinds(draft)
    return draft


def _choose(files: SourceFiles, variants: list[Element], name: str) -> Element:
    if not variants:
        raise ImportFault(f"{files.path}: no VARIANT")
    if name:
        names = [found.get("name", "").lower() for found in variants]
        if name.lower() not in names:
            raise ImportFault(f"{files.path}: no variant {name!r}, but {', '.join(names)}")
        return variants[names.index(name.lower())]
    return next((found for found in variants if found.get("default") == "true"), variants[0])


def _add_place(draft: DraftMap, element: Element) -> None:
    key = element.get("shortname", "").lower()
    place = DraftPlace(element.get("fullname", ""), "")
    place.aliases = [found.get("name", "") for found in children(element, "uniquename")]
    if element.get("isConvoyableCoast") == "true":
        place.kind = "port"
    if element.get("borders"):
        draft.log.add("lost", f"the conditions of borders of {key}: {element.get('borders')}")
    if key:
        draft.places[key] = place


def _add_steps(draft: DraftMap, element: Element) -> None:
    here = element.get("shortname", "").lower()
    for row in children(element, "adjacency"):
        kind = row.get("type", "mv")
        for word in row.get("refs", "").lower().split():
            there = _place(draft, word)
            if province_key(there) not in draft.places:
                draft.log.add("lost", f"the border {here}-{word}, which is on no map")
            elif kind == "mv":
                draft.walk.add((here, province_key(there)))
            elif kind == "xc" or kind in COAST_NAMES:
                draft.add_fleet_step(here if kind == "xc" else f"{here}/{kind}", there)
            else:
                draft.log.add("lost", f"a border of the type {kind} of {here}")


def _place(draft: DraftMap, word: str) -> str:
    """Return the key of a place that is written "stp/sc", "stp-sc" or "stp(sc)"."""
    if word in draft.places:
        return word
    province, coast = word.replace("(", "/").strip(")"), ""
    if province[-3:-2] in ("/", "-"):
        province, coast = province[:-3], province[-2:]
    return f"{province}/{coast}" if coast in COAST_NAMES else province


def _read_powers(draft: DraftMap, chosen: Element) -> None:
    for row in children(chosen, "power"):
        name = row.get("name", "")
        words = [word.strip() for word in row.get("altnames", "").split(",") if word.strip()]
        power = DraftPower(name, row.get("adjective", ""), "", words)
        power.plays = row.get("active", "true") != "false"
        draft.powers[name.lower()] = power
    for row in children(chosen, "supplycenter"):
        place = draft.places.get(_place(draft, row.get("province", "").lower()))
        home, owner = row.get("homepower", "none").lower(), row.get("owner", "none").lower()
        if place is None:
            draft.log.add("lost", f"the centre {row.get('province')}, which is on no map")
            continue
        place.is_centre = True
        place.home = home if home in draft.powers else ""
        place.owner = owner if owner in draft.powers else NEUTRAL
        if home == "any":
            draft.log.add("lost", f"any power may build in {place.name}")
    for row in children(chosen, "initialstate"):
        where = _place(draft, row.get("province", "").lower())
        coast = row.get("unitcoast", "").lower()
        where = f"{where}/{coast}" if coast in COAST_NAMES and "/" not in where else where
        owner, unit = row.get("power", "").lower(), row.get("unit", "")[:1].upper()
        if owner in draft.powers and unit in ("A", "F"):
            draft.units.append(DraftUnit(owner, unit, where))
        else:
            draft.log.add("lost", f"the unit {row.get('unit')} of {owner} in {where}")


def _read_rules(draft: DraftMap, chosen: Element) -> None:
    turn = next((row.get("turn", "") for row in children(chosen, "startingtime")), "")
    found = _TURN.match(turn[:100])
    year = int(found[2]) if found else 0
    if found:
        draft.era = "BC" if year < 0 or (found[3] or "").upper() == "BC" else ""
        draft.first_phase = phase_label(found[1], abs(year), found[4])
    if not draft.first_phase:
        draft.first_phase = f"S{abs(year) or 1901:04}M"
        draft.log.add("guessed", f"the first phase {turn!r} is {draft.first_phase} here")
    for tag in ("winning_supply_centers", "years_without_sc_capture", "game_length"):
        value = next((row.get("value", "") for row in children(chosen, tag)), "")
        if not is_number(value) or value == "0":
            continue
        if tag == "winning_supply_centers":
            draft.victory = int(value)
        elif tag == "years_without_sc_capture":
            draft.quiet_falls = min(int(value), 99)
        else:
            draft.log.add("lost", f"the game ends after {value} years")
    for row in children(chosen, "ruleoption"):
        name, value = row.get("name", ""), row.get("value", "")
        if value in _BUILDS:
            draft.builds = _BUILDS[value]
        else:
            draft.log.add("lost", f"the rule {name} {value}")


def _set_kinds(draft: DraftMap) -> None:
    """Set the kinds of places: a link to itself is the mark of an island."""
    walkers = {a for a, _ in draft.walk}
    sailors = {province_key(a) for a, _ in draft.sail}
    armies = {province_key(unit.place) for unit in draft.units if unit.kind == "A"}
    for key, place in draft.places.items():
        if place.kind == "port":
            continue
        if key in walkers:
            place.kind = "coast" if key in sailors else "land"
        elif key in sailors and not place.is_centre and key not in armies:
            place.kind = "sea"
        elif key in sailors:
            place.kind = "coast"
            draft.log.add("guessed", f"{place.name} has borders of fleets and a centre: an island")
        else:
            place.kind = "shut"
        if place.kind == "land" and {(key, key)} == {step for step in draft.walk if key in step}:
            place.kind = "shut"
