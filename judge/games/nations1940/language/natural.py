"""Rewriting of freely worded orders into the order language.

Each rule handles one form ("Declare war on Britain", "Build a railroad in Kiev") and yields lines
of the language. A text that no rule handles yields none. The meaning of names is decided later, so
a rule never guesses a place or a nation.
"""

import re
from collections.abc import Callable, Iterator
from itertools import product

from judge.games.nations1940.language.grammar import parse_order
from judge.games.nations1940.language.lexicon import ScenarioLexicon, fold_name

_MAX_CHARS = 240
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), 1
    )
}
"""Number word → its digits."""
_POLITE = re.compile(
    r"^(?:(?:please|pls|bitte|kindly|then|also|and|next|now|first|second|third|finally|lastly|"
    r"meanwhile|ok|okay|so|therefore|i|we|let'?s|let us|let|(?:would|d) like(?: to)?|"
    r"'d like(?: to)?|'ll|want to|"
    r"want|will|shall|am going to|are going to|should|must|intend to|plan to|wish to|have to|"
    r"order(?:s|ed)?:?(?=\s+(?:my|the|all|[0-9]))|my nation|to)\b[\s,:]*)+",
    re.IGNORECASE,
)
_THANKS = re.compile(
    r"[\s,;]*(?:,\s*)?\b(?:please|pls|thanks|thank you|thx|too|as well|instead|now|at once|"
    r"(?:this|next) (?:turn|month|round))$",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^\s*(?:could|can|would|will)\s+you\s+(?:please\s+|kindly\s+)?(.+?)(?:,?\s*please)?\s*\?\s*$",
    re.IGNORECASE,
)
"""Polite question that asks for an order."""
_ASIDE = re.compile(
    r"\s*\((?!\s*(?:if|unless|when|wenn|falls|only)\b)[^()]*\)$", re.IGNORECASE
)
"""Remark in brackets after an order. A condition is no remark, as no order has one."""
UNITS = r"(?:arm(?:y|ies)|armee[ns]?|units?|troops?|divisions?|forces?|soldiers|men)"
FLEETS = r"(?:fleets?|ships?|nav(?:y|ies)|squadrons?|flotten?)"
DET = r"(?:the|my|our|an?|some|this|that|these|those|its|new)"
_WITH = r"(?:with|to|for|towards|against|on|upon|and|between us and)"
_TO = (
    r"(?:\s*(?:-+>|=+>|→|–>)\s*|\s+(?:to|into|onto|on|towards?|against|for|upon)\s+|"
    r"\s+[-–—]\s*|\s*[-–—](?=[#0-9])|\s*[-–—]\s+)"
)
_ARROW = re.compile(
    r"\s*(?:\b(?:in)?to\b|\bonto\b|\btowards?\b|->|→|=>|–>|(?<=\s)[-–—](?=\s))\s*", re.I
)
TREATIES = {
    "NAP": r"n\.?a\.?p\.?|non[-\s]?agg?ress?ion",
    "EXCHANGE": r"exchange|trade|trading|research exchange",
    "PACT": r"(?:military|defen[sc]e|defensive)\s+(?:pact|alliance)|pact|alliance|allied",
    "PEACE": r"peace|cease[-\s]?fire|armistice|truce",
}
"""Treaty → pattern of its names."""
TREATY = "|".join(f"(?:{pattern})" for pattern in TREATIES.values())
_EVERYTHING_THERE = re.compile(
    r"\beverything\b(?:\s+(?:that\s+)?(?:(?:i|we)\s+have|is))?", re.IGNORECASE
)
_TREATY_LIST = (
    rf"(?:{DET}\s+)?(?:{TREATY})(?:\s+(?:treaty|treaties|pact|pacts|agreement|deal))?"
    rf"(?:\s*(?:,|and|&|\+|plus)\s*(?:{DET}\s+)?(?:{TREATY})"
    r"(?:\s+(?:treaty|treaties|pact|pacts|agreement|deal))?)*"
)
_OFFER = (
    r"(?:propose|offer|sign|make|announce|conclude|accept|request|suggest|enter|seek"
    r"|agree(?:\s+to)?"
    r"|ask(?:\s+for)?|treaty|treaties|proposal|proposing|offering|diplomacy)"
)
KINDS = {
    "RAI": r"rai(?:l(?:road|way|roads|ways|s)?)?",
    "ACA": r"acad(?:emy|emies|amy|emie)?|aca",
    "FOR": r"fort(?:s|ress|resses|ification|ifications|ify)?|for",
    "POR": r"ports?|por|harbou?rs?",
    "HQ": r"(?:military\s+)?(?:hqs?|head\s?quarters?)",
    "AIR": r"air(?:\s?(?:fields?|ports?|bases?))?",
    "AAB": r"aab|(?:aa|flak|anti[-\s]?air(?:craft)?)(?:\s*(?:batter(?:y|ies)|guns?))?",
    "FAC": r"fac(?:tor(?:y|ies))?",
    "SIL": r"(?:missile\s+)?silos?|sil",
}
"""Improvement → pattern of its names."""
KIND = "|".join(f"(?:{pattern})" for pattern in KINDS.values())
_MANY = rf"(?:(?:{DET}|[0-9]+|more|another)\s+)*"
_KIND_LIST = rf"{_MANY}(?:{KIND})(?:\s*(?:,|and|&|\+|plus)\s*{_MANY}(?:{KIND}))*"
_AT = r"(?:\s+(?:in|at|on|near|for|around|to)\b|\s*:|\s*@)?"
_BUILD = r"(?:build|construct|make|erect|establish|create|place|put|found|add|lay|bu|set up)"
_SPLIT = re.compile(
    r"\s*(?:(?:,\s*|\band\s+)?\bthen\b|,|;|\band\b|&|\+|\bplus\b)\s*", re.IGNORECASE
)


