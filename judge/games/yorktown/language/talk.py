"""Talk in mails with orders: the lines that may be ignored.

A line that names a unit, a hex or an order word is never ignored. It is filed or refused.
"""

import re

from judge.digits import has_digit, is_number
from judge.games.order_likeness import is_greeting
from judge.games.yorktown.language.names import ANY_TYPE, UnitNames
from judge.games.yorktown.language.order_words import has_order_word, order_vocabulary
from judge.games.yorktown.language.repair import correct_names
from judge.games.yorktown.language.word_tables import SIDE, replace_words
from judge.games.yorktown.rules.board import enemy_of, hexes

_NEAR_ORDER = re.compile(
    r"[a-z]{1,5} ?[0-9]{1,2} ?(:|.*\b([0-9]{4}|holds?|fires?|builds?|face|exit|with|stays)\b)"
)
"""A short word, a number, and another part of an order: "arrt 1 fires at 1404"."""
_UNIT = re.compile(rf"\b(?!bn)(?:{ANY_TYPE}) ?[0-9]{{1,2}}(?![0-9])")
_SENT = re.compile(r"[a-z][a-z' -]{2,25} to [0-9]{4}\b(?! (?:to|and|until))")
"""An unknown name that is sent to a hex: "Steuben to 1919"."""
_PLACE = re.compile(r"(?:([a-z]+) |(?<![a-z] )(?<![0-9]))([0-9]{4})(?![0-9])")
"""Four digits with the word before them."""
_STANDING = re.compile(rf"\b(?:retreats?|losses)\b.* (?:{SIDE})\b")
"""A wish for retreats with a direction: "retreats go south"."""
_BEFORE_PLACES = frozenset("to at in on into from via through hex and or of".split())


def is_talk(text: str, names: UnitNames) -> bool:
    """Return whether an unreadable line may be ignored."""
    words = order_vocabulary()
    if words.is_order_like(text):
        return False
    is_about_unit = names_unit(text, names)
    if not is_about_unit and (corrected := correct_names(text, names)) != text:
        is_about_unit = names_unit(corrected, names)
    if is_about_unit:
        return is_greeting(text)
    if _STANDING.search(text) and not words.is_talk(text):
        return False
    is_order = _is_order_like(text) or names.has_name(replace_words(text))
    return not is_order or words.is_talk(text)


def names_unit(text: str, names: UnitNames) -> bool:
    """Return whether a line is about a unit and may not be ignored as talk.

    The number of a unit is enough. A name counts with an order word or a digit, a unit type with an
    order word or a hex, and a hex with an order word.

    >>> names_unit("cornwallis joins the guards", UnitNames("AP"))
    True
    >>> names_unit("room 2014", UnitNames("AP")), names_unit("inf 24 is lost", UnitNames("AP"))
    (False, True)
    """
    plain = replace_words(text)
    if _UNIT.search(text):
        return True
    has_deed = has_order_word(text)
    enemies = UnitNames(enemy_of(names.side))
    if names.has_name(plain) and (has_deed or has_digit(plain)):
        return True
    if has_deed and enemies.has_name(plain):
        return True
    places = [found for found in _PLACE.findall(text) if found[1] in hexes()]
    has_place = any(
        not word or word in _BEFORE_PLACES or word != "march" and has_order_word(word)
        for word, _ in places
    )
    has_type = bool(re.search(rf"\b(?:{ANY_TYPE})\b", plain))
    if has_type and (places or has_deed) or has_place and has_deed:
        return True
    return has_place and bool(_SENT.match(plain)) and not order_vocabulary().is_talk(text)


def _is_order_like(text: str) -> bool:
    """Return whether a line begins as an order, or as one with a mistyped unit.

    >>> _is_order_like("inf 3 dances"), _is_order_like("I think we should talk")
    (True, False)
    >>> _is_order_like("arrt 1 fires at 1404"), _is_order_like("day 6 was good")
    (True, False)
    """
    first = text.split(" ")[0]
    rest = text[len(first) :].strip()
    known = {"attack", "attacks", "retreat", "hit", "losses", "done", "draw", "show"}
    kinds = {"inf", "cav", "art", "pio", "cmd", "frig", "i", "c", "a", "p", "k", "f"}
    stem = first.rstrip("0123456789:")
    has_number = stem != first.rstrip(":") or is_number(rest[:1])
    if first in known or rest and first.rstrip(":") in known or (stem in kinds and has_number):
        return True
    return bool(_NEAR_ORDER.match(text))
