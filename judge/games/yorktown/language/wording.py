"""Freely worded order lines, brought to the forms of the grammar.

A line that the grammar reads as it is never comes here. The words of people are replaced one by
one ("marches in" → "enters", "Guards" → "inf 1"), units named together become one line each, and
words behind the verb are put in the order of the grammar. Numbers are never changed.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from judge.games.yorktown.rules.board import REDOUBT, Kind, counters_of, hexes

_TYPE_WORDS = {
    "INF": r"infantry|infantries|infanterie|inf|regiment(?:er|e?s)?|regts?|battalions?|bns?",
    "CAV": r"cavalry|cavalries|kavallerie|cav|horse|dragoons|reiterei|dragoner",
    "ART": r"artillery|artilleries|artillerie|art|batteries|batterien?|battery|guns?|cannons?|"
    r"kanonen?|gesch(?:ü|u|ue)tze?",
    "PIO": r"pioneers?|pioniere?|pio|sappers?|miners?|engineers?",
    "FRIG": r"frigates?|fregatten?|frigs?|ships?|schiffe?",
    "CMD": r"commanders?|kommandanten?|befehlshaber|cmd|generals?",
}
_ANY_TYPE = "|".join(f"(?:{words})" for words in _TYPE_WORDS.values())
_GENERIC_NAMES = frozenset(
    "1st 2nd 3rd 4th light infantry foot of and army battery company legion battalion battalions "
    "regiment regiments militia artillery siege guns train party working brigade royal new north "
    "volunteers hms british island".split()
)
"""Words of formation names that name no unit by themselves."""
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
    (r"(?<=[0-9])[- ](?:to|via|through|then|and then|and|over|by)[- ](?=[0-9]{4})", "-"),
    (r"\b(?:marches|march|moves|move|walks|walk|goes|go|proceeds|proceed|heads|head|advances|"
     r"advance|runs|run|rides|ride)(?: (?:on|along|over|via|for|by|road))*"
     r"(?: (?:to|towards?|into|in))?[- ](?=[0-9])", "to "),
    (r"(?<=[0-9a-z])[ :-]+to[ -]+(?=[0-9]{4})", " to "),
    (r"(?<= [0-9])-(?=[0-9]{4})|(?<= [0-9][0-9])-(?=[0-9]{4})", " "),
)
"""What is written → what the grammar has, one after the other."""
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
    r"^(?:all|every|each)(?: of)?(?: (?:my|our|other))*(?: (french|american|british|german))?"
    rf"(?: ({_ANY_TYPE}|units?|troops|men))?\b(.*)$"
    r"|^(artilleries|batteries|guns|cannons)\b(.*)$"
)
_RUN = re.compile(
    rf"^(?:({_ANY_TYPE}) )([0-9]{{1,2}}(?:(?:-| and |[ &+]+)[0-9]{{1,2}}(?![0-9]))+)(?![0-9])(.*)$"
)
_NATIONS = {"french": "FR", "american": "US", "british": "GB", "german": "DE"}


class Wording(NamedTuple):
    """Lines of the grammar that a free line comes to."""

    lines: tuple[str, ...]
    is_all: bool = False
    """The line is for all units of a type: who cannot do it is passed over."""


def wordings(text: str, side: str) -> Wording | None:
    """Return the lines of the grammar that a clean line may mean, or None if it names no unit.

    >>> wordings("infantry 21 marches in 0118-0217", "FA").lines
    ('inf 21 enters 0118-0217',)
    >>> wordings("guards attack 1513", "AP").lines
    ('attack 1513 with inf 1',)
    >>> wordings("inf 1-3 face n", "FA").lines
    ('inf 1 face n', 'inf 2 face n', 'inf 3 face n')
    """
    text = _replace(text, _WORDS)
    text = _named(_placed(text), side)
    units, rest, is_all = _subject(text, side)
    if not units:
        return Wording((text,)) if text.startswith(("retreat ", "losses ", "hit ")) else None
    if found := re.fullmatch(r"(.+?) (?:and |then )+(attack .+)", rest):
        first, second = found.groups()
        parts = [_lines(units, part) for part in (first, second)]
        return Wording(tuple(line for part in parts for line in part), is_all)
    return Wording(tuple(_lines(units, rest)), is_all)


def holds_all(text: str) -> bool:
    """Return whether a line says only that all units, or all others, hold.

    >>> holds_all("all other units hold"), holds_all("rest holds"), holds_all("inf 3 holds")
    (True, True, False)
    """
    return bool(re.fullmatch(
        r"(?:let )?(?:(?:all|every|the|other|others|else|rest|remaining|units?|everything|"
        rf"everybody|everyone|my|{_ANY_TYPE}) )*(?:holds?|stays?|remains?|waits?)"
        r"(?: (?:all|everything|everybody|put|rest|the rest|others|in yorktown|"
        r"in gloucester))*", text.strip("*_!(). "),
    ))


def names_unit(text: str, side: str) -> bool:
    """Return whether a line names a unit by number or name, or a type of units and a hex.

    A name that several units have counts with a hex, as a type does.

    >>> names_unit("cornwallis joins the guards", "AP"), names_unit("room 2014", "AP")
    (True, False)
    """
    text = _replace(text, _WORDS)
    if re.search(rf"\b{_UNIT}(?![0-9])", _named(text, side)):
        return True
    places = re.findall(r"(?<![0-9])[0-9]{4}(?![0-9])", text)
    if not any(place in hexes() for place in places):
        return False
    shared = (re.escape(name) for name, ids in _ids_by_name(side).items() if len(ids) > 1)
    return bool(re.search(rf"\b(?:{_ANY_TYPE}|{'|'.join(shared)})\b", text))


def first_unit(text: str, side: str) -> str:
    """Return the order id of the first unit that a line names, or nothing.

    >>> first_unit("guards dance in 1513", "AP"), first_unit("attack 1513", "AP")
    ('INF 1', '')
    """
    found = re.search(rf"\b{_UNIT}(?![0-9])", _named(_replace(text, _WORDS), side))
    return found[0].upper() if found else ""


def _replace(text: str, table: Sequence[tuple[str, str]]) -> str:
    for pattern, put in table:
        text = " ".join(re.sub(pattern, put, text).split())
    return text


@cache
def unit_names(side: str) -> dict[str, str]:
    """Return the names of a side's formations, in lower case, with the order id of each.

    A name is the whole one, a part of it between commas, or a word that no other formation has.

    >>> unit_names("AP")["royal welch fusiliers"], unit_names("FA")["bourbonnois"]
    ('inf 5', 'inf 21')
    """
    commanders = {c.name.lower() for c in counters_of(side) if c.kind is Kind.CMD}
    found = {
        name: ids[0] for name, ids in _ids_by_name(side).items()
        if len(ids) == 1 and name not in commanders
    }
    return dict(sorted(found.items(), key=lambda each: -len(each[0])))


@cache
def _ids_by_name(side: str) -> dict[str, list[str]]:
    """Return the order ids of the formations with each name, in lower case."""
    found: dict[str, list[str]] = {}
    for counter in counters_of(side):
        if counter.kind is Kind.CMD:
            continue
        plain = re.sub(r"\(.*\)|'", "", counter.name.lower())
        parts = [part.strip() for part in plain.split(",")]
        single = {word for part in parts for word in part.split() if len(word) >= 4}
        for name in {" ".join(parts), *parts, *single} - _GENERIC_NAMES:
            found.setdefault(name, []).append(counter.order_id.lower())
    return found


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


def _named(text: str, side: str) -> str:
    """Return a line with formations and types called as in orders: "inf 21"."""
    commanders = "|".join(c.name.lower() for c in counters_of(side) if c.kind is Kind.CMD)
    by_name = {c.name.lower(): c.order_id.lower() for c in counters_of(side)}
    text = re.sub(rf"\b(?:general |gen |lord )?({commanders})\b", lambda m: by_name[m[1]], text)
    names = unit_names(side)
    pattern = "|".join(re.escape(name) for name in names)
    text = re.sub(rf"(?<![\w-])({pattern})s?(?![\w-])", lambda m: names[m[1]], text)
    for kind, words in _TYPE_WORDS.items():
        text = re.sub(rf"\b(?:{words})(?:es)? ?(?=[0-9]{{1,2}}(?![0-9]))", f"{kind.lower()} ", text)
    text = re.sub(r"\bi ?(?=[0-9]{1,2}\b)", "inf ", text)
    return re.sub(r"\b(inf|cav|art|pio|cmd|frig) 0(?=[0-9]\b)", r"\1 ", text)


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
        kind = next(k for k, words in _TYPE_WORDS.items() if re.fullmatch(words, found[1]))
        units = [f"{kind.lower()} {n}" for n in _numbers(found[2])]
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
    for kind, pattern in _TYPE_WORDS.items():
        if re.fullmatch(pattern, words):
            return {Kind(kind)}
    return {kind for kind in Kind if kind.is_combat}


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


def _line(unit: str, rest: str) -> str:
    if found := re.fullmatch(rf"retreat ({_HEXES})", rest):
        return f"retreat {unit} {found[1].replace('-', ' ')}"
    if unit.startswith("frig") and not rest.startswith(("at ", "in ")):
        return f"{unit}: {_replace(rest, _SHIP_WORDS)}"
    if rest in ("stay", "stays") and not unit.startswith("cmd"):
        return f"{unit} holds"
    rest = re.sub(r"^(?:in|on) (?=[0-9]{4}\b)", "at ", rest)
    if found := re.fullmatch(rf"(?:to )?({_HEXES})(.*)", rest):
        facing = re.sub(rf"^ (?:and )?(?:face )?({_SIDE})$", r" face \1", found[2])
        facing = re.sub(r"^ (?:and )(?=face|exit)", " ", facing)
        return f"{unit}: {re.sub('[- ]+', '-', found[1])}{facing}"
    return f"{unit} {rest}"
