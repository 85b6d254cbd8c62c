"""Names that people give themselves: which may be taken, and whose they are.

Whoever has a name is known by it where his game is not anonymous (`letters.anonymity`), so a name
is one person's alone, and no power's or master's. Names of before this rule are kept for masters
and for the list of ratings, as their people were told then, and nobody can take one for his own.
"""

from dataclasses import replace
from functools import cache

from judge.digits import is_number
from judge.games import all_systems
from judge.languages import languages
from judge.model.names import look_of, read_name
from judge.model.person import Person
from judge.model.phrase import Phrase, phrase
from judge.phrases import phrasebook
from judge.play.game import Context


def named(context: Context, person: Person, text: str) -> Person | Phrase:
    """Return a person with a name, or without one where the text is empty; or why it cannot be."""
    name = read_name(text)
    if isinstance(name, Phrase):
        return name
    look = look_of(name)
    if look and _is_reserved(context, name):
        return phrase("name-reserved", cited=name)
    if look and _is_taken(context, person, look):
        return phrase("name-taken", cited=name)
    return replace(person, name=name, look=look)


def _is_reserved(context: Context, name: str) -> bool:
    """Tell whether a name is that of a power or of a master, or made of such names alone."""
    known = _reserved() | {look_of(context.policy.judge)}
    parts = [part for part in name.split() if not is_number(part)]
    return look_of(name) in known or all(look_of(part) in known for part in parts)


@cache
def _reserved() -> frozenset[str]:
    """Return how names look that mean somebody in every game: the powers of all maps, in every
    language, and whoever is not told by name."""
    found = set[str]()
    codes = [code if code != "en" else "" for code in languages()]
    for system in all_systems():
        books = [phrasebook(system.name, code) for code in codes]
        for map_name in system.maps():
            for side in system.sides(map_name, {}):
                words = (side.name, side.letter, side.adjective, *side.words)
                found.update(book.name(word) for book in books for word in words)
    for code in codes:
        found.update(phrasebook("", code).say(phrase("reserved-names")).split(", "))
    return frozenset(map(look_of, found)) - {""}


def _is_taken(context: Context, person: Person, look: str) -> bool:
    """Tell whether somebody else has a name that looks so; one's other addresses are no one else.
    """
    others = [
        *(each.address for each in context.register.alike(look)),
        *(each.address for each in context.register.named_before() if look_of(each.name) == look),
    ]
    return any(not context.aliases.same(person.address, other) for other in others)
