"""The help topics, found by their own name or by another word.

They are the files of `mailtemplates/common/help/`, and those in the folder `help` of each game
system's texts.
"""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable

from judge.languages import COMMON
from judge.plugins import entry_points_by_name, texts_of


def _rows_in(texts: Traversable) -> Iterator[tuple[str, str]]:
    """Yield words and their topics from a folder of texts.

    Those of English come first, then those of every other language, so that HELP FRISTEN is
    understood.
    """
    languages = sorted(entry.name for entry in texts.iterdir() if entry.is_dir())
    for folder in (texts, *(texts / language for language in languages)):
        table = folder / "help" / "words.tsv"
        for row in table.read_text(encoding="utf-8").splitlines() if table.is_file() else ():
            topic, _, words = row.partition("\t")
            if not row.startswith("#"):
                yield from ((word, topic) for word in words.split())


OTHER_WORDS: Mapping[str, str] = {"": "index", **dict(_rows_in(COMMON))}
"""Other words for topics → the topic (`help/words.tsv` of each language)."""


@cache
def _words_of(system: str) -> Mapping[str, str]:
    """Return other words for the topics of a system, from its `help/words.tsv`."""
    texts = texts_of(system)
    return dict(_rows_in(texts)) if texts else {}


@cache
def help_topics() -> tuple[str, ...]:
    """Return the names of all help topics of the judge and its systems, sorted."""
    return tuple(sorted({*_topics_of(), *topics_of_games()}))


@cache
def topics_of_games() -> Mapping[str, tuple[str, ...]]:
    """Return the topics of game systems, with the systems that have each of them.

    Topics of the judge itself are left out.
    """
    own = {*_topics_of(), *OTHER_WORDS}
    found: dict[str, tuple[str, ...]] = {}
    for system in entry_points_by_name():
        for topic in sorted(_topics_of(system) - own):
            found[topic] = (*found.get(topic, ()), system)
    return found


def topics_in_game(system: str) -> tuple[str, ...]:
    """Return the topics that a system adds to the judge's own, sorted."""
    return tuple(sorted(_topics_of(system) - _topics_of()))


def tellers_of(topic: str, system: str = "") -> tuple[str, ...]:
    """Return the systems whose texts are used for a topic, the judge as "".

    A system may have a topic of the judge's, such as ORDERS: its text is used in a game of it, and
    everywhere if no other system has the topic. For a topic of several systems all their texts are
    used, but in a game of one of these only its own.
    """
    own = tuple(name for name in entry_points_by_name() if topic in _topics_of(name))
    if system in own:
        return (system,)
    if topic in _topics_of() and (system or len(own) != 1):
        return ("",)
    return own or ("",)


def topic_owner(topic: str, system: str = "") -> str:
    """Return the first of the systems whose texts are used for a topic."""
    return tellers_of(topic, system)[0]


@cache
def _topics_of(system: str = "") -> frozenset[str]:
    """Return the topics of a system's texts (empty: of the judge's)."""
    texts = texts_of(system) if system else COMMON
    folder = texts / "help" if texts else None
    names = [entry.name for entry in folder.iterdir()] if folder and folder.is_dir() else []
    return frozenset(name[:-4] for name in names if name.endswith(".txt"))


def system_named(asked: str) -> str:
    """Return the game system named before a topic, as in HELP YORKTOWN VICTORY.

    Empty where the words name no topic of that system.
    """
    system, _, rest = asked.casefold().partition(" ")
    return system if system in entry_points_by_name() and topic_of_system(rest, system) else ""


def topic_of_system(asked: str, system: str) -> str | None:
    """Return the topic of a game system that words name, or None.

    It takes precedence over one of the judge's.
    """
    word = next(iter(asked.casefold().split()), "")
    if not system:
        return None
    return word if word in _topics_of(system) else _words_of(system).get(word)


def topic_lines(asked: str, but: str = "") -> tuple[str, ...]:
    """Return the HELP lines for topics of this name, of all systems but one.

    >>> topic_lines("victory"), topic_lines("victory", "yorktown")
    (('HELP YORKTOWN VICTORY',), ())
    """
    word = next(iter(asked.casefold().split()), "")
    return tuple(
        f"HELP {name.upper()} {word.upper()}" for name in entry_points_by_name()
        if name != but and word in _topics_of(name)
    )


def match_topic(asked: str) -> str | None:
    """Return the topic named by the words after HELP, or None.

    >>> match_topic("Signon"), match_topic("set press"), match_topic("Fristen")
    ('signing', 'settings', 'deadlines')
    """
    meant = (OTHER_WORDS.get(word, word) for word in asked.casefold().split() or [""])
    return next((topic for topic in meant if topic in help_topics()), None)


def find_topic(asked: str, system: str = "") -> tuple[str | None, tuple[str, ...]]:
    """Return the topic named by the words after HELP, or None and similar HELP lines.

    In a game of a system its topics precede the judge's.

    >>> find_topic("Fristen")
    ('deadlines', ())
    >>> find_topic("hepl")
    (None, ('HELP HELP', 'HELP HELD', 'HELP HELLO'))
    """
    topic = match_topic(asked)
    if topic is not None:
        return topic, ()
    words = asked.casefold().split()
    if others := _lines_by_other_words(words[0]):
        return None, others
    own = {**{topic: topic for topic in _topics_of(system)}, **_words_of(system)} if system else {}
    near = [*_near(words[0], own), *_near(words[0], {*help_topics(), *OTHER_WORDS} - {""})]
    # Suggest one word for each topic.
    known = {**OTHER_WORDS, **own}
    first = {known.get(word, word): word for word in reversed(near)}
    shown = [word for word in dict.fromkeys(near) if first[known.get(word, word)] == word][:3]
    if system in own and system not in shown:
        shown = [*shown[:2], system]
    return None, tuple(f"HELP {word.upper()}" for word in shown)


def _lines_by_other_words(word: str) -> tuple[str, ...]:
    """Return the HELP lines of systems that have another word for a topic."""
    return tuple(
        f"HELP {name.upper()} {word.upper()}"
        for name in entry_points_by_name()
        if word in _words_of(name)
    )


def _near(word: str, known: Iterable[str]) -> list[str]:
    """Return the words similar to a word, the most similar first."""
    return difflib.get_close_matches(word, sorted(known), 6, 0.6)
