"""Tables of docs/build/maps.md, written of a draft."""

import re
from collections.abc import Sequence

from judge.board.map import COAST_NAMES
from judge.board.mapcheck import MAX_ALIASES, MAX_NAME, MAX_TEXT, MAX_TITLE
from judge.board.mapfile import MAX_LETTERS, Row, choose_letters
from judge_maps.importing.draft import DraftMap, DraftPower, province_key
from judge_maps.importing.mending import coasts_of
from judge_maps.importing.names import (
    Spellings,
    choose_abbreviation,
    choose_aliases,
    clean_name,
    clean_text,
)

_LETTER = re.compile("[A-LNP-Z]")
_COAST_SPACE = len(" (north coast)")


class TableWriter:
    """Writer of the tables of one draft."""

    def __init__(self, draft: DraftMap, source: str) -> None:
        self.draft, self.source = draft, source
        self.spellings = Spellings()
        self.abbrs: dict[str, str] = {}
        """Key of a province → abbreviation."""
        self.names: dict[str, str] = {}
        self.powers: dict[str, str] = {}
        """Key of a power → name."""
        self.power_words = Spellings()
        self._name_places()
        self._name_powers()

    def write(self) -> dict[str, str]:
        """Return the texts of the tables by file name."""
        tables = {
            "map.tsv": self._map(), "provinces.tsv": self._provinces(),
            "adjacency.tsv": self._adjacency(), "powers.tsv": self._powers(),
            "start.tsv": self._start(),
        }
        return tables | ({"coasts.tsv": self._coasts()} if self.draft.coast_aliases else {})

    def place(self, key: str) -> str:
        """Return the abbreviation of a place, with its coast."""
        province, slash, coast = key.partition("/")
        return f"{self.abbrs[province]}{slash}{coast}"

    def _name_places(self) -> None:
        log = self.draft.log
        # Abbreviations that can stay come first: those that are made up avoid them and all names.
        names = {k: clean_name(p.name) or k.capitalize() for k, p in self.draft.places.items()}
        order = sorted(names, key=lambda key: not re.fullmatch("[a-z][a-z0-9]{1,3}", key))
        kept = [key for key in order if re.fullmatch("[a-z][a-z0-9]{1,3}", key)]
        for key in kept:
            self._abbreviate(key, names[key])
        for key, name in names.items():
            self._name(key, name)
        for key in order:
            if key not in self.abbrs:
                self._abbreviate(key, self.names[key])
                if key != self.draft.places[key].name.lower().replace("/", " "):
                    log.add("renamed", f"the abbreviation {key} is {self.abbrs[key]}")

    def _abbreviate(self, key: str, name: str) -> None:
        found = choose_abbreviation(key, name, self.spellings, self.abbrs.values())
        self.abbrs[key] = found
        self.spellings.claim(found, key)
        if found.lower() != key and re.fullmatch("[a-z][a-z0-9]{1,3}", key):
            self.draft.log.add("renamed", f"the abbreviation {key} is {found}")

    def _name(self, key: str, name: str) -> None:
        limit = MAX_NAME - (_COAST_SPACE if coasts_of(self.draft, key) else 0)
        found, number = name[:limit].strip(), 2
        while not self.spellings.claim(found, key):
            found = f"{name[: limit - 4].strip()} {number}"
            number += 1
        if found != " ".join(self.draft.places[key].name.split()):
            self.draft.log.add("renamed", f"{self.draft.places[key].name} is {found}")
        self.names[key] = found

    def _name_powers(self) -> None:
        for key, power in self.draft.powers.items():
            name = clean_name(power.name) or "Power"
            found, number = name, 2
            while not self.power_words.claim(found, key):
                found = f"{name[: MAX_NAME - 4]} {number}"
                number += 1
            if found != power.name.strip():
                self.draft.log.add("renamed", f"the power {power.name} is {found}")
            self.powers[key] = found

    def _map(self) -> str:
        draft = self.draft
        title = clean_text(draft.title, MAX_TITLE)
        rows = {
            "format": "1",
            "title": "Imported map" if title == "-" else title,
            "first_phase": draft.first_phase,
            "era": draft.era or "-",
            "season_spring": draft.seasons[0] or "-",
            "season_fall": draft.seasons[1] or "-",
            "victory": str(draft.victory or "-"),
            "quiet_falls": str(draft.quiet_falls),
            "builds": draft.builds,
            "author": clean_text(draft.author, MAX_TITLE),
            "source": clean_text(self.source, MAX_TEXT),
            "licence": clean_text(draft.licence or "unknown", MAX_TEXT),
        }
        return _table(("key", "value"), list(rows.items()))

    def _provinces(self) -> str:
        rows = []
        for key, place in self.draft.places.items():
            own = (self.abbrs[key], self.names[key])
            words = place.aliases if key.isalnum() and len(key) <= 4 else [*place.aliases, key]
            aliases, lost = choose_aliases(words, key, self.spellings, own)
            for word in lost:
                self.draft.log.add("lost", f"the spelling {word!r} of {self.names[key]}")
            home = self.powers.get(place.home, "-")
            owner = "=" if place.owner == place.home else self.powers.get(place.owner or "", "-")
            coasts = ",".join(k.partition("/")[2] for k in coasts_of(self.draft, key))
            x, y = place.position or ("-", "-")
            rows.append((
                *own, place.kind, str(int(place.is_centre)), home, coasts or "-",
                ";".join(aliases) or "-", owner, str(x), str(y),
            ))
        head = (
            "abbr", "name", "kind", "supply_centre", "home_power", "coasts", "aliases", "owner",
            "x", "y",
        )
        return _table(head, sorted(rows, key=lambda row: row[0].lower()))

    def _coasts(self) -> str:
        rows = []
        for key, words in self.draft.coast_aliases.items():
            abbr, province = self.place(key), province_key(key)
            name = f"{self.names[province]} ({COAST_NAMES[key.partition('/')[2]]})"
            name = name if self.spellings.claim_exact(name, abbr) else abbr
            self.spellings.claim_exact(abbr, abbr)
            kept: list[str] = []
            for word in (w.strip().lower()[:MAX_NAME] for w in words if _is_spelling(w)):
                is_new = word not in (abbr.lower(), name.lower(), *kept)
                if is_new and len(kept) < MAX_ALIASES and self.spellings.claim_exact(word, abbr):
                    kept.append(word)
            rows.append((abbr, name, ";".join(kept) or "-"))
        return _table(("abbr", "name", "aliases"), sorted(rows))

    def _adjacency(self) -> str:
        pairs: dict[tuple[str, str], list[str]] = {}
        for column, steps in enumerate((self.draft.walk, self.draft.sail)):
            for here, there in steps:
                a, b = sorted((self.place(here), self.place(there)), key=str.lower)
                pairs.setdefault((a, b), ["0", "0"])[column] = "1"
        rows = [(*pair, *units) for pair, units in pairs.items()]
        rows.sort(key=lambda row: (row[0].lower(), row[1].lower()))
        return _table(("a", "b", "army", "fleet"), rows)

    def _powers(self) -> str:
        rows = []
        letters = self._letters()
        for (key, power), letter in zip(self.draft.powers.items(), letters, strict=True):
            name = self.powers[key]
            adjective = clean_name(power.adjective) or name
            if not self.power_words.claim(adjective, key):
                self.draft.log.add("lost", f"the adjective {adjective} of {name}")
                adjective = name
            words, lost = choose_aliases(power.words, key, self.power_words, (name, adjective))
            for word in lost:
                self.draft.log.add("lost", f"the word {word!r} for {name}")
            plays = "yes" if power.plays else "no"
            rows.append((name, letter, adjective, ";".join(words) or "-", "-", plays))
        return _table(("power", "letter", "adjective", "words", "colour", "plays"), rows)

    def _letters(self) -> Sequence[str]:
        """Return the sign-on letters: those given, as far as possible, and others."""
        wanted = [_wanted_letter(power) for power in self.draft.powers.values()]
        many = len(wanted) > MAX_LETTERS
        rows = [
            Row(power=name, letter="?" if many or letter in wanted[:n] or not letter else letter)
            for n, (name, letter) in enumerate(zip(self.powers.values(), wanted))
        ]
        found = choose_letters(rows)
        for row, letter, wish in zip(rows, found, wanted):
            if letter != wish:
                self.draft.log.add("letters", f"{letter} for {row['power']}")
        return found

    def _start(self) -> str:
        rows = [
            (self.powers[unit.power], unit.kind, self.place(unit.place))
            for unit in self.draft.units
        ]
        return _table(("power", "unit", "location"), sorted(rows))


def _is_spelling(word: str) -> bool:
    """Return whether a spelling of a coast can be one, as its brackets and slash can."""
    signs = set('#{}[]<>|"@*\\;')
    return any(map(str.isalnum, word)) and not signs & set(word) and word.isprintable()


def _wanted_letter(power: DraftPower) -> str:
    """Return the letter of a power or its initial, or an empty text."""
    letter = (power.letter or clean_name(power.name)[:1]).upper()
    return letter if _LETTER.fullmatch(letter) else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "".join("\t".join(cells) + "\n" for cells in (head, *rows))
