"""Names, abbreviations and spellings for the judge, made of foreign ones."""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator

from judge.board.map import COAST_NAMES
from judge.board.mapcheck import MAX_ALIASES, MAX_NAME
from judge.board.mapfile import find_unprintable, spellings_of

MAX_READ = 2000
"""Maximum characters of a foreign name or text that are read."""
_SIGNS = re.compile(r"""[#&,.;:(){}\[\]<>|/"@*\\_~^=+?!`$%]+""")
_ABBR = re.compile(r"[A-Za-z][A-Za-z0-9]{1,3}")
_WORD = re.compile(r"[^\W_]+")
_GENITIVE = re.compile(r"(?<=[^\W_])['\u2019]s(?![^\W_])")
_COMPASS = frozenset({"n", "s", "e", "w", "north", "south", "east", "west", *COAST_NAMES})
_AVOIDED = _COMPASS | frozenset({
    "and", "via", "the", "all", "not", "off", "out", "for", "hold", "move", "with", "from",
})
"""Words of the order language that no made-up abbreviation should be."""


def clean_name(text: str, limit: int = MAX_NAME) -> str:
    """Return a name without signs that separate the words of orders.

    >>> clean_name("St. Petersburg"), clean_name("Bosnia &amp; Serbia (7)"), clean_name("C&ouml;st")
    ('St Petersburg', 'Bosnia and Serbia 7', 'Cöst')
    """
    found = unicodedata.normalize("NFC", html.unescape(html.unescape(text[:MAX_READ])))
    found = "".join(" " if find_unprintable(char) else char for char in found)
    found = _SIGNS.sub(" ", found.replace("&", " and ").replace("\u2019", "'"))
    found = " ".join(found.split())
    while found and not found[0].isalnum():
        found = found[1:].lstrip()
    return found[:limit].strip() if any(map(str.isalpha, found)) else ""


def clean_text(text: str, limit: int) -> str:
    """Return a value of `map.tsv`, or "-" if nothing is left."""
    plain = html.unescape(text[:MAX_READ])
    found = "".join(" " if find_unprintable(char) else char for char in plain)
    return " ".join(re.sub("[<>{}|]", " ", found).split())[:limit].strip() or "-"


def forms_of(spelling: str) -> set[str]:
    """Return a spelling as the reader of orders may get it, in one word.

    >>> sorted(forms_of("Chiron's Cave"))
    ['chironcave', 'chironscave']
    """
    return {
        "".join(_WORD.findall(_GENITIVE.sub(ending, plain)))
        for plain in spellings_of(spelling) for ending in ("", "s")
    }


class Spellings:
    """Spellings in use, each for one owner."""

    def __init__(self) -> None:
        self._owners: dict[str, str] = {}

    def is_free(self, spelling: str, owner: str) -> bool:
        """Return whether an owner can have a spelling."""
        forms = forms_of(spelling)
        return "" not in forms and all(self._owners.get(f, owner) == owner for f in forms)

    def claim(self, spelling: str, owner: str) -> bool:
        """Give a spelling to an owner. Return False if another one has it."""
        if not self.is_free(spelling, owner):
            return False
        self._owners.update(dict.fromkeys(forms_of(spelling), owner))
        return True

    def claim_exact(self, spelling: str, owner: str) -> bool:
        """Give a spelling of a coast to it, as it is written."""
        return self._owners.setdefault(spelling.casefold(), owner) == owner


def choose_abbreviation(
    key: str, name: str, spellings: Spellings, taken: Iterable[str]
) -> str:
    """Return an abbreviation that is free.

    It is the key if that can be one, or else letters of the name.
    """
    used = {word.lower() for word in taken}
    if _ABBR.fullmatch(key) and key.lower() not in _COMPASS | used:
        return key.capitalize()
    for found in _candidates(name):
        if found not in _AVOIDED | used and spellings.is_free(found, key):
            return found.capitalize()
    raise AssertionError("there are more abbreviations than places")


def _candidates(name: str) -> Iterator[str]:
    """Yield abbreviations of a name, the best first."""
    words = [
        re.sub("[^a-z]", "", spelling)
        for spelling in spellings_of(name)[-1].replace("-", " ").split()
    ]
    words = [word for word in words if word] or ["xx"]
    if len(words) >= 3:
        yield "".join(word[0] for word in words[:3])
    elif len(words) == 2:
        yield words[0][0] + words[1][:2]
    letters = "".join(words).ljust(2, "x")
    yield letters[:3]
    for second in range(1, len(letters)):
        for third in range(second + 1, len(letters)):
            yield letters[0] + letters[second] + letters[third]
    yield letters[:4]
    yield from (f"{letters[:2]}{number}" for number in range(1, 100))
    yield from (f"{letters[0]}{number:03}" for number in range(1000))


def choose_aliases(
    words: Iterable[str], owner: str, spellings: Spellings, own: Iterable[str]
) -> tuple[list[str], list[str]]:
    """Return the usable spellings of a place, and those that another place has."""
    known, kept, lost = {form for word in own for form in forms_of(word)}, list[str](), list[str]()
    for word in words:
        low = clean_name(word).lower()
        if not low or forms_of(low) <= known:
            continue
        if len(kept) >= MAX_ALIASES or not spellings.claim(low, owner):
            lost.append(word)
        else:
            kept.append(low)
            known |= forms_of(low)
    return kept, lost
