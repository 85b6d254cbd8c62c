"""The languages letters are written in: a code, as in RFC 5646, and the name each gives itself."""

from collections.abc import Mapping

LANGUAGES: Mapping[str, str] = {"en": "English", "de": "Deutsch"}
"""Every language has all templates and sentences; the first is the one they are made in."""

_OTHER_NAMES = {"german": "de", "deutsch": "de", "english": "en", "englisch": "en"}


def find_language(text: str) -> str | None:
    """Return the code of the language that is meant, or None.

    >>> find_language("Deutsch"), find_language("DE-at"), find_language("Klingon")
    ('de', 'de', None)
    """
    low = text.strip().casefold()
    code = _OTHER_NAMES.get(low, low.split("-")[0])
    return code if code in LANGUAGES else None