_BEGINS = (
    rf"(?:please\s+)?(?:{_BUILD}|move|send|march|sail|rail|attack|invade|research|declare|propose|"
    rf"offer|cancel|bomb|dismantle|disband|commission|hold|spawn|give|war|(?:{TREATY})|"
    rf"(?:{'|'.join(NUMBERS)}|[0-9]+|an?|the|all)\s+(?:{UNITS}|{FLEETS})"
    rf"|{FLEETS}|{UNITS})(?!\w)"
)
_JOINS = re.compile(
    rf"(?:[.!;]\s+|\s*,\s*|\s+(?=and|then))(?:and\s+|then\s+|also\s+)*(?={_BEGINS})", re.I
)


def sentences(text: str) -> list[str]:
    """Split a line of several sentences into its possible orders.

    >>> sentences("Research Sonar. Build a port in Wales.")
    ['Research Sonar', 'Build a port in Wales.']
    """
    return [part.strip() for part in _JOINS.split(text) if part and part.strip()]


_EVERYTHING = re.compile(
    r"(?:hold|stay)(?:\s+(?:with\s+)?(?:all|everything|everywhere|everyone|the rest))?"
    rf"(?:\s+{UNITS})?"
    r"|(?:all|everyone|everything|"
    r"(?:all\s+)?(?:the\s+)?(?:rest|others?|other units|remaining units)|"
    rf"(?:all\s+)?(?:(?:my|the|other|remaining)\s+)*{UNITS})\s+"
    r"(?:hold|holds|stay|stays|remain|wait)"
    r"(?:\s+(?:put|still|where they are))?",
    re.IGNORECASE,
)


def holds_everything(text: str) -> bool:
    """Return whether a text orders all units to stay, as they do without an order.

    >>> holds_everything("All other armies hold."), holds_everything("Hold Kiev")
    (True, False)
    """
    return bool(_EVERYTHING.fullmatch(_plain(text)))


def canonical_orders(text: str, names: ScenarioLexicon) -> list[str]:
    """Return the orders of a freely worded text, as lines of the language.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> canonical_orders("Declare war on Britain!", lexicon("nations1940"))
    ['WAR Britain']
    >>> canonical_orders("please move two armies from Kiev to Minsk", lexicon("nations1940"))
    ['MOVE 2 Kiev -> Minsk']
    >>> canonical_orders("Dear judge", lexicon("nations1940"))
    []
    """
    if len(text) > _MAX_CHARS:
        return []
    plain = _plain(_REQUEST.sub(r"\1", text))
    if plain.endswith("?"):
        return []
    for rule in _RULES:
        found = [line for line in rule(plain, names) or () if line]
        if found and all(parse_order(line) for line in found):
            return found
    return []


