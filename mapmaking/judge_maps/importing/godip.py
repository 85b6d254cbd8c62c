"""Reader of maps of godip, which are Go source.

It is searched by patterns and never run.
"""

import re
from collections.abc import Iterator, Mapping

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

MAX_CHARACTERS = 2 * 2**20
"""Maximum characters of the sources of a package."""
_TEXT = r'"((?:[^"\\\n]|\\.){0,1000})"'
_TOKEN = re.compile(rf'{_TEXT}|`[^`]*`|//([^\n]*)|/\*.*?(?:\*/|\Z)', re.S)
_NATION = re.compile(rf"\b(\w+)\s+(?:\w+\.)?Nation\s*=\s*{_TEXT}")
_NATIONS = re.compile(r"\bNations\s*=\s*\[\](?:\w+\.)?Nation\s*\{([^}]*)\}")
_PROVINCE = re.compile(rf"(?://[ \t]*([^\n]{{0,200}})\n\s*)?\bProv\(\s*{_TEXT}\s*\)")
_COMMENTED_CALL = re.compile(r"/\*|//[^\n]*\b(?:Prov|Conn|Flag|SC)\(")
_CALL = re.compile(r"\.\s*(Conn|Flag|SC)\(([^()]*)\)")
_UNIT = re.compile(
    rf"{_TEXT}\s*:\s*(?:(?:\w+\.)?Unit)?\s*\{{\s*(?:Type:\s*)?(?:\w+\.)?(Army|Fleet)\s*,"
    r"\s*(?:Nation:\s*)?(?:\w+\.)?(\w+)"
)
_PAIR = re.compile(rf"{_TEXT}\s*:\s*(?:\w+\.)?(\w+)")
_OWNERS = r"SupplyCenters\((?:\)[^{]*\{\s*return\s+|\s*)map\[[^{]*\{"
_NAMED = re.compile(rf"{_TEXT}\s*:\s*{_TEXT}")
_FIRST = re.compile(r"[sS]tartPhase\s*:?=\s*[\w.]*Phase\([^)]*\)")
_START = re.compile(r"Phase\(\s*(-?[0-9]{1,5})\s*,\s*(?:\w+\.)?(\w+)\s*,\s*(?:\w+\.)?(\w+)")
_WINNER = re.compile(r"SCCountWinner\(\s*([0-9]{1,4})\s*\)")


def read_godip(files: SourceFiles) -> DraftMap:
    """Return the map of a package of Go.

    Raises:
        ImportFault: no call such as Prov("spa") is there.
    """
    names = [n for n in files.names(".go") if not n.endswith("_test.go") and n != "bindata.go"]
    # Some packages have units and centres in a package of their own.
    if not files.main and (files.folder / "start").is_dir():
        names += sorted(f"start/{file.name}" for file in (files.folder / "start").glob("*.go"))
    text = "\n".join(files.read(name) for name in names)
    if len(text) > MAX_CHARACTERS:
        raise ImportFault(f"{files.path}: more than {MAX_CHARACTERS // 2**20} MiB of Go")
    bare = _strip_comments(text)
    draft = DraftMap(title=_field(bare, "Name"), author=_field(bare, "CreatedBy"))
    draft.title = draft.title or (names[0].removesuffix(".go").title() if names else "")
    nations = dict(_NATION.findall(bare))
    _add_powers(draft, bare, nations)
    _add_places(draft, _strip_commented_calls(text), nations)
    if not draft.places:
        raise ImportFault(f'{files.path}: no call such as Prov("spa").Conn("por", godip.Land)')
    for key, name in _NAMED.findall(_inside(bare, r"LongNames\s*=\s*map\[[^{]*\{")):
        if key.lower() in draft.places:
            draft.places[key.lower()].name = _unquote(name)
    _read_start(draft, bare, nations)
    _read_rules(draft, bare)
    return draft


def _strip_comments(text: str) -> str:
    return _TOKEN.sub(lambda m: " " if m[0].startswith("/") else m[0], text)


def _strip_commented_calls(text: str) -> str:
    """Return Go without blocks of comment and without calls in comments.

    Line comments have the names of provinces.
    """
    return _TOKEN.sub(lambda m: " " if _COMMENTED_CALL.match(m[0]) else m[0], text)


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _field(text: str, name: str) -> str:
    found = re.search(rf"\b{name}:\s*(?:{_TEXT}|`([^`]*)`)", text)
    return _unquote(found[1] or "") or found[2] or "" if found else ""


def _inside(text: str, head: str) -> str:
    """Return the text between the brace that *head* ends with and its partner."""
    found = re.search(head, text)
    if not found:
        return ""
    depth, at = 1, found.end()
    for token in re.finditer(rf"{_TEXT}|[{{}}]", text[at:]):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if not depth:
            return text[at : at + token.start()]
    return text[at:]


