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

    def places(self, children: list[Named]) -> tuple[Named, ...]:
        return tuple(children)

    names = items = places

    def step(self, children: list[Any]) -> PathStep:
        place, _, via = children
        return PathStep(place, via or ())

    def steps(self, children: list[PathStep]) -> tuple[PathStep, ...]:
        return tuple(children)

    def count(self, children: list[Token]) -> str:
        return str(children[0])

    kind = treaty = bombed = count

    def lane(self, children: list[Token]) -> tuple[str, ...]:
        return tuple(map(str, children))

    def _path(self, verb: str, children: list[Any]) -> ParsedOrder:
        _, count, start, steps = children
        return ParsedOrder(verb, str(count or ""), (start,), steps)

    def move(self, children: list[Any]) -> ParsedOrder:
        return self._path("move", children)

    def move_hq(self, children: list[Any]) -> ParsedOrder:
        return self._path("move", children)

    def rail(self, children: list[Any]) -> ParsedOrder:
        return self._path("rail", children)

    def rail_hq(self, children: list[Any]) -> ParsedOrder:
        return self._path("rail", children)

    def sail(self, children: list[Any]) -> ParsedOrder:
        return self._path("fleet", children)

    def hold(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("hold", places=children[1])

    def escort(self, children: list[Any]) -> ParsedOrder:
        _, lane, goal, _, nation = children
        return ParsedOrder("escort", places=(goal,), names=(nation,), lane=lane)

    def bomb(self, children: list[Any]) -> ParsedOrder:
        _, target, _, base, kind = children
        return ParsedOrder("bomb", places=(target, base), kind=str(kind or ""))

    def atom(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("atom", places=(children[1], children[3]))

    def _build_counted_order(self, verb: str, children: list[Any]) -> ParsedOrder:
        return ParsedOrder(verb, str(children[1] or ""), (children[2],))

    def missile(self, children: list[Any]) -> ParsedOrder:
        return self._build_counted_order("missile", children)

    def scuttle(self, children: list[Any]) -> ParsedOrder:
        return self._build_counted_order("scuttle", children)

    def disband(self, children: list[Any]) -> ParsedOrder:
        return self._build_counted_order("disband", children)

    def build(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("build", kind=children[1], places=children[2])

    def dismantle(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("dismantle", kind=children[1], places=children[2])

    def form(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("form", places=(children[2],))

    def commission(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("commission", places=children[1])

    def spawn(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("spawn", places=children[1])

    def shed(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("shed", places=children[1])

    def research(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("research", names=children[1])

    def traits(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("traits", names=children[1])

    def war(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("war", names=(children[1],))

    def govern(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("government", names=(children[1],))

    def announce(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("treaty", kind=children[1], names=(children[2],))

    def withdraw(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("withdraw", kind=children[1], names=(children[2],))

    def cancel(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("cancel", kind=children[1], names=(children[2],))

    def give(self, children: list[Any]) -> ParsedOrder:
        return ParsedOrder("give", places=children[1], names=(children[2],))

    def deal(self, children: list[Any]) -> ParsedOrder:
        _, nation, _, gives, _, wants = children
        return ParsedOrder("deal", places=gives, names=(nation,), wants=wants)

    def deploy(self, children: list[Any]) -> ParsedOrder:
        _, count, start, goal = children
        return ParsedOrder("deploy", str(count or ""), (start, goal))

    def ready(self, _: list[Token]) -> ParsedOrder:
        return ParsedOrder("ready")

    def notready(self, _: list[Token]) -> ParsedOrder:
        return ParsedOrder("notready")


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
