"""Repair of misspelt words, suggestions, and recognition of prose.

Only unexplained words are repaired. The distance counts letters lost, added, changed and swapped
with their neighbour. Costs add up over one order. Candidates are tried in the position: an order is
repaired only where one legal meaning is nearer than all others by a margin.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import OSA

from judge.games.diplomacy.language.grammar import spellings_of_verbs
from judge.games.diplomacy.language.lattice import Edge, Lattice
from judge.games.diplomacy.language.lexicon import MapLexicon
from judge.games.diplomacy.language.verdicts import (
    LineVerdict,
    lacks_arrow,
    recheck_arrowless_moves,
    verdicts_on,
)
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Convoy, Support

_DEAREST = 2.0
_MARGIN = 1.0
_WIDEST = 4.0
_MAX_NAME = 5
_MAX_CHOICES = 6

_NO_NAME = frozenset(
    {"ARMY", "FLEET", "HOLD", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "WAIVE", "_MOVE"}
)
"""Word classes that are never part of a joined name."""


_NO_SLIPS = frozenset({"back", "rest"})
"""Words not taken as misspelt names: "back" is near the Black Sea, "rest" to Brest."""


class Guess(NamedTuple):
    """Result for a misspelt line: a verdict to file or refuse, or choices to ask."""

    verdict: LineVerdict | None
    choices: tuple[LineVerdict, ...] = ()
    is_far: bool = False
    """True if no small repair leads there."""


def guess(lattice: Lattice, context: OrderContext, words: MapLexicon) -> Guess | None:
    """Return the possible meaning of a line that cannot be parsed exactly, or None."""
    unknown = lattice.unknown()
    for at in unknown:
        for edge in slips(lattice, at, unknown, words):
            lattice.edges[edge.start].append(edge)
        for parts in _apart(lattice.atoms[at].text, words):
            lattice.add(parts, at, at + 1, 1.0)
    found = _find_repair(lattice, context, words) if unknown else None
    if found and not _rests_on_three_letters(found, lattice):
        return found
    for at in unknown:
        lattice.edges[at] += _wide(lattice.atoms[at].text, at, words)
    return _find_suggestions(lattice, context, words)


def _rests_on_three_letters(found: Guess, lattice: Lattice) -> bool:
    """Return whether a line would be refused for a guess at a three-letter word.

    Three letters are near too many places ("Wls" to Wes): a refusal for such a place is no answer.
    The player is asked about orders that are possible, or else the word is no place.
    """
    if found.verdict is None or not found.verdict.faults:
        return False
    return any(
        edge.kind == "PLACE" and edge.cost and len(lattice.atoms[edge.start].text) <= 3
        for edge in found.verdict.reading.edges
        if edge.start < len(lattice.atoms)
    )


def slips(lattice: Lattice, at: int, unknown: list[int], words: MapLexicon) -> Iterator[Edge]:
    """Yield places, verbs and, after PROXY, powers that a word may be a slip of."""
    yield from places_near(lattice, at, unknown, words)
    yield from verbs_near(lattice.atoms[at].text, at)
    if any(edge.kind == "PROXY" for edges in lattice.edges[:at] for edge in edges):
        yield from powers_near(lattice.atoms[at].text, at, words)


def _find_repair(lattice: Lattice, context: OrderContext, words: MapLexicon) -> Guess | None:
    readings = lattice.readings(_DEAREST + _MARGIN)
    verdicts = verdicts_on(readings.found, context, words)
    legal = [v for v in verdicts if _is_able(v, context)]
    if not legal:
        return _find_illegal_meaning(verdicts)
    best = legal[0].price
    rivals = tuple(v for v in legal if v.price < best + _MARGIN)
    if len(rivals) == 1 and best <= _DEAREST and _is_clear(rivals[0]) and not readings.too_many:
        return Guess(
            recheck_arrowless_moves(rivals[0], [a.text for a in lattice.atoms], context, words)
        )
    return Guess(None, rivals) if len(rivals) <= _MAX_CHOICES else None


def _find_suggestions(lattice: Lattice, context: OrderContext, words: MapLexicon) -> Guess | None:
    """Return guesses only to ask about: orders without separator, far spellings."""
    readings = lattice.readings(_WIDEST, unparted=True)
    verdicts = verdicts_on(readings.found, context, words)
    legal = [v for v in verdicts if _is_able(v, context)]
    near = tuple(v for v in legal if v.price < legal[0].price + _MARGIN)
    return Guess(None, near, is_far=True) if 0 < len(near) <= _MAX_CHOICES else None


def _is_able(verdict: LineVerdict, context: OrderContext) -> bool:
    """Return whether the units on the board now can carry out all of it."""
    if verdict.faults or any(meaning.far for meaning in verdict.meanings):
        return False
    for meaning in verdict.meanings:
        match meaning.order:
            case Support(_, helped, _) | Convoy(_, helped, _):
                if helped.province not in context.standing:
                    return False
    return True


def _is_clear(verdict: LineVerdict) -> bool:
    """Return whether a repair may be filed without asking."""
    edges = verdict.reading.edges
    if not all(edge.is_sure for edge in edges):
        return False
    if any(lacks_arrow(shape, verdict.reading) for shape in verdict.reading.shapes):
        # "ParBur" may be cut, but not with a second repair next to a missing arrow.
        return sum(edge.cost > 0 for edge in edges) == 1 and verdict.reading.cost == 1.0
    return True


def _find_illegal_meaning(verdicts: list[LineVerdict]) -> Guess | None:
    """Return the only near meaning, if there is one and the rules forbid it."""
    near = [v for v in verdicts if v.price <= _DEAREST and _is_clear(v)]
    best = [v for v in near if v.price < near[0].price + _MARGIN]
    return Guess(best[0], is_far=True) if len(best) == 1 else None


def _limit(shorter: int) -> int:
    return 1 if shorter <= 6 else 2 if shorter <= 9 else 3


def places_near(lattice: Lattice, at: int, unknown: list[int], words: MapLexicon) -> Iterator[Edge]:
    """Yield the places a word may be, alone or as one name with its neighbours.

    Names that include several unknown words are given with the first of them.
    """
    for start in range(max(0, at - _MAX_NAME + 1), at + 1):
        if any(other in unknown for other in range(start, at)):
            continue
        for end in range(at + 1, min(len(lattice.atoms), start + _MAX_NAME) + 1):
            name = _join_words(lattice, start, end)
            if name:
                yield from _not_dropping(lattice, start, end, words)


def _not_dropping(lattice: Lattice, start: int, end: int, words: MapLexicon) -> Iterator[Edge]:
    """Yield the places near a name, unless it only loses its first or last word.

    A name that includes another place ("too Kyo": Tokyo?) is only asked about.
    """
    name = _join_words(lattice, start, end)
    last = lattice.words.places.get(lattice.atoms[end - 1].text, "") if end > start + 1 else ""
    shorter = (_join_words(lattice, start + 1, end), _join_words(lattice, start, end - 1))
    for edge in _near(name, start, end, words, 0):
        dropped = [
            len(name) - len(rest)
            for rest in shorter
            if rest in words.names and words.names[rest][0] == edge.meaning
        ]
        if not dropped or edge.cost < min(dropped):
            yield edge._replace(is_sure=edge.is_sure and last in ("", edge.meaning))


def _join_words(lattice: Lattice, start: int, end: int) -> str:
    """Return some words as one name, or an empty text where they cannot be one."""
    if end <= start:
        return ""
    if end == start + 1:
        name = lattice.atoms[start].text
        return name if len(name) > 1 and name.isalpha() and name not in _NO_SLIPS else ""
    hyphens = [at for at in range(start + 1, end - 1) if _is_inner_hyphen(lattice, start, at)]
    inside = [at for at in range(start, end) if at not in hyphens]
    texts = [lattice.atoms[at].text for at in inside]
    if not all(text.isalpha() for text in texts) or len("".join(texts)) < 6:
        return ""
    for at in inside:
        kinds = {edge.kind for edge in lattice.edges[at] if edge.end == at + 1 and not edge.cost}
        last_letter = at == end - 1 and len(texts[-1]) == 1
        if kinds & _NO_NAME and not last_letter:
            return ""
        if "" in kinds and at in (start, end - 1):
            return ""
    return "".join(texts)


def _is_inner_hyphen(lattice: Lattice, start: int, at: int) -> bool:
    """Return whether a hyphen is inside a name of several words, not an arrow."""
    first = lattice.words.root.after.get(lattice.atoms[start].text)
    hyphen, after = lattice.atoms[at : at + 2]
    return hyphen.text == "-" and not hyphen.gap and not after.gap and bool(first and first.after)


def _near(name: str, start: int, end: int, words: MapLexicon, wider: int) -> Iterator[Edge]:
    """Yield the places whose spellings are near enough to a name."""
    found: dict[str, tuple[float, int]] = {}
    most = _limit(len(name)) + wider
    spellings = words.names_as_long(len(name) - most, len(name) + most)
    matches = process.extract(name, spellings, scorer=OSA.distance, score_cutoff=most, limit=None)
    for spelling, far, _ in matches:
        shorter = min(len(name), len(spelling))
        province, letter = words.names[spelling]
        if far > _limit(shorter) + wider or far >= shorter:
            continue
        # The letter of a box as typed is never replaced by another.
        is_letter = end > start + 1 or len(name) > 2 and name[-1] in words.box_letters
        if len(name) > 1 and is_letter and letter and letter != name[-1]:
            continue
        price = (far + 0.5 * (shorter <= 3), int(far))
        found[province] = min(found.get(province, (9.0, 9)), price)
    nearest = min((far for _, far in found.values()), default=0)
    for province in sorted(found):
        cost, far = found[province]
        is_sure = far == nearest and len(name) > 2 and not wider
        yield Edge("PLACE", province, start, end, cost=cost, is_sure=is_sure)


def verbs_near(word: str, at: int) -> Iterator[Edge]:
    """Yield the verbs and types that a word may be a slip of."""
    if len(word) == 2 and word[0] == word[1] and word[0] in _TYPES | _LETTERS:
        yield Edge((_TYPES | _LETTERS)[word[0]], "", at, at + 1, cost=1.0, is_sure=False)
    if len(word) < 3:
        return
    found: dict[str, int] = {}
    spellings, kinds = _verbs()
    for spelling, far, index in process.extract(
        word, spellings, scorer=OSA.distance, score_cutoff=2, limit=None
    ):
        kind = kinds[index]
        if far == 1 or (far == 2 and len(spelling) >= 7):
            found[kind] = min(found.get(kind, 9), int(far))
    for kind, cost in sorted(found.items()):
        yield Edge(kind, "", at, at + 1, cost=float(cost))


def powers_near(word: str, at: int, words: MapLexicon) -> Iterator[Edge]:
    """Yield the powers that a word may be a slip of.

    They are only asked about, because the power named may order the unit.
    """
    found: dict[str, int] = {}
    for spelling, far, _ in process.extract(
        word, words.powers.keys(), scorer=OSA.distance, score_cutoff=2, limit=None
    ):
        if far <= _limit(min(len(word), len(spelling))) and far < len(word) - 2:
            power = words.powers[spelling]
            found[power] = min(found.get(power, 9), int(far))
    for power, cost in sorted(found.items()):
        yield Edge("POWER", power, at, at + 1, cost=float(cost), is_sure=False)


_TYPES = {"a": "ARMY", "f": "FLEET"}
_LETTERS = {"s": "SUPPORT", "c": "CONVOY", "h": "HOLD"}
_MAX_PARTS = 3


@cache
def _verbs() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return spellings of verbs recognised when misspelt, and their kinds.

    This needs the grammar, which commands without orders do not load.
    """
    told = [
        (spelling, kind)
        for kind, spelling in spellings_of_verbs()
        if len(spelling) >= 4 and spelling.isalpha() and kind != "FILLER"
    ]
    return tuple(spelling for spelling, _ in told), tuple(kind for _, kind in told)


