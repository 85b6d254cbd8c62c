"""Grammar of order lines as a graph of word classes, and the orders of a line.

A line may be parsed along many paths of word classes. Each state of the parser is cached with the
classes that lead on from it, so that a known form of order costs no parsing.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from typing import NamedTuple

from lark import Lark, Token, Transformer, Tree, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from judge.board.map import UnitKind
from judge.games.diplomacy.language.cleaning import plain_text
from judge.grammar_loader import load_grammar

_MAX_STATES = 50_000
"""Limit of cached parser states. Beyond it the graph starts again from nothing."""


class Verb(Enum):
    """Verb of a line of word classes, before its meaning as an order is known."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"
    RETREAT = "retreat"
    DISBAND = "disband"
    RECALL = "recall"
    """`R A Par`: a removal in an adjustment phase, half a retreat before."""
    BUILD = "build"
    WAIVE = "waive"
    HOLD_ALL = "hold all"
    """Hold of every unit of the power that has no other order in the line."""
    HOLD_REST = "hold rest"
    """Hold of those of these units that have no order on file."""
    WAIVE_ALL = "waive all"
    PROXY = "proxy"
    UNPROXY = "unproxy"
    BARE = "bare"
    """Unit and nothing else: half an order, but a complete build."""


class PlaceRef(NamedTuple):
    """Place: the index of its word in the line, and that of its coast or -1."""

    place: int
    coast: int = -1


class NamedUnit(NamedTuple):
    """Unit as named in a line. *power* is the index of its nationality or -1."""

    spot: PlaceRef
    kind: UnitKind | None = None
    power: int = -1


class OrderShape(NamedTuple):
    """One order of a line. Its numbers are indexes of the words along a path."""

    verb: Verb
    unit: NamedUnit | None = None
    other: NamedUnit | None = None
    steps: tuple[PlaceRef, ...] = ()
    via: bool = False
    power: int = -1
    proxy: int = -1
    """The power that may order the unit."""


class _Steps(NamedTuple):
    spots: tuple[PlaceRef, ...]


class _Via(NamedTuple):
    spots: tuple[PlaceRef, ...]


class _Shapes(Transformer[Token, tuple[OrderShape, ...]]):
    """Transformer from a parse tree, whose tokens hold word indexes, to shapes."""

    def start(self, items: Sequence[OrderShape | Token | None]) -> tuple[OrderShape, ...]:
        return tuple(item for item in items if isinstance(item, OrderShape))

    def item(self, children: tuple[Token | None, OrderShape]) -> OrderShape:
        power, shape = children
        return shape._replace(power=_number(power))

    def place(self, children: Sequence[Token | None]) -> PlaceRef:
        return PlaceRef(_number(children[0]), _number(children[1]))

    def coast_of(self, children: Sequence[Token]) -> PlaceRef:
        coast, place = children
        return PlaceRef(_number(place), _number(coast))

    def named_unit(self, children: Sequence[Token | PlaceRef]) -> NamedUnit:
        return _build_named_unit(children, None)

    def unit(self, children: Sequence[Token | PlaceRef]) -> NamedUnit:
        return _build_named_unit(children, None)

    def other(self, children: Sequence[Token | PlaceRef | None]) -> NamedUnit:
        return _build_named_unit(children[1:], children[0])

    def steps(self, spots: Sequence[PlaceRef]) -> _Steps:
        return _Steps(tuple(spots))

    def via(self, children: tuple[Token, _Steps | None]) -> _Via:
        return _Via(children[1].spots if children[1] else ())

    def hold(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.HOLD, children)

    def move(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.MOVE, children)

    def move_by(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.MOVE, children)._replace(via=True)

    def hold_all(self, children: Sequence[object]) -> OrderShape:
        return OrderShape(Verb.HOLD_ALL)

    def hold_rest(self, children: Sequence[object]) -> OrderShape:
        return OrderShape(Verb.HOLD_REST)

    def waive_all(self, children: Sequence[object]) -> OrderShape:
        return OrderShape(Verb.WAIVE_ALL)

    def move_from(self, children: Sequence[object]) -> OrderShape:
        spot = next(child for child in children if isinstance(child, PlaceRef))
        kind = children[:1] if isinstance(children[0], Token) else ()
        return _shape(Verb.MOVE, (_build_named_unit((*kind, spot), None), *children))

    def move_on(self, children: Sequence[object]) -> OrderShape:
        spot = next(child for child in children if isinstance(child, PlaceRef))
        shape = _shape(Verb.MOVE, children)
        return shape._replace(steps=(spot, *shape.steps))

    def move_to(self, children: tuple[NamedUnit, PlaceRef]) -> OrderShape:
        unit, spot = children
        return OrderShape(Verb.MOVE, unit, steps=(spot,))

    def support_from(self, children: Sequence[object]) -> OrderShape:
        return _from(Verb.SUPPORT, children)

    def convoy_from(self, children: Sequence[object]) -> OrderShape:
        return _from(Verb.CONVOY, children)

    def support_stay(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.SUPPORT, children)

    def support_move(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.SUPPORT, children)

    def convoy(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.CONVOY, children)

    def convoy_self(self, children: Sequence[object]) -> OrderShape:
        spot = next(child for child in children if isinstance(child, PlaceRef))
        return _shape(Verb.CONVOY, children)._replace(steps=(spot,))

    def retreat(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.RETREAT, children)

    def recall(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.RECALL, children)

    def disband(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.DISBAND, children)

    def build(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.BUILD, children)

    def waive(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.WAIVE, children)

    def proxy(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.PROXY, children)._replace(proxy=_number(children[-1]))

    def unproxy(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.UNPROXY, children)

    def bare(self, children: Sequence[object]) -> OrderShape:
        return _shape(Verb.BARE, children)


