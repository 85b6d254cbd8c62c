"""Words of Nations 1940 orders, by which unread lines are separated from talk."""

from functools import cache

from judge.games.nations1940.language.grammar import FORMS
from judge.games.nations1940.language.lexicon import ScenarioLexicon
from judge.games.nations1940.language.patterns import words
from judge.games.order_likeness import OrderVocabulary

_NO_DEEDS = frozenset({"ready", "notready"})


@cache
def order_vocabulary(names: ScenarioLexicon) -> OrderVocabulary:
    """Return the words of orders on a map."""
    numbers = [str(number) for number in names.board.lands]
    nations = names.nations.spellings()
    return OrderVocabulary(
        units=words("unit-words"),
        deeds={*FORMS, *words("deed-words")} - _NO_DEEDS,
        places=[*names.places.spellings(), *numbers, *(f"#{n}" for n in numbers), *nations],
        common=numbers,
        weak=words("weak-words"),
        headings=nations,
    )