def _plain(text: str) -> str:
    """Return a text without courtesy, remarks and stops, with numbers in digits."""
    text = re.sub(r"\s+", " ", text.replace("’", "'")).strip().strip("*_")
    text = text.strip("() ") if text[:1] == "(" else _ASIDE.sub("", text)
    text = re.sub(r"^[a-z]\)\s*", "", text).rstrip(".!, ")
    text = re.sub(r"\b([0-9]+)\s?x\b", r"\1", _EVERYTHING_THERE.sub("all", text))
    text = _THANKS.sub("", _POLITE.sub("", text, count=1))
    text = re.sub(r"[^\W\d_]+", lambda word: NUMBERS.get(word[0].lower(), word[0]), text)
    return re.sub(r"\ball (?:the |our |my )?([0-9]+)\b", r"\1", text, flags=re.I)


def _match(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text, re.IGNORECASE)


def _list(text: str) -> list[str]:
    """Return the names of a list, without articles."""
    parts = (re.sub(rf"^(?:{DET})\s+", "", part, flags=re.I) for part in _SPLIT.split(text))
    return [part.strip() for part in parts if part.strip()]


def _war(text: str, _: ScenarioLexicon) -> Iterator[str]:
    found = _match(
        r"(?:declar\w*|start|begin|wage|go to|we are at|at)?\s*(?:a\s+)?war\s*:?\s*"
        rf"{_WITH}?\s*(.+)", text,
    ) or _match(r"declare\s+(?:on\s+)?(.+?)\s+(?:a\s+)?war", text)  # fmt: skip
    if found:
        yield from (f"WAR {nation}" for nation in _list(found[1]))


def _treaty_codes(text: str) -> list[str]:
    found = ((code, re.search(rf"\b(?:{p})\b", text, re.I)) for code, p in TREATIES.items())
    return [code for code, hit in found if hit and not (code == "PACT" and _only_nap(text))]


def _only_nap(text: str) -> bool:
    """Return whether "pact" is only the end of another treaty's name."""
    return not re.search(r"(?<!ion )(?<!nap )\b(?:pact|alliance|allied)\b", text, re.I)


def _treaty(text: str, _: ScenarioLexicon) -> Iterator[str]:
    verb, found = "TREATY", None
    text = re.sub(r"\b(?:an?\s+)?treaty\s+of\s+", "", text, flags=re.I)
    if found := _match(
        rf"(?:cancel|end|break|terminate|quit|leave|dissolve|revoke)\s+({_TREATY_LIST})"
        rf"\s*(?:{_WITH})?\s*(.+)", text,
    ):
        verb = "CANCEL"
    elif found := _match(
        rf"(?:withdraw|retract|take back|rescind)\s+({_TREATY_LIST})"
        rf"\s*(?:offer|proposal)?\s*(?:{_WITH})?\s*(.+)", text,
    ):
        verb = "WITHDRAW"
    else:
        found = _match(
            rf"(?:{_OFFER}\s*:?\s*)?(?:of\s+|{DET}\s+)?({_TREATY_LIST})"
            rf"\s*:?\s*(?:offer|proposal)?\s*(?:{_WITH}|from|of)?\s*(.+)", text,
        )
    if found:
        kinds, nations = _treaty_codes(found[1]), _list(found[2])
        yield from (f"{verb} {kind} {nation}" for nation, kind in product(nations, kinds))
        return
    if found := _match(r"(?:end|stop|finish)\s+(?:the\s+)?war\s+(?:with|against|on)\s+(.+)", text):
        yield from (f"TREATY PEACE {nation}" for nation in _list(found[1]))
        return
    if found := _match(rf"accept\s+(?:the\s+)?(.+?)['’]s?\s+({_TREATY_LIST})", text):
        pairs = product(_list(found[1]), _treaty_codes(found[2]))
        yield from (f"TREATY {kind} {nation}" for nation, kind in pairs)
        return
    turned = _match(rf"(?:offer|propose to|ask|give)\s+(.+?)\s+(?:for\s+)?({_TREATY_LIST})", text)
    if turned:
        pairs = product(_list(turned[1]), _treaty_codes(turned[2]))
        yield from (f"TREATY {kind} {nation}" for nation, kind in pairs)


