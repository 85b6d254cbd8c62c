"""Freely worded order lines, brought to the forms of the grammar.

A line that the grammar reads as it is never comes here. The words of people are replaced one by
one ("marches in" → "enters", "Guards" → "inf 1"), units named together become one line each, and
words behind the verb are put in the order of the grammar. Numbers are never changed.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from judge.digits import is_number
from judge.games.yorktown.language.names import ANY_TYPE, SharedName, UnitNames, kind_called
from judge.games.yorktown.rules.board import REDOUBT, Kind, counters_of, hexes

_SIDE = (
    "north-?east|north-?west|south-?east|south-?west|north|south|west|east|ne|nw|se|sw|n|s|w|e"
)
_UNIT = r"(?:(?:inf|cav|art|pio|cmd|frig) [0-9]{1,2})"
_UNITS = rf"{_UNIT}(?: {_UNIT})*"
_HEXES = r"[0-9]{4}(?:[- ]+[0-9]{4})*"
_WORDS: Sequence[tuple[str, str]] = (
    (r"['’‘]", ""),
    (r"^(?:(?:die|der|das|den|meine?|unsere?)\b )+", ""),
    (r"\bgarden?\b", "guards"),
    (r"\bj(?:ä|a|ae)gers?\b", "jaegers"),
    (r"\b(?:mit )?(?:front|blick|richtung)(?: nach)? (?=(?:nord|s[uü]e?d|ost|west|ne|nw|se|sw|n|s|"
     r"w|e)(?:ost(?:en)?|west(?:en)?|en)?$)", "face "),
    (r"^(?:(?:i|we|ill|well|lets?|will|shall|want|would like)\b(?! ?[0-9])(?: to\b)? ?)+", ""),
    (rf"^(?:moves?|bring|send|march|advance|get|have|order)\b (?=(?:{ANY_TYPE})\b)", ""),
    (r"(?<=[\w]) (?:should|shall|must|will|is to|are to|has to|have to|to go and) ", " "),
    (r"\b(?:(?:that|which) (?:are|is) )?(?:in|within) range(?: of (?:it|them|[0-9]{4}))?\b", " "),
    (r"\bto (?:the )?(?:roads?|woods?|marsh|shore|crossroads?|junction|hill|bridge|clearing|field) "
     r"(?:at|in|on|near|by) (?:hex )?(?=[0-9]{4})", "to "),
    (r"\b(?:holds?|stays?|keeps?)(?: to)?(?: (?:its|their|his|our|the))? "
     r"(?:ground|positions?|lines?|posts?|place)$", "holds"),
    (r"\bholds? (?:fast|firm|steady|on|here|there|still)$", "holds"),
    (r"\bstays? (?:put|here|there|still|quiet|silent|in place|in position|as (?:it|he) is|"
     r"where (?:it|he|they|she) (?:is|are))$", "stays"),
    (r"\b(?:stays?|holds?)(?: (?:and|but|there|here))* (?=(?:turns?|fac(?:es?|ing)|looks?)\b)", ""),
    (r"(?<=[0-9a-z])(?<!fall)(?<!falls) (?:goes |go |moves? |comes? |march(?:es)? |pulls? |gets? )?"
     r"(?:back|forwards?|up|down|over|across|out|ahead|onwards?)(?: (?:on|in))?(?: to)? "
     r"(?=[0-9]{4})", " to "),
    (r"\bnord(?:en)?(?=$|ost|west)", "north"),
    (r"\bs[uü]e?d(?:en)?(?=$|ost|west)", "south"),
    (r"(?<=north)ost(?:en)?$|(?<=south)ost(?:en)?$|\bosten$|\bost$", "east"),
    (r"westen$", "west"),
    (r"\b(?:geht|gehen|zieht|ziehen|marschiert|marschieren) (?=(?:nach|auf|in|zu)\b)", ""),
    (r"(?<=[0-9a-z]) (?:nach|zu) (?=[0-9]{4})", " to "),
    (r"\b(?:h(?:ä|a|ae)lt|halten|bleibt|bleiben|wartet|warten)$", "holds"),
    (r"(?<=[0-9a-z]) (?:auf|bei) (?=[0-9]{4})", " at "),
    (r"[*_!\"“”„\[\]{}]+", " "),
    (r"(?<=[0-9])\s*[/>~]+\s*(?=[0-9])", "-"),
    (r"#\s*(?=[0-9])|\b(?:no|nr|number) (?=[0-9])", ""),
    (r"^(?:(?:my|our|please|pls|then|now|also|and|orders?|day [0-9]{1,2}|the|bitte)\b[ :]*)+", ""),
    (r"\b(?:please|pls|bitte|the)\b", " "),
    (r"^(attack|assault|storm|retreats?|losses|hit)\s*:", r"\1"),
    (r"(?<=[0-9]{4}) (?:or|else|oder) (?=[0-9]{4})", " "),
    (r"(?<=[0-9]{4})\)? (?:and|then)(?: then)? advances?$", " advance"),
    (r"\bhex(?:es|agon|field)?\b", " "),
    (r"\b(?:one|a|two|three) (?=(?:hex|step)s?\b)", ""),
    (r"\b(?:leaves?|exits?|quits?) (?:the )?(?:map|board)\b", "exit"),
    (r"\bexits? (?:(?:at|by|via|on|over|off|from|to|the) )+", "exit "),
    (rf"\bexit ({_SIDE})(?:ern)? (?:edge|side|border)\b", r"exit \1"),
    (r"\b(?:marches|march|comes|come|walks|moves|move|goes|go) (?:on|in|into|onto)(?: map| board)?"
     r"(?: (?:at|by|via|in|from|on|through))?(?= [0-9])", "enters"),
    (r"\benters?(?: the)?(?: map| board)?(?: (?:at|by|via|in|from|on|through))? (?=[0-9])",
     "enters "),
    (r"\b(?:shoots?|bombards?|shells?|cannonades?|batters?|targets?|aims?)\b", "fires"),
    (r"\bfir(?:es?|ing) (?:(?:at|on|upon|into|enemy|enemies|guns?|battery|in|twice) )+", "fire "),
    (r"\b(?:dig|digs|digs? in|entrench(?:es)?|digs? (?:a )?redoubts?)$", "builds redoubt"),
    (r"\b(?:builds?|constructs?|makes?|places?|throws? up|raises?|digs?) (?:(?:a|the|new) )*"
     r"(?:redoubts?|fort|works?|entrenchment)(?: here)?", "builds redoubt"),
    (r"\b(?:joins|join|accompan(?:ies|y)|rides? with|goes with|go with|moves? with|marches with|"
     r"stays? with|attach(?:es|ed)? to|leads?|stacks? with|joins? up with)\b", "with"),
    (r"\b(?:embarks?|goes aboard|go aboard|boards?)(?: (?:on|onto|into|the|in))*\b", "boards"),
    (r"\b(?:disembarks?|debarks?|lands?|goes ashore)(?: (?:at|in|on|onto|to))*\b", "lands"),
    (r"\b(?:stands?|remains?|waits?|stays? put|stands? fast|does nothing|halts?|rests?)"
     r"(?: (?:put|fast|still|here|there|where (?:it|he) is))*$", "holds"),
    (r"\b(?:turns? to|turns?|looks?|fronts?|facing towards?|faces? towards?|front to)"
     r"(?: (?:face|to|towards?))* "
     rf"(?=(?:{_SIDE})\b)", "face "),
    (rf"\bfac(?:e|es|ing)(?: (?:to|the|towards?))+ (?=(?:{_SIDE})\b)", "face "),
    (r"(?<=[0-9a-z]) towards? (?=[0-9]{4})", " to "),
    (rf"(?<=[0-9]) (?:towards?) (?=(?:{_SIDE})$)", " face "),
    (r"\b(?:assaults?|storms?|charges?|attacking|attacks)\b", "attack"),
    (r"\battack (?:(?:the|enemy|enemies|unit|units|in|at|on|into) )+(?=[0-9])", "attack "),
    (r"(?<=[0-9]) (?:using|by|from) (?=(?:inf|cav|pio) )", " with "),
    (r"\b(?:retires?|falls? back|withdraws?|retreats?)(?: (?:to|into|towards?))*\b", "retreat"),
    (r"(?<=[0-9]{4})[- ]+(?:(?:to|via|through|then|and|over|by|goes|go|moves?|march(?:es)?|on|"
     r"onwards?|further|continues?|proceeds?|walks?)[- ]+)+(?=[0-9]{4})", "-"),
    (r"\b(?:marches|march|moves|move|walks|walk|goes|go|proceeds|proceed|heads|head|advances|"
     r"advance|runs|run|rides|ride)(?: (?:on|along|over|via|for|by|road))*"
     r"(?: (?:to|towards?|into|in))?[- ](?=[0-9])", "to "),
    (r"(?<=[0-9a-z])[ :-]+to[ -]+(?=[0-9]{4})", " to "),
    (r"(?<= [0-9])-(?=[0-9]{4})|(?<= [0-9][0-9])-(?=[0-9]{4})", " "),
)
"""What is written → what the grammar has, one after the other."""
_WORDS_AFTER_NAMES: Sequence[tuple[str, str]] = (
    (r"\bto to\b", "to"),
    (rf"^({_UNITS}) attack ({_HEXES})(?: together| along| jointly)? (?:with|and) ({_UNITS})\b",
     r"attack \2 with \1 \3"),
    (rf"^(attack .*)\b({_UNIT})(?: and ({_UNIT}))? (?:(?:and |then )*(?:moves in|follows up)|"
     r"advances?)$", r"\1advance \2 \3"),
    (rf"\bfires? (?:at )?({_UNIT}) (?:in|at) ([0-9]{{4}})$", r"fires at \2 \1"),
)
"""The same for words beside units, which are called by their numbers then."""
_SHIP_WORDS: Sequence[tuple[str, str]] = (
    (r"\b(?:sails?|moves?|steers?|goes|go|then|and)\b", " "),
    (r"\b(?:forwards?|ahead|straight on|straight)(?: for)?\b", "f"),
    (r"\bf ([0-9]{1,2})\b", r"f\1"),
    (r"\b(?:turns? |to )*(?:left|port)\b", "l"),
    (r"\b(?:turns? |to )*(?:right|starboard)\b", "r"),
    (r"\bfires? (?:at )?", "fire "),
    (r"\b(?:fire ([0-9]{4})) twice\b", r"fire \1 fire \1"),
)
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


class Wording(NamedTuple):
    """Lines of the grammar that a free line comes to."""

    lines: tuple[str, ...]
    is_all: bool = False
    """The line is for all units of a type: who cannot do it is passed over."""


def wordings(text: str, side: str, names: UnitNames | None = None) -> Wording | None:
    """Return the lines of the grammar that a clean line may mean, or None if it names no unit.

    >>> wordings("infantry 21 marches in 0118-0217", "FA").lines
    ('inf 21 enters 0118-0217',)
    >>> wordings("guards attack 1513", "AP").lines
    ('attack 1513 with inf 1',)
    >>> wordings("inf 1-3 face n", "FA").lines
    ('inf 1 face n', 'inf 2 face n', 'inf 3 face n')
    """
    text = plain_words(text, names or UnitNames(side))
    units, rest, is_all = _subject(text, side)
    if not units:
        return Wording((text,)) if text.startswith(("retreat ", "losses ", "hit ")) else None
    if staff := [unit for unit in units if unit.startswith("cmd")]:
        if wording := _with_staff(units, staff, rest):
            return wording
    if found := re.fullmatch(r"(.+?) (?:and |then )+(attack .+)", rest):
        first, second = found.groups()
        parts = [_lines(units, part) for part in (first, second)]
        return Wording(tuple(line for part in parts for line in part), is_all)
    return Wording(tuple(_lines(units, rest)), is_all)


_HEADING = re.compile(
    r"\W*(?:(?:my|the|our|orders?|for|step|phase|fire|firing|move|moves|movement|combat|attacks?|"
    r"artillery|standing|set-?up|befehle?|feuer|bewegung|day [0-9]{1,2})\b[\s*_-]*)+:\W*"
)
_COURTESY = re.compile(
    r"(?:^(?:please|pls|bitte|and|ok|so)\b |"
    r" (?:please|pls|bitte|thanks|thank you|thx|danke)$)"
)


def is_step_heading(text: str) -> bool:
    """Return whether a line is the heading of a list of orders and orders nothing.

    >>> is_step_heading("fire:"), is_step_heading("move orders:"), is_step_heading("inf 3:")
    (True, True, False)
    """
    return bool(_HEADING.fullmatch(text))


def without_courtesy(text: str) -> str:
    """Return a line without words of courtesy around it.

    >>> without_courtesy("done please"), without_courtesy("thanks")
    ('done', 'thanks')
    """
    return _COURTESY.sub("", text)


def on_ships(text: str, ships: Mapping[str, str]) -> str:
    """Return a line with enemy frigates called by their hexes.

    >>> on_ships("art 1 fires at the frigate 2", {"FRIG 2": "1808"})
    'art 1 fires at 1808'
    """
    for name, at in ships.items():
        if is_number(at):
            number = name.split()[1]
            ship = rf"\b(?:the |enemy )*(?:frigate|frig|ship) ?{number}(?![0-9])"
            text = re.sub(rf"{ship}(?: (?:in|at) [0-9]{{4}})?", at, text)
    return re.sub(r"\b(?:the |enemy )*(?:frigate|ship) (?:in|at) (?=[0-9]{4})", "", text)


def holds_all(text: str) -> bool:
    """Return whether a line says only that all units, or all others, hold.

    >>> holds_all("all other units hold"), holds_all("rest holds"), holds_all("inf 3 holds")
    (True, True, False)
    """
    return bool(re.fullmatch(
        r"(?:let )?(?:(?:all|every|the|other|others|else|rest|remaining|units?|everything|"
        rf"everybody|everyone|my|{ANY_TYPE}) )*(?:holds?|stays?|remains?|waits?)"
        r"(?: (?:all|everything|everybody|put|rest|the rest|others|in yorktown|"
        r"in gloucester))*", text.strip("*_!(). "),
    ))


def plain_words(text: str, names: UnitNames) -> str:
    """Return a clean line in the words of the grammar, with units and redoubts by number."""
    return replace_words(names.replace(_placed(in_plain_words(text))), _WORDS_AFTER_NAMES)


def shared_name(text: str, names: UnitNames) -> tuple[str, SharedName] | None:
    """Return a line in plain words and the name in it that several units have, or None."""
    text = plain_words(text, names)
    found = names.shared(text)
    return (text, found) if found else None


def in_plain_words(text: str) -> str:
    """Return a clean line with the words of people replaced by those of the grammar."""
    return replace_words(text, _WORDS)


def first_unit(text: str, names: UnitNames) -> str:
    """Return the order id of the first unit that a line names, or nothing.

    >>> first_unit("guards dance in 1513", UnitNames("AP"))
    'INF 1'
    """
    found = re.search(rf"\b{_UNIT}(?![0-9])", plain_words(text, names))
    return found[0].upper() if found else ""


def replace_words(text: str, table: Sequence[tuple[str, str]]) -> str:
    """Return a line with patterns replaced, one after the other."""
    for pattern, put in table:
        text = " ".join(re.sub(pattern, put, text).split())
    return text


@cache
def _redoubts() -> dict[str, str]:
    """Return the hexes of the printed redoubts by their names in lower case."""
    return {
        each.title.lower().replace("'", ""): each.name
        for each in hexes().values() if each.feature == REDOUBT and each.title
    }


def _placed(text: str) -> str:
    """Return a line with printed redoubts called by their hexes."""
    names = "|".join(re.escape(name) for name in _redoubts())
    return re.sub(rf"\b({names})\b(?: redoubt)?", lambda m: _redoubts()[m[1]], text)


def _subject(text: str, side: str) -> tuple[list[str], str, bool]:
    """Return the units a line is for, the rest of it, and whether it is for all of a type."""
    verb_first = re.fullmatch(
        rf"(attack {_HEXES}) with (.+)|(fires?|builds redoubt|holds?|to|boards|lands|face|enters|"
        rf"move|moves|put|place|sail)((?: (?:at )?[0-9]{{4}})?)(?: with)? ({_UNITS})(.*)", text,
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
        return re.findall(_UNIT, verb_first[5]), rest, False
    if found := _ALL.match(text):
        kinds = _kinds_called(found[2] or found[4] or "units")
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
    if found := re.match(rf"^({_UNIT}(?:(?: and | & | \+ | )(?={_UNIT}))?)(.*)$", text):
        more, rest, _ = _subject(found[2].strip(), side) if _joined(found[1]) else ([], "", False)
        unit = re.findall(_UNIT, found[1])
        return [*unit, *more], rest if more else found[2].strip(" :"), False
    return [], text, False


def _joined(text: str) -> bool:
    return text[-1:] == " "


def _kinds_called(words: str) -> set[Kind]:
    kind = kind_called(words)
    return {kind} if kind else {kind for kind in Kind if kind.is_combat}


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
    """Return the lines of several units that are told the same."""
    rest = rest.strip(" :-")
    if found := re.fullmatch(rf"attack ({_HEXES})(.*)", rest):
        follow = f"{found[2]} {' '.join(units)}" if found[2] == " advance" else found[2]
        return [f"attack {found[1].replace('-', ' ')} with {' '.join(units)}{follow}".strip()]
    return [_line(unit, rest) for unit in units]


def _with_staff(units: Sequence[str], staff: Sequence[str], rest: str) -> Wording | None:
    """Return the lines of a unit and a commander that go to one hex together, or None."""
    others = [unit for unit in units if unit not in staff]
    if len(others) != 1 or len(staff) != 1 or not re.search(r"[0-9]{4}", rest):
        return None
    return Wording((f"{staff[0]} with {others[0]}", *_lines(others, rest)))


def _line(unit: str, rest: str) -> str:
    if found := re.fullmatch(rf"retreat ({_HEXES})", rest):
        return f"retreat {unit} {found[1].replace('-', ' ')}"
    if unit.startswith("frig") and not rest.startswith(("at ", "in ")):
        return f"{unit}: {replace_words(rest, _SHIP_WORDS)}"
    if rest in ("stay", "stays") and not unit.startswith("cmd"):
        return f"{unit} holds"
    rest = re.sub(r"^(?:in|on) (?=[0-9]{4}\b)", "at ", rest)
    if found := re.fullmatch(rf"(?:to )?({_HEXES})(.*)", rest):
        facing = re.sub(rf"^ (?:and )?(?:face )?({_SIDE})$", r" face \1", found[2])
        facing = re.sub(r"^ (?:and )(?=face|exit)", " ", facing)
        return f"{unit}: {re.sub('[- ]+', '-', found[1])}{facing}"
    return f"{unit} {rest}"
