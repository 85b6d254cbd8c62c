"""Words of Diplomacy orders, by which unread lines are separated from talk."""

from functools import cache

from judge.board.map import Map
from judge.games.diplomacy.language.lexicon import MapLexicon, lexicon
from judge.games.order_likeness import OrderVocabulary

_UNITS = "army armies fleet fleets amy flt armee armeen flotte flotten"
_DEEDS = (
    "hold holds holding stand stands stay stays remain remains defend defends halten hält haelt "
    "bleibt bleiben support supports supporting sup supp unterstützt convoy convoys convoying "
    "convoyed transport transports ferry ferries "
    "sail sails march marches advance advances move moves moving mv "
    "go goes attack attacks enter enters take takes occupy occupies bounce bounces help helps aid "
    "aids swap zieht ziehe geht bewege greift retreat retreats ret disband disbands remove removes "
    "repeat skip scrap delete destroy build builds waive waives waived mto hld cto cvy rto bld "
    "wve via strike strikes follow follows tries fall falls "
    "rücke rückt rücken stehen "
    "baue baut bauen aufbau entferne entfernt entfernen verzichte"
)
_COMMON = (
    "and for can con per red black win nam our den war nor bel sin man pie rum ice sea gas arm sat "
    "sun mid north south east west gulf nord was are"
)

_WEAK = (
    "strike strikes follow follows tries fall falls help helps aid aids go goes take takes enter "
    "enters delete skip"
)
_SEASONS = "spring summer fall autumn winter frühling frühjahr herbst"


@cache
def _vocabulary(words: MapLexicon) -> OrderVocabulary:
    return OrderVocabulary(
        units=_UNITS.split(), deeds=_DEEDS.split(), places=[*words.names], unit_letters=("a", "f"),
        common=_COMMON.split(), weak=_WEAK.split(), headings=[*words.powers, *_SEASONS.split()],
    )


def order_vocabulary(board: Map) -> OrderVocabulary:
    """Return the words of orders on a map."""
    return _vocabulary(lexicon(board))