def _research(text: str, names: ScenarioLexicon) -> Iterator[str]:
    found = _match(
        r"(?:start(?:ing)?\s+)?(?:research|study|develop|investigate|re)(?:ing)?\b"
        r"\s*(?:queue)?\s*:?\s*"
        rf"(?:into\s+|on\s+|then\s+|{DET}\s+)*(.+)", text,
    )  # fmt: skip
    if not found:
        return
    then = r"\s*(?:,|;|->|>|(?:\band\s+)?\bthen\b|\bafter that\b|\bfollowed by\b)\s*"
    wanted = re.split(then, found[1])
    techs = [tech for part in wanted for tech in _techs(part, names)]
    if techs:
        yield "RESEARCH " + ", ".join(f'"{tech}"' for tech in techs)


def _techs(text: str, names: ScenarioLexicon) -> list[str]:
    """Return technologies joined by "and", which may itself be part of a name."""
    text = text.strip().strip("\"'“”„")
    if not text:
        return []
    parts = re.split(r"\s*(?:\band\b|&)\s*", re.sub(rf"^(?:and|{DET})\s+", "", text, flags=re.I))
    found, at = [], 0
    while at < len(parts):
        for end in range(min(at + _MAX_ANDS, len(parts)), at, -1):
            name = "&".join(parts[at:end])
            if names.techs.is_known(name):
                break
        else:
            return [text]
        found.append(name)
        at = end
    return found


_MAX_ANDS = 3
"""Maximum number of parts of a name that contains "and"."""


def _kinds(text: str) -> list[str]:
    """Return the codes of the improvements in a list."""
    found = []
    for part in _SPLIT.split(text):
        word = re.sub(rf"^{_MANY}", "", part, flags=re.I)
        found += [code for code, pattern in KINDS.items() if _match(pattern, word)][:1]
    return found


def _build(text: str, names: ScenarioLexicon) -> Iterator[str]:
    """Parse orders to build or dismantle, such as "build an academy in Kiev"."""
    text = re.sub(rf"^((?:in|at|on)\s+.+?)\s*[,:]?\s+{_BUILD}\s+", r"build \1 ", text, flags=re.I)
    if found := _match(rf"({_KIND_LIST})(?!\w){_AT}\s*(.+)", text):
        if all(_is_place(one, names) for one in _list(found[2])):
            yield from _sites("BUILD", found[1], found[2])
        return
    if found := _match(rf"([^:]+):\s*({_KIND_LIST})", text):
        if all(_is_place(one, names) for one in _list(found[1])):
            yield from _sites("BUILD", found[2], found[1])
            return
    verb, rest = "BUILD", _match(rf"{_BUILD}\s*:?\s+(.+)", text)
    if rest is None:
        verb, rest = "DISMANTLE", _match(
            r"(?:dismantle|demolish|tear down|destroy|raze|remove|scrap)\s+(.+)", text
        )
    if rest is None:
        return
    if turned := _match(rf"(?:in|at|on)\s+(.+?)\s*[,:]?\s+({_KIND_LIST})", rest[1]):
        yield from _sites(verb, turned[2], turned[1])
        return
    begins = rf"{_MANY}(?:{KIND})(?!\w)"
    named = r"(?:.*(?:\b(?:in|at|on)\b|[#0-9])|\s+\w)"
    cut = rf"(?:\s*(?:,|;|\band\b|&|\+)\s*)(?={begins}{named})"
    spare: list[str] = []
    for part in re.split(cut, rest[1], flags=re.I):
        found = _match(rf"({_KIND_LIST})(?!\w){_AT}\s*(.+)", part)
        if found is None and _kinds(part):
            spare.append(part)
        elif found is None:
            return
        else:
            for kinds in (*spare, found[1]):
                yield from _sites(verb, kinds, re.sub(r"^(?:both|each)\s+", "", found[2]))
            spare = []


