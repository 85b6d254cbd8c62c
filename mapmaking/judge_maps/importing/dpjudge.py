"""Reader of maps of DPjudge and of the `diplomacy` package.

They share one grammar.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

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

_KINDS = {"WATER": "sea", "LAND": "land", "COAST": "coast", "PORT": "port", "SHUT": "shut"}
MAX_LINES = 20_000
_IGNORED = frozenset({"TEXTONLY", "FLAGS", "FLAG", "NOTIFY", "ROTATE"})
_LOST = frozenset({
    "FLOW", "NEWHOMES", "RESERVES", "MILITIA", "CONTROL", "LEAGUE", "TEAM", "TEAMS", "W",
})
_FREE = frozenset({"UNOWNED", "NEUTRAL", "CENTERS"})
_BUILDS = {"BUILD_ANY": "any", "REMOTE_BUILDS": "one"}
_MARKS = re.compile(r"^[^A-Za-z0-9]+|[^A-Za-z0-9]+$")
_AUTHOR = re.compile(
    r"^#[^\n]*?(?:created|designed|invented|author)\s*(?:by|:)[\s:]*([^\n]+)$", re.I | re.M
)


@dataclass
class _Site:
    """A place of the geography.

    Its spelling says whether fleets can be there.
    """

    spelling: str
    kind: str
    abuts: list[str] = field(default_factory=list)


class _Reader:
    """State of the reading of one map."""

    def __init__(self, files: SourceFiles) -> None:
        self.files = files
        self.draft = DraftMap()
        self.sites: dict[str, _Site] = {}
        self.homes: dict[str, list[str]] = {}
        self.owned: dict[str, list[str]] = {}
        self.units: dict[str, DraftUnit] = {}
        """Units by their provinces."""
        self.lines = 0
        self.names: dict[str, tuple[str, list[str]]] = {}
        self.power = ""
        self.block = ""
        """Name of a block whose lines are not read, such as "DIRECTIVE"."""
        self.read: set[str] = set()
        self.verbs: dict[str, Callable[[list[str]], None]] = {
            "VICTORY": self._victory, "USE": self._use, "USES": self._use, "MAP": self._use,
            "BEGIN": self._begin, "RULE": self._rule, "RULES": self._rule, "OWNS": self._owns,
            "CENTERS": self._owns, "INHABITS": self._home, "HOME": self._home, "HOMES": self._home,
            "UNITS": self._clear_units, "A": self._unit, "F": self._unit, "DUMMY": self._dummy,
            "DUMMIES": self._dummy, "DROP": self._drop, "UNPLAYED": self._remove_powers,
            "AMEND": self._site, **dict.fromkeys(_KINDS, self._site),
        }

    def load(self, name: str) -> None:
        """Read one file and those it uses."""
        if name.lower() in self.read:
            return
        self.read.add(name.lower())
        text = self.files.read(name)
        if not self.draft.author and (found := _AUTHOR.search(text)):
            self.draft.author = found[1].strip(" .")
        for line in text.split("\n"):
            words = line.split()
            self.lines += 1
            if self.lines > MAX_LINES:
                raise ImportFault(f"{name[:80]}: more than {MAX_LINES} lines")
            if words and not words[0].startswith("#"):
                self._line(line, words)

    def _line(self, line: str, words: list[str]) -> None:
        verb, last = words[0].upper(), words[-1].upper()
        if last in ("DIRECTIVE", "DIRECTIVES"):
            self.block = "" if verb == "END" else "DIRECTIVE"
            self.draft.log.add("lost", f"lines for a variant of the rules: {line.strip()}")
        elif verb in ("IN", "FROM") and len(words) > 1:
            # A line such as "IN SPRING: WATER ARC" is one change, without a colon it begins many.
            self.block = "" if ":" in line or "start" in line.lower() else verb
            self.draft.log.add("lost", f"a change of the map in play: {line.strip()}")
        elif self.block or verb in _IGNORED:
            return
        elif verb in _LOST:
            self.draft.log.add("lost", line.strip())
        elif "=" in line:
            self._name(line)
        elif verb in self.verbs and (self.power or verb != "CENTERS"):
            self.verbs[verb](words)
        else:
            self._power(words)

    def _victory(self, words: list[str]) -> None:
        numbers = [int(word) for word in words[1:] if is_number(word)]
        self.draft.victory = numbers[0] if numbers else None
        if len(words) > 2:
            self.draft.log.add("lost", f"victory that changes with the years: {' '.join(words)}")

    def _use(self, words: list[str]) -> None:
        for name in words[1:]:
            self.load(name if "." in name else f"{name}.map")

    def _begin(self, words: list[str]) -> None:
        text, label = " ".join(words[1:]), ""
        if len(words) == 4 and is_number(words[2]):
            label = phase_label(words[1], int(words[2]), words[3])
        if not label:
            found = re.search(r"[0-9]{1,4}", text)
            label = f"S{int(found[0]) or 1:04}M" if found else ""
            self.draft.log.add("guessed", f"the first phase {text!r} is {label or 'unknown'} here")
        self.draft.first_phase = label

    def _rule(self, words: list[str]) -> None:
        for rule in map(str.upper, words[1:]):
            if rule in _BUILDS:
                self.draft.builds = _BUILDS[rule]
            else:
                self.draft.log.add("lost", f"the rule {rule}")

    def _name(self, line: str) -> None:
        """Read a line such as `Spain = spa spn`."""
        name, _, rest = line.partition("=")
        old, arrow, new = name.partition("->")
        words = rest.split()
        if not words:
            return
        key = words[0].lower()
        if arrow:
            name = new
            self._rename(old.strip().lower(), key)
        aliases = [word.replace("+", " ") for word in words[1:] if not word.endswith("?")]
        self.names[key] = (name.strip(), aliases)

    def _rename(self, old: str, new: str) -> None:
        """Give a place another abbreviation, its coasts too."""
        self.names.pop(old, None)
        for table in (self.sites, self.names):
            for key in [key for key in table if province_key(key) == old and old != new]:
                table[new + key[len(old):]] = table.pop(key)  # type: ignore[assignment]
        for site in self.sites.values():
            site.spelling = _respell(site.spelling, old, new)
            site.abuts = [_respell(word, old, new) for word in site.abuts]
        for places in (*self.homes.values(), *self.owned.values()):
            places[:] = [new if place == old else place for place in places]
        if old in self.units:
            unit = self.units.pop(old)
            self.units[new] = unit._replace(place=_respell(unit.place, old, new))

    def _site(self, words: list[str]) -> None:
        """Read a line such as `COAST SPA/NC ABUTS GAS MAO POR`."""
        if len(words) < 2:
            return
        spelling, key = words[1], words[1].lower()
        kind = _KINDS.get(words[0].upper(), "")
        site = self.sites.setdefault(key, _Site(spelling, kind))
        site.spelling = spelling
        if kind:
            site.kind = kind
            if len(words) > 2:
                site.abuts = []
        for word in words[3:]:
            if word.startswith("-"):
                gone = word[1:].lower()
                site.abuts = [s for s in site.abuts if not _bare(s).lower().startswith(gone)]
            else:
                site.abuts.append(word)

    def _drop(self, words: list[str]) -> None:
        for word in map(str.lower, words[1:]):
            for table in (self.sites, self.names):
                for key in [key for key in table if key.startswith(word)]:
                    del table[key]
            for site in self.sites.values():
                site.abuts = [s for s in site.abuts if not _bare(s).lower().startswith(word)]
            for sites in (*self.homes.values(), *self.owned.values()):
                sites[:] = [s for s in sites if s != word]
            self.units.pop(word, None)

    def _power(self, words: list[str]) -> None:
        """Read a line such as `ENGLAND (ENGLISH:E) EDI LON LVP`."""
        if len(words) > 2 and words[1] == "->":
            old, words = _key(words[0]), words[2:]
            new = _key(words[0])
            for table in (self.homes, self.owned):
                if old in table:
                    table[new] = table.pop(old)
            for place, unit in self.units.items():
                self.units[place] = unit._replace(power=new) if unit.power == old else unit
            self.draft.powers[new] = self.draft.powers.pop(old, DraftPower(""))
            self.draft.powers[new].name = _title(words[0])
        key, rest = _key(words[0]), words[1:]
        self.power = "" if key in _FREE else key
        if self.power:
            power = self.draft.powers.setdefault(key, DraftPower(_title(words[0])))
            if rest and rest[0].startswith("("):
                own, _, letter = rest.pop(0).strip("()").partition(":")
                power.adjective, power.letter = _title(own), letter[:1].upper()
        self._add_homes(self.power, rest)

    def _home(self, words: list[str]) -> None:
        if words[0].upper() != "INHABITS":
            self.homes[self.power] = []
        self._add_homes(self.power, words[1:])

    def _add_homes(self, power: str, words: list[str]) -> None:
        homes = self.homes.setdefault(power, [])
        for word in " ".join(words).lower().split():
            place = province_key(re.sub(r"\(.*", "", word).lstrip("-*+~@"))
            marks = word[: len(word) - len(word.lstrip("-*+~@"))]
            if not place or "&" in place:
                self.draft.log.add("lost", f"home centres chosen in play: {power} {word}")
            elif "-" in marks:
                homes[:] = [home for home in homes if home != place]
            elif set(marks) & {"*", "+"}:
                self.draft.log.add("lost", f"a place to build that is no centre: {power} {word}")
            else:
                if marks or "(" in word:
                    self.draft.log.add("lost", f"the condition of a home centre: {power} {word}")
                if place not in homes:
                    homes.append(place)

    def _owns(self, words: list[str]) -> None:
        places = [province_key(word.lower()) for word in words[1:] if word not in ("SC!", "SC?")]
        if len(places) < len(words) - 1:
            self.draft.log.add("lost", f"centres chosen in play: {self.power} {' '.join(words)}")
        owned = self.owned.setdefault(self.power, [])
        if words[0].upper() == "CENTERS":
            owned.clear()
        owned.extend(place for place in places if place not in owned)

    def _clear_units(self, _: list[str]) -> None:
        self.units = {k: unit for k, unit in self.units.items() if unit.power != self.power}

    def _unit(self, words: list[str]) -> None:
        if len(words) != 2 or not self.power:
            self.draft.log.add("lost", f"a unit: {' '.join(words)}")
            return
        place = words[1].lower()
        self.units[province_key(place)] = DraftUnit(self.power, words[0].upper(), place)

    def _dummy(self, words: list[str]) -> None:
        for key in self._find_powers(words):
            if key in self.draft.powers:
                self.draft.powers[key].plays = False

    def _remove_powers(self, words: list[str]) -> None:
        for key in self._find_powers(words):
            self.homes.setdefault("", []).extend(self.homes.pop(key, []))
            self.owned.pop(key, None)
            self.units = {k: unit for k, unit in self.units.items() if unit.power != key}
            self.draft.powers.pop(key, None)
        self.power = ""

    def _find_powers(self, words: list[str]) -> list[str]:
        """Return the powers that a line names, by ALL and EXCEPT too."""
        names = [_key(word) for word in words[1:]]
        if not names:
            return [self.power] if self.power else []
        if names[0] == "ALL":
            return [key for key in self.draft.powers if key not in names[2:]]
        return names


def _key(word: str) -> str:
    return word.upper().replace("+", "")


def _title(word: str) -> str:
    """Return a name in capitals as people write it.

    >>> _title("OTTOMAN+EMPIRE"), _title("_NEUTRAL"), _title("AUSTRIA-HUNGARY")
    ('Ottoman Empire', 'Neutral', 'Austria-Hungary')
    """
    text = re.sub("[+_]", " ", word).strip()
    return text.title().replace("'S", "'s") if text.isupper() or text.islower() else text


def _respell(word: str, old: str, new: str) -> str:
    """Return a word with another abbreviation, in capitals or small as before.

    >>> _respell("SPA/NC", "spa", "esp"), _respell("naf~", "naf", "mor")
    ('ESP/NC', 'mor~')
    """
    found = re.search(rf"(?<![A-Za-z0-9]){re.escape(old)}(?![A-Za-z0-9])", word, re.I)
    if not found:
        return word
    shown = found[0]
    put = new.upper() if shown.isupper() else new if shown.islower() else new.capitalize()
    return word[: found.start()] + put + word[found.end() :]


def _bare(word: str) -> str:
    """Return a neighbour without its marks of half strength and passage."""
    word = re.sub(r"\(.*", "", word.rpartition(":")[2])
    return _MARKS.sub("", word)


def read_dpjudge(files: SourceFiles) -> DraftMap:
    """Return the map of a file with the ending .map.

    Raises:
        ImportFault: there is no map.
    """
    reader = _Reader(files)
    name = files.only(files.names(".map"), "maps")
    reader.load(name)
    if not reader.sites:
        raise ImportFault(f"{files.path}: no line such as COAST SPA ABUTS POR")
    draft = reader.draft
    draft.title = draft.title or _title(name.partition(".")[0])
    if not draft.first_phase:
        draft.first_phase = "S1901M"
        draft.log.add("guessed", "the file has no first phase: Spring 1901")
    _add_places(reader)
    _add_centres(reader)
    for key, site in reader.sites.items():
        _add_steps(reader, key, site)
    draft.units = list(reader.units.values())
    return draft


def _add_places(reader: _Reader) -> None:
    draft = reader.draft
    for key, site in reader.sites.items():
        name, aliases = reader.names.get(key, ("", []))
        if "/" in key:
            draft.coast_aliases[key] = aliases
            continue
        if not name:
            draft.log.add("guessed", f"{key} has no name")
        place = DraftPlace(name or key.capitalize(), site.kind, aliases)
        coasts = any(other.startswith(f"{key}/") for other in reader.sites)
        if site.kind in ("coast", "port") and site.spelling.islower() and not coasts:
            place.kind = "land"
            draft.log.add("guessed", f"{key} is a coast without fleets: land")
        draft.places[key] = place
    for key in reader.names.keys() - reader.sites.keys():
        draft.log.add("lost", f"{key} has a name and no borders")


def _add_centres(reader: _Reader) -> None:
    draft = reader.draft
    for power, homes in reader.homes.items():
        for key in homes:
            place = draft.places.get(key)
            if place is None:
                draft.log.add("lost", f"the centre {key}, which is on no map")
                continue
            place.is_centre = True
            if power and place.home:
                draft.log.add("lost", f"{key} is a home centre of {power} too")
            elif power:
                place.home = power
                place.owner = NEUTRAL if power in reader.owned else None
    for power, owned in reader.owned.items():
        for key in owned:
            if key in draft.places:
                draft.places[key].is_centre = True
                draft.places[key].owner = power
            else:
                draft.log.add("lost", f"the centre {key}, which is on no map")


def _add_steps(reader: _Reader, key: str, site: _Site) -> None:
    """Add the steps out of a place.

    Capitals are for any unit, small letters for armies, `Xyz` for fleets.
    """
    draft = reader.draft
    for word in site.abuts:
        bare = _bare(word)
        goal = bare.lower()
        if bare != word:
            draft.log.add("lost", f"the condition of the border {key}-{goal}: {word}")
        other = reader.sites.get(goal)
        if other is None:
            if province_key(goal) not in draft.places:
                draft.log.add("lost", f"the border {key}-{goal or word}, which is on no map")
            continue
        fleet_only = not bare.isupper() and not bare.islower()
        dry = {site.kind, other.kind} <= {"land", "coast", "port"}
        if dry and not fleet_only and "/" not in key:
            draft.walk.add((key, province_key(goal)))
        floats = {site.kind, other.kind} <= {"sea", "coast", "port"}
        if floats and not bare.islower() and not {site.spelling, other.spelling} & {key, goal}:
            draft.sail.add((key, goal))
