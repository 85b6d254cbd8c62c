"""What the grammar of a language asks of sentences: plurals, lists, the names of days and months.

All of it comes from the Unicode CLDR; English is the language that every text is made in. Floor 0.
"""

from collections.abc import Sequence
from functools import cache

from babel import Locale
from babel.lists import format_list

ENGLISH = "en"

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
        locale = Locale.parse(code)
        rule = locale.plural_form
        classes = [name for name in _ORDER if name in rule.tags or name == "other"]
        self._place = cache(lambda count: classes.index(rule(count)))
        self._lists = Locale.parse(_LISTS.get(code, code))
        days, months = locale.days["stand-alone"], locale.months["format"]
        self.days = tuple(str(days["abbreviated"][number]) for number in range(7))
        """As in "Tue 6 Jan 2026"; Monday first."""
        self.months = tuple(str(months["abbreviated"][number]) for number in range(1, 13))

    def form(self, count: int, forms: str) -> str:
        """Return the form of a word that goes with a number, of "unit|units".

        The forms stand in the order of CLDR (zero, one, two, few, many, other), as many of them as
        the language has; the last serves for those that are not given.
        """
        found = forms.split("|")
        return found[min(self._place(count), len(found) - 1)]

    def listed(self, words: Sequence[str], style: str = "and") -> str:
        """Return words as a list in a sentence, linked by "and" or "or"; by ",": by commas alone.

        >>> Grammar("en").listed(["Bur", "Mar", "Pic"], "or"), Grammar("de").listed(["Bur", "Mar"])
        ('Bur, Mar or Pic', 'Bur und Mar')
        """
        if len(words) < 2 or style == ",":
            return ", ".join(words)
        return format_list(words, "or" if style == "or" else "standard", self._lists)


@cache
def grammar_of(language: str) -> Grammar:
    """Return what is known of a language (empty: English), read once."""
    return Grammar(language or ENGLISH)