def _sites(verb: str, kinds: str, places: str) -> Iterator[str]:
    where = ", ".join(re.sub(r"^(?:in|at|on)\s+", "", one, flags=re.I) for one in _list(places))
    yield from (f"{verb} {kind} {where}" for kind in _kinds(kinds))


def _strike(text: str, _: ScenarioLexicon) -> Iterator[str]:
    if found := _match(
        rf"(?:drop|use|launch|deliver)?\s*(?:{DET}\s+|[0-9]\s+)?(?:atom(?:ic)?|nuclear|nuke)\s*"
        rf"(?:bomb|strike|attack)?\s+(?:on|at|against|to)?\s*(.+?)\s+(?:from|out of)\s+(.+)", text,
    ):
        yield f"ATOM {found[1]} FROM {found[2]}"
    elif found := _match(
        rf"(?:launch|fire|shoot|send)?\s*(?:{DET}\s+)?([0-9]*)\s*(?:nuclear\s+)?missiles?\s+"
        r"(?:at|on|against|to)\s+(.+)", text,
    ):
        yield f"MISSILE {found[1] or 1} {found[2]}"
    elif found := _match(
        rf"(?:bomb|bombard|air strike on|b)\s+(?:{DET}\s+)?({KIND})\s+(?:in|at|of)\s+(.+?)\s+"
        r"from\s+(.+)", text,
    ):
        yield f"BOMB {found[2]} FROM {found[3]} {_kinds(found[1])[0]}"
    elif found := _match(
        rf"(?:bomb|bombard|air strike on)\s+(.+?)(?:'s)?\s+({KIND})\s+from\s+(.+)", text
    ):
        yield f"BOMB {found[1]} FROM {found[3]} {_kinds(found[2])[0]}"
    elif found := _match(r"(?:bomb|bombard|air strike on)\s+(.+?)\s+from\s+(.+)", text):
        yield f"BOMB {found[1]} FROM {found[2]}"


def _units(text: str, _: ScenarioLexicon) -> Iterator[str]:
    """Parse orders to make, convert or give up units in a place."""
    where = r"\s+(?:in|at|from|on|of)\s+(.+)"
    made = rf"(?:{_BUILD}|commission|launch|convert|turn|form|raise)"
    new = rf"(?:{DET}\s+|1\s+)*"
    if found := _match(rf"(?:form|{_BUILD})\s+{new}mobile\s+(?:hq|headquarters){where}", text):
        yield f"FORM HQ {found[1]}"
    elif found := _match(rf"form\s+{new}(?:mobile\s+)?hq(?:{where[:-4]}|\s+)(.+)", text):
        yield f"FORM HQ {found[1]}"
    elif found := _match(
        rf"{made}\s+{new}(?:{UNITS}\s+(?:in)?to\s+{new})?{FLEETS}{where}", text
    ) or _match(
        rf"(?:convert|turn|make)\s+{new}{UNITS}{where[:-4]}(.+?)\s+into\s+{new}{FLEETS}", text
    ):
        yield f"COMMISSION {', '.join(_list(found[1]))}"
    elif found := _match(
        rf"(?:disband|dismiss)\s+(?:{DET}\s+)?([0-9]+|all)?\s*{UNITS}{where}", text
    ):
        yield f"DISBAND {found[1] or 1} {found[2]}"
    elif found := _match(
        rf"(?:scuttle|sink|dismantle)\s+(?:{DET}\s+)?([0-9]+|all)?\s*{FLEETS}{where}", text
    ):
        yield f"SCUTTLE {found[1] or 1} {found[2]}"
    elif found := _match(rf"(?:spawn|raise)\s+{_MANY}(?:{UNITS}\s+)?(?:in|at)\s+(.+)", text):
        yield f"SPAWN {', '.join(_list(found[1]))}"


