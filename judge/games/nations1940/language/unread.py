"""Detection of unreadable lines that can only be orders.

"Occupy Cyprus" names no place of the map, and "For Kiev:" has no verb. Such lines are refused, and
never ignored as talk. So are orders in German words, and commands that name a place ("stay in
Athens, do not go to Crete").
"""

import re
from collections.abc import Collection
from typing import NamedTuple

from judge.games.nations1940.language.lexicon import ScenarioLexicon, fold_name
from judge.games.nations1940.language.patterns import forms, key_of, pattern

_MAX_WORDS = 7
_MAX_GERMAN_WORDS = 14
_MAX_NAME_WORDS = 3
_MIN_LONG_TECH = 8
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
    if pattern("builds").fullmatch(text.strip()):
        return ResembledOrder("build")
    found = pattern("command").fullmatch(text.strip())
    if found is None or text.rstrip().endswith("?") or pattern("to-players").search(text):
        return None
    verb = found["verb"].lower()
    named = names_in(found["rest"], names)
    if any(code.startswith("#") or code in names.board.seas for code in named):
        return ResembledOrder(key_of("to-place", verb))
    meant = key_of("to-nation", verb)
    return ResembledOrder(meant) if named and meant else None


def likely_verb(text: str) -> str:
    """Return the verb of the order that a text is probably about, or an empty string.

    >>> likely_verb("Naples sends both armies"), likely_verb("something")
    ('move', '')
    """
    return next((verb for verb, form in forms("likely") if form.search(text)), "")


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
    if text.rstrip().endswith("?") or pattern("no-remark").search(text):
        return None
    spans = [(span, code) for span, code in name_spans(text, names) if span]
    codes = {code for _, code in spans if code}
    if codes & {*own} or any(_is_of(span, own, names) for span, code in spans if not code):
        verb = likely_verb(text)
        if not verb and sum(code[:1] in "#S" for code in codes) > 1:
            verb = "move" if re.search(r"\bto\b|->", text, re.I) else ""
        if verb:
            return ResembledOrder(verb)
    if codes & {*names.board.nations}:
        if re.search(r"\bwar\b", text, re.IGNORECASE):
            return ResembledOrder("war")
        if pattern("treaty-word").search(text):
            return ResembledOrder("treaty")
    is_queue = techs_in(text, names) and pattern("queues").search(text)
    return ResembledOrder("research") if is_queue else None


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
    stem = pattern("adjective").fullmatch(fold_name(word))
    lands = names.board.lands
    beginning = stem[1] if stem else None
    return beginning is not None and any(
        fold_name(lands[int(code[1:])].name).startswith(beginning) for code in own
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
    if many <= _MAX_GERMAN_WORDS and (verb := key_of("german", plain)):
        return ResembledOrder(verb, german=True)
    return _short_order(plain, names) if many <= _MAX_WORDS else None


def _short_order(plain: str, names: ScenarioLexicon) -> ResembledOrder | None:
    for verb, form in forms("resembled"):
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
