"""Phases as players name them."""

import re

from judge.board.map import Calendar
from judge.board.position import Phase, PhaseKind, Season, parse_phase
from judge.model.order_words import PhaseHead

_NAMED = re.compile(
    r"(?:(?P<spring>s(?:pring)?)|(?P<fall>f(?:all)?|autumn)|(?P<winter>w(?:inter)?))"
    r"\s*(?:of\b)?\s*(?P<year>[0-9]{3,4})\s*"
    r"(?:(?P<move>m(?:ove(?:s|ment)?)?)|(?P<retreat>r(?:etreats?)?)"
    r"|(?P<adjust>b(?:uilds?)?|a(?:djust(?:ments?)?)?))?",
    re.IGNORECASE,
)

_COMPACT = r"[sfw]\s?[0-9]{4}\s?[mrba]|[sfw]\s?(?:[0-9]{2}|[0-9]{4})(?=\s*:)"
_SEASON = (
    r"(?:spring|fall|autumn|winter)\s+(?:of\s+)?[0-9]{3,4}"
    r"(?:\s+(?:move(?:s|ments?)?|retreats?|builds?|adjustments?))?"
)
_HEAD = re.compile(
    rf"(?P<label>{_COMPACT}|{_SEASON})(?:\s+orders)?\s*(?P<colon>:?)\s*(?P<rest>.*)", re.I
)
_SHORT_YEAR = re.compile(r"^([sfw])\s?([0-9]{2})$", re.I)
_ORDER = re.compile(r"[->]|\b(?:h|s|c|holds?|supports?|convoys?|build|remove|disband)\b", re.I)


def find_head(line: str) -> PhaseHead | None:
    """Return the phase that a line names as a heading, alone or before an order.

    A season and year are enough.

    >>> find_head("Spring 1901"), find_head("F1901M orders: A Par - Bur")
    (PhaseHead(label='S1901M', rest='', is_turn=True), \
PhaseHead(label='F1901M', rest='A Par - Bur', is_turn=False))
    >>> find_head("Spring 1901 was cold"), find_head("A Par - Bur")
    (None, None)
    >>> find_head("Spring of 812").label, find_head("S0812M: A Par - Bur").label
    ('S0812M', 'S0812M')
    """
    head = _HEAD.fullmatch(line)
    if head is None:
        return None
    label, is_turn = _label(head["label"])
    rest = head["rest"]
    if rest and (is_turn and not head["colon"] or not _ORDER.search(rest)):
        return None
    return PhaseHead(label, rest, is_turn)


_SPRING = re.compile(r"^(?:spring|s)\b", re.IGNORECASE)


def _label(named: str) -> tuple[str, bool]:
    """Return the label of the named phase, and whether only its season was named.

    >>> _label("S01")
    ('S1901M', True)
    >>> _label("Spring 1901 builds")
    ('F1901A', False)
    """
    named = _SHORT_YEAR.sub(r"\g<1>19\2", named)
    for words, is_turn in ((named, False), (f"{named} moves", True), (f"{named} builds", True)):
        if phase := find_phase(words):
            return str(phase), is_turn
    # A year has one phase of builds, no matter which season is written before it.
    if phase := find_phase(_SPRING.sub("fall", named)):
        return str(phase), False
    return "", False


_IN_ERA = re.compile(r"\b(?P<year>[0-9]{1,4}) (?P<era>bc|ad)\b")

_OLD_LABEL = re.compile(
    r"(?:(?:spring|summer|fall|autumn|winter)\s+)?"
    r"(?P<season>[SUFW])(?P<year>[0-9]{4}|[0-9]{2})(?P<kind>[MRAB])", re.IGNORECASE,
)
"""Label as in other judges: S01M, U1902R for nJudge's summer, and with a season before it."""


def find_own_phase(words: str, calendar: Calendar) -> Phase | None:
    """Return the phase named in the seasons and years of a map, or None.

    Without the kind of orders, it is a movement phase.

    >>> on = Calendar("Lent", "Harvest", "BC", 52)
    >>> [str(find_own_phase(words, on)) for words in ("Harvest of 51 BC", "LENT 50 BC retreats")]
    ['F0053M', 'S0054R']
    """
    plain = " ".join(words.casefold().split())
    for season, own in (("spring", calendar.spring), ("fall", calendar.fall)):
        if own and plain.startswith(f"{own.casefold()} "):
            plain = season + plain[len(own):]
    found = _IN_ERA.search(plain)
    if found and calendar.era:
        year = calendar.year_in_labels(int(found["year"]), found["era"].upper())
        plain = f"{plain[:found.start()]}{year:04}{plain[found.end():]}" if year > 0 else plain
    return find_phase(plain) or find_phase(f"{plain} moves")


def find_phase(words: str) -> Phase | None:
    """Return the phase that *words* name, or None.

    They are its label, as nJudge or another judge writes it, or its season and year with the kind
    of orders. The kind may be left out for a winter.

    >>> [str(find_phase(words)) for words in ("w1901a", "F1901B", "Fall of 1905 Movement")]
    ['F1901A', 'F1901A', 'F1905M']
    >>> str(find_phase("winter 1901")), find_phase("Spring 1902 Builds"), find_phase("T14")
    ('F1901A', None, None)
    """
    plain = " ".join(words.split())
    if old := _OLD_LABEL.fullmatch(plain):
        season = "S" if old["season"] in "uU" else old["season"]
        year = old["year"] if len(old["year"]) == 4 else f"19{old['year']}"
        plain = f"{season}{year}{old['kind']}"
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