def _hold(text: str, names: ScenarioLexicon) -> Iterator[str]:
    count, units = rf"(?:(?:all|{DET}|[0-9]+|mobile)\s+)*", rf"(?:{UNITS}|hq)"
    stays = r"(?:hold|holds|stay|stays|remain|remains|stand|wait|waits)(?:\s+(?:put|there|still))?"
    if found := _match(r"(?:hold|stay|remain|h)\s+(?:with\s+)?(?:in|at)\s+(.+)", text):
        yield f"HOLD {', '.join(_list(found[1]))}"
    elif found := _match(
        rf"(?:hold|keep|leave|h)\s+{count}(?:{units}\s+)?(?:(?:in|at|of|on)\s+)?(.+?)"
        rf"(?:\s+{units})?(?:\s+(?:where (?:it is|they are)|there|still|put))?", text,
    ):
        places = _list(found[1])
        yield f"HOLD {', '.join(places)}" if all(_is_place(one, names) for one in places) else ""
    elif found := _match(rf"{count}{units}\s+(?:in|at|of|from)?\s*(.+?)\s+{stays}", text):
        yield f"HOLD {', '.join(_list(found[1]))}"
    elif found := _match(rf"{count}{units}\s+{stays}\s+(?:in|at)\s+(.+)", text):
        yield f"HOLD {', '.join(_list(found[1]))}"
    elif found := _match(rf"(.+?)(?:\s+{units})?\s+{stays}", text):
        yield f"HOLD {', '.join(_list(found[1]))}"


_FOR = r"(?:in exchange for|in return for|for|against)"
_DEALS = (
    rf"(?:deal|trade|swap|exchange)\s+(?P<gives>.+?)\s+(?:to|with)\s+(?P<nation>.+?)\s+{_FOR}\s+"
    r"(?P<wants>.+)",
    rf"deal\s+(?:with\s+)?(?!(?:i|we)\b)(?P<nation>.+?)\s*:?\s+(?:i\s+|we\s+)?(?:give|offer)\s+(?P<gives>.+?)"
    rf"\s+{_FOR}\s+(?P<wants>.+)",
    rf"(?:give|sell)\s+(?P<gives>.+?)\s+to\s+(?P<nation>.+?)\s+{_FOR}\s+(?P<wants>.+)",
    rf"(?:deal|trade|swap)\s+(?:with\s+)?(?P<nation>[^:]+?)\s*:\s*(?P<gives>.+?)\s+{_FOR}\s+"
    r"(?P<wants>.+)",
    rf"(?:offer|propose)\s+(?:to\s+)?(?P<nation>[^:]+?)\s+{DET}\s+(?:deal|trade|swap)\s*:\s*"
    rf"(?:(?:i|we)\s+)?(?:give|offer|sell)\s+(?:them\s+)?(?P<gives>.+?)\s+{_FOR}\s+(?P<wants>.+)",
    rf"(?:deal|trade|swap|exchange)\s+(?P<gives>.+?)\s+{_FOR}\s+(?P<wants>.+?)\s+with\s+"
    r"(?P<nation>.+)",
    rf"(?:deal\s*:?\s+)?(?:(?:i|we)\s+)?(?:give|offer|sell)\s+(?:to\s+)?(?P<known>\S+)\s+"
    rf"(?P<gives>.+?)\s+{_FOR}\s+(?P<wants>.+)",
    r"(?:give|hand over|hand|transfer|cede|present|gift)\s+(?P<gives>.+?)\s+(?:over\s+)?to\s+"
    r"(?P<nation>.+)",
    r"give\s+(?:to\s+)?(?P<known>\S+)\s+(?!.*\b(?:for|to)\b)(?P<gives>.+)",
)
"""Forms of deals and gifts. A `known` word must name a nation."""


def _trade(text: str, names: ScenarioLexicon) -> Iterator[str]:
    text = re.sub(
        r"^(?:offer|propose)\s+(?:to\s+)?(?=(?:sell|give|swap|trade)\b)", "", text, flags=re.I
    )
    for form in _DEALS:
        found = _match(form, text)
        parts = found.groupdict() if found else {}
        known = parts.get("known") or ""
        if not parts or known and not names.nations.find(known).meanings:
            continue
        nation, gives = known or parts["nation"], _items(parts["gives"] or "")
        if wants := parts.get("wants"):
            yield f"DEAL {nation} GIVE {gives} FOR {_items(wants)}"
        else:
            yield f"GIVE {gives} TO {nation}"
        return


