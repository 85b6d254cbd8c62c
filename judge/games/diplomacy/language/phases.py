"""Phases as people name them."""

import re

from judge.board.position import Phase, PhaseKind, Season, parse_phase

_NAMED = re.compile(
    r"(?:(?P<spring>s(?:pring)?)|(?P<fall>f(?:all)?|autumn)|(?P<winter>w(?:inter)?))"
    r"\s*(?:of\b)?\s*(?P<year>[0-9]{4})\s*"
    r"(?:(?P<move>m(?:ove(?:s|ment)?)?)|(?P<retreat>r(?:etreats?)?)"
    r"|(?P<adjust>b(?:uilds?)?|a(?:djust(?:ments?)?)?))?",
    re.IGNORECASE,
)


def find_phase(words: str) -> Phase | None:
    """Return the phase that words name: its label, as nJudge or another judge writes it, or its
    season and year with what is ordered in it, which only a winter can do without.

    >>> [str(find_phase(words)) for words in ("w1901a", "F1901B", "Fall of 1905 Movement")]
    ['F1901A', 'F1901A', 'F1905M']
    >>> str(find_phase("winter 1901")), find_phase("Spring 1902 Builds"), find_phase("T14")
    ('F1901A', None, None)
    """
    plain = " ".join(words.split())
    try:
        return parse_phase(plain)
    except ValueError:
        pass
    found = _NAMED.fullmatch(plain)
    if found is None:
        return None
    year = int(found["year"])
    if found["winter"]:
        done = not (found["move"] or found["retreat"])
        return Phase(year, Season.FALL, PhaseKind.ADJUSTMENT) if done else None
    season = Season.SPRING if found["spring"] else Season.FALL
    if found["move"]:
        return Phase(year, season, PhaseKind.MOVEMENT)
    if found["retreat"]:
        return Phase(year, season, PhaseKind.RETREAT)
    if found["adjust"] and season is Season.FALL:
        return Phase(year, season, PhaseKind.ADJUSTMENT)
    return None
