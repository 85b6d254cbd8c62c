"""Orders that a line takes off file, named in full or in other words.

`CANCEL RAIL 1 Salonika Athens`, "cancel the attack on Tobruk" and `CANCEL SHED` name an order by
its verb and its places. Every word of the text must be known, so that no remark takes an order
off.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from judge.digits import is_number
from judge.games.nations1940.language.examples import Wanted
from judge.games.nations1940.language.lexicon import ScenarioLexicon
from judge.games.nations1940.language.listing import with_kinds_repaired
from judge.games.nations1940.language.natural import NUMBERS
from judge.games.nations1940.language.patterns import key_of, pattern, rows, sources, words
from judge.games.nations1940.language.unread import name_spans, names_in
from judge.games.nations1940.rules.orders import (
    Order,
    Research,
    Shed,
    Spawn,
    Treaty,
    War,
    order_text,
)
from judge.games.nations1940.rules.state import PEACE, WAR
from judge.games.nations1940.rules.world import World
from judge.model.phrase import Phrase, phrase

_CLASSES: Mapping[str, type[Order]] = {kind.__name__: kind for kind in Order.__args__}


class Description(NamedTuple):
    """Description of orders on file, made from the words of a text."""

    types: frozenset[type[Order]] = frozenset()
    names: tuple[str, ...] = ()
    """Codes of places and nations, as orders print them."""
    kinds: frozenset[str] = frozenset()
    """Codes of improvements and treaties."""
    techs: frozenset[str] = frozenset()
    number: int = 0
    """Number of units, 0 if none is named."""
    has_all: bool = False


def describe(text: str, names: ScenarioLexicon) -> Description | None:
    """Return the description of orders in a text, or None if it has any other word.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> found = describe("rail 1 Salonika Athens", lexicon("nations1940"))
    >>> found.names, found.number
    (('#34', '#33'), 1)
    >>> describe("dinner in Naples", lexicon("nations1940"))
    """
    text, kinds = without_kinds(text)
    types: set[type[Order]] = set()
    codes: list[str] = []
    techs: set[str] = set()
    number = 0
    for span, code in name_spans(text, names):
        word = span.lower()
        verbs = [_CLASSES[name] for name in key_of("described", word).split()]
        tech = names.techs.find(span).meanings if len(span) > _MIN_TECH else ()
        if code:
            codes.append(code)
        elif verbs:
            types.update(verbs)
        elif is_number(word):
            number = int(word)
        elif word not in words("words-of-description"):
            if not tech:
                return None
            techs.update(tech[:1])
    has_all = bool(re.search(r"\ball\b", text, re.IGNORECASE))
    return Description(frozenset(types), tuple(codes), kinds, frozenset(techs), number, has_all)


def without_kinds(text: str) -> tuple[str, frozenset[str]]:
    """Return a text without its improvements and treaties, and their codes."""
    found = set()
    for code, name in (*sources("kind"), *sources("treaty")):
        # Here "for" hardly ever means Fortifications, and "trade" means a deal.
        whole = rf"(?<!\w)(?!(?:for|trade|trading|rail)\b)(?:{name})(?!\w)"
        text, count = re.subn(whole, " ", text, flags=re.IGNORECASE)
        found |= {code} if count else set()
    return text, frozenset(found)


def wanted_in(text: str, verb: str, names: ScenarioLexicon) -> Wanted:
    """Return the names that an example of an order with *verb* must have.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> wanted_in("build an academy near Rome", "build", lexicon("nations1940"))
    Wanted(places=('#63',), nations=(), kinds=('ACA',), start='', counts=())
    """
    text = pattern("instead").split(text)[0]
    table = _TABLES.get(verb)
    known = {code for code, _ in rows(table)} if table else set()
    found = without_kinds(with_kinds_repaired(text, names)[0])[1] & known
    codes = names_in(text, names)
    seas = names.board.seas if verb in ("fleet", "escort") else ()
    places = tuple(code for code in codes if code[:1] == "#" or code in seas)
    nations = tuple(code for code in codes if code in names.board.nations)
    starts = _starts(text, names) & {*places} if verb in _MARCHES else set()
    start = starts.pop() if len(starts) == 1 else ""
    return Wanted(places, nations, tuple(sorted(found)), start, _counts(text, names))


def _starts(text: str, names: ScenarioLexicon) -> set[str]:
    """Return the places that follow a word such as "from" or "in"."""
    spans = [(span.lower(), code) for span, code in name_spans(text, names)]
    spans = [(word, code) for word, code in spans if word not in ("the", "our", "my")]
    return {code for (word, _), (_, code) in pairwise(spans) if code and word in _STARTS}


def _counts(text: str, names: ScenarioLexicon) -> tuple[int, ...]:
    """Return the numbers of units that a text names. "The army" or "the fleet" is 1."""
    words = [span.lower() for span, code in name_spans(text, names) if not code]
    found = [int(word) if is_number(word) else int(NUMBERS.get(word, 0)) for word in words]
    counts = tuple(count for count in found if count)
    is_one = any(word in ("army", "fleet") for word in words) and "all" not in words
    return counts or ((1,) if is_one else ())


_TABLES = {"build": "kind", "dismantle": "kind", "bomb": "kind", "treaty": "treaty"}
_MARCHES = ("move", "rail", "fleet")
_STARTS = ("from", "in", "at", "of")
_MIN_TECH = 3
"""Length up to which a word is not looked up as a technology, in letters."""


def orders_described(
    what: Description, on_file: Iterable[Order], names: ScenarioLexicon
) -> list[Order]:
    """Return the orders on file that a description fits.

    If some of them have the names in the described sequence, only those are returned. An empty
    description fits no order.
    """
    if not any(what[:4]):
        return []
    fits = [one for one in on_file if _fits(what, one, names)]
    ordered = [one for one in fits if _in_order(what.names, _codes(one, names))]
    return ordered or fits


def _fits(what: Description, order: Order, names: ScenarioLexicon) -> bool:
    if what.types and type(order) not in what.types:
        return False
    count = getattr(order, "count", 0)
    if what.number and count and what.number != count:
        return False
    techs = {*getattr(order, "techs", ()), *getattr(order, "gives", ())}
    return {*what.names, *what.kinds} <= {*_codes(order, names)} and what.techs <= techs


def _codes(order: Order, names: ScenarioLexicon) -> list[str]:
    """Return the codes of an order as they are printed."""
    return re.findall(r"#[0-9]+|\b(?:S[0-9]+|[A-Z]{2,})\b", order_text(order, names.board))


def _in_order(wanted: Sequence[str], found: Iterable[str]) -> bool:
    left = iter(found)
    return all(code in left for code in wanted)


def may_name_units(line: str) -> bool:
    """Return whether a line takes orders off file even if it names only a place.

    >>> may_name_units("CANCEL Naples"), may_name_units("withdraw from Naples")
    (True, False)
    """
    return bool(pattern("sure").match(line)) and not pattern("retreats").match(line)


def is_about(text: str, order: str, names: ScenarioLexicon) -> bool:
    """Return whether a text may be about an order on file.

    >>> from judge.games.nations1940.language.lexicon import lexicon
    >>> board = lexicon("nations1940")
    >>> is_about("no port in Crete", "BUILD POR #70 Crete", board)
    True
    >>> is_about("no port in Crete", "GIVE #70 Crete TO CAS", board)
    False
    """
    kinds = without_kinds(text)[1]
    codes = re.findall(r"#?\w+", order)
    if kinds and not kinds & {*codes} or re.search(r"\bwar\b", text, re.I) and "WAR" not in codes:
        return False
    return bool({*names_in(text, names)} & {*codes})


def without_standing(what: Description, world: World, nation: str) -> Order | None:
    """Return the order that clears or shortens a SPAWN or SHED list or the queue.

    A list is cleared if the description names no provinces. The research queue cannot become
    empty. Return None if the description is of neither.
    """
    now = world.nations[nation]
    if what.types == {Research}:
        queue = tuple(tech for tech in now.queue if tech not in what.techs)
        return Research(queue) if queue and len(queue) < len(now.queue) else None
    gone = {int(code[1:]) for code in what.names if code.startswith("#")}
    for kind, standing in ((Spawn, now.spawn_order), (Shed, now.shed_order)):
        rest = tuple(n for n in standing if gone and n not in gone)
        if what.types == {kind} and len(rest) < len(standing):
            return kind(rest)
    return None


def not_withdrawn(
    text: str, what: Description, found: Sequence[Order], world: World, nation: str
) -> Phrase:
    """Return the reason why nothing was taken off file."""
    if found:
        lines = tuple(order_text(one, world.board) for one in found)
        return phrase("withdraw-several", order=text, filed=lines)
    queue = world.nations[nation].queue
    if what.types == {Research} and queue:
        return phrase("withdraw-queue", order=text, line=order_text(Research(queue), world.board))
    others = [code for code in what.names if code in world.nations]
    if what.kinds == {PEACE} and others and not world.is_at_war(nation, others[0]):
        return phrase("withdraw-peace", order=text, nation=others[0])
    return phrase("withdraw-none", order=text)


def lines_instead(what: Description, world: World, nation: str) -> list[str]:
    """Return suggestions for a text that takes nothing off file."""
    others = [code for code in what.names if code in world.nations]
    if what.kinds == {PEACE} and others:
        at_war = world.is_at_war(nation, others[0])
        return [f"WITHDRAW PEACE {others[0]}" if at_war else f"WAR {others[0]}"]
    if what.types == {War} and others:
        return [f"TREATY PEACE {others[0]}"]
    if Treaty in what.types and others:
        bonds = (one for one in sorted(world.bonds) if {one.a, one.b} == {nation, others[0]})
        offers = (one for one in world.offers if (one.by, one.to) == (nation, others[0]))
        return [
            *(f"CANCEL {one.kind} {others[0]}" for one in bonds if one.kind != WAR),
            *(f"WITHDRAW {one.kind} {others[0]}" for one in offers),
        ]
    return []
