"""Names of places, nations and technologies, and their meanings (N-152).

An exact name wins. Otherwise the beginning of a name means that name, if no other begins so. A
word that is only near to names is suggested as them. It is read as a name, with a note, only if a
few typing errors lead to that name alone.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from judge.digits import is_number
from judge.games.nations1940.language.patterns import rows
from judge.games.nations1940.scenario import GOVERNMENTS, KINDS, Node, in_order, scenario
from judge.games.nations1940.sides import nations_called

T = TypeVar("T")

_NEAR = 72
"""Minimum similarity of a word and a name suggested for it, of 100."""
_MAX_SUGGESTED = 4
_MIN_CONTAINED = 3
"""Minimum length of a word that is searched for within names, in letters."""


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """Meanings of a word: one, several, or only names near to it.

    `repaired`: the one meaning whose name is nearest to a misspelt word, else empty.
    """

    meanings: tuple[T, ...]
    near: tuple[str, ...] = ()
    repaired: tuple[T, ...] = ()


def fold_name(text: str) -> str:
    """Return a name in lower case without blanks and signs, for comparison.

    >>> (fold_name('"North_Germany"'), fold_name("Electric&Diesel Trains"),
    ...  fold_name("anti-tank guns"))
    ('northgermany', 'electricdieseltrains', 'antitankguns')
    """
    return re.sub(r"[\W_]", "", text.lower())


_MIN_REPAIRED = 4
"""Minimum length of a word that is repaired, in letters."""


def _max_slips(word: str) -> int:
    """Return the maximum number of typing errors in a word of this length."""
    return 1 if len(word) <= 6 else 2 if len(word) <= 9 else 3


class Names(Generic[T]):
    """Table of names and their meanings."""

    def __init__(self, rows: Iterable[tuple[str, T]]) -> None:
        self._rows: dict[str, T] = {}
        self._shown: dict[str, str] = {}
        for name, meaning in rows:
            self._rows[fold_name(name)] = meaning
            self._shown[fold_name(name)] = name

    def spellings(self) -> Collection[str]:
        """Return all names of the table, folded."""
        return self._rows.keys()

    def is_known(self, text: str) -> bool:
        """Return whether a word is a name or the beginning of one."""
        word = fold_name(text)
        return bool(word) and any(name.startswith(word) for name in self._rows)

    def find(self, text: str) -> Found[T]:
        """Return the meanings of a word, or the names near to it."""
        word = fold_name(text)
        if word in self._rows:
            return Found((self._rows[word],))
        begun = [meaning for name, meaning in self._rows.items() if word and name.startswith(word)]
        if begun:
            return Found(tuple(dict.fromkeys(begun)))
        near = process.extract(
            word, list(self._rows), scorer=fuzz.ratio, limit=_MAX_SUGGESTED, score_cutoff=_NEAR
        )
        found = [*self._containing(text), *(name for name, _, _ in near)]
        by_meaning = {self._rows[name]: self._shown[name] for name in reversed(found)}
        shown = tuple(reversed(by_meaning.values()))[:_MAX_SUGGESTED]
        return Found((), shown, self._repair(word))

    def _containing(self, text: str) -> list[str]:
        """Return the names that contain all words of a text, without a plural s.

        >>> Names([("Electric&Diesel Trains", 1), ("Sonar", 2)])._containing("electric train")
        ['electricdieseltrains']
        """
        words = [re.sub(r"s$", "", fold_name(word)) for word in text.split()]
        if not words or min(map(len, words)) < _MIN_CONTAINED:
            return []
        return [name for name in self._rows if all(word in name for word in words)]

    def _repair(self, word: str) -> tuple[T, ...]:
        """Return the meaning of the nearest name within few typing errors, if it is one."""
        if len(word) < _MIN_REPAIRED:
            return ()
        limit = _max_slips(word)
        slips: dict[T, int] = {}
        for name, meaning in self._rows.items():
            if len(name) >= _MIN_REPAIRED and abs(len(name) - len(word)) <= limit:
                found = OSA.distance(word, name, score_cutoff=limit)
                slips[meaning] = min(found, slips.get(meaning, found))
        least = min(slips.values(), default=limit + 1)
        nearest = tuple(meaning for meaning, count in slips.items() if count == least)
        return nearest if least <= limit and len(nearest) == 1 else ()


class ScenarioLexicon:
    """All names of a scenario."""

    def __init__(self, map_name: str) -> None:
        board = scenario(map_name)
        self.board = board
        lands = [(land.name, number) for number, land in board.lands.items()]
        seas = [(sea.name, sea.id) for sea in board.seas.values()]
        seas += [(sea.id, sea.id) for sea in board.seas.values()]
        self.lands: Names[int] = Names(lands)
        self.seas: Names[str] = Names(seas)
        self.places: Names[Node] = Names([*lands, *seas])
        self.techs: Names[str] = Names((name, name) for name in board.techs)
        self.traits: Names[str] = Names((name, name) for name in board.traits)
        self.governments: Names[str] = Names((name, name) for name in GOVERNMENTS)
        self.kinds: Names[str] = Names(
            [*((title, code) for code, title in KINDS.items()), *((k, k) for k in KINDS)]
        )
        self.nations: Names[str] = Names(
            (name, called.code)
            for called in nations_called(map_name)
            for name in (
                called.name, called.adjective, *called.words, board.nations[called.code].name,
                called.code,
            )
        )  # fmt: skip
        self.treaties: Names[str] = Names((name, code) for code, name in rows("treaty-spelling"))

        self._finders: Mapping[str, Callable[[str], Found[Any]]] = {
            "province": self.land, "sea": self.sea, "place": self.place,
            "nation": self.nations.find, "tech": self.techs.find, "trait": self.traits.find,
            "government": self.governments.find, "kind": self.kinds.find,
            "treaty": self.treaties.find,
        }  # fmt: skip

    def find(self, what: str, text: str) -> Found[Any]:
        """Return the meanings of a word as a name of a kind, such as "tech"."""
        return self._finders[what](text)

    def land(self, text: str) -> Found[int]:
        """Return the province that a word or number means, or several.

        >>> lexicon("nations1940").land("alb").meanings, lexicon("nations1940").land("#20").meanings
        ((35,), (20,))
        """
        numbered = _number(text)
        if numbered is None:
            return _sort_meanings(self.lands.find(text))
        number, name = numbered
        there = (number,) if number in self.board.lands else ()
        named = self.lands.find(name).meanings if name else there
        # A number with the name of another province may mean either.
        return Found(there if number in named else tuple(sorted({*there, *named})))

    def sea(self, text: str) -> Found[str]:
        """Return the sea region that a word means, or several.

        >>> lexicon("nations1940").sea("Ionian").meanings
        ('S16',)
        """
        region = _SEA.match(text)
        found = _sort_meanings(self.seas.find(region[1] if region else text))
        name = text[region.end():].strip() if region else ""
        if name and not {*found.meanings} & {*self.seas.find(name).meanings}:
            return Found(())
        return found

    def place(self, text: str) -> Found[Node]:
        """Return the province or sea region that a word means, or several."""
        if _number(text) is not None:
            return Found(tuple(self.land(text).meanings))
        if _SEA.match(text):
            return Found(tuple(self.sea(text).meanings))
        return _sort_meanings(self.places.find(text))


_P = TypeVar("_P", int, str, int | str)


def _sort_meanings(found: Found[_P]) -> Found[_P]:
    return Found(tuple(sorted(found.meanings, key=in_order)), found.near, found.repaired)


_SEA = re.compile(r"\s*(s[0-9]{1,2})(?:\s|$)", re.I)
"""Sea region by its id. Its name may follow, as the judge's letters print it."""
_NUMBERED = re.compile(r"#?\s?([0-9]{1,6})(?:\s+(.*))?")


