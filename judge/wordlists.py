"""English texts as another language has them: `mailtemplates/*/<language>/words*.tsv`. Floor 0.

A row is an English text, a tab and the same in the language. `{name}` stands for any text, which
is looked up in its turn, `{name:d}` for a number, `{names:or}` for a list such as "Bur, Mar or
Pic"; the other side takes them up as a sentence does: `{count:Zug|Züge}`, `{names:oder}`.
"""

import re
import string
from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import NamedTuple

from judge.errors import DataError

_DIGITS = "d"


def read_pairs(table: Traversable) -> Iterator[tuple[str, str]]:
    """Yield the rows of a table of pairs.

    Raises:
        DataError: a row is no pair.
    """
    for row in table.read_text(encoding="utf-8").splitlines():
        if not row or row.startswith("#"):
            continue
        key, _, value = row.partition("\t")
        if not value or "\t" in value:
            raise DataError(f"{table}: faulty row for {key!r}")
        yield key, value


class _Shape(NamedTuple):
    """A row with places: what fits it, which link each of its lists has, and what is said."""

    fits: re.Pattern[str]
    links: Mapping[str, str]
    said: str


class Wordlist:
    """Rows of one language; empty for English, which needs none."""

    def __init__(self) -> None:
        self._plain: dict[str, str] = {}
        self._shapes: list[_Shape] = []

    def add(self, rows: Mapping[str, str]) -> None:
        """Add rows; those added before go first."""
        for english, said in rows.items():
            if "{" in english:
                self._shapes.append(_shape(english, said))
            else:
                self._plain.setdefault(english, said)

    def knows(self, text: str) -> bool:
        """Tell whether a row fits a text."""
        return text in self._plain or any(shape.fits.fullmatch(text) for shape in self._shapes)

    def native(self, text: str) -> str:
        """Return a text in the language; one that no row fits stays as it is.

        >>> words = Wordlist()
        >>> words.add({"{n:d} builds": "{n} {n:Aufbau|Aufbauten}", "{p:or}?": "{p:oder}?"})
        >>> words.native("2 builds"), words.native("Bur, Mar or Pic?"), words.native("Bur")
        ('2 Aufbauten', 'Bur, Mar oder Pic?', 'Bur')
        """
        if text in self._plain:
            return self._plain[text]
        for shape in self._shapes:
            found = shape.fits.fullmatch(text)
            if found:
                places = found.groupdict()
                return shape.said.format_map(
                    {name: _Place(self, given, shape.links[name]) for name, given in places.items()}
                )
        return text


class _Place:
    """What stood in a place of a row."""

    def __init__(self, words: Wordlist, given: str, link: str) -> None:
        self._words = words
        self._given = given
        self._link = link

    def __format__(self, how: str) -> str:
        if self._link == _DIGITS:
            one, _, many = how.partition("|")
            return (one if int(self._given) == 1 else many) if how else self._given
        if not self._link:
            return self._words.native(self._given)
        items = re.split(rf", | {re.escape(self._link)} ", self._given)
        told = [self._words.native(item) for item in items]
        return ", ".join(told[:-1]) + (f" {how} " if len(told) > 1 else "") + told[-1]


def _shape(english: str, said: str) -> _Shape:
    pattern, links = [], {}
    for text, name, how, _ in string.Formatter().parse(english):
        pattern.append(re.escape(text))
        if name is not None:
            links[name] = how or ""
            pattern.append(rf"(?P<{name}>[0-9]+)" if how == _DIGITS else rf"(?P<{name}>.+?)")
    return _Shape(re.compile("".join(pattern), re.DOTALL), links, said)
