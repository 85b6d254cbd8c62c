"""Words of Nations 1940 orders, by which unread lines are separated from talk."""

from functools import cache

from judge.games.nations1940.language.grammar import FORMS
from judge.games.nations1940.language.lexicon import ScenarioLexicon
from judge.games.order_likeness import OrderVocabulary

_UNITS = "army armies fleet fleets hq hqs missile missiles armee armeen flotte flotten"
_DEEDS = (
    "moves moving go goes holds holding stay stays stand stands remain remains sail sails march "
    "attack attacks enter enters builds declare against pact nap peace exchange fort forts "
    "invade invades occupy conquer capture seize construct propose offer announce alliance "
    "non aggression nonaggression treaties academy academies railroad railroads railway railways "
    "factory factories airfield airfields fortification fortifications port ports silo silos "
    "batteries"
)
_WEAK = (
    "deal peace war treaty give form research government move moves go goes traits exchange "
    "offer announce alliance non treaties port ports construct batteries capture seize "
    "conquer occupy academy factory railway railroad"
)
_NO_DEEDS = frozenset({"ready", "notready"})


@cache
def order_vocabulary(names: ScenarioLexicon) -> OrderVocabulary:
    """Return the words of orders on a map."""
    numbers = [str(number) for number in names.board.lands]
    nations = names.nations.spellings()
    return OrderVocabulary(
        units=_UNITS.split(),
        deeds={*FORMS, *_DEEDS.split()} - _NO_DEEDS,
        places=[*names.places.spellings(), *numbers, *(f"#{n}" for n in numbers), *nations],
        common=numbers,
        weak=_WEAK.split(),
        headings=nations,
    )
