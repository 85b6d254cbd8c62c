"""Phrases rendered as sentences, from the tables `mailtemplates/*/phrases*.tsv`.

A row is a code, a tab and one sentence with placeholders for facts: `{place}`. A list becomes "Bur,
Mar and Pic"; `{places:or}` makes it "Bur, Mar or Pic", `{clauses:;}` separates by semicolons. A
number is written in digits; `{count} {count:build|builds}` makes "1 build" or "2 builds", with as
many forms as the language has (`languages`). An instant is stored as ISO 8601; `{until:when}` shows
it in the viewer's zone; `{day:weekday}` names the weekday of a date. `{code:language}` names a
language. A fact that is a phrase itself is rendered in its place, in lower case with
`{kind:lower}`. A name is in capitals with `{power:upper}`. The viewer's power is
`{power:own}`: its name in their language, and the one in orders.

Other languages have the same tables in a folder of their own (`mailtemplates/*/de`). The tables
`names*.tsv` there have the names of powers, places and roles that differ from English.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources.abc import Traversable
from string import Formatter

from judge.errors import DataError
from judge.languages import COMMON, LanguageRules, grammar_of
from judge.model.phrase import Fact, Phrase, phrase
from judge.plugins import texts_of


def read_pairs(table: Traversable) -> Iterator[tuple[str, str]]:
    """Yield the rows of a table of two columns.

    Raises:
        DataError: a row does not have exactly two columns.
    """
    for row in table.read_text(encoding="utf-8").splitlines():
        if not row or row.startswith("#"):
            continue
        key, _, value = row.partition("\t")
        if not value or "\t" in value:
            raise DataError(f"{table}: faulty row for {key!r}")
        yield key, value


def format_utc(moment: datetime) -> str:
    """Format an instant in UTC, for viewers whose zone is unknown.

    >>> format_utc(datetime(2026, 1, 8, 12, tzinfo=UTC))
    '2026-01-08 12:00 UTC'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


When = Callable[[datetime], str]
"""Formats an instant for a viewer."""

_Part = tuple[str, str | None, str]
"""A part of a sentence: text, the placeholder after it, and its format."""


