"""The help topics, found by name or by another word: the files of `mailtemplates/common/help/`, and
those in the folder `help` of each game system's texts."""

import difflib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources.abc import Traversable

from judge.languages import COMMON
from judge.plugins import declared, texts_of


def _other_words() -> Iterator[tuple[str, str]]:
    """Yield words and the topic that tells of each: those of English first, then of every other
    language, so that HELP FRISTEN is understood."""
    languages = sorted(entry.name for entry in COMMON.iterdir() if entry.is_dir())
    for folder in (COMMON, *(COMMON / language for language in languages)):
        table = folder / "help" / "words.tsv"
        for row in table.read_text(encoding="utf-8").splitlines() if table.is_file() else ():
            topic, _, words = row.partition("\t")
            if not row.startswith("#"):
                yield from ((word, topic) for word in words.split())


OTHER_WORDS: Mapping[str, str] = {"": "index", **dict(_other_words())}
"""Words people ask for → the topic that tells of it (`help/words.tsv` of each language)."""


@cache
def help_topics() -> tuple[str, ...]:
    """Return the names of all help topics of the judge, and of the games installed, sorted."""
    return tuple(sorted({*_topics_in(COMMON), *topics_of_games()}))


@cache
def topics_of_games() -> Mapping[str, str]:
    """Return the topics that game systems bring along → the system, which must say it itself.

    A topic of the judge's own cannot be a game's too.
    """
    own = {*_topics_in(COMMON), *OTHER_WORDS}
    found: dict[str, str] = {}
    for system in declared():
        for topic in _topics_of(system):
            if topic not in own:
                found.setdefault(topic, system)
    return found


def teller_of(topic: str, system: str = "") -> str:
    """Return the system whose texts tell of a topic, empty where the judge itself does.

    A topic of the judge's, such as ORDERS, a system may tell its own way: to whoever asks about a
    game of it, and to anybody where no other does.
    """
    own = [name for name in declared() if topic in _topics_of(name)]
    if system in own:
        return system
    if topic in _topics_in(COMMON) and (system or len(own) != 1):
        return ""
    return own[0] if own else ""


def _topics_of(system: str) -> list[str]:
    texts = texts_of(system)
    return _topics_in(texts) if texts else []


def _topics_in(texts: Traversable) -> list[str]:
    folder = texts / "help"
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return sorted(name[:-4] for name in names if name.endswith(".txt"))


def find_topic(asked: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the topic meant by the words after HELP, or None and the HELP lines near them.

    >>> find_topic("Signon")[0], find_topic("set press")[0]
    ('signing', 'settings')
    >>> find_topic("Fristen")[0]
    'deadlines'
    """
    words = asked.casefold().split() or [""]
    for word in words:
        topic = OTHER_WORDS.get(word, word)
        if topic in help_topics():
            return topic, ()
    near = _near(words[0], help_topics())
    # One word for each topic is enough.
    first = {OTHER_WORDS.get(word, word): word for word in reversed(near)}
    shown = [word for word in near if first[OTHER_WORDS.get(word, word)] == word]
    return None, tuple(f"HELP {word.upper()}" for word in shown[:3])


@lru_cache(1000)
def _near(word: str, topics: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words for topics that are like another, the likest first.

    Each letter of HELP asks for the same: what a command is called that no topic tells of.
    """
    known = sorted({*topics, *OTHER_WORDS} - {""})
    return tuple(difflib.get_close_matches(word, known, 6, 0.6))
