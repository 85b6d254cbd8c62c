"""The languages of letters, with their plurals, lists and calendar names.

A language is a folder of texts, `mailtemplates/common/<code>`, named by its ISO 639 code. Its
grammar comes from the Unicode CLDR. English is the original language of all texts, in the folder
above.
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
"""Folder of the texts that all game systems share."""

_ORDER = ("zero", "one", "two", "few", "many", "other")
"""The plural classes of CLDR, in the order of the forms in a sentence."""
_LISTS = {ENGLISH: "en_GB"}
"""Locale of lists, if different: British lists have no comma before "and".

Months are those of plain English, as in nJudge.
"""


class LanguageRules:
    """Plurals, lists, numbers and names of one language.

    >>> polish = LanguageRules("pl")
    >>> [polish.choose_plural(n, "plik|pliki|plików") for n in (1, 2, 5, 22)]
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
        """Abbreviations as in "Tue 6 Jan 2026", from Monday on."""
        self.weekdays = tuple(str(days["wide"][number]) for number in range(7))
        self.months = tuple(str(months["abbreviated"][number]) for number in range(1, 13))

    def weekday_names(self) -> Iterator[tuple[str, int]]:
        """Yield each name of a weekday, long and short, with its number (Monday is 0)."""
        return self._calendar_names("days", 0)

    def month_names(self) -> Iterator[tuple[str, int]]:
        """Yield each name of a month, long and short, with its number (January is 0)."""
        return self._calendar_names("months", 1)

    def _calendar_names(self, kind: str, first: int) -> Iterator[tuple[str, int]]:
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in getattr(self._locale, kind)[form][width].items():
                    yield str(name), number - first

    def decimal(self, number: float) -> str:
        """Format a number with one decimal place.

        >>> LanguageRules("en").decimal(17), LanguageRules("de").decimal(1234.56)
        ('17.0', '1234,6')
        """
        return format_decimal(round(number, 1), "0.0", self._locale)

    def language_name(self, code: str) -> str:
        """Return the name of a language in this language.

        >>> LanguageRules("en").language_name("de"), LanguageRules("de").language_name("de")
        ('German', 'Deutsch')
        """
        return Locale.parse(code).get_display_name(self._locale) or code

    def choose_plural(self, count: int, forms: str) -> str:
        """Return the form for a number, from forms such as "unit|units".

        The forms are in the order of CLDR (zero, one, two, few, many, other), as many as the
        language has. The last one replaces any that are missing.
        """
        found = forms.split("|")
        return found[min(self._place(count), len(found) - 1)]

    def join_list(self, words: Sequence[str], style: str = "and") -> str:
        """Join words as a list in a sentence.

        The style is "and" or "or", or "," or ";" for commas or semicolons alone.

        >>> (LanguageRules("en").join_list(["Bur", "Mar", "Pic"], "or"),
        ...  LanguageRules("de").join_list(["Bur", "Mar"]))
        ('Bur, Mar or Pic', 'Bur und Mar')
        """
        if len(words) < 2 or style in (",", ";"):
            return f"{style} ".join(words) if style == ";" else ", ".join(words)
        return format_list(words, "or" if style == "or" else "standard", self._lists)


@cache
def grammar_of(language: str) -> LanguageRules:
    """Return the grammar of a language (empty: English), cached."""
    return LanguageRules(language or ENGLISH)


@cache
def languages() -> Mapping[str, str]:
    """Return the code of each language of letters → its own name, English first.

    >>> dict(languages())
    {'en': 'English', 'de': 'Deutsch'}

    Raises:
        DataError: the name of a folder is not a language.
    """
    others = sorted(
        folder.name for folder in COMMON.iterdir()
        if folder.is_dir() and any(each.name.startswith("phrases") for each in folder.iterdir())
    )
    return {code: grammar_of(code).language_name(code) for code in (ENGLISH, *others)}


def letter_languages() -> tuple[str, ...]:
    """Return the codes of languages as letters have them, with English as "".

    >>> letter_languages()
    ('', 'de')
    """
    return ("", *(code for code in languages() if code != ENGLISH))


def names_of(code: str) -> tuple[str, ...]:
    """Return the English and the own name of a language, in upper case.

    >>> names_of("de"), names_of("en")
    (('GERMAN', 'DEUTSCH'), ('ENGLISH',))
    """
    return tuple(
        dict.fromkeys(grammar_of(by).language_name(code).upper() for by in (ENGLISH, code))
    )


def find_language(text: str) -> str | None:
    """Return the code of a language named in any language, or None.

    >>> find_language("Deutsch"), find_language("englisch"), find_language("Klingon")
    ('de', 'en', None)
    >>> find_language("DE-at")
    'de'
    """
    low = text.strip().casefold()
    for code in languages():
        named = (grammar_of(by).language_name(code).casefold() for by in languages())
        if low.split("-")[0] == code or low in named:
            return code
    return None
