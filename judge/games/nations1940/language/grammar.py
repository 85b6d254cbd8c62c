"""Parser of orders into values, with names as typed (N-153).

The parse tree of `grammar/nations1940.lark` becomes a `ParsedOrder`: the verb, and the text of each
of its parts, as typed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from lark import Token, Transformer, UnexpectedInput

from judge.games.nations1940.language.patterns import key_of, rows
from judge.grammar_loader import load_grammar, start_pattern

GRAMMAR = "nations1940"

FORMS = dict(rows("form"))
"""Verb → form of its order, shown in complaints (E-SYNTAX)."""



@dataclass(frozen=True, slots=True)
class Named:
    """Name or number as typed."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a path, with the sea regions of its ferry."""

    place: Named
    via: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedOrder:
    """Order as typed: its verb, and the parts of an order with that verb."""

    verb: str
    count: str = ""
    """Number, `all` or `hq`, or an empty string."""
    places: tuple[Named, ...] = ()
    steps: tuple[PathStep, ...] = ()
    names: tuple[Named, ...] = ()
    wants: tuple[Named, ...] = ()
    kind: str = ""
    lane: tuple[str, ...] = ()


class _TreeReader(Transformer[Token, ParsedOrder]):
    """Transformer of a parse tree into a `ParsedOrder`."""

    def start(self, children: list[ParsedOrder]) -> ParsedOrder:
        return children[0]

    def name(self, words: list[Token]) -> Named:
        return Named(" ".join(map(str, words)), any(word.type == "QUOTED" for word in words))

    def number(self, children: list[Any]) -> Named:
        return Named(" ".join([str(children[0]), *(named.text for named in children[1:])]))

    def place(self, children: list[Named]) -> Named:
        return children[0]

    def places(self, children: list[Any]) -> tuple[Any, ...]:
        return tuple(children)

    names = items = steps = places

    def step(self, children: list[Any]) -> PathStep:
        place, _, via = children
        return PathStep(place, via or ())

    def count(self, children: list[Token]) -> str:
        return str(children[0])

    kind = treaty = bombed = count

    def lane(self, children: list[Token]) -> tuple[str, ...]:
        return tuple(map(str, children))

    def __default__(self, data: Any, children: list[Any], meta: Any) -> ParsedOrder:
        """Return an order, whose first child is its verb."""
        verb = str(children[0].type).lower()
        found: dict[str, Any] = {}
        for name, child in zip(_PARTS[verb].split(), children[1:], strict=True):
            if name in ("places", "names", "wants"):
                more = child if isinstance(child, tuple) else (child,)
                found[name] = (*found.get(name, ()), *more)
            elif name in ("count", "kind"):
                found[name] = str(child or "")
            elif name != "-":
                found[name] = child
        return ParsedOrder(verb, **found)


_PARTS = {
    verb: parts
    for verbs, parts in (
        ("move rail fleet", "count places steps"),
        ("hold commission spawn shed", "places"),
        ("escort", "lane places - names"),
        ("bomb", "places - places kind"),
        ("atom", "places - places"),
        ("missile scuttle disband", "count places"),
        ("build dismantle", "kind places"),
        ("form", "- places"),
        ("research traits war government", "names"),
        ("treaty withdraw cancel", "kind names"),
        ("give", "places names"),
        ("deal", "names - places - wants"),
        ("deploy", "count places places"),
        ("ready notready", ""),
    )
    for verb in verbs.split()
}
"""Verb → parts of its order, in their sequence. A "-" is a word without a meaning of its own."""


def parse_order(text: str) -> ParsedOrder | None:
    """Parse one order. Return None if the grammar does not accept it.

    >>> parse_order("BU RAI 20, 21")
    ParsedOrder(verb='build', count='', places=(Named(text='20', quoted=False), \
Named(text='21', quoted=False)), steps=(), names=(), wants=(), kind='rai', lane=())
    """
    try:
        parser = load_grammar(GRAMMAR, maybe_placeholders=True)
        return _TreeReader().transform(parser.parse(text.lower()))
    except UnexpectedInput:
        return None


def orders_on(text: str) -> list[str]:
    """Return the orders of a line, split at commas before a verb (N-155).

    >>> orders_on("BU ACA 19, BU RAI 20, 21")
    ['BU ACA 19', 'BU RAI 20, 21']
    """
    return [part.strip() for part in _splitter().split(text) if part.strip()]


@cache
def _splitter() -> re.Pattern[str]:
    return re.compile(rf",\s*(?=(?:{start_pattern(GRAMMAR).pattern}))", re.IGNORECASE)


def verb_of(text: str) -> str:
    """Return the full verb that a text begins with, or an empty string.

    >>> verb_of("BU X"), verb_of("hello there")
    ('build', '')
    """
    words: Sequence[str] = re.findall(r"[a-z]+", text.lower())[:2]
    first = words[0] if words else ""
    if list(words) == ["not", "ready"]:
        return "notready"
    full = key_of("short-verb", first) or first
    return full if full in FORMS else ""