def _items(text: str) -> str:
    kind = r"^(?:(?:the|our)\s+)?(?:technology|tech|province)\s+(?:of\s+)?"
    items = (re.sub(r"^(?:my|your|their)\s+", "", item, flags=re.I) for item in _list(text))
    return ", ".join(re.sub(kind, "", item, flags=re.I) for item in items)


def _ready(text: str, _: ScenarioLexicon) -> Iterator[str]:
    if _match(r"(?:am|are|'m|'re)?\s*(?:all\s+)?(?:ready|done|finished)(?:\s+now)?", text):
        yield "READY"


_GO = (
    r"(?:move|moves|moving|send|march|marches|transfer|shift|advance|bring|take|go|goes|walk|order|"
    r"relocate|redeploy|attack|m)"
)
_STRIKE = r"(?:attack|invade|conquer|take|occupy|capture|assault|annex|liberate|enter|seize)"


def _moves(text: str, names: ScenarioLexicon) -> Iterator[str]:
    """Parse marches, rail moves and voyages."""
    text, is_rail = _by_rail(text)
    text = re.sub(r"\s+by\s+(?:sea|ship|boat)\b", "", text, flags=re.I)
    text = re.sub(r"\b(?:into\s+)?port\s+(?:at|in|of)\b", "to", text, flags=re.I)
    for form in _MOVE_FORMS:
        found = _match(form, text)
        line = _march(found.groupdict(), names, is_rail=is_rail) if found else ""
        if line:
            yield line
            return


def _move_forms() -> tuple[str, ...]:
    """Return the patterns of moves. `a` is the start, `b` the goal, `n` the count."""
    count = rf"(?:{DET}\s+)?(?:(?P<n>[0-9]+|all|both|every)\b\s*)?(?:of\s+)?(?:{DET}\s+)?"
    units = rf"(?P<unit>{UNITS}|{FLEETS})"
    at = r"(?:from|in|at|of|out of|stationed in|based in|near)"
    via = (
        rf"(?:\s+(?:via|through|over|across|by way of|(?:by|with|using)\s+(?:the\s+)?{FLEETS}\s+"
        r"(?:in|of|at)|by)\s+(?P<via>.+))?"
    )
    go = (
        r"(?:\s+(?:should|shall|must|will|to)?\s*"
        r"(?:move|moves|go|goes|march|marches|sail|sails|advance|advances))?"
    )
    hits = (
        r"\s+(?:to\s+|should\s+|shall\s+|will\s+)?"
        r"(?:attack|invade|enter|take|occup)(?:y|ies|s)?\s+"
    )
    bare = r"(?:#[0-9]+|[^\W\d_]\w+)"
    hq = r"(?:mobile\s+)?(?:hqs?|headquarters)"
    n2 = rf"(?:\s+with\s+(?P<n>[0-9]+|all)?\s*(?:of\s+)?(?:{DET}\s+)?(?P<unit>{UNITS})?)?"
    sends = r"\s+(?:sends|moves|marches)\s+"
    ferry = r"(?:ferry|ship|transport|convoy|carry)"
    return (
        rf"(?:{_GO}\s+)?(?:{DET}\s+)?(?P<unit>{hq})\s+(?:{at}\s+)?(?P<a>.+?){go}{_TO}(?P<b>.+)",
        rf"(?!attack\b){_GO}\s+(?:(?P<n>[0-9]+|all)\s+)?(?:{units}\s+)?(?P<a>{bare})\s+(?P<b>{bare})",
        rf"(?:{_GO}|sail|rail)\s*:?\s+{count}(?:{units}\s+)?(?:to|into|onto)\s+(?P<b>.+?)\s+"
        rf"(?:from|out of)\s+(?P<a>.+?)",
        rf"{_STRIKE}\s+(?:{DET}\s+)?(?P<b>[^>]+?){n2}\s+(?:from|out of)\s+(?P<a>.+?)",
        rf"{_STRIKE}\s+(?:{DET}\s+)?(?P<b>[^>]+?)\s+(?:from|out of)\s+(?P<a>.+?){n2}",
        rf"{_STRIKE}\s+(?:{DET}\s+)?(?P<b>[^>]+?)\s+with\s+{count}(?:{units}\s+)?in\s+(?P<a>.+?)",
        rf"{ferry}\s+(?=(?:.*\s)?(?:{UNITS}|{FLEETS}|[0-9]+|all)\s){count}(?:{units}\s+)?(?:{at}\s+)?(?P<a>.+?){_TO}(?P<b>.+?){via}",
        rf"(?P<a>[^>]+?){sends}{count}{units}{_TO}(?P<b>.+?)",
        rf"(?P<verb>{_GO}|sail|rail|fleet|f|r)\s*:?\s+{count}(?:{units}\s+)?(?:{at}\s+)?"
        rf"(?P<a>.+?){_TO}(?P<b>.+?){via}",
        rf"{count}{units}{go}\s+(?:{at}\s+)?(?P<a>.+?){go}{_TO}(?P<b>.+?){via}",
        rf"(?:{count}{units}\s+)?(?:{at}\s+)?(?P<a>.+?){hits}(?P<b>.+?){via}",
        rf"(?P<a>[#\w][^>]*?)\s+(?P<n>[0-9]+)(?:\s+{UNITS})?{_TO}(?P<b>.+?){via}",
        rf"(?:{_GO}\s+)?{count}(?P<a>#\s?[0-9]+|[^\W\d_][^>]*?)\s+{units}{go}{_TO}(?P<b>.+?){via}",
        rf"(?:(?P<n>[0-9]+|all)\s+)?(?:from\s+)?(?P<a>[#\w][^>]*?){_TO}(?P<b>.+?){via}",
    )


