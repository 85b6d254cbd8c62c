"""Word table of one map: the possible meanings of words in order lines.

A spelling is a sequence of words. Blanks, hyphens, full stops and apostrophes between them do not
matter, and the whole may be written as one word. Only listed spellings count: no prefixes and no
words run together, because too many of those mean something else ("burm" is Burma, not Bur M).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rapidfuzz.distance import OSA

from judge.board.map import COAST_NAMES, Map, province_of
from judge.board.mapfile import spellings_of
from judge.errors import DataError
from judge.games.diplomacy.language.cleaning import normalize_line
from judge.games.diplomacy.language.grammar import spellings_of_verbs

WORD = re.compile(r"[^\W_]+")
_GENITIVE = re.compile(r"(?<=[^\W_])['\u2019]s(?![^\W_])")
"""An "'s", which the reader drops."""

_ALSO_MEANT = {"north": ("Nwg",), "liv": ("Lvp", "Lvn"), "man": ("Eng",)}
"""Short names that mean other places on other maps.

They are accepted where only one of the places can be ordered. Where the map itself has such a name
(Youngstown's "liv" is Liverpool), it has priority.
"""

_MAX_NEAR = 3
"""Number of names suggested for an unknown one."""

_VERB_LETTERS = frozenset("abcdfhmprstw")
"""Letters that are words of their own in orders and not taken as initials of places."""
_GERMAN_COASTS = {
    "nc": ("nordkuste", "nordkueste"),
    "sc": ("sudkuste", "suedkueste"),
    "ec": ("ostkuste", "ostkueste"),
    "wc": ("westkuste", "westkueste"),
}
"""Spellings as in cleaned lines."""
_COMPASS = {"north": "n", "south": "s", "east": "e", "west": "w"}


class Sense(NamedTuple):
    """One meaning of a spelling.

    *kind* is a terminal of the grammar. *meaning* is the province, power or coast, empty for verbs.
    *loose*: shorter readings of the same words are tried as well. *vague*: the word is not the name
    of the place but an abbreviation.
    """

    kind: str
    meaning: str = ""
    loose: bool = False
    vague: bool = False


@dataclass(slots=True)
class Branch:
    """Node of the table: the meanings of the words up to here, and continuations."""

    senses: tuple[Sense, ...] = ()
    after: dict[str, "Branch"] = field(default_factory=dict)


class MapLexicon:
    """All spellings of one map, with places by their provinces."""

    def __init__(self, board: Map) -> None:
        self.board = board
        self.root = Branch()
        self.coasts = Branch()
        self.places: dict[str, str] = {}
        """Spelling without blanks → province, for exact names only."""
        self.names: dict[str, tuple[str, str]] = {}
        """Spelling without blanks, including derived ones → province, and the last letter of a
        box."""
        self.letters: dict[str, str] = {p.letter.lower(): p.name for p in board.powers}
        """Sign-on letter → power. Letters count only before a colon and after PROXY."""
        for kind, spelling in spellings_of_verbs():
            # "in den" may also be "in Den(mark)".
            self._add(spelling, Sense(kind, loose=spelling == "in den"))
        self.powers: dict[str, str] = {}
        """Name of a power → power."""
        for power in board.powers:
            for spelling in (power.name, power.adjective, *power.words):
                self.powers[spelling.casefold()] = power.name
                for written in _as_read(spelling):
                    self._add(written, Sense("POWER", power.name))
        self._add_places()
        self.box_letters = {letter for _, letter in self.names.values() if letter}
        self._names_by_length = sorted(self.names, key=len)
        self._names_in_order = sorted(self.names)
        self._add_vague()
        for coast, name in COAST_NAMES.items():
            side = name.partition(" ")[0]
            german = _GERMAN_COASTS[coast]
            for spelling in (coast, name, f"{side}ern coast", f"{coast[0]} coast", *german):
                self._add(spelling, Sense("COAST", coast))
                self._add(spelling, Sense("COAST", coast), self.coasts)
            for spelling in (f"{coast[0]} c", side, coast[0]):
                self._add(spelling, Sense("COAST", coast), self.coasts)
        holds = [spelling for kind, spelling in spellings_of_verbs() if kind == "HOLD"]
        self.like_hold = frozenset(
            place
            for place in self.places
            if any(len(word) > 3 and OSA.distance(place, word) == 1 for word in holds)
        )
        """Spellings of places that are one letter from a word for "hold"."""
        self.coast_places = dict(self._coast_places())
        """(province, coast as written) → place, including odd coast names of the tables."""

    def names_as_long(self, least: int, most: int) -> list[str]:
        """Return the `names` that have from *least* to *most* letters."""
        names = self._names_by_length
        return names[bisect_left(names, least, key=len):bisect_right(names, most, key=len)]

    def names_beginning_with(self, letter: str) -> list[str]:
        """Return the `names` that begin with a letter, sorted."""
        names = self._names_in_order
        return names[bisect_left(names, letter):bisect_left(names, chr(ord(letter) + 1))]

    def _add_places(self) -> None:
        for province, spellings in _place_spellings(self.board).items():
            for spelling in spellings:
                joined = "".join(WORD.findall(spelling))
                if self.places.setdefault(joined, province) != province:
                    raise DataError(f"{spelling!r} means {self.places[joined]} and {province}")
                self._add_name(spelling, Sense("PLACE", province))
        for province, spellings in _place_spellings(self.board).items():
            for short in _derive_spellings(spellings):
                if self.places.get("".join(short.split()), province) == province:
                    self._add_name(short, Sense("PLACE", province, loose=True))
        for short, provinces in self._exact_spellings().items():
            [province, *others] = provinces
            if not others and self.names.get("".join(short.split()), (province,))[0] == province:
                self._add(short, Sense("PLACE", province, loose=True))

    def _exact_spellings(self) -> Mapping[str, set[str]]:
        """Return spellings that count exactly and are no candidates for misspelt words.

        They begin with an initial or the abbreviation ("e channel", "tyr sea"), or name
        boxes ("ob b").
        """
        found: dict[str, set[str]] = {}
        for province, spellings in _place_spellings(self.board).items():
            for spelling in spellings:
                first, *rest = WORD.findall(spelling)
                if first == "offboard" and rest:
                    for words in ("off ", "off", "ob "):
                        found.setdefault(words + rest[-1], set()).add(province)
                elif rest and len(first) > 1 and len(rest[-1]) > 2:
                    for words in (province.lower(), first[:3]):
                        found.setdefault(f"{words} {rest[-1]}", set()).add(province)
                    if first[0] not in _VERB_LETTERS:
                        found.setdefault(" ".join([first[0], *rest]), set()).add(province)
        return found

    def _add_vague(self) -> None:
        """Add words that begin the names of several places, such as "off board"."""
        beginnings: dict[str, set[str]] = {}
        for province, spellings in _place_spellings(self.board).items():
            for spelling in spellings:
                parts = WORD.findall(spelling)
                for length in range(1, len(parts)):
                    beginnings.setdefault(" ".join(parts[:length]), set()).add(province)
        meant = {words: found for words, found in beginnings.items() if len(found) > 1}
        for words, others in _ALSO_MEANT.items():
            known = {province for province in others if province in self.board.provinces}
            meant.setdefault(words, set()).update(known)
        for words, provinces in meant.items():
            named = self.places.get(words.replace(" ", ""))
            if named is None or named in _ALSO_MEANT.get(words, ()):
                for abbr in sorted(provinces - {named}):
                    self._add(words, Sense("PLACE", abbr, vague=True))

    def _add_name(self, spelling: str, sense: Sense) -> None:
        self._add(spelling, sense)
        words = WORD.findall(spelling)
        letter = words[-1] if len(words) > 1 and len(words[-1]) == 1 else ""
        if self.names.setdefault("".join(words), (sense.meaning, letter))[1] < letter:
            self.names["".join(words)] = (sense.meaning, letter)
        if len(words) > 1 and not sense.loose:
            self._add("".join(words), sense)

    def _add(self, spelling: str, sense: Sense, root: Branch | None = None) -> None:
        branch = root or self.root
        for word in WORD.findall(spelling.lower()) or [spelling]:
            branch = branch.after.setdefault(word, Branch())
        if sense not in branch.senses:
            branch.senses += (sense,)

    def _coast_places(self) -> Iterator[tuple[tuple[str, str], str]]:
        for province in self.board.provinces.values():
            for coast in province.coasts:
                yield (province.abbr, coast), f"{province.abbr}/{coast}"
        for place, spellings in self.board.coast_spellings.items():
            for spelling in spellings:
                if found := re.fullmatch(r".*[/(]([nsew]c)\)?", spelling):
                    yield (province_of(place), found[1]), place


_KNOWN: dict[str, MapLexicon] = {}


def lexicon(board: Map) -> MapLexicon:
    """Return the word table of a map, made once for each map."""
    found = _KNOWN.get(board.name)
    if found is None or found.board.provinces is not board.provinces:
        found = _KNOWN[board.name] = MapLexicon(board)
    return found


def plain_name(words: str) -> str:
    """Return words as in the word table: as one, without capitals, accents and signs.

    >>> plain_name("St. Pétersburg")
    'stpetersburg'
    """
    return "".join(WORD.findall(normalize_line(words).text))


def places_near(words: str, board: Map) -> tuple[str, ...]:
    """Return the names of the places spelled nearest to *words*, three at most.

    They are for lists of names only, while `repair` considers what a unit can do.
    """
    names = ((spelling, place) for spelling, (place, _) in lexicon(board).names.items())
    return tuple(board.place_name(place) for place in _nearest(plain_name(words), names))


def powers_near(words: str, board: Map) -> tuple[str, ...]:
    """Return the powers spelled nearest to *words*, three at most."""
    return _nearest(plain_name(words), lexicon(board).powers.items())


def _nearest(word: str, names: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return the meanings of the spellings nearest to a word, if any are near."""
    limit = max(1, len(word) // 3)
    found: dict[str, int] = {}
    for spelling, meaning in names:
        far = OSA.distance(word, spelling, score_cutoff=limit)
        if far <= limit and far < min(len(word), len(spelling)) - 1:
            found[meaning] = min(found.get(meaning, limit), int(far))
    best = min(found.values(), default=0)
    return tuple(sorted(meaning for meaning, far in found.items() if far == best))[:_MAX_NEAR]


def _place_spellings(board: Map) -> Mapping[str, tuple[str, ...]]:
    return {
        p.abbr: tuple(sorted({
            form for word in (p.abbr, p.name, *p.aliases) for form in _as_read(word)
        }))
        for p in board.provinces.values()
    }


def _as_read(spelling: str) -> set[str]:
    """Return the forms in which the reader may get a spelling.

    They have no accents, and lack "'s" or have an "s" for it.

    >>> sorted(_as_read("Chiron's Höhle"))
    ['chiron hoehle', 'chiron hohle', 'chirons hoehle', 'chirons hohle']
    """
    return {
        _GENITIVE.sub(ending, plain) for plain in spellings_of(spelling) for ending in ("", "s")
    }


def _derive_spellings(spellings: Iterable[str]) -> Iterator[str]:
    """Yield spellings derived from listed ones: "n atlantic", "western med", "box a"."""
    for spelling in spellings:
        first, *rest = WORD.findall(spelling)
        if rest and first in _COMPASS:
            for side in (_COMPASS[first], f"{first}ern"):
                yield " ".join([side, *rest])
                yield "".join([side, *rest])
        elif rest and first == "offboard":
            yield " ".join(["box", *rest])
            yield " ".join(["off board box", *rest])
