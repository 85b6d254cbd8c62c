"""Messages said in words: the sentence tables of each language, `mailtemplates/*/phrases*.tsv`.

A row is a code, a tab and one sentence with places for facts: `{place}`. A list is said
"Bur, Mar and Pic"; `{places:or}` says "Bur, Mar or Pic", `{clauses:;}` parts them by semicolons. A
number is said as it is; `{count} {count:build|builds}` says "1 build" or "2 builds", with as many
forms as the language has (`languages`). An instant is kept as ISO 8601; `{until:when}`
says it in the reader's zone; `{day:weekday}` names the weekday of a date.
`{code:language}` names a language. A fact that is a phrase itself is
said in its place, `{kind:lower}` in small letters, a name as `{power:upper}` in capitals, the power
that a reader plays as `{power:own}`: in his language, and as orders call it.

Other languages have the same tables in a folder of their own (`mailtemplates/*/de`), and there
`names*.tsv` for names: what powers, places and people are called where they are not called as in
English. Floor 1.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources.abc import Traversable
from string import Formatter

from judge.errors import DataError
from judge.languages import COMMON, Grammar, grammar_of
from judge.model.phrase import Fact, Phrase, phrase
from judge.plugins import texts_of


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


def plainly(moment: datetime) -> str:
    """Return an instant as it is told where no reader's zone is known.

    >>> plainly(datetime(2026, 1, 8, 12, tzinfo=UTC))
    '2026-01-08 12:00 UTC'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


When = Callable[[datetime], str]
"""Says an instant as a reader is told it."""

_Part = tuple[str, str | None, str]
"""Of a sentence: text, the place for a fact that follows, and how that is said."""


class Phrasebook:
    """The sentences of one game system, laid over the common ones, in one language.

    What a language lacks is said in English; `tests/house/test_languages.py` sees that nothing is
    lacking.
    """

    def __init__(self, system: str = "", language: str = "") -> None:
        self.language = language
        self.grammar: Grammar = grammar_of(language)
        self.sentences: dict[str, str] = {}
        self._parts: dict[str, tuple[_Part, ...]] = {}
        self._english = phrasebook(system) if language else None
        self._names: dict[str, str] = {}
        for folder in reversed(_folders_in(system, language)):
            self.sentences.update(_pairs(folder, "phrases"))
        for folder in _folders_in(system, language):
            self._names.update(_pairs(folder, "names"))

    def has(self, code: str) -> bool:
        """Tell whether there is a sentence for a code; every language has those of English."""
        return code in self.sentences or self._english is not None and self._english.has(code)

    def say(self, reason: Phrase | str, when: When = plainly) -> str:
        """Return a phrase as a sentence; `when` says its instants. A name is said as it is called.

        >>> from judge.model.phrase import phrase
        >>> book = Phrasebook()
        >>> book.sentences["closed"] = "{places:or} is closed for {n} {n:turn|turns}"
        >>> book.say(phrase("closed", places=("Bur", "Mar"), n=2))
        'Bur or Mar is closed for 2 turns'

        Raises:
            DataError: no table has the code, or its sentence wants a fact that is not there.
        """
        if isinstance(reason, str):
            return self.name(reason)
        sentence = self.sentences.get(reason.code)
        if sentence is None and self._english:
            return self._english.say(reason, when)
        if sentence is None:
            raise DataError(f"no sentence for {reason}")
        try:
            return self._filled(sentence, reason.facts, when)
        except (KeyError, ValueError) as fault:
            raise DataError(f"no sentence for {reason}: {fault!r}") from fault

    def _filled(self, sentence: str, facts: Mapping[str, Fact], when: When) -> str:
        """Return a sentence with facts in their places; a plural's form has places of its own."""
        return "".join([
            text if place is None else text + self._told(
                facts[place], self._filled(how, facts, when) if "{" in how else how, when
            )
            for text, place, how in self._parts_of(sentence)
        ])

    def _parts_of(self, sentence: str) -> tuple[_Part, ...]:
        """Return a sentence taken apart, which is done once.

        Raises:
            ValueError: it cannot be.
        """
        if (parts := self._parts.get(sentence)) is None:
            parts = tuple(
                (text, place, how or "") for text, place, how, _ in Formatter().parse(sentence)
            )
            self._parts[sentence] = parts
        return parts

    def _told(self, fact: Fact, how: str, when: When) -> str:
        """Return a fact inside a sentence; `how`: what follows the colon of its place."""
        if isinstance(fact, str):
            if not how:
                return self._names.get(fact, fact)
            if how == "when":
                return when(datetime.fromisoformat(fact))
            if how == "weekday":
                return self.grammar.weekdays[date.fromisoformat(fact).weekday()]
            if how == "language":
                return self.grammar.called(fact)
            if "|" in how:
                # What stands for any number ("n turns") has the form of most.
                return how.rpartition("|")[2]
            if how == "own":
                return self.power(fact)
            said = self.name(fact)
            return said.upper() if how == "upper" else said.lower() if how == "lower" else said
        if isinstance(fact, Phrase):
            said = self.say(fact, when)
            return said.lower() if how == "lower" else said
        if isinstance(fact, bool):
            return self.say(phrase("yes" if fact else "no"))
        if isinstance(fact, int):
            return self.grammar.form(fact, how) if how else str(fact)
        return self.joined(fact, how, when)

    def name(self, english: str) -> str:
        """Return what somebody or something is called in this language.

        >>> Phrasebook("", "de").name("Master"), Phrasebook("", "de").name("Burgundy")
        ('Spielleiter', 'Burgundy')
        """
        return self._names.get(english, english)

    def power(self, english: str) -> str:
        """Return what a power is called where a reader is told which is his: its own name in this
        language, and the English one, which orders and results have.

        >>> Phrasebook("diplomacy", "de").power("Germany"), Phrasebook("diplomacy").power("Germany")
        ('Deutschland (Germany)', 'Germany')
        """
        return self._names.get(f"power {english}") or self.name(english)

    def joined(
        self, words: Sequence[str | Phrase], link: str = "and", when: When = plainly
    ) -> str:
        """Return names, or phrases, as a list in a sentence of this language; `link`: and, or.

        >>> Phrasebook("", "de").joined(["Bur", "Mar"])
        'Bur und Mar'
        """
        return self.grammar.listed([self.say(word, when) for word in words], link)


@cache
def phrasebook(system: str = "", language: str = "") -> Phrasebook:
    """Return the sentences of a system (empty: the common ones alone), read once."""
    return Phrasebook(system, language)


def folders_of(system: str, language: str = "") -> list[Traversable]:
    """Return the folders of letters and sentences, the first that has something counts:
    a language before English, and in it the system's before the common one."""
    return [*(_folders_in(system, language) if language else ()), *_folders_in(system)]


def _folders_in(system: str, language: str = "") -> list[Traversable]:
    """Return the folders of one language (empty: English), the system's first."""
    own = texts_of(system) if system else None
    plain = [*([own] if own else []), COMMON]
    return [folder / language for folder in plain] if language else plain


def _pairs(folder: Traversable, kind: str) -> dict[str, str]:
    """Read every table of a kind in a folder; a folder without any is no fault.

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
