"""Reasons said in words: the sentence tables `mailtemplates/*/phrases*.tsv`. Floor 1.

A row is a code, a tab and one sentence with places for facts: `{place}`. A list is said
"Bur, Mar and Pic"; `{places:or}` says "Bur, Mar or Pic". A number is said as it is;
`{count} {count:build|builds}` says "1 build" or "2 builds". An instant is kept as ISO 8601;
`{until:when}` says it in the reader's zone.

Other languages have the same tables in a folder of their own (`mailtemplates/*/de`), and
`words*.tsv` there for what comes as English text among the facts (`wordlists`).
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from judge.errors import DataError
from judge.wordlists import Wordlist, read_pairs
from judge.words.reason import Fact, Reason

COMMON = "common"


def joined(words: Sequence[str], link: str = "and") -> str:
    """Return words as a list in a sentence.

    >>> joined(["Bur"]), joined(["Bur", "Mar", "Pic"], "or")
    ('Bur', 'Bur, Mar or Pic')
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {link} {words[-1]}"


def plainly(moment: datetime) -> str:
    """Return an instant as it is told where no reader's zone is known.

    >>> plainly(datetime(2026, 1, 8, 12, tzinfo=UTC))
    '2026-01-08 12:00 UTC'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


When = Callable[[datetime], str]
"""Says an instant as a reader is told it."""


class _Said:
    """A fact inside a sentence: what follows the colon of its place chooses how it is said."""

    def __init__(self, fact: Fact, words: Wordlist, when: When) -> None:
        self._fact = fact
        self._words = words
        self._when = when

    def __str__(self) -> str:
        return format(self)

    def __format__(self, how: str) -> str:
        fact, native = self._fact, self._words.native
        if isinstance(fact, bool):
            return native("yes" if fact else "no")
        if isinstance(fact, int):
            one, _, many = how.partition("|")
            return (one if fact == 1 else many) if how else str(fact)
        if isinstance(fact, str) and how == "when":
            return self._when(datetime.fromisoformat(fact))
        if isinstance(fact, str):
            return native(fact)
        return joined([native(each) for each in fact], how or native("and"))


class Phrasebook:
    """The sentences of one game system, laid over the common ones, in one language.

    What a language lacks is said in English; `tests/house/test_languages.py` sees that nothing is
    lacking.
    """

    def __init__(self, system: str = "", language: str = "") -> None:
        self.language = language
        self.sentences: dict[str, str] = {}
        folders = folders_of(system, language)
        for folder in reversed(folders):
            self.sentences.update(_pairs(folder, "phrases"))
        self._words = Wordlist()
        for folder in folders if language else ():
            self._words.add(_pairs(folder, "words"))

    def say(self, reason: Reason, when: When = plainly) -> str:
        """Return a reason as a sentence; `when` says its instants.

        >>> from judge.words.reason import because
        >>> book = Phrasebook()
        >>> book.sentences["closed"] = "{places:or} is closed for {n} {n:turn|turns}"
        >>> book.say(because("closed", places=("Bur", "Mar"), n=2))
        'Bur or Mar is closed for 2 turns'

        Raises:
            DataError: no table has the code, or its sentence wants a fact that is not there.
        """
        try:
            sentence = self.sentences[reason.code]
            facts = {name: _Said(fact, self._words, when) for name, fact in reason.facts.items()}
            return sentence.format_map(facts)
        except (KeyError, ValueError, IndexError, AttributeError) as fault:
            raise DataError(f"no sentence for {reason}: {fault!r}") from fault

    def native(self, text: str) -> str:
        """Return a text that was made in English as this language has it; unknown ones stay.

        >>> Phrasebook("", "de").native("Spring of 1901")
        'Frühjahr 1901'
        """
        return self._words.native(text)

    def joined(self, words: Sequence[str], link: str = "and") -> str:
        """Return words as a list in a sentence of this language.

        >>> Phrasebook("", "de").joined(["Bur", "Mar"])
        'Bur und Mar'
        """
        return joined([self.native(word) for word in words], self.native(link))


@cache
def phrasebook(system: str = "", language: str = "") -> Phrasebook:
    """Return the sentences of a system (empty: the common ones alone), read once."""
    return Phrasebook(system, language)


def folders_of(system: str, language: str = "") -> list[Traversable]:
    """Return the folders of letters and sentences, the first that has something counts:
    a language before English, and in it the system's before the common one."""
    top = files("judge.mailtemplates")
    plain = [top / folder for folder in (system, COMMON) if folder]
    return [*(folder / language for folder in plain if language), *plain]


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
