"""Words of dates in every language that letters are written in.

Names of weekdays and months come from the Unicode CLDR, the other words from the phrase tables.
A word is read in any language, since a sender may answer a letter in another one.
"""

import unicodedata
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache

from judge.languages import letter_languages
from judge.model.phrase import phrase
from judge.phrases import phrasebook

_MIN_PREFIX_LETTERS = 3


class DateWord(Enum):
    """Kind of a word in a date."""

    WEEKDAY = "weekday"
    MONTH = "month"
    DAYS_FROM_TODAY = "days from today"
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


def _fold(word: str) -> str:
    return unicodedata.normalize("NFC", word).casefold().rstrip(".")


def _variants(word: str) -> Iterator[str]:
    """Yield a word as it is, with ae for ä, and without accents."""
    word = _fold(word)
    yield word
    yield word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")
    plain = unicodedata.normalize("NFD", word)
    yield "".join(letter for letter in plain if not unicodedata.combining(letter))


@cache
def _names() -> Mapping[str, tuple[DateWord, int]]:
    """Return the names of weekdays and months, long ones and short ones, of all languages."""
    found: dict[str, tuple[DateWord, int]] = {}
    for language in letter_languages():
        grammar = phrasebook("", language).grammar
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
    """Return the words that count only when written in full."""
    found = dict(_names())
    for language in letter_languages():
        book = phrasebook("", language)
        for row, meaning in (
            (phrase("date-words-yesterday"), (DateWord.DAYS_FROM_TODAY, -1)),
            (phrase("date-words-today"), (DateWord.DAYS_FROM_TODAY, 0)),
            (phrase("date-words-tomorrow"), (DateWord.DAYS_FROM_TODAY, 1)),
            (phrase("date-words-overmorrow"), (DateWord.DAYS_FROM_TODAY, 2)),
            (phrase("date-words-noon"), (DateWord.HOUR, 12)),
            (phrase("date-words-fillers"), (DateWord.FILLER, 0)),
        ):
            for word in book.say(row).split("|"):
                for variant in _variants(word):
                    found.setdefault(variant, meaning)
    return found
