"""Names of units in order lines: numbers, formations, commanders and types.

A name of several formations means the one that is still in play. Two of them in play make the line
ambiguous.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from judge.games.yorktown.rules.board import Counter, CounterKind, counters_of
from judge.games.yorktown.rules.state import SiegePosition

TYPE_WORDS = {
    "INF": r"infantry|infantries|infanterie|inf|regiment(?:er|e?s)?|regts?|battalions?|bns?",
    "CAV": r"cavalry|cavalries|kavallerie|cav|horse|dragoons|reiterei|dragoner",
    "ART": r"artillery|artilleries|artillerie|art|batteries|batterien?|battery|guns?|cannons?|"
    r"kanonen?|gesch(?:ü|u|ue)tze?",
    "PIO": r"pioneers?|pioniere?|pio|sappers?|miners?|engineers?",
    "FRIG": r"frigates?|fregatten?|frigs?|ships?|schiffe?",
    "CMD": r"commanders?|kommandanten?|befehlshaber|cmd|generals?",
}
ANY_TYPE = "|".join(f"(?:{words})" for words in TYPE_WORDS.values())
_GENERIC_NAMES = frozenset(
    "1st 2nd 3rd 4th light infantry foot of and army battery company battalion battalions "
    "regiment regiments militia artillery siege guns train party working brigade royal new north "
    "volunteers hms british island french continental gloucester york jersey".split()
)
"""Words of formation names that name no unit by themselves."""
_ORDINAL = re.compile(r"(?:1st|2nd|3rd|4th)|(?:battery|company) [0-9]")
_TYPE_ALONE = re.compile(rf"({ANY_TYPE})(?= (?!and\b))(?! ?[0-9])")
_TYPE_BEFORE_UNIT = re.compile(rf"\b(?:{ANY_TYPE}) (?=(?:inf|cav|art|pio|cmd|frig) [0-9])")
_LETTERS = {"c": "cav", "a": "art", "p": "pio", "f": "frig", "k": "cmd"}
_LETTER = re.compile(r"^([capfk])(?=[0-9]{1,2}(?![0-9]))")
MIN_MISSPELT = 6
"""Minimum length of a name that may be misspelt, in characters."""
_MIN_CHARS = 4
"""Minimum length of a word that names a formation alone, in characters."""


class SharedName(NamedTuple):
    """A name that several units in play have."""

    name: str
    units: tuple[str, ...]
    """Order ids in lower case."""


class UnitNames:
    """Names of the units of one side.

    *in_play* has the order ids of the units in play, and is None for all units.
    """

    def __init__(self, side: str, in_play: frozenset[str] | None = None) -> None:
        self.side = side
        self._counters = counters_of(side)
        everything = frozenset(counter.order_id for counter in self._counters)
        self._in_play = everything if in_play is None else in_play

    @cached_property
    def _ids(self) -> Mapping[str, tuple[str, ...]]:
        """Order ids by name in lower case, longest name first."""
        found: dict[str, list[str]] = {}
        for counter in self._counters:
            for name in _names_of(counter):
                found.setdefault(name, []).append(counter.order_id)
        names = sorted(found.keys() - self._commanders.keys(), key=lambda name: (-len(name), name))
        return {name: self._meant(found[name]) for name in names}

    def _meant(self, ids: Sequence[str]) -> tuple[str, ...]:
        living = [each for each in ids if each in self._in_play]
        return tuple(each.lower() for each in living or ids[:1])

    @cached_property
    def unique(self) -> Mapping[str, str]:
        """Names that mean one unit only, with its order id in lower case."""
        return {name: ids[0] for name, ids in self._ids.items() if len(ids) == 1}

    @cached_property
    def _commanders(self) -> Mapping[str, str]:
        return {
            c.name.lower(): c.order_id.lower() for c in self._counters if c.kind is CounterKind.CMD
        }

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
        """Patterns of commanders, of unique names, and of shared names."""
        shared = [name for name, ids in self._ids.items() if len(ids) > 1]
        return (
            re.compile(rf"\b(?:general |gen |lord )?({_either(self._commanders)})s?\b"),
            re.compile(rf"(?<![\w-])({_either(self.unique)})s?(?![\w-])"),
            re.compile(rf"(?<![\w-])({_either(shared)})s?(?![\w-])"),
        )

    def replace(self, text: str) -> str:
        """Return a line with formations and types named as in orders ("inf 21").

        >>> UnitNames("FA").replace("saintonge joins infantry 3")
        'inf 23 joins inf 3'
        """
        commanders, names, _ = self._patterns
        text = commanders.sub(lambda found: self._commanders[found[1]], text)
        text = names.sub(lambda found: self.unique[found[1]], text)
        for kind, words in TYPE_WORDS.items():
            number = r"(?=[0-9]{1,2}(?![0-9]))"
            text = re.sub(rf"\b(?:{words})(?:es)? ?{number}", f"{kind.lower()} ", text)
        text = re.sub(
            r"(?<!\S)([0-9]{1,2})(?:st|nd|rd|th) (infantry|cavalry)\b",
            lambda found: f"{found[2][:3]} {found[1]}", text,
        )
        text = re.sub(r"\bi ?(?=[0-9]{1,2}\b)", "inf ", text)
        text = _LETTER.sub(lambda found: _LETTERS[found[1]] + " ", text)
        text = re.sub(r"\b(inf|cav|art|pio|cmd|frig) 0(?=[0-9]\b)", r"\1 ", text)
        text = _TYPE_BEFORE_UNIT.sub("", text)
        first = self._type_without_number(text)
        if first and len(first.units) == 1:
            text = first.units[0] + text.removeprefix(first.name)
        return text

    def _type_without_number(self, text: str) -> SharedName | None:
        """Return the type without a number at the beginning of a line, or None."""
        found = _TYPE_ALONE.match(text)
        kind = kind_called(found[1]) if found else None
        if not found or not kind:
            return None
        ids = self._meant([c.order_id for c in self._counters if c.kind is kind])
        return SharedName(found[1], ids) if ids else None

    def has_name(self, text: str) -> bool:
        """Return whether a line has the name of a formation or commander.

        A line with an e-mail address or URL has none.
        """
        if "@" in text or "://" in text:
            return False
        return any(pattern.search(text) for pattern in self._patterns)

    @cached_property
    def long_words(self) -> frozenset[str]:
        """Names of one long word, which are recognised even if misspelt."""
        names = {*self._ids, *self._commanders}
        return frozenset(n for n in names if len(n) >= MIN_MISSPELT and n.isalpha())

    def find_shared(self, text: str) -> SharedName | None:
        """Return the first name of several units in a line, or its type, or None.

        The type counts at the beginning of the line, without a number.

        >>> UnitNames("FA").find_shared("weedon to 1301")
        SharedName(name='weedon', units=('inf 14', 'inf 15'))
        """
        if found := self._patterns[2].search(text):
            return SharedName(found[1], self._ids[found[1]])
        first = self._type_without_number(text)
        return first if first and len(first.units) > 1 else None


@lru_cache(maxsize=64)
def _names_in_play(side: str, in_play: frozenset[str]) -> UnitNames:
    return UnitNames(side, in_play)


def names_in(position: SiegePosition, side: str) -> UnitNames:
    """Return the names of a side's units in a position."""
    return _names_in_play(side, frozenset(
        c.order_id for c in counters_of(side) if position.units[c.key].in_play
    ))