class Phrasebook:
    """The sentences of one game system, and the common ones, in one language.

    English replaces sentences that a language lacks; `tests/house/test_languages.py` checks that
    none is lacking.
    """

    def __init__(self, system: str = "", language: str = "") -> None:
        self.language = language
        self.grammar: LanguageRules = grammar_of(language)
        self.sentences: dict[str, str] = {}
        self._parts: dict[str, list[_Part]] = {}
        self._english = phrasebook(system) if language else None
        self._names: dict[str, str] = {}
        for folder in reversed(_folders_in(system, language)):
            self.sentences.update(_pairs(folder, "phrases"))
        for folder in _folders_in(system, language):
            self._names.update(_pairs(folder, "names"))

    def has(self, code: str) -> bool:
        """Return whether there is a sentence for a code, in this language or English."""
        return code in self.sentences or self._english is not None and self._english.has(code)

    def render(self, reason: Phrase | str, when: When = format_utc) -> str:
        """Render a phrase as a sentence, or a name in this language.

        `when` formats the instants.

        >>> from judge.model.phrase import phrase
        >>> book = Phrasebook()
        >>> book.sentences["closed"] = "{places:or} is closed for {n} {n:turn|turns}"
        >>> book.render(phrase("closed", places=("Bur", "Mar"), n=2))
        'Bur or Mar is closed for 2 turns'

        Raises:
            DataError: no table has the code, or its sentence needs a fact that is missing.
        """
        if isinstance(reason, str):
            return self.name(reason)
        sentence = self.sentences.get(reason.code)
        if sentence is None and self._english:
            return self._english.render(reason, when)
        if sentence is None:
            raise DataError(f"no sentence for {reason}")
        try:
            return self._fill_sentence(sentence, reason.facts, when)
        except (KeyError, ValueError) as fault:
            raise DataError(f"no sentence for {reason}: {fault!r}") from fault

    def _fill_sentence(self, sentence: str, facts: Mapping[str, Fact], when: When) -> str:
        """Fill in the placeholders of a sentence.

        A plural form can have placeholders of its own.
        """
        return "".join([
            text if place is None else text + self._format_fact(
                facts[place], self._fill_sentence(how, facts, when) if "{" in how else how, when
            )
            for text, place, how in self._parts.get(sentence) or self._parse(sentence)
        ])

    def _parse(self, sentence: str) -> list[_Part]:
        """Parse a sentence into its parts, and cache them.

        Raises:
            ValueError: the sentence is malformed.
        """
        found = Formatter().parse(sentence)
        parts = self._parts[sentence] = [(text, place, how or "") for text, place, how, _ in found]
        return parts

    def _format_fact(self, fact: Fact, how: str, when: When) -> str:
        """Render a fact for a placeholder, with the format *how* after its colon."""
        if isinstance(fact, str):
            if not how:
                return self._names.get(fact, fact)
            if how == "when":
                return when(datetime.fromisoformat(fact))
            if how == "weekday":
                return self.grammar.weekdays[date.fromisoformat(fact).weekday()]
            if how == "language":
                return self.grammar.language_name(fact)
            if "|" in how:
                # Text in place of a number ("n turns") takes the last form, the usual plural.
                return how.rpartition("|")[2]
            if how == "own":
                return self.power_name(fact)
            said = self.name(fact)
            return said.upper() if how == "upper" else said.lower() if how == "lower" else said
        if isinstance(fact, Phrase):
            said = self.render(fact, when)
            return said.lower() if how == "lower" else said
        if isinstance(fact, bool):
            return self.render(phrase("yes" if fact else "no"))
        if isinstance(fact, int):
            return self.grammar.choose_plural(fact, how) if how else str(fact)
        return self.join_list(fact, how, when)

    def name(self, english: str) -> str:
        """Return the name of a person, place or thing in this language.

        >>> Phrasebook("", "de").name("Master"), Phrasebook("", "de").name("Burgundy")
        ('Spielleiter', 'Burgundy')
        """
        return self._names.get(english, english)

    def power_name(self, english: str) -> str:
        """Return the name of the viewer's own power.

        It is in this language, followed by the English name, which orders and results have.

        >>> (Phrasebook("diplomacy", "de").power_name("Germany"),
        ...  Phrasebook("diplomacy").power_name("Germany"))
        ('Deutschland (Germany)', 'Germany')
        """
        return self._names.get(f"power {english}") or self.name(english)

    def join_list(
        self, words: Sequence[str | Phrase], link: str = "and", when: When = format_utc
    ) -> str:
        """Join names or phrases as a list in a sentence, linked by "and" or "or".

        >>> Phrasebook("", "de").join_list(["Bur", "Mar"])
        'Bur und Mar'
        """
        return self.grammar.join_list([self.render(word, when) for word in words], link)


@cache
def phrasebook(system: str = "", language: str = "") -> Phrasebook:
    """Return the sentences of a system (empty: only the common ones), cached."""
    return Phrasebook(system, language)


def folders_of(system: str, language: str = "") -> list[Traversable]:
    """Return the folders of templates and phrases, by precedence.

    A language comes before English, and in it the system's folder before the common one.
    """
    return [*(_folders_in(system, language) if language else ()), *_folders_in(system)]


def _folders_in(system: str, language: str = "") -> list[Traversable]:
    """Return the folders of one language (empty: English), the system's first."""
    own = texts_of(system) if system else None
    plain = [*([own] if own else []), COMMON]
    return [folder / language for folder in plain] if language else plain


def _pairs(folder: Traversable, kind: str) -> dict[str, str]:
    """Read every table of a kind in a folder, which may have none.

    Raises:
        DataError: a row is no pair, or a code has two sentences in one folder.
    """
    found: dict[str, str] = {}
    tables = folder.iterdir() if folder.is_dir() else ()
    for table in sorted(tables, key=lambda path: path.name):
        if table.name.startswith(kind) and table.name.endswith(".tsv"):
            for code, said in read_pairs(table):
                if code in found:
                    raise DataError(f"{table}: second row for {code!r}")
                found[code] = said
    return found
