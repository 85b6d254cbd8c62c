"""Parser of clean lines into orders, with `grammar/yorktown.lark`.

A unit becomes its order id ("INF 3"), a commander called by name that name ("WASHINGTON"). The side
of a unit is checked later.
"""

import re
from itertools import chain
from typing import Any, NamedTuple

from lark import Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, VisitError

from judge.digits import is_number
from judge.games.yorktown.rules import orders
from judge.games.yorktown.rules.hexes import SIDES
from judge.games.yorktown.rules.orders import Order
from judge.grammar_loader import load_grammar


class Done(NamedTuple):
    """Declaration that orders of one step, or of all steps left, are final (Y-90)."""

    step: str = ""


class Control(NamedTuple):
    """Line with a control word, no order: "clear", "add", "show", "resign", "draw"."""

    word: str


class UnreadableLine(NamedTuple):
    """Unreadable line: the column of the fault, and the words expected there."""

    column: int
    expected: tuple[str, ...]


Read = Order | Done | Control | UnreadableLine

TYPES = {"i": "INF", "c": "CAV", "a": "ART", "p": "PIO", "k": "CMD", "f": "FRIG"}
LONG_SIDES = {"north": "N", "northeast": "NE", "southeast": "SE", "south": "S"} | {
    "southwest": "SW", "northwest": "NW", "west": "W", "east": "E"
}
_COMMENT = re.compile(r"#.*")
_DASHES = re.compile(r"\s*(?:-+>|[-‐‑‒–—−]+>?|→|=>)\s*")
_SILENT = re.compile(r"[,.\s]+")
_UNIT = re.compile(r"([a-z]+) ?([0-9]+)")
EXPECTED = {
    "DONE": "done",
    "LAND": "unit",
    "SHIP": "frigate",
    "VESSEL": "frigate",
    "HEX": "hex",
    "SIDE": "side",
    "AHEAD": "F",
    "TURN": "L or R",
    "$END": "end of line",
    "<END-OF-FILE>": "end of line",
    "_COLON": ":",
}
"""Names of terminals in complaints. Words are named as they are typed.

The end of a line has one name in Lark's parser and another in its lexer.
"""


def clean(text: str) -> str:
    """Normalise a line to lower case, plain dashes and no commas or comment (Y-85).

    >>> clean("INF 3: 1204→1305 –1306, face NE.  # up")
    'inf 3: 1204-1305-1306 face ne'
    """
    text = _COMMENT.sub("", text).lower()
    return _SILENT.sub(" ", _DASHES.sub("-", text)).strip()


def parse(text: str) -> Read:
    """Parse one clean line.

    >>> parse("inf 3: 1204-1305-1306 face ne")
    MarchOrder(unit='INF 3', path=('1204', '1305', '1306'), face=1, leaves='')
    >>> parse("f 1: f2 l fire 1713").does
    ('F', 'F', 'L', 'fire 1713')
    >>> parse("inf 3 dances").expected[:2]
    ('hex', 'side')
    """
    try:
        tree = load_grammar("yorktown", maybe_placeholders=True).parse(text)
        read: Read = _MEANING.transform(tree)
    except UnexpectedInput as fault:
        return UnreadableLine(_column(fault, text), _list_expected(fault))
    except VisitError as fault:
        if not isinstance(fault.orig_exc, _NoSide):
            raise
        return UnreadableLine(fault.orig_exc.column, SIDES)
    return read


def _column(fault: UnexpectedInput, text: str) -> int:
    """Return the column where the unreadable word begins, from 0."""
    column = getattr(fault, "column", -1)
    at = column - 1 if column > 0 else len(text)
    if at < len(text) and text[at].isalpha():
        while at and text[at - 1].isalpha():
            at -= 1
    return at


def _list_expected(fault: UnexpectedInput) -> tuple[str, ...]:
    """Return the words that the grammar would accept at the fault."""
    names = getattr(fault, "allowed", None) or getattr(fault, "expected", None) or ()
    terminals = load_grammar("yorktown", maybe_placeholders=True)
    told = []
    for name in sorted(names):
        if name in EXPECTED:
            told.append(EXPECTED[name])
        else:
            pattern = terminals.get_terminal(name).pattern
            told.append(re.split(r"[|)]", str(pattern.value).strip("(?:"))[0])
    return tuple(dict.fromkeys(told))


