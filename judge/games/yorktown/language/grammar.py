"""Parser of clean lines into orders, with `grammar/yorktown.lark`.

A unit becomes its order id ("INF 3"), a commander called by name that name ("WASHINGTON"). The side
of a unit is checked later.
"""

import re
from typing import Any, NamedTuple

from lark import Token, Transformer
from lark.exceptions import UnexpectedInput, VisitError

from judge.digits import is_number
from judge.games.yorktown.rules.hexes import SIDES
from judge.games.yorktown.rules.orders import (
    Attack,
    BoardingOrder,
    Enter,
    Fire,
    FrigateOrder,
    HoldOrder,
    JoinOrder,
    LandingOrder,
    Losses,
    MarchOrder,
    Order,
    PlacementOrder,
    RedoubtOrder,
    RetreatAll,
    RetreatPreference,
    Stay,
    WhenHit,
)
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


Found = list[Any]


class _Meaning(Transformer[Token, Read]):
    """Transformer from parse trees to orders. Each method is a rule of the grammar."""

    def start(self, found: Found) -> Read:
        read: Read = found[0]
        return read

    def LAND(self, token: Token) -> str:
        return unit_id(str(token))

    SHIP = VESSEL = LAND

    def HEX(self, token: Token) -> str:
        return str(token)

    def path(self, found: Found) -> tuple[str, ...]:
        return _texts(found)

    def face(self, found: Found) -> int:
        return _side_number(found[-1])

    def exit(self, found: Found) -> str:
        return _side_letters(found[0])

    def advance(self, found: Found) -> tuple[str, ...]:
        return _texts(found)

    def any_unit(self, found: Found) -> str:
        return str(found[0])

    def march(self, found: Found) -> MarchOrder:
        unit, path, leaves, face = found
        return MarchOrder(unit, path, face, leaves or "")

    def leave(self, found: Found) -> MarchOrder:
        return MarchOrder(found[0], leaves=found[1])

    def turn(self, found: Found) -> MarchOrder:
        return MarchOrder(found[0], face=found[1])

    def hold(self, found: Found) -> HoldOrder:
        return HoldOrder(found[0])

    def enter(self, found: Found) -> Enter:
        return Enter(*found)

    def place(self, found: Found) -> PlacementOrder:
        return PlacementOrder(found[0], found[1], face=found[2])

    def moor(self, found: Found) -> PlacementOrder:
        unit, stern, bow = _texts(found)
        return PlacementOrder(unit, stern, bow)

    def join(self, found: Found) -> JoinOrder:
        return JoinOrder(*found)

    def stay(self, found: Found) -> Stay:
        return Stay(found[0])

    def fire(self, found: Found) -> Fire:
        return Fire(found[0], found[1], found[2] or "")

    def build(self, found: Found) -> RedoubtOrder:
        return RedoubtOrder(found[0])

    def step(self, found: Found) -> tuple[str, ...]:
        word = str(found[0])
        if word.startswith("f"):
            return ("F",) * int(word[1:].strip() or 1)
        return ("beach",) if word.startswith("b") else (word[0].upper(),)

    def shot(self, found: Found) -> tuple[str, ...]:
        return (f"fire {found[0]}",)

    def sail(self, found: Found) -> FrigateOrder:
        return FrigateOrder(found[0], tuple(step for steps in found[1:] for step in steps))

    def board(self, found: Found) -> BoardingOrder:
        return BoardingOrder(found[0], found[1])

    def land(self, found: Found) -> LandingOrder:
        return LandingOrder(*found)

    def attack(self, found: Found) -> Attack:
        *rest, advance = found
        at = tuple(word for word in rest if is_hex_like(word))
        units = tuple(word for word in rest if not is_hex_like(word))
        return Attack(at, units, advance or ())

    def retreat(self, found: Found) -> RetreatPreference:
        return RetreatPreference(found[0], _texts(found[1:]))

    def retreat_all(self, found: Found) -> RetreatAll:
        return RetreatAll(tuple(map(_side_number, found)))

    def hit_stay(self, found: Found) -> WhenHit:
        return WhenHit(found[0])

    def hit_leave(self, found: Found) -> WhenHit:
        return WhenHit(found[0], _texts(found[1:]))

    def losses(self, found: Found) -> Losses:
        return Losses(_texts(found))

    def done(self, found: Found) -> Done:
        return Done(str(found[1] or "") if len(found) > 1 else "")

    def clear(self, _: Found) -> Control:
        return Control("clear")

    def add(self, _: Found) -> Control:
        return Control("add")

    def show(self, _: Found) -> Control:
        return Control("show")

    def resign(self, _: Found) -> Control:
        return Control("resign")

    def draw(self, _: Found) -> Control:
        return Control("draw")


def _texts(found: Found) -> tuple[str, ...]:
    return tuple(str(word) for word in found if word is not None)


_MEANING = _Meaning()
