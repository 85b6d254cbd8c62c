"""Words of dates in every language that letters are written in.

Names of weekdays and months come from the Unicode CLDR, the other words from the table `dates.tsv`
of each language. A word is read in any language, since a sender may answer a letter in another one.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache

from judge.languages import COMMON, grammar_of, letter_languages

_MIN_PREFIX_LETTERS = 3
_NUMBER = re.compile(r"[+]?[0-9]")
_ZONE = re.compile(r"\(\S+\)|utc|gmt|[a-z_]+/[a-z_/]+", re.IGNORECASE)


class DateWord(Enum):
    """Kind of a word in a date, with its name in `dates.tsv` as value."""

    WEEKDAY = "weekday"
    MONTH = "month"
    DAYS_FROM_TODAY = "today"
    HOUR = "hour"
    FILLER = "filler"


def find_date_word(word: str) -> tuple[DateWord, int] | None:
    """Return the kind of a word in a date and its number, or None.

    A weekday counts from Monday (0), a month from January (1). Names of weekdays and months may
    be shortened to three letters.

    >>> find_date_word("Di") == find_date_word("tues") == (DateWord.WEEKDAY, 1)
    True
    >>> find_date_word("maerz") == (DateWord.MONTH, 3), find_date_word("soon")
    (True, None)
    """
    word = _fold(word)
    if found := _words().get(word):
        return found
    if len(word) < _MIN_PREFIX_LETTERS:
        return None
    return next((found for name, found in _names().items() if name.startswith(word)), None)


def is_like_date(text: str) -> bool:
    """Return whether a text consists of date words, and not only of fillers.

    >>> is_like_date("next Friday"), is_like_date("Di 1. Dez. 2026, 02:50 (Europe/Berlin)")
    (True, True)
    >>> is_like_date("the end"), is_like_date("next"), is_like_date("Friday, I hope")
    (False, False, False)
    """
    kinds = [_kind_of(word) for word in text.replace(",", " ").split()]
    return None not in kinds and any(kind is not DateWord.FILLER for kind in kinds)


def _kind_of(word: str) -> DateWord | None:
    if _NUMBER.match(word):
        return DateWord.HOUR
    if _ZONE.fullmatch(word):
        return DateWord.FILLER
    found = find_date_word(word)
    return found[0] if found else None


def _fold(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold().rstrip(".")


def _variants(word: str) -> Iterator[str]:
    """Yield a word itself, with ae for ä, and without accents."""
    word = _fold(word)
    yield word
    yield word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    plain = unicodedata.normalize("NFD", word)
    yield "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def _names() -> Mapping[str, tuple[DateWord, int]]:
    """Return the names of weekdays and months in all languages, long and short."""
    found: dict[str, tuple[DateWord, int]] = {}
    for language in letter_languages():
        grammar = grammar_of(language)
        rows = [
            *((name, (DateWord.WEEKDAY, at)) for name, at in grammar.weekday_names()),
            *((name, (DateWord.MONTH, at + 1)) for name, at in grammar.month_names()),
        ]
        for name, meaning in rows:
            for variant in _variants(name):
                found.setdefault(variant, meaning)
    return found


@cache
def _words() -> Mapping[str, tuple[DateWord, int]]:
    """Return all words by meaning, those of `dates.tsv` included.

    Only names of weekdays and months may be shortened.
    """
    found = dict(_names())
    for language in letter_languages():
        table = COMMON / language / "dates.tsv"
        for row in table.read_text(encoding="utf-8").splitlines() if table.is_file() else ():
            kind, _, rest = row.partition("\t")
            number, _, words = rest.partition("\t")
            if not row.startswith("#"):
                for variant in (each for word in words.split() for each in _variants(word)):
                    found.setdefault(variant, (DateWord(kind), int(number)))
    return found