def kind_called(word: str) -> CounterKind | None:
    """Return the type of units that a word means, or None.

    >>> kind_called("sappers"), kind_called("troops")
    (<CounterKind.PIO: 'PIO'>, None)
    """
    return next(
        (CounterKind(k) for k, words in TYPE_WORDS.items() if re.fullmatch(words, word)), None
    )


def _names_of(counter: Counter) -> set[str]:
    """Return the names of a formation in lower case.

    A name is the whole one, a part of it between commas, a longer word of it, its first word
    with the number of a battery or battalion, or the text in brackets.
    """
    aside = re.findall(r"\((.*)\)", counter.name.lower())
    plain = re.sub(r" *\(.*\)|'", "", counter.name.lower())
    parts = [part.strip() for part in plain.split(",")]
    single = {word for part in parts for word in part.split() if len(word) >= _MIN_CHARS}
    first = plain.split()[0].strip(",")
    numbered = set()
    if ordinal := _ORDINAL.search(plain):
        number = re.sub(r"[^0-9]", "", ordinal[0])
        numbered = {f"{first} {parts[-1]}", f"{first} {ordinal[0]}", f"{ordinal[0]} {first}"}
        numbered |= {f"{first} {number}"} if len(parts) > 1 else set()
    pairs = {" ".join(p.split()[1:]) for p in parts if _ORDINAL.fullmatch(p.split(" ")[0])}
    pairs |= {
        " ".join(part.split()[:2]) for part in parts
        if len(part.split()) > 2 and part.split()[1] not in ("of", "and")
    }
    whole = " ".join(parts)
    spoken = {whole, whole.replace(" of the ", " of ")}
    named = {*spoken, *parts, *single, *pairs} - _GENERIC_NAMES
    return named | numbered | {*aside}


def _either(names: Sequence[str] | Mapping[str, object]) -> str:
    return "|".join(re.escape(name) for name in names) or r"(?!)"
