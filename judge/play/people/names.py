"""Names of people: which may be taken, and by whom.

People are shown by their names if their game is not anonymous (`letters.anonymity`), so a name
belongs to one person, and is no power's or master's. Names registered before this rule are
stored for masters and for the rating list, as their people were informed then, and cannot be
taken by others.
"""

from dataclasses import replace
from functools import lru_cache

from judge.digits import is_number
from judge.games import all_systems
from judge.games.system import GameSystem
from judge.languages import languages
from judge.model.names import confusable_key, read_name
from judge.model.person import Person
from judge.model.phrase import Phrase, phrase
from judge.phrases import phrasebook
from judge.play.game import Context


def with_name(context: Context, person: Person, text: str) -> Person | Phrase:
    """Return a person with a name, or why it is refused. An empty text removes it."""
    name = read_name(text)
    if isinstance(name, Phrase):
        return name
    look = confusable_key(name)
    if look and _is_reserved(context, name):
        return phrase("name-reserved", cited=name)
    if look and _is_taken(context, person, look):
        return phrase("name-taken", cited=name)
    return replace(person, name=name, look=look)


def _is_reserved(context: Context, name: str) -> bool:
    """Return whether a name is a power's or a master's, or made of such names alone."""
    maps = tuple((system, name) for system in all_systems() for name in system.maps())
    known = _collect_reserved_names(maps) | {confusable_key(context.policy.judge)}
    parts = [part for part in name.split() if not is_number(part)]
    return confusable_key(name) in known or all(confusable_key(part) in known for part in parts)


@lru_cache(maxsize=2)
def _collect_reserved_names(maps: tuple[tuple[GameSystem, str], ...]) -> frozenset[str]:
    """Return the looks of names with a meaning in every game.

    They are the powers of these maps, in every language, and the words for unnamed people.
    """
    found = set[str]()
    codes = [code if code != "en" else "" for code in languages()]
    for system, map_name in maps:
        books = [phrasebook(system.name, code) for code in codes]
        for side in system.powers(map_name, {}):
            words = (side.name, side.letter, side.adjective, *side.words)
            found.update(book.name(word) for book in books for word in words)
    for code in codes:
        found.update(phrasebook("", code).render(phrase("reserved-names")).split(", "))
    return frozenset(map(confusable_key, found)) - {""}


def _is_taken(context: Context, person: Person, look: str) -> bool:
    """Return whether another person has a name that looks the same."""
    before = [x for x in context.register.named_before() if confusable_key(x.name) == look]
    addresses = (each.address for each in [*context.register.lookalikes(look), *before])
    return any(not context.aliases.is_same_person(person.address, x) for x in addresses)
