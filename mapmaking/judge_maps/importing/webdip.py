"""Reader of maps of webDiplomacy and vDiplomacy, which are PHP.

It is read by patterns and never run.
"""

import re
from collections.abc import Iterator, Mapping

from judge.digits import is_number
from judge_maps.importing.draft import DraftMap, DraftPlace, DraftPower, DraftUnit, ImportFault
from judge_maps.importing.php import PhpArray, Scalar, arrays_in
from judge_maps.importing.sources import SourceFiles

_KINDS = {"sea": "sea", "land": "land", "coast": "coast"}
_COAST = re.compile(r"(.+?)\s*\((north|south|east|west)\s+coast\)", re.I)
_FIELD = r"\$%s\s*=\s*(?:'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\")"
_YEAR = re.compile(r"floor\s*\(\s*\$turn\s*/\s*2\s*\)\s*\)?\s*\+\s*([0-9]{1,4})")
_YEAR_BC = re.compile(r"([0-9]{1,4})\s*-\s*\(?\s*floor\s*\(\s*\$turn\s*/\s*2")
_SEASONS = re.compile(
    r"\$turn\s*%\s*2\s*\)?\s*\?\s*[\"']([A-Za-z ]+?),?\s*[\"']\s*:\s*[\"']([A-Za-z ]+?),?\s*[\"']"
)
_TARGET = re.compile(r"supplyCenterTarget\s*=\s*([0-9]{1,4})")
_DISPLAY = ("drawMap", "adjudicatorPreGame", "OrderInterface", "OrderArchiv", "Chatbox")
"""Classes of a variant that have no rules that are not read otherwise."""
MAX_NAME_READ = 200
_USUAL = frozenset({"Spring", "Autumn", "Fall"})
_CLASSES = ("adjudicatorPreGame.php", "classes/adjudicatorPreGame.php")


def read_webdip(files: SourceFiles) -> DraftMap:
    """Return the map of a folder with `install.php` and `variant.php`.

    Raises:
        ImportFault: `install.php` has no lists of places and borders.
    """
    install, variant = files.read("install.php"), files.read("variant.php")
    draft = DraftMap(title=_field(variant, "fullName") or _field(variant, "name"))
    draft.author = _field(variant, "author")
    names = [*_countries(variant)]
    for name in names:
        draft.powers[name.lower()] = DraftPower(name)
    keys = _add_places(draft, install, names)
    _add_ports(draft, variant, list(keys.values()))
    _add_steps(draft, install, keys)
    if not draft.places or not draft.walk | draft.sail:
        raise ImportFault(f"{files.path}: install.php has no lists of places and borders")
    for name in _CLASSES:
        if files.has(name):
            _add_units(draft, files.read(name), keys)
    _read_calendar(draft, variant)
    if not draft.units:
        # Years before Christ are numbered upwards too, and count down in letters only.
        before = 1 if draft.era == "BC" else -1
        draft.first_phase = f"F{max(int(draft.first_phase[1:5]) + before, 1):04}A"
        draft.log.add("guessed", f"no units are listed: builds come first, {draft.first_phase}")
    _read_rules(draft, files, variant)
    return draft


def _field(text: str, name: str) -> str:
    found = re.search(_FIELD % name, text)
    return re.sub(r"\\(.)", r"\1", found[1] or found[2] or "") if found else ""


def _countries(variant: str) -> Iterator[str]:
    for array in arrays_in(variant):
        if array.name == "countries":
            yield from (name for name in array.values if isinstance(name, str))
            return


def _flat(array: PhpArray) -> Iterator[list[Scalar]]:
    """Yield the rows of an array of arrays, or the array itself, without nested ones."""
    if not any(isinstance(value, PhpArray) for value in array.values):
        yield [value for value in array.values if not isinstance(value, PhpArray)]
    for value in array.values:
        if isinstance(value, PhpArray):
            yield from _flat(value)