def _from(verb: Verb, children: Sequence[object]) -> OrderShape:
    """Return a support or convoy whose goal is named before the unit that goes there."""
    to, start = (child for child in children if isinstance(child, PlaceRef))
    return _shape(verb, children)._replace(other=NamedUnit(start), steps=(to,))


def _number(token: object) -> int:
    return int(token) if isinstance(token, Token) else -1


def _build_named_unit(children: Sequence[object], power: object) -> NamedUnit:
    spot = children[-1]
    assert isinstance(spot, PlaceRef)
    kind = None
    if isinstance(children[0], Token):
        kind = UnitKind.ARMY if children[0].type == "ARMY" else UnitKind.FLEET
    return NamedUnit(spot, kind, _number(power))


def _shape(verb: Verb, children: Sequence[object]) -> OrderShape:
    units = [child for child in children if isinstance(child, NamedUnit)]
    steps = next((child.spots for child in children if isinstance(child, _Steps)), ())
    by_sea = next((child for child in children if isinstance(child, _Via)), None)
    if by_sea and by_sea.spots:
        steps = (*steps[:-1], *by_sea.spots, *steps[-1:])
    return OrderShape(
        verb,
        units[0] if units else None,
        units[1] if len(units) > 1 else None,
        steps,
        by_sea is not None,
    )


class ParseState:
    """State of parsing a line: word classes that may follow, and orders if it ends."""

    __slots__ = ("_parser", "_next", "_ending", "_kinds")

    def __init__(self, parser: InteractiveParser, kinds: tuple[str, ...]) -> None:
        self._parser = parser
        self._next: dict[str, ParseState | None] = {}
        self._ending: tuple[OrderShape, ...] | None = None
        self._kinds = kinds

    def follow(self, kind: str) -> "ParseState | None":
        """Return the state after one more word class, or None if it cannot follow."""
        try:
            return self._next[kind]
        except KeyError:
            pass
        found = None
        # States share what they have parsed, so only the acceptance is read from it.
        parser = self._parser.copy(deepcopy_values=False)  # type: ignore[no-untyped-call]
        if _feed(parser, kind, ""):
            found = ParseState(parser, (*self._kinds, kind))
            _graph().count += 1
        self._next[kind] = found
        return found

    def list_expected(self) -> set[str]:
        """Return the word classes that may follow, and "$END" where the line may end."""
        found: set[str] = self._parser.accepts()  # type: ignore[no-untyped-call]
        return found

    @property
    def ending(self) -> tuple[OrderShape, ...]:
        """The orders of a line that ends here. Empty if it cannot."""
        if self._ending is None:
            self._ending = _shapes_of(self._kinds)
        return self._ending


def _shapes_of(kinds: Sequence[str]) -> tuple[OrderShape, ...]:
    parser = _lark().parse_interactive("")
    for number, kind in enumerate(kinds):
        _feed(parser, kind, str(number))
    try:
        tree: object = parser.feed_eof()  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        return ()
    assert isinstance(tree, Tree)
    return _Shapes().transform(tree)


def _feed(parser: InteractiveParser, kind: str, text: str) -> bool:
    """Feed one word class. Return whether the grammar allows it here."""
    try:
        parser.feed_token(Token(kind, text))
    except UnexpectedToken:
        return False
    return True


class _StateGraph:
    def __init__(self) -> None:
        self.start = _first_state()
        self.count = 0


@cache
def _graph() -> _StateGraph:
    return _StateGraph()


def first_state() -> ParseState:
    """Return the state before the first word."""
    graph = _graph()
    if graph.count > _MAX_STATES:
        graph.start, graph.count = _first_state(), 0
    return graph.start


def states_met() -> int:
    """Return the number of states made, each of which is expensive."""
    return _graph().count


def _first_state() -> ParseState:
    return ParseState(_lark().parse_interactive(""), ())


@cache
def _lark() -> Lark:
    return load_grammar("diplomacy")


_WORDS = re.compile(r"(?:\\.|[^|\\])+")


@cache
def spellings_of_verbs() -> tuple[tuple[str, str], ...]:
    """Return (terminal, spelling) of every word that the grammar itself lists.

    A terminal is an alternation of plain words, so its pattern is split again.
    """
    return tuple(_spellings())


def _spellings() -> Iterator[tuple[str, str]]:
    for terminal in _lark().terminals:
        pattern = terminal.pattern.value
        if pattern.startswith("(?:"):
            pattern = pattern[3:-1]
        for found in _WORDS.finditer(pattern):
            yield terminal.name, plain_text(re.sub(r"\\(.)", r"\1", found[0]))
