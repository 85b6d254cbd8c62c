"""Rewriting of freely worded order lines into the forms of the grammar.

A line that the grammar accepts is not rewritten. Free words are replaced one by one ("marches in" →
"enters", "Guards" → "inf 1"), units named together become one line each, and words after the verb
are put in the sequence of the grammar. Numbers are never changed.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from judge.games.yorktown.language.names import ANY_TYPE, UnitNames, kind_called
from judge.games.yorktown.language.word_tables import HEXES, SIDE, UNIT, UNITS, replace_words
from judge.games.yorktown.rules.board import REDOUBT, CounterKind, counters_of, hexes

_OR = re.compile(r"(?<=[0-9]{4}) (?:or|else|oder) (?=[0-9]{4})")
"""Choice of hexes, which only a retreat has."""
_ALL = re.compile(
    r"^(?:(?:all|every|each)(?: of)?(?: (?:my|our|other))*\b ?|(?=french|american|british|german))"
    r"(?:(french|american|british|german) )?"
    rf"(?:({ANY_TYPE}|units?|troops|men)\b)?(.*)$"
    r"|^(artilleries|batteries|guns|cannons)\b(.*)$"
)
_RUN = re.compile(
    rf"^(?:({ANY_TYPE}) )([0-9]{{1,2}}(?:(?:-| and |[ &+]+)[0-9]{{1,2}}(?![0-9]))+)(?![0-9])(.*)$"
)
_NATIONS = {"french": "FR", "american": "US", "british": "GB", "german": "DE"}


class GrammarLines(NamedTuple):
    """Lines of the grammar for one freely worded line."""

    lines: tuple[str, ...]
    is_all: bool = False
    """True if the line is for all units of a type. Those that cannot obey are passed over."""
    is_joint: bool = False
    """True if either all lines are filed or none."""


def wordings(
    text: str, side: str, names: UnitNames | None = None, enemies: Mapping[str, str] | None = None
) -> GrammarLines | None:
    """Return the lines of the grammar that a clean line means, or None.

    A line that names no unit gives None, unless it is about retreats, losses or hits.

    `enemies` are the hexes of the enemy's units by order id in lower case.

    >>> wordings("infantry 21 marches in 0118-0217", "FA").lines
    ('inf 21 enters 0118-0217',)
    >>> wordings("guards attack 1513", "AP").lines
    ('attack 1513 with inf 1',)
    >>> wordings("inf 1-3 face n", "FA").lines
    ('inf 1 face n', 'inf 2 face n', 'inf 3 face n')
    """
    text = plain_words(text, names or UnitNames(side), enemies or {})
    units, rest, is_all = _subject(text, side)
    if not units:
        return GrammarLines((text,)) if text.startswith(("retreat ", "losses ", "hit ")) else None
    if staff := [unit for unit in units if unit.startswith("cmd")]:
        if wording := _with_staff(units, staff, rest):
            return wording
    if found := re.fullmatch(r"(.+?) (?:and |then )+(attack .+)", rest):
        first, second = found.groups()
        parts = [_lines(units, part) for part in (first, second)]
        return GrammarLines(tuple(line for part in parts for line in part), is_all)
    return GrammarLines(tuple(_lines(units, rest)), is_all)


def at_enemies(text: str, places: Mapping[str, str]) -> str:
    """Return a line with attacked enemy units replaced with their hexes.

    A unit fired at by number keeps it after the hex. `places` are hexes by order id or name.

    >>> at_enemies("art 1 fires at frig 2", {"frig 2": "1808"})
    'art 1 fires at 1808'
    >>> at_enemies("attack inf 12 with inf 1", {"inf 12": "1516"})
    'attack 1516 with inf 1'
    """

    def place(found: re.Match[str]) -> str:
        unit, verb = found["unit"], found["verb"]
        at = places.get(unit, unit)
        is_number = bool(re.fullmatch(r"(?:inf|cav|art|pio) [0-9]+", unit))
        is_named = verb.startswith("fire") and at != unit and is_number
        return f"{verb} {at} {unit}" if is_named else f"{verb} {at}"

    verbs = r"(?P<verb>attack|fires? at|fires?)"
    names = "|".join(re.escape(name) for name in sorted(places, key=len, reverse=True))
    enemy = rf"(?P<unit>{UNIT}|{names})" if names else rf"(?P<unit>{UNIT})"
    return re.sub(rf"\b{verbs} (?:unit |enemy )*{enemy}(?=$| with\b| and\b)", place, text)


def plain_words(
    text: str, names: UnitNames, enemies: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return a clean line in the words of the grammar, with units by number."""
    placed = _replace_redoubt_names(plain := replace_words(text))
    named = names.replace(placed if placed == plain else replace_words(placed))
    plain = replace_words(at_enemies(named, enemies), "after-names")
    if plain.startswith("retreat all "):
        return re.sub(r" (?:or|and|then) ", " ", plain)
    return _OR.sub(" ", plain) if "retreat" in plain else plain


def first_unit(text: str, names: UnitNames) -> str:
    """Return the order id of the first unit that a line names, or an empty string.

    >>> first_unit("guards dance in 1513", UnitNames("AP"))
    'INF 1'
    """
    found = re.search(rf"\b{UNIT}(?![0-9])", plain_words(text, names))
    return found[0].upper() if found else ""