def _add_places(draft: DraftMap, install: str, names: list[str]) -> dict[str, str]:
    """Add the places of rows such as 'Norway', 'Coast', 'Yes', 0, 556, 198.

    Returns:
        the key of each name. Keys are small names, as the format has no abbreviations.
    """
    keys: dict[str, str] = {}
    rows = [row for array in arrays_in(install) for row in _flat(array)]
    for row in rows:
        match row:
            case [
                str(name), str(kind), str(supply), country, int() | float() as x,
                int() | float() as y, *_,
            ] if kind.lower() in _KINDS and len(name) < MAX_NAME_READ:
                found = _COAST.fullmatch(name)
                key = (found[1] if found else name).lower().replace("/", " ")
                keys[name] = f"{key}/{found[2][0].lower()}c" if found else key
                if found:
                    draft.coast_aliases[keys[name]] = []
                    continue
                place = DraftPlace(name, _KINDS[kind.lower()], position=(round(x), round(y)))
                place.is_centre = supply.lower() == "yes"
                if place.is_centre and isinstance(country, int) and 0 < country <= len(names):
                    place.home = names[country - 1].lower()
                draft.places[keys[name]] = place
    for key in [*draft.coast_aliases]:
        if key.partition("/")[0] not in draft.places:
            draft.log.add("lost", f"the coast {key}, whose province is on no map")
            del draft.coast_aliases[key]
    return keys


def _add_ports(draft: DraftMap, variant: str, keys: list[str]) -> None:
    """Make the coasts that convoy ports. They are given by the numbers of their rows."""
    for array in arrays_in(variant):
        for value in array.values if array.name == "convoyCoasts" else ():
            number = int(value) if isinstance(value, str | int) and is_number(str(value)) else 0
            place = draft.places.get(keys[number - 1]) if 0 < number <= len(keys) else None
            if place and place.kind == "coast":
                place.kind = "port"
            else:
                draft.log.add("lost", f"fleets convoy in the place of row {value}")


def _add_steps(draft: DraftMap, install: str, keys: Mapping[str, str]) -> None:
    """Add the steps of rows such as 'Norway', 'North Sea', fleets 'Yes', armies 'No'."""
    for array in arrays_in(install):
        for row in _flat(array):
            match row:
                case [str(start), str(goal), str(fleets), str(armies)]:
                    here, there = keys.get(start, ""), keys.get(goal, "")
                    if not here or not there:
                        draft.log.add("lost", f"the border {start}-{goal}, which is on no map")
                        continue
                    if armies.lower() == "yes":
                        a, b = here.partition("/")[0], there.partition("/")[0]
                        draft.walk |= {(a, b), (b, a)}
                    if fleets.lower() == "yes":
                        draft.sail |= {(here, there), (there, here)}


def _add_units(draft: DraftMap, text: str, keys: Mapping[str, str]) -> None:
    """Add the units of an array such as 'Austria' => array('Vienna' => 'Army')."""
    units = (array for array in arrays_in(text) if array.name == "countryUnits")
    for power, places in (item for array in units for item in array.items):
        if not isinstance(power, str) or not isinstance(places, PhpArray):
            continue
        if power.lower() not in draft.powers:
            draft.powers[power.lower()] = DraftPower(power, plays=False)
        for place, kind in places.items:
            if isinstance(place, str) and place in keys and kind in ("Army", "Fleet"):
                draft.units.append(DraftUnit(power.lower(), str(kind)[0], keys[place]))
            else:
                draft.log.add("lost", f"the unit {kind} of {power} in {place}")


def _read_calendar(draft: DraftMap, variant: str) -> None:
    after, before = _YEAR.search(variant), _YEAR_BC.search(variant)
    year = int((after or before or ["", "1901"])[1]) or 1
    draft.first_phase = f"S{year:04}M"
    if before and not after:
        draft.era = "BC"
    if not (before or after):
        draft.log.add("guessed", "no first year is found: Spring 1901")
    if found := _SEASONS.search(variant):
        fall, spring = found[1].strip(), found[2].strip()
        if not {fall, spring} <= _USUAL:
            draft.seasons = (spring, fall)


def _read_rules(draft: DraftMap, files: SourceFiles, variant: str) -> None:
    target = _TARGET.search(variant)
    centres = sum(place.is_centre for place in draft.places.values())
    # webDiplomacy computes the number where a variant gives none.
    draft.victory = int(target[1]) if target else round(18 / 34 * centres)
    classes = sorted(set(re.findall(r"variantClasses\[['\"](\w+)['\"]\]", variant)))
    builds = [name for name in ("processOrderBuilds", "userOrderBuilds") if name in classes]
    texts = [
        files.read(f"classes/{name}.php") for name in builds if files.has(f"classes/{name}.php")
    ]
    if builds:
        is_any = any(re.search(r"build_?anywhere", text, re.I) for text in texts)
        draft.builds = "any" if is_any else "home"
        draft.log.add("guessed", f"builds are {draft.builds}: a class of the variant decides them")
    for name in classes:
        if name not in (*_DISPLAY, *builds) and not name.startswith("panel"):
            draft.log.add("lost", f"the rules in the class {name}")
