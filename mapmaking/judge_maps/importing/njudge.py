"""Reader of maps of nJudge: `map.NAME` and its `seed.NAME`."""

import re
from collections.abc import Iterator, Mapping

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
from judge_maps.importing.sources import SourceFiles

_BORDER = re.compile(r"([^\s:]+)-([a-z]{2})\s*:?\s*(.*)")
_SETTING = re.compile(r"\w+:\s*\S.*")
_UNIT = re.compile(r"([A-Za-z0-9])\s*:\s*([AF])\s+(.+)")
_PHASE = re.compile(r"([SFUW])([0-9]{1,4})([MRBA])\b")
_SEASONS = {"S": "Spring", "F": "Fall", "U": "Summer", "W": "Winter"}


def read_njudge(files: SourceFiles, powers: Mapping[str, str]) -> DraftMap:
    """Return the map of a `map` file.

    *powers* are the names of powers by their letters.

    Raises:
        ImportFault: there is no map.
    """
    names = files.names("")
    name = files.only([n for n in names if n == "map" or n.startswith("map.")], "maps")
    parts = _split_parts(files.read(name))
    if len(parts) < 2:
        raise ImportFault(f"{files.path}: no list of borders behind a line with -1")
    draft = DraftMap(title=name.partition(".")[2].replace("_", " ").title() or "Standard")
    types = dict(_add_places(draft, parts[0]))
    _add_steps(draft, parts[1])
    _set_kinds(draft, types)
    for line in (line for part in parts[2:] for line in part if _SETTING.fullmatch(line)):
        draft.log.add("lost", f"a railway, gateway or other setting: {line}")
    seed = "seed" + name.removeprefix("map")
    seed = "seed.standard" if seed == "seed" else seed
    if files.has(seed):
        _read_seed(draft, files.read(seed))
    else:
        draft.log.add("lost", f"units: {seed} is missing")
    if not draft.first_phase:
        draft.first_phase = "S1901M"
        draft.log.add("guessed", "the first phase is Spring 1901")
    draft.powers = dict(sorted(draft.powers.items()))
    for letter, power in draft.powers.items():
        power.letter, power.name = letter, powers.get(letter, "")
        if not power.name:
            power.name = f"Power {letter}"
            draft.log.add("guessed", f"{power.name}: the format has no names of powers; --powers")
    return draft


def _split_parts(text: str) -> list[list[str]]:
    """Return the lines between those that begin with -1, without comments."""
    parts: list[list[str]] = [[]]
    for line in text.split("\n"):
        if line.startswith("-1"):
            parts.append([])
        elif line.strip() and not line.startswith("#"):
            parts[-1].append(line.strip())
    return parts


def _add_places(draft: DraftMap, lines: list[str]) -> Iterator[tuple[str, str]]:
    """Add the places of lines such as `Belgium, x bel belgi`.

    Yield each with its type.
    """
    for line in lines:
        name, comma, rest = line.rpartition(",")
        words = rest.split()
        if not comma or len(words) < 2:
            draft.log.add("lost", f"the line {line!r}")
            continue
        kind, key = words[0], words[1].lower()
        if set(kind) & {"r", "g"}:
            draft.log.add("lost", f"the railway or gateway {name.strip()}")
            continue
        place = DraftPlace(name.strip(), "", [word.lower() for word in words[2:]])
        letters = [char for char in kind if char.isupper() or is_number(char)]
        place.is_centre = "x" in kind or bool(letters)
        if letters:
            place.home = letters[0]
            draft.powers.setdefault(letters[0], DraftPower(""))
        if odd := set(kind) - set(letters) - set("lwx"):
            draft.log.add("lost", f"the type {''.join(sorted(odd))} of {place.name}")
        draft.places[key] = place
        yield key, kind


def _add_steps(draft: DraftMap, lines: list[str]) -> None:
    """Add the steps of lines such as `bul-ec: con bla rum`."""
    alias = {word: key for key, place in draft.places.items() for word in place.aliases}
    for line in lines:
        found = _BORDER.fullmatch(line)
        if not found:
            draft.log.add("lost", f"the line {line!r}")
            continue
        name, kind, rest = found[1].lower(), found[2], found[3]
        here = name if name in draft.places else alias.get(name, name)
        for goal in rest.lower().split():
            province, slash, coast = goal.partition("/")
            province = province if province in draft.places else alias.get(province, province)
            there = province + slash + coast
            if here not in draft.places or province not in draft.places:
                draft.log.add("lost", f"the border {here}-{there}, which is on no map")
            elif kind == "mv":
                draft.walk.add((here, province))
            elif kind == "xc" or kind in COAST_NAMES:
                draft.add_fleet_step(here if kind == "xc" else f"{here}/{kind}", there)
            else:
                draft.walk.add((here, province))
                draft.log.add("lost", f"the condition {kind} of the border {here}-{there}")


def _set_kinds(draft: DraftMap, types: Mapping[str, str]) -> None:
    """Set the kinds of places: islands have borders of fleets only."""
    walkers = {a for a, b in draft.walk if a != b}
    sailors = {province_key(a) for a, _ in draft.sail}
    for key, place in draft.places.items():
        wet = types[key][0] == "w"
        if key not in walkers | sailors:
            place.kind = "shut"
        elif wet and key not in walkers:
            place.kind = "sea"
        else:
            place.kind = "coast" if key in sailors else "land"


def _read_seed(draft: DraftMap, text: str) -> None:
    """Read the first phase, the units and the owners."""
    parts = _split_parts(text)
    names = {place.name.lower(): key for key, place in draft.places.items()}
    names |= {word: key for key, place in draft.places.items() for word in (key, *place.aliases)}
    for line in parts[0]:
        phase, unit = _PHASE.match(line), _UNIT.fullmatch(line)
        if unit:
            place, _, coast = unit[3].lower().replace("(", "/").replace(")", "").partition("/")
            key = names.get(place.strip())
            if key is None:
                draft.log.add("lost", f"the unit {line!r}, in no known place")
                continue
            draft.powers.setdefault(unit[1], DraftPower(""))
            where = f"{key}/{coast.strip()}" if coast else key
            draft.units.append(DraftUnit(unit[1], unit[2], where))
        elif phase:
            draft.first_phase = phase_label(
                _SEASONS[phase[1]], int(phase[2]), "M" if phase[3] == "M" else "A"
            )
        else:
            draft.log.add("lost", f"the line {line!r}")
    for line in (line for part in parts[1:] for line in part):
        _read_owners(draft, line, names)


def _read_owners(draft: DraftMap, line: str, names: Mapping[str, str]) -> None:
    """Read a line such as `T: ank con`, or with a dot for no power."""
    power, colon, rest = line.partition(":")
    power = power.strip()
    keys = [names.get(word) for word in rest.lower().replace(",", " ").split()]
    if not colon or len(power) != 1 or not keys or None in keys:
        draft.log.add("lost", f"the line {line!r}")
        return
    for key in keys:
        if key and draft.places[key].is_centre:
            draft.places[key].owner = NEUTRAL if power in ".-x" else power
            if power not in ".-x":
                draft.powers.setdefault(power, DraftPower(""))
