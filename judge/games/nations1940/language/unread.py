"""Detection of unreadable lines that can only be orders.

"Occupy Cyprus" names no place of the map, and "For Kiev:" has no verb. Such lines are refused, and
never ignored as talk. So are orders in German words, and commands that name a place ("stay in
Athens, do not go to Crete").
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from judge.games.nations1940.language.lexicon import ScenarioLexicon, fold_name
from judge.games.nations1940.language.natural import DET, FLEETS, KIND, KINDS, TREATY, UNITS

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
    )
)  # fmt: skip
"""Verb of the order that a line resembles, and its pattern.

`known` and `heading` must name a province or sea region, and a heading no nation. Otherwise the
pattern does not match. A `place` or `nation` without a meaning is the fault of the line.
"""

_TREATY_DE = (
    r"(?:vertrag|nichtangriff\w*|austausch\w*|(?:milit(?:ä|ae)r)?pakt|b(?:ü|ue)ndnis|frieden)"
)
_MANY_DE = r"(?:(?:die|alle|meine|eine|zwei|drei|vier|f(?:ü|ue)nf|sechs|[0-9]+)\s+)*"
_GERMAN = tuple(
    (verb, re.compile(rf"(?:(?:bitte|dann|und|auch)\s+)?{pattern}", re.IGNORECASE))
    for verb, pattern in (
        ("move", rf"{_MANY_DE}(?:armeen?|einheit(?:en)?|truppen|flotten?)\s+"
         r"(?:(?:von|aus|in)\s+\S.*\s)?(?:nach|gegen|an)\s+\S.*"),
        ("treaty", rf"{_TREATY_DE}(?:\s\S+)?\s+mit\s+\S.*"),
        ("treaty", rf"(?:(?:ich|wir)\s+)?(?:biete|schlage|schlie(?:ß|ss)e)\s.*{_TREATY_DE}.*"),
        ("cancel", rf"(?:k(?:ü|ue)ndige|beende)\s.*{_TREATY_DE}.*"),
        ("war", r"krieg (?:gegen|mit)\s+\S.*|erkl(?:ä|ae)re\s.*\bkrieg\b.*"),
        ("build", r"(?:baue|befestige)\s+\S.*"),
        ("commission", r"kommissioniere\s+\S.*"),
        ("bomb", r"bombardiere\s+\S.*"),
        ("treaty", r"ja\s+zu\s+\S.*"),
        ("research", r"(?:er)?forsche\s+\S.*"),
        ("hold", r"(?:halte|bleibe?)\s+(?:in\s+)?\S+(?:\s\S+)?"),
        ("move", r"(?:angriff (?:auf|gegen)|greife|bewege|ziehe|schicke|sende|verlege|verschiebe|"
         r"marschiere|erobere|besetze)\s+\S.*"),
    )
)  # fmt: skip
"""Verb of the order that a German line resembles, and its pattern."""
_MAX_GERMAN_WORDS = 14

_COMMAND = re.compile(
    r"(?:(?:please|pls|then|and|also|but|now|all|my|armies|army|fleets?)\s+)*"
    r"(?P<not>(?:do\s+not|don['’]?t|never)\s+)?"
    r"(?P<verb>stay|hold|stand|remain|keep|move|march|go|send|sail|ship|ferry|transport|land|"
    r"attack|invade|conquer|occupy|capture|defend|retreat|withdraw|build|construct|bomb|"
    r"declare|offer|propose|accept|cancel|break|ally|trade|swap|give|get|bring|pull|take|leave|put|"
    r"sign|renew|extend|prolong|refuse|reject|tell(?!\s+(?:me|us)\b)|take\s+back)\b(?P<rest>.+)",
    re.IGNORECASE,
)
_TO_NATIONS = {
    "declare": "war", "offer": "treaty", "propose": "treaty", "accept": "treaty",
    "cancel": "cancel", "break": "cancel", "ally": "treaty", "trade": "deal", "swap": "deal",
    "give": "give", "attack": "war", "invade": "war", "sign": "treaty", "renew": "treaty",
    "extend": "treaty", "prolong": "treaty", "refuse": "treaty", "reject": "treaty",
    "tell": "treaty", "take": "withdraw",
}  # fmt: skip
_TO_PLACES = {
    "stay": "hold", "hold": "hold", "stand": "hold", "remain": "hold", "keep": "hold",
    "defend": "hold", "build": "build", "construct": "build", "bomb": "bomb", "give": "give",
    "sail": "fleet", "cancel": "cancel",
}  # fmt: skip
_TO_PLAYERS = re.compile(r"\b(?:you|your|yours|yourself|let's)\b", re.IGNORECASE)
_BUILDS = re.compile(
    rf"(?:(?:do\s+not|don['’]?t|please|start)\s+)*build(?:ing)?\s+{_COUNT}(?:{KIND})\b.*",
    re.IGNORECASE,
)
_MAX_NAME_WORDS = 3
_MIN_BARE_NUMBER = 13
"""Lowest bare number that is taken for a province rather than for a count."""


class ResembledOrder(NamedTuple):
    """Order that an unread line resembles, with the word in it that names nothing."""

    verb: str
    place: str = ""
    nation: str = ""
    german: bool = False


def names_in(text: str, names: ScenarioLexicon) -> tuple[str, ...]:
    """Return the places and nations that a text names, as orders print them.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> names_in("from North Germany to 48 with Italy", lexicon("nations1940"))
    ('#50', '#48', 'ITA')
    """
    return tuple(dict.fromkeys(code for _, code in name_spans(text, names) if code))


def name_spans(text: str, names: ScenarioLexicon) -> list[tuple[str, str]]:
    """Return the words and names of a text, each with its place or nation.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> name_spans("the North Germany army", lexicon("nations1940"))
    [('the', ''), ('North Germany', '#50'), ('army', '')]
    """
    words = re.findall(r"#?\w+", re.sub(r"['’]s\b", "", text))
    found: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        for end in range(min(at + _MAX_NAME_WORDS, len(words)), at, -1):
            span = " ".join(words[at:end])
            if code := _code(span, names):
                break
        else:
            end, span, code = at + 1, words[at], ""
        found.append((span, code))
        at = end
    return found


def _code(text: str, names: ScenarioLexicon) -> str:
    """Return the place or nation with exactly this name, or an empty string."""
    if number := re.fullmatch(r"(#?)([0-9]{1,3})", text):
        is_land = int(number[2]) in names.board.lands
        return f"#{number[2]}" if is_land and (
            number[1] or int(number[2]) >= _MIN_BARE_NUMBER
        ) else ""
    word = fold_name(text)
    if word in names.places.spellings():
        place = names.places.find(text).meanings[0]
        return f"#{place}" if isinstance(place, int) else place
    if word in names.nations.spellings():
        return names.nations.find(text).meanings[0]
    return ""


def commanded_order(text: str, names: ScenarioLexicon) -> ResembledOrder | None:
    """Return the order that plain words command, or None.

    They must name a place or nation, or an improvement to build.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> commanded_order("stay in Athens, do not go to Crete", lexicon("nations1940"))
    ResembledOrder(verb='hold', place='', nation='', german=False)
    """
    if _BUILDS.fullmatch(text.strip()):
        return ResembledOrder("build")
    found = _COMMAND.fullmatch(text.strip())
    if found is None or text.rstrip().endswith("?") or _TO_PLAYERS.search(text):
        return None
    verb = found["verb"].lower()
    named = names_in(found["rest"], names)
    if any(code.startswith("#") or code in names.board.seas for code in named):
        return ResembledOrder(_TO_PLACES.get(verb, "move"))
    return ResembledOrder(_TO_NATIONS[verb]) if named and verb in _TO_NATIONS else None


_LIKELY = (
    ("spawn", r"new arm(?:y|ies)|spawn\w*|recruit\w*|appear"),
    ("build", r"build\w*|construct\w*"),
    ("treaty", rf"{TREATY}"),
    ("fleet", rf"{FLEETS}"),
    ("hold", r"guard\w*|hold\w*|stays?(?: put)?|defend\w*"),
    ("move", rf"{UNITS}|->|attack\w*|mov(?:e|es|ed|ing)|march\w*|invad\w*"),
    ("build", "|".join(f"(?:{pattern})" for code, pattern in KINDS.items() if code != "FOR")),
)


def likely_verb(text: str) -> str:
    """Return the verb of the order that a text is probably about, or an empty string.

    >>> likely_verb("Naples sends both armies"), likely_verb("something")
    ('move', '')
    """
    found = (
        verb for verb, pattern in _LIKELY
        if re.search(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE)
    )
    return next(found, "")


def mentioned_order(
    text: str, names: ScenarioLexicon, own: Collection[str]
) -> ResembledOrder | None:
    """Return the order that a remark may be, or None.

    The remark is on *own* places, on war or a treaty with a nation, or on research.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> board = lexicon("nations1940")
    >>> mentioned_order("Rome is to be attacked by the army in Naples", board, {"#64"})
    ResembledOrder(verb='move', place='', nation='', german=False)
    >>> mentioned_order("Thanks for the letter from Naples", board, {"#64"})
    """
    if text.rstrip().endswith("?") or _TO_PLAYERS.search(text) or _REPORTS.search(text):
        return None
    spans = [(span, code) for span, code in name_spans(text, names) if span]
    codes = {code for _, code in spans if code}
    if codes & {*own} or any(_is_of(span, own, names) for span, code in spans if not code):
        verb = likely_verb(text)
        if not verb and sum(code[:1] in "#S" for code in codes) > 1 and _TO.search(text):
            verb = "move"
        if verb:
            return ResembledOrder(verb)
    if codes & {*names.board.nations}:
        if re.search(r"\bwar\b", text, re.IGNORECASE):
            return ResembledOrder("war")
        if re.search(rf"(?<!\w)(?:{TREATY})(?!\w)", text, re.IGNORECASE):
            return ResembledOrder("treaty")
    return ResembledOrder("research") if techs_in(text, names) and _QUEUES.search(text) else None


def techs_in(text: str, names: ScenarioLexicon) -> list[str]:
    """Return the technologies that a text names in full.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> techs_in("our scientists work on radar", lexicon("nations1940"))
    ['Radar']
    """
    words = {fold_name(span) for span, code in name_spans(text, names) if not code}
    plain = fold_name(text)
    return [
        name for name in names.board.techs
        if fold_name(name) in words or len(name) > _MIN_LONG_TECH and fold_name(name) in plain
    ]


def _is_of(word: str, own: Collection[str], names: ScenarioLexicon) -> bool:
    """Return whether a word is the adjective of an own place ("Croatian")."""
    stem = _ADJECTIVE.fullmatch(fold_name(word))
    lands = names.board.lands
    beginning = stem[1] if stem else None
    return beginning is not None and any(
        fold_name(lands[int(code[1:])].name).startswith(beginning) for code in own
    )


_ADJECTIVE = re.compile(r"(\w{4,}?)(?:i?an|ean|ese|ish)s?")
_MIN_LONG_TECH = 8
_TO = re.compile(r"\bto\b|->", re.IGNORECASE)


_REPORTS = re.compile(
    r"\b(?:was|were|had|has|did|been|last|yesterday|thanks?|sorry|odds|what|why|how|if|when|think|"
    r"hope|letter|mail|write|tell|thank)\b",
    re.IGNORECASE,
)
"""Words of sentences that report, ask or thank."""
_QUEUES = re.compile(
    r"\b(?:research\w*|queue|first|then|instead|next|stop|before|after|project|stud(?:y|ies)|"
    r"scientists|work)\b",
    re.IGNORECASE,
)


def resembled_order(text: str, names: ScenarioLexicon) -> ResembledOrder | None:
    """Return the order that a line resembles, or None for talk.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> board = lexicon("nations1940")
    >>> resembled_order("Occupy Cyprus", board)
    ResembledOrder(verb='move', place='Cyprus', nation='', german=False)
    >>> resembled_order("For Kiev:", board), resembled_order("for this month:", board)
    (ResembledOrder(verb='build', place='', nation='', german=False), None)
    """
    plain = text.strip().rstrip("!. ")
    many = len(plain.split())
    if text.rstrip().endswith("?"):
        return None
    if many <= _MAX_GERMAN_WORDS:
        for verb, form in _GERMAN:
            if form.fullmatch(plain):
                return ResembledOrder(verb, german=True)
    return _short_order(plain, names) if many <= _MAX_WORDS else None


def _short_order(plain: str, names: ScenarioLexicon) -> ResembledOrder | None:
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
        return ResembledOrder(verb, "" if is_named else place, "" if is_nation else nation)
    return None
