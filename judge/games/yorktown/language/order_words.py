"""Words of Yorktown orders, by which unread lines are separated from talk."""

from functools import cache

from judge.games.order_likeness import OrderVocabulary, WordKind
from judge.games.yorktown.rules.board import hexes

_UNITS = (
    "inf cav art pio cmd frig infantry cavalry artillery pioneer pioneers commander frigate "
    "frigates gun guns battery washington rochambeau cornwallis voit lafayette "
    "infanterie kavallerie artillerie pionier pioniere fregatte fregatten kommandant regimenter "
    "garde garden guards kanonen batterie"
)
_DEEDS = (
    "hold holds stay stays stand stands remain remains move moves moving go goes march marches "
    "enter enters exit exits attack attacks fire fires shoot shoots build builds redoubt board "
    "boards land lands sail sails beach retreat retreats advance advances face faces join joins "
    "charge charges storm storms assault assaults bombard bombards shells dig digs embark embarks "
    "disembark disembarks withdraw withdraws retire retires sally sallies retreating "
    "hit losses loss nach geht gehen zieht ziehen bleibt bleiben hält halten greift schießt baut"
)


@cache
def order_vocabulary() -> OrderVocabulary:
    """Return the words of Yorktown orders."""
    return OrderVocabulary(units=_UNITS.split(), deeds=_DEEDS.split(), places=[*hexes()])


def has_order_word(text: str) -> bool:
    """Return whether a line has a verb of an order.

    >>> has_order_word("saintonge holds its ground"), has_order_word("room 2014")
    (True, False)
    """
    return WordKind.DEED in order_vocabulary().marks(text)
