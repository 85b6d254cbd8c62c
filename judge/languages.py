"""The languages of letters, and what each asks of sentences: plurals, lists, names of days.

A language is a folder of texts, `mailtemplates/common/<code>`, by its code of ISO 639. What is said
of it here comes from the Unicode CLDR. English is the language all texts are made in, in the folder
above. Floor 0.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

from babel import Locale, UnknownLocaleError
from babel.lists import format_list
from babel.numbers import format_decimal

from judge.errors import DataError

ENGLISH = "en"
COMMON = files("judge.mailtemplates") / "common"
"""The folder of texts that no game system has for its own."""

_ORDER = ("zero", "one", "two", "few", "many", "other")
"""The plural classes of CLDR, in the order in which a sentence has their forms."""
_LISTS = {ENGLISH: "en_GB"}
"""British lists have no comma before "and"; the months nJudge has are those of English alone."""


class Grammar:
    """What sentences of one language need to know of it.

    >>> polish = Grammar("pl")
    >>> [polish.form(n, "plik|pliki|plików") for n in (1, 2, 5, 22)]
    ['plik', 'pliki', 'plików', 'pliki']
    """

    def __init__(self, code: str) -> None:
        try:
            locale = Locale.parse(code)
        except (UnknownLocaleError, ValueError) as fault:
            raise DataError(f"{COMMON / code}: no language is called so: {fault}") from fault
        self._locale = locale
        rule = locale.plural_form
        classes = [name for name in _ORDER if name in rule.tags or name == "other"]
        self._place = cache(lambda count: classes.index(rule(count)))
        self._lists = Locale.parse(_LISTS.get(code, code))
        days, months = locale.days["stand-alone"], locale.months["format"]
        self.days = tuple(str(days["abbreviated"][number]) for number in range(7))
        """As in "Tue 6 Jan 2026"; Monday first."""
        self.weekdays = tuple(str(days["wide"][number]) for number in range(7))
        self.months = tuple(str(months["abbreviated"][number]) for number in range(1, 13))

    def weekday_names(self) -> Iterator[tuple[str, int]]:
        """Yield each name of a weekday, long and short, with its number; Monday is 0."""
        return self._calendar_names("days", 0)

    def month_names(self) -> Iterator[tuple[str, int]]:
        """Yield each name of a month, long and short, with its number; January is 0."""
        return self._calendar_names("months", 1)

    def _calendar_names(self, kind: str, first: int) -> Iterator[tuple[str, int]]:
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in getattr(self._locale, kind)[form][width].items():
                    yield str(name), number - first

    def decimal(self, number: float) -> str:
        """Return a number with one decimal place, as this language writes it.

        >>> Grammar("en").decimal(17), Grammar("de").decimal(1234.56)
        ('17.0', '1234,6')
        """
        return format_decimal(round(number, 1), "0.0", self._locale)

    def called(self, code: str) -> str:
        """Return what a language is called in this one.

        >>> Grammar("en").called("de"), Grammar("de").called("de")
        ('German', 'Deutsch')
        """
        return Locale.parse(code).get_display_name(self._locale) or code

    def form(self, count: int, forms: str) -> str:
        """Return the form of a word that goes with a number, of "unit|units".

        The forms stand in the order of CLDR (zero, one, two, few, many, other), as many of them as
        the language has; the last serves for those that are not given.
        """
        found = forms.split("|")
        return found[min(self._place(count), len(found) - 1)]

    def listed(self, words: Sequence[str], style: str = "and") -> str:
        """Return words as a list in a sentence, linked by "and" or "or"; by "," or ";": by commas
        or semicolons alone.

        >>> Grammar("en").listed(["Bur", "Mar", "Pic"], "or"), Grammar("de").listed(["Bur", "Mar"])
        ('Bur, Mar or Pic', 'Bur und Mar')
        """
        if len(words) < 2 or style in (",", ";"):
            return f"{style} ".join(words) if style == ";" else ", ".join(words)
        return format_list(words, "or" if style == "or" else "standard", self._lists)


@cache
def grammar_of(language: str) -> Grammar:
    """Return what is known of a language (empty: English), read once."""
    return Grammar(language or ENGLISH)


@cache
def languages() -> Mapping[str, str]:
    """Return the code of each language that letters are written in, and what it calls itself;
    English is the first.

    >>> dict(languages())
    {'en': 'English', 'de': 'Deutsch'}

    Raises:
        DataError: a folder has the name of no language.
    """
    others = sorted(
        folder.name for folder in COMMON.iterdir()
        if folder.is_dir() and any(each.name.startswith("phrases") for each in folder.iterdir())
    )
    return {code: grammar_of(code).called(code) for code in (ENGLISH, *others)}


def letter_languages() -> tuple[str, ...]:
    """Return the languages as letters name them: English by nothing, the others by their codes.

    >>> letter_languages()
    ('', 'de')
    """
    return ("", *(code for code in languages() if code != ENGLISH))


def names_of(code: str) -> tuple[str, ...]:
    """Return what a language is called in English and by itself, in capitals.

    >>> names_of("de"), names_of("en")
    (('GERMAN', 'DEUTSCH'), ('ENGLISH',))
    """
    return tuple(dict.fromkeys(grammar_of(by).called(code).upper() for by in (ENGLISH, code)))


def find_language(text: str) -> str | None:
    """Return the code of the language that is meant, by its name in any of them, or None.

    >>> find_language("Deutsch"), find_language("englisch"), find_language("Klingon")
    ('de', 'en', None)
    >>> find_language("DE-at")
    'de'
    """
    low = text.strip().casefold()
    for code in languages():
        named = (grammar_of(by).called(code).casefold() for by in languages())
        if low.split("-")[0] == code or low in named:
            return code
    return None
