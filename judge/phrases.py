"""Reasons said in words: the sentence tables `mailtemplates/*/phrases*.tsv`. Floor 1.

A row is a code, a tab and one sentence with places for facts: `{place}`. A list is said
"Bur, Mar and Pic"; `{places:or}` says "Bur, Mar or Pic". A number is said as it is;
`{count} {count:build|builds}` says "1 build" or "2 builds".
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from judge.errors import DataError
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


class _Said:
    """A fact inside a sentence: what follows the colon of its place chooses how it is said."""

    def __init__(self, fact: Fact) -> None:
        self._fact = fact

    def __str__(self) -> str:
        return format(self)

    def __format__(self, how: str) -> str:
        fact = self._fact
        if isinstance(fact, bool):
            return "yes" if fact else "no"
        if isinstance(fact, int):
            one, _, many = how.partition("|")
            return (one if fact == 1 else many) if how else str(fact)
        if isinstance(fact, str):
            return fact
        return joined(fact, how or "and")


class Phrasebook:
    """The sentences of one game system, laid over the common ones."""

    def __init__(self, system: str = "") -> None:
        self.sentences = dict(_sentences(COMMON))
        if system:
            self.sentences.update(_sentences(system))

    def say(self, reason: Reason) -> str:
        """Return a reason as a sentence.

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
            return sentence.format_map({name: _Said(fact) for name, fact in reason.facts.items()})
        except (KeyError, ValueError, IndexError, AttributeError) as fault:
            raise DataError(f"no sentence for {reason}: {fault!r}") from fault


@cache
def phrasebook(system: str = "") -> Phrasebook:
    """Return the sentences of a system (empty: the common ones alone), read once."""
    return Phrasebook(system)


def _sentences(folder: str) -> dict[str, str]:
    """Read every sentence table of a folder; a folder without any is no fault.

    Raises:
        DataError: a row is no pair, or a code has two sentences in one folder.
    """
    sentences: dict[str, str] = {}
    place = files("judge.mailtemplates") / folder
    if not place.is_dir():
        return sentences
    for table in sorted(place.iterdir(), key=lambda path: path.name):
        if not (table.name.startswith("phrases") and table.name.endswith(".tsv")):
            continue
        for row in table.read_text(encoding="utf-8").splitlines():
            if not row or row.startswith("#"):
                continue
            code, _, sentence = row.partition("\t")
            if not sentence or "\t" in sentence or code in sentences:
                raise DataError(f"{folder}/{table.name}: faulty or second row for {code!r}")
            sentences[code] = sentence
    return sentences