def _key(nations: Mapping[str, str], name: str) -> str:
    return nations.get(name, name).lower()


def _add_powers(draft: DraftMap, text: str, nations: Mapping[str, str]) -> None:
    found = _NATIONS.search(text)
    names = re.findall(r"(?:\w+\.)?(\w+)", found[1]) if found else list(nations)
    if not found:
        draft.log.add("guessed", "no list of nations: all names of nations")
    for name in names:
        draft.powers[_key(nations, name)] = DraftPower(_unquote(nations.get(name, name)))


def _add_places(draft: DraftMap, text: str, nations: Mapping[str, str]) -> None:
    starts = [*_PROVINCE.finditer(text)]
    ends = [*(found.start() for found in starts[1:]), len(text)]
    for found, end in zip(starts, ends):
        key = found[2].lower()
        calls = [(call[1], call[2]) for call in _CALL.finditer(text[found.end() : end])]
        flags = " ".join(rest for name, rest in calls if name == "Flag")
        if "/" in key:
            draft.coast_aliases.setdefault(key, [])
        else:
            place = draft.places.setdefault(key, DraftPlace(""))
            place.name = place.name or (found[1] or "").strip() or key.capitalize()
            place.kind = _kind(flags)
        _add_steps(draft, key, [rest for name, rest in calls if name == "Conn"])
        for rest in (rest for name, rest in calls if name == "SC"):
            nation = rest.rpartition(".")[2].strip()
            place = draft.places.setdefault(province_key(key), DraftPlace(""))
            place.is_centre = True
            place.home = "" if nation == "Neutral" else _key(nations, nation)
    for key in [*draft.coast_aliases]:
        province = draft.places.get(province_key(key))
        if province and province.kind in ("land", ""):
            province.kind = "coast"


def _kind(flags: str) -> str:
    if "Archipelago" in flags or "Convoyable" in flags:
        return "port"
    if "Coast" in flags or ("Land" in flags and "Sea" in flags):
        return "coast"
    return "land" if "Land" in flags else "sea" if "Sea" in flags else "shut"


def _add_steps(draft: DraftMap, key: str, rows: list[str]) -> None:
    for row in rows:
        found = re.match(rf"\s*{_TEXT}\s*,?(.*)", row, re.S)
        if not found:
            draft.log.add("lost", f"a border of {key}: {row}")
            continue
        goal, flags = found[1].lower(), found[2]
        both = "Coast" in flags or "Archipelago" in flags
        if both or "Land" in flags:
            draft.walk.add((province_key(key), province_key(goal)))
        if both or "Sea" in flags:
            draft.sail.add((key, goal))


def _read_start(draft: DraftMap, text: str, nations: Mapping[str, str]) -> None:
    for place, kind, nation in _UNIT.findall(text):
        power = _key(nations, nation)
        if power not in draft.powers:
            draft.powers[power] = DraftPower(_unquote(nations.get(nation, nation)), plays=False)
        draft.units.append(DraftUnit(power, kind[0], place.lower()))
    owners = dict(_owners(text))
    if not owners:
        draft.log.add("guessed", "no list of owners: home powers own their centres")
        return
    for key, place in draft.places.items():
        if place.is_centre or key in owners:
            nation = owners.get(key, "Neutral")
            place.is_centre = True
            place.owner = NEUTRAL if nation == "Neutral" else _key(nations, nation)


def _owners(text: str) -> Iterator[tuple[str, str]]:
    body = _inside(text, _OWNERS)
    return ((place.lower(), nation) for place, nation in _PAIR.findall(body))


def _read_rules(draft: DraftMap, text: str) -> None:
    # A blank board of another phase may be before the start.
    first = _FIRST.search(text)
    if found := _START.search(first[0] if first else text):
        year = int(found[1])
        draft.era = "BC" if year < 0 else ""
        draft.first_phase = phase_label(found[2], abs(year), found[3].replace("Adj", "A"))
    if not draft.first_phase:
        draft.first_phase = "S1901M"
        draft.log.add("guessed", "no first phase is found: Spring 1901")
    winner = _WINNER.search(text)
    draft.victory = int(winner[1]) if winner else None
    if winner is None and "SoloWinner" in text:
        draft.log.add("lost", "the rule of victory; more than half of the centres win")
    if "BuildAnywhere" in text:
        draft.builds = "any"
    elif "BuildAnyHomeCenter" in text:
        draft.log.add("lost", "powers build in home centres of others that they own")
    if rules := _field(text, "Rules"):
        draft.log.add("lost", f"rules in prose, read them: {rules}")