@cache
def _parts() -> dict[str, str]:
    """Return word → kind for words that may be part of a joined word."""
    return dict(zip(*_verbs(), strict=True)) | _LETTERS | {"to": "_MOVE"}


def _apart(word: str, words: MapLexicon, parts: int = 0) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the ways to cut a word written together: "apar", "parbur", "spie"."""
    if parts:
        whole = _part(word, words)
        if whole:
            yield (whole,)
    if parts + 1 < _MAX_PARTS:
        for length in range(1, len(word)):
            head = word[:length]
            first = (_TYPES[head], "") if not parts and head in _TYPES else _part(head, words)
            if first:
                for rest in _apart(word[length:], words, parts + 1):
                    yield (first, *rest)


def _part(text: str, words: MapLexicon) -> tuple[str, str] | None:
    if text in _parts():
        return _parts()[text], ""
    if len(text) > 2 and text in words.places:
        return "PLACE", words.places[text]
    return None


def _wide(word: str, at: int, words: MapLexicon) -> Iterator[Edge]:
    """Yield possible places: farther spellings, beginnings, letters left out."""
    if len(word) < 2 or not word.isalpha():
        return
    yield from _near(word, at, at + 1, words, 1)
    for name in words.names_beginning_with(word[0]) if len(word) > 2 else ():
        province = words.names[name][0]
        if name.startswith(word):
            yield Edge("PLACE", province, at, at + 1, cost=1.0, is_sure=False)
        elif _leaves_letters_out(word, name):
            yield Edge("PLACE", province, at, at + 1, cost=1.5, is_sure=False)


def _leaves_letters_out(short: str, name: str) -> bool:
    letters = iter(name)
    return all(letter in letters for letter in short)


_MAX_WORDS = 12
"""Words of the longest order written out in full."""

_UNITS = frozenset({"ARMY", "FLEET"})
_DEEDS = frozenset(
    {"_MOVE", "HOLD", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "WAIVE", "VIA"}
    | {"PROXY", "UNPROXY"}
)
_STARTS = _UNITS | {"PLACE", "HOLD", "DISBAND", "BUILD", "WAIVE", "RETREAT"}


def is_prose(lattice: Lattice, sender: str) -> bool:
    """Return whether an unreadable line is text rather than an order.

    An order names a unit or a place and an action, begins with one of them, and has at least as
    many known words as unknown ones. Words of another power's units are a quotation.
    """
    words = [at for at, atom in enumerate(lattice.atoms) if atom.text.isalnum()]
    if any(atom.text in "?!\"" for atom in lattice.atoms) or len(words) > _MAX_WORDS:
        return True
    kinds: list[set[str]] = []
    at = 0
    while at < len(lattice.atoms):
        edges = lattice.edges[at]
        if not at and _is_foreign(edges, sender):
            return True
        if lattice.atoms[at].text.isalnum() or lattice.atoms[at].text in ("-", "->"):
            kinds.append({edge.kind for edge in edges})
        at = max((edge.end for edge in edges), default=at + 1)
    content = [found for found in kinds if found != {""}]
    if content and "POWER" in content[0] and "PLACE" not in content[0]:
        content = content[1:]
    return not _is_order_like(content)


def _is_foreign(edges: Sequence[Edge], sender: str) -> bool:
    powers = [edge.meaning for edge in edges if edge.kind == "POWER"]
    places = any(edge.kind == "PLACE" for edge in edges)
    return bool(sender and powers and sender not in powers and not places)


def _is_order_like(content: Sequence[set[str]]) -> bool:
    unknown = sum(not found for found in content)
    units = any(found & _UNITS for found in content)
    places = any("PLACE" in found for found in content)
    deeds = any(found & _DEEDS for found in content)
    signs = units + places + deeds
    begins = bool(content) and (not content[0] or bool(content[0] & _STARTS))
    if content and not content[0]:
        # An unknown word in front is taken for a place only if an arrow or verb follows.
        begins = len(content) > 1 and bool(content[1] & _DEEDS)
    return begins and signs >= 2 and unknown * 2 <= len(content)
