"""Lines that can only be orders, though no order can be read in them.

"Occupy Cyprus" names no place of the map, and "For Kiev:" says nothing to do. Such lines are
reported, and never taken for talk.
"""

import re
from typing import NamedTuple

from judge.games.nations1940.language.lexicon import Lexicon
from judge.games.nations1940.language.natural import DET, FLEETS, KIND, TREATY, UNITS

_MAX_WORDS = 7
_COUNT = rf"(?:(?:{DET}|all|[0-9]+|one|two|three|four|five|six)\s+)*"
_PLACE = (
    r"(?:(?:the|den|die|das)\s+)?(?!(?:at|now|soon|hard|again|together|on)\b)"
    r"(?P<place>[^\W_]\S*(?:\s+\S+)?)"
)
_NATION = r"(?P<nation>[^\W_]\S*)"
_STRIKE = r"(?:attack|invade|conquer|occupy|capture|assault|annex|liberate|seize)"
_FORMS = tuple(
    (verb, re.compile(rf"(?:(?:please|pls|bitte|then|and|also)\s+)?{pattern}", re.IGNORECASE))
    for verb, pattern in (
        ("move", rf"{_STRIKE}\s+{_PLACE}"),
        ("fleet", rf"(?:(?:send|move|sail)\s+)?{_COUNT}{FLEETS}\s+(?:in)?to\s+{_PLACE}"),
        ("move", rf"(?:(?:send|move|march|take)\s+)?{_COUNT}{UNITS}\s+(?:in)?to\s+{_PLACE}"),
        ("fleet", rf"sail\s+(?:in)?to\s+{_PLACE}"),
        ("move", rf"(?:move|march|advance|go)\s+(?:in)?to\s+{_PLACE}"),
        ("build", rf"{_COUNT}(?:{KIND})\s+(?:in|at|on)\s+{_PLACE}"),
        ("treaty", rf"(?:{TREATY})\s+(?:treaty\s+|pact\s+)?(?:with|to)\s+{_NATION}"),
        ("war", rf"(?:declare\s+)?war\s+(?:on|with|against|to)\s+{_NATION}"),
        ("hold", r"(?:defend|reinforce|garrison|support|protect)\s+(?P<known>\S+(?:\s+\S+)?)"),
        ("hold", r"\S+(?:\s\S+)?\s+supports\s+(?P<known>\S+(?:\s+\S+)?)"),
        ("move", r"(?:retreat|evacuate|withdraw)\s+(?:from\s+)?(?P<known>\S+(?:\s+\S+)?)"),
        ("build", r"(?:upgrade|develop|improve)\s+(?P<known>\S+(?:\s+\S+)?)"),
        ("give", r"(?:sell|cede)\s+(?P<known>\S+(?:\s+\S+)?)"),
        ("build", r"(?:(?:for|in|at)\s+)?(?P<heading>[^:]+):"),
        ("treaty", rf"ally\s+with\s+{_NATION}"),
        ("war", r"krieg (?:gegen|mit)\s+\S.*"),
        ("treaty", r"frieden mit\s+\S.*"),
        ("build", r"baue\s+\S.*"),
        ("research", r"(?:er)?forsche\s+\S.*"),
        ("move", r"(?:angriff (?:auf|gegen)|greife|bewege|ziehe|schicke|erobere|besetze)\s+\S.*"),
    )
)  # fmt: skip
"""Verb of the order that a line resembles, and its pattern.

`known` and `heading` must name a province or sea region, else the line is talk; a heading that
names a nation is one. A `place` or `nation` that is none is what is wrong with the line.
"""


class Unread(NamedTuple):
    """The order that an unread line resembles, and the word in it that names nothing."""

    verb: str
    place: str = ""
    nation: str = ""


def resembled_order(text: str, names: Lexicon) -> Unread | None:
    """Return the order that a line resembles, or None for talk.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> board = lexicon("nations1940")
    >>> resembled_order("Occupy Cyprus", board)
    Unread(verb='move', place='Cyprus', nation='')
    >>> resembled_order("For Kiev:", board), resembled_order("for this month:", board)
    (Unread(verb='build', place='', nation=''), None)
    """
    plain = text.strip().rstrip("!. ")
    if len(plain.split()) > _MAX_WORDS or text.rstrip().endswith("?"):
        return None
    for verb, form in _FORMS:
        found = form.fullmatch(plain)
        if found is None:
            continue
        parts = found.groupdict()
        known = parts.get("known") or parts.get("heading")
        if known and not names.place(known).meanings:
            continue
        if parts.get("heading") and names.nations.find(parts["heading"]).meanings:
            continue
        place, nation = parts.get("place") or "", parts.get("nation") or ""
        is_named = bool(names.place(place).meanings or names.nations.find(place).meanings)
        is_nation = bool(names.nations.find(nation).meanings)
        return Unread(verb, "" if is_named else place, "" if is_nation else nation)
    return None