def only_unit(text: str, names: UnitNames) -> str:
    """Return the order id of the only unit of a line, or an empty string.

    A line with a list sign or "and" has none.

    >>> only_unit("inf 1 dances", UnitNames("AP")), only_unit("inf 1; inf 2 1513", UnitNames("AP"))
    ('INF 1', '')
    """
    is_list = re.search(r"[,;&+]|\b(?:and|und)\b", text)
    return "" if is_list else first_unit(text, names)


@cache
def _redoubts() -> dict[str, str]:
    """Return the hexes of the printed redoubts by their names in lower case."""
    return {
        each.title.lower().replace("'", ""): each.name
        for each in hexes().values() if each.feature == REDOUBT and each.title
    }


def _replace_redoubt_names(text: str) -> str:
    """Return a line with the names of printed redoubts replaced with their hexes."""
    names = "|".join(re.escape(name) for name in _redoubts())
    return re.sub(rf"\b({names})\b(?: redoubt)?", lambda m: _redoubts()[m[1]], text)


def _subject(text: str, side: str) -> tuple[list[str], str, bool]:
    """Return the units of a line, its rest, and whether it is for all of a type."""
    verb_first = re.fullmatch(
        rf"(attack {HEXES}) with (.+)|(fires?|builds redoubt|holds?|to|boards|lands|face|enters|"
        rf"move|moves|put|place|sail)((?: (?:at )?[0-9]{{4}})?)(?: with)? ({UNITS})(.*)", text,
    )
    if verb_first and verb_first[1]:
        units, rest, _ = _subject(verb_first[2], side)
        follow = rest.removeprefix(" ")
        return units, f"{verb_first[1]} {follow}".strip(), False
    if verb_first:
        verb = {"fires": "fire", "hold": "holds"}.get(verb_first[3], verb_first[3])
        verb = "" if verb in ("move", "moves", "put", "place", "sail") else verb
        rest = f"{verb}{verb_first[4]} {verb_first[6].strip()}"
        rest = re.sub(r"^(\w+) +(?:at|on|to) ", r"\1 ", " ".join(rest.split()))
        return re.findall(UNIT, verb_first[5]), rest, False
    if found := _ALL.match(text):
        kind = kind_called(found[2] or found[4] or "units")
        kinds = {kind} if kind else {kind for kind in CounterKind if kind.is_combat}
        nation = _NATIONS.get(found[1] or "", "")
        units = [
            c.order_id.lower() for c in counters_of(side)
            if c.kind in kinds and (not nation or c.nation == nation)
        ]
        return units, (found[3] or found[5] or "").strip(" :"), True
    if found := _RUN.match(text):
        kind = kind_called(found[1])
        units = [f"{kind.value.lower()} {n}" for n in _numbers(found[2])] if kind else []
        more, rest, _ = _subject(re.sub(r"^ (?:and|&) ", "", found[3]).strip(), side)
        return [*units, *more], rest if more else found[3].strip(" :"), False
    if found := re.match(rf"^({UNIT}(?:(?: and | & | \+ | )(?={UNIT}))?)(.*)$", text):
        is_joined = found[1].endswith(" ")
        more, rest, _ = _subject(found[2].strip(), side) if is_joined else ([], "", False)
        unit = re.findall(UNIT, found[1])
        return [*unit, *more], rest if more else found[2].strip(" :"), False
    return [], text, False


def _numbers(text: str) -> list[int]:
    """Return the numbers of a list of units.

    >>> _numbers("1-3 and 5"), _numbers("7 8")
    ([1, 2, 3, 5], [7, 8])
    """
    found: list[int] = []
    for first, last in re.findall(r"([0-9]+)(?:-([0-9]+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def _lines(units: Sequence[str], rest: str) -> list[str]:
    """Return the lines of several units with the same order."""
    rest = rest.strip(" :-")
    if found := re.fullmatch(rf"attack ({HEXES})(.*)", rest):
        follow = f"{found[2]} {' '.join(units)}" if found[2] == " advance" else found[2]
        return [f"attack {found[1].replace('-', ' ')} with {' '.join(units)}{follow}".strip()]
    return [_line(unit, rest) for unit in units]


def _with_staff(units: Sequence[str], staff: Sequence[str], rest: str) -> GrammarLines | None:
    """Return the lines of a unit and a commander that go together, or None."""
    others = [unit for unit in units if unit not in staff]
    if len(others) != 1 or len(staff) != 1 or not re.search(r"[0-9]{4}", rest):
        return None
    return GrammarLines((f"{staff[0]} with {others[0]}", *_lines(others, rest)), is_joint=True)


def _line(unit: str, rest: str) -> str:
    if found := re.fullmatch(rf"retreat ({HEXES})", rest):
        return f"retreat {unit} {found[1].replace('-', ' ')}"
    if unit.startswith("frig") and not rest.startswith(("at ", "in ")):
        return f"{unit}: {replace_words(rest, 'ship')}"
    if rest in ("stay", "stays"):
        return f"{unit} {'stays' if unit.startswith('cmd') else 'holds'}"
    rest = re.sub(r"^(?:in|on) (?=[0-9]{4}\b)", "at ", rest)
    if found := re.fullmatch(rf"(?:to )?({HEXES})(.*)", rest):
        facing = re.sub(rf"^ (?:and )?(?:face )?({SIDE})$", r" face \1", found[2])
        facing = re.sub(r"^ (?:and )(?=face|exit)", " ", facing)
        return f"{unit}: {re.sub('[- ]+', '-', found[1])}{facing}"
    return f"{unit} {rest}"