_MOVE_FORMS = _move_forms()


def _by_rail(text: str) -> tuple[str, bool]:
    found = re.sub(r"\s*\b(?:by|via|using|on|with)\s+(?:rail|train|railroad|railway)s?\b", "", text,
                   flags=re.IGNORECASE)
    return found.strip(), found != text


def _march(parts: dict[str, str | None], names: ScenarioLexicon, *, is_rail: bool) -> str:
    """Return the move of a form's groups, or an empty string without valid places."""
    unit, verb = (parts.get("unit") or "").lower(), (parts.get("verb") or "").lower()
    start = re.sub(rf"^(?:{DET})\s+", "", parts["a"] or "", flags=re.I)
    steps = [re.sub(rf"^(?:{DET})\s+", "", one) for one in _ARROW.split(parts["b"] or "") if one]
    if not all(_is_place(one, names) for one in (start, *steps)):
        return ""
    is_fleet = bool(re.fullmatch(FLEETS, unit)) or verb in ("sail", "fleet", "f")
    is_fleet = is_fleet or bool(names.sea(start).meanings and not names.land(start).meanings)
    word = "FLEET" if is_fleet else "RAIL" if is_rail or verb in ("rail", "r") else "MOVE"
    plural = unit.endswith("ies") or unit in ("troops", "forces", "units", "fleets", "ships")
    count = (parts.get("n") or ("ALL" if plural else "1")).upper()
    count = {"BOTH": "2", "EVERY": "ALL"}.get(count, count)
    if unit.endswith(("hq", "hqs", "headquarters")):
        count = "HQ"
    seas = ", ".join(_list(parts.get("via") or ""))
    via = f" VIA {seas}" if seas else ""
    return f"{word} {count} {' -> '.join((start, *steps))}{via}"


def _is_place(text: str, names: ScenarioLexicon) -> bool:
    """Return whether a text may be the name of a place, misspelt or not."""
    found = names.place(text)
    return bool(found.meanings or found.repaired) and len(fold_name(text)) > 0


_RULES: tuple[Callable[[str, ScenarioLexicon], Iterator[str]], ...] = (
    _ready, _war, _treaty, _research, _units, _build, _strike, _hold, _moves, _trade,
)  # fmt: skip