def unit_id(word: str) -> str:
    """Return the order id of a typed unit, or a commander's name in capitals.

    >>> unit_id("i3"), unit_id("infantry 12"), unit_id("voit")
    ('INF 3', 'INF 12', 'VOIT')
    """
    found = _UNIT.fullmatch(word)
    if not found:
        return word.upper()
    kind = "CMD" if found[1].startswith(("cm", "com")) else TYPES[found[1][0]]
    return f"{kind} {int(found[2])}"


def is_hex_like(word: str) -> bool:
    """Return whether a word is four digits.

    >>> is_hex_like("9999"), is_hex_like("INF 3")
    (True, False)
    """
    return is_number(word, 4)


class _NoSide(Exception):
    """Raised for a side that hexes do not have ("E"), with its column."""

    def __init__(self, column: int) -> None:
        super().__init__(column)
        self.column = column


def _side_letters(word: str) -> str:
    word = word.replace("-", "")
    return LONG_SIDES.get(word, word.upper())


def _side_number(token: Token) -> int:
    """Return the number of a side of a hex.

    Raises:
        _NoSide: a hex has no such side.
    """
    side = _side_letters(token)
    if side not in SIDES:
        raise _NoSide((token.column or 1) - 1)
    return SIDES.index(side)


def _keep_all(*found: str) -> tuple[str, ...]:
    return found


@v_args(inline=True)
class _Meaning(Transformer[Token, Read]):
    """Transformer from parse trees to orders, with an attribute for each rule."""

    LAND = SHIP = VESSEL = staticmethod(unit_id)
    HEX = any_unit = staticmethod(str)
    exit = staticmethod(_side_letters)
    face = staticmethod(_side_number)
    path = advance = staticmethod(_keep_all)
    hold = orders.HoldOrder
    enter = orders.Enter
    moor = orders.PlacementOrder
    join = orders.JoinOrder
    stay = orders.Stay
    build = orders.RedoubtOrder
    board = orders.BoardingOrder
    land = orders.LandingOrder

    def __default__(self, data: str, children: object, meta: object) -> Control:
        return Control(str(data))

    def start(self, read: Read) -> Read:
        return read

    def march(
        self, unit: str, path: tuple[str, ...], leaves: str | None, face: int | None
    ) -> Order:
        return orders.MarchOrder(unit, path, face, leaves or "")

    def leave(self, unit: str, edge: str) -> Order:
        return orders.MarchOrder(unit, leaves=edge)

    def turn(self, unit: str, face: int) -> Order:
        return orders.MarchOrder(unit, face=face)

    def place(self, unit: str, at: str, face: int | None) -> Order:
        return orders.PlacementOrder(unit, at, face=face)

    def fire(self, unit: str, at: str, target: str | None) -> Order:
        return orders.Fire(unit, at, target or "")

    def step(self, token: Token) -> tuple[str, ...]:
        if token.startswith("f"):
            return ("F",) * int(token[1:].strip() or 1)
        return ("beach",) if token.startswith("b") else (token[0].upper(),)

    def shot(self, at: str) -> tuple[str, ...]:
        return (f"fire {at}",)

    def sail(self, ship: str, *steps: tuple[str, ...]) -> Order:
        return orders.FrigateOrder(ship, tuple(chain(*steps)))

    def attack(self, *found: Any) -> Order:
        *words, advance = found
        at = tuple(filter(is_hex_like, words))
        return orders.Attack(at, tuple(words[len(at) :]), advance or ())

    def retreat(self, unit: str, *to: str) -> Order:
        return orders.RetreatPreference(unit, to)

    def retreat_all(self, *sides: Token) -> Order:
        return orders.RetreatAll(tuple(map(_side_number, sides)))

    def hit_leave(self, unit: str, *to: str) -> Order:
        return orders.WhenHit(unit, to)

    hit_stay = hit_leave

    def losses(self, *units: str) -> Order:
        return orders.Losses(units)

    def done(self, _: Token, step: Token | None) -> Done:
        return Done(str(step or ""))


_MEANING = _Meaning()