def _number(text: str) -> tuple[int, str] | None:
    """Return the number of a province and the name after it, or None."""
    found = _NUMBERED.fullmatch(text.strip().strip("\"'"))
    return (int(found[1]), found[2] or "") if found else None




def nearest_verb(word: str, verbs: Sequence[str]) -> str:
    """Return the verb nearest to a misspelt word, or an empty string.

    Words of one or two letters have none.

    >>> nearest_verb("biuld", ("build", "bomb")), nearest_verb("hello", ("hold",))
    ('build', '')
    """
    found = process.extractOne(word, verbs, scorer=fuzz.ratio, score_cutoff=_NEAR)
    return str(found[0]) if found and len(word) > _MIN_SLIP else ""


_MIN_SLIP = 2


@cache
def lexicon(map_name: str) -> ScenarioLexicon:
    """Return the names of a scenario, collected once for each map."""
    return ScenarioLexicon(map_name)


def split_lane(words: Sequence[str], names: ScenarioLexicon) -> tuple[str, str, int] | None:
    """Return count, sea region and province of the words before an escort's arrow.

    None if no split of the words gives exactly one sea region and one province.

    >>> split_lane(("1", "ionian", "naples"), lexicon("nations1940"))
    ('1', 'S16', 64)
    """
    count = ""
    if words and (is_number(words[0]) or words[0] == "all"):
        count, words = words[0], words[1:]
    for at in range(1, len(words)):
        sea = names.sea(" ".join(words[:at])).meanings
        land = names.land(" ".join(words[at:])).meanings
        if len(sea) == len(land) == 1:
            return count, sea[0], land[0]
    return None
