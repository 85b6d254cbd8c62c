"""Orders and units in nJudge's wording with the table names, for old tools."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from judge.board.map import Map, Unit
from judge.board.position import Dislodged
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Entry,
    Hold,
    Move,
    Order,
    Outcome,
    Proxy,
    Retreat,
    Support,
    Waive,
)
from judge.model.phrase import Fact, Phrase, phrase

_TAGGED = (
    Outcome.CUT,
    Outcome.VOID,
    Outcome.NO_CONVOY,
    Outcome.BOUNCE,
    Outcome.DISLODGED,
    Outcome.DISBANDED,
)
"""Outcomes shown behind an order, in their order of appearance."""


def unit_name(unit: Unit, board: Map) -> str:
    """Return a unit in words: "Fleet St Petersburg (north coast)"."""
    return f"{unit.kind.title} {board.place_name(unit.place)}"


_IN_A_LINE = frozenset({"proxy-given"})
"""Codes of sentences that quote the line to send."""
_IN_FULL = ("unit", "units", "place", "before", "open", "typed")
"""Facts that name a unit or places, and no whole order."""


def in_full(said: Phrase, board: Map) -> Phrase:
    """Return a phrase about an order with the full names of its places.

    >>> from judge.games.diplomacy.boards import board
    >>> said = phrase("wrong-coast", unit="F MAO", place="Spa/nc", open=("Por",))
    >>> list(in_full(said, board("standard")).facts.values())
    ['F Mid-Atlantic Ocean', 'Spain (north coast)', ('Portugal',)]
    """
    if said.code in _IN_A_LINE:
        return said
    return Phrase(
        said.code,
        {key: _whole(fact, board) if key in _IN_FULL else fact for key, fact in said.facts.items()},
    )


def _whole(fact: Fact, board: Map) -> Fact:
    if isinstance(fact, tuple):
        return tuple(_name_of(each, board) if isinstance(each, str) else each for each in fact)
    return _name_of(fact, board) if isinstance(fact, str) else fact


def _name_of(text: str, board: Map) -> str:
    """Return the name of a place or of a unit by its place, else *text* unchanged."""
    kind, _, place = text.rpartition(" ")
    name = _places(board).get(place.upper())
    return f"{kind} {name}".strip() if name and kind in ("", "A", "F") else text


@lru_cache(maxsize=8)
def _places(board: Map) -> Mapping[str, str]:
    places = {*board.provinces, *board.sail}
    return {place.upper(): board.place_name(place) for place in places}


def describe_unit(unit: Unit, board: Map) -> Phrase:
    """Return the phrase that names a unit."""
    return phrase(f"unit-{unit.kind.name.lower()}", place=board.place_name(unit.place))


# Each order is rendered in the text and the page of many letters.
@lru_cache(maxsize=4096)
def order_words(order: Entry, board: Map) -> str:
    """Return an order in words, without its power and its full stop.

    >>> from judge.board.map import UnitKind
    >>> from judge.games.diplomacy.boards import board
    >>> calcutta = Unit(UnitKind.ARMY, "Cal")
    >>> order_words(Move(calcutta, "Brm"), board("youngstown"))
    'Army Calcutta -> Burma'
    >>> order_words(Hold(calcutta), board("youngstown"))
    'Army Calcutta, HOLD'
    """
    match order:
        case Hold(unit):
            return f"{unit_name(unit, board)}, HOLD"
        case Move(unit, to, _, route):
            return " -> ".join((unit_name(unit, board), *map(board.place_name, (*route, to))))
        case Support(unit, helped, to):
            return f"{unit_name(unit, board)} SUPPORT {_going(helped, to, board)}"
        case Convoy(unit, army, to):
            return f"{unit_name(unit, board)} CONVOY {_going(army, to, board)}"
        case Retreat(unit, to):
            return f"{unit_name(unit, board)} -> {board.place_name(to)}"
        case Disband(unit):
            return f"{unit_name(unit, board)}, DISBAND"
        case Build(unit):
            kind = {"A": "an army", "F": "a fleet"}[unit.kind.value]
            return f"Builds {kind} in {board.place_name(unit.place)}"
        case Waive():
            return "Build waived"
        case Proxy(unit, power):
            return f"{unit_name(unit, board)}, PROXY to {power or 'nobody'}"
        case _:
            assert_never(order)


def short_words(order: Order, board: Map) -> str:
    """Return an order as short as it can be sent, with full names of its places.

    >>> from judge.board.map import UnitKind
    >>> from judge.games.diplomacy.boards import board
    >>> omsk = Unit(UnitKind.ARMY, "Oms")
    >>> short_words(Move(omsk, "Mos"), board("youngstown"))
    'A Omsk - Moscow'
    >>> short_words(Support(Unit(UnitKind.ARMY, "Sib"), omsk, "Mos"), board("youngstown"))
    'A Siberia S A Omsk - Moscow'
    """
    match order:
        case Hold(unit):
            return _short(unit, board)
        case Move(unit, to, _, route):
            return " - ".join((_short(unit, board), *map(board.place_name, (*route, to))))
        case Retreat(unit, to):
            return f"{_short(unit, board)} - {board.place_name(to)}"
        case Support(unit, helped, to):
            goal = f" - {board.place_name(to)}" if to else ""
            return f"{_short(unit, board)} S {_short(helped, board)}{goal}"
        case Convoy(unit, army, to):
            goal = board.place_name(to)
            return f"{_short(unit, board)} C {_short(army, board)} - {goal}"
        case Disband(unit):
            return f"{_short(unit, board)} D"
        case Build(unit):
            return f"Build {_short(unit, board)}"
        case Waive():
            return "Waive"
        case _:
            assert_never(order)


def _short(unit: Unit, board: Map) -> str:
    return f"{unit.kind.value} {board.place_name(unit.place)}"


def _going(unit: Unit, to: str, board: Map) -> str:
    return f"{unit_name(unit, board)} -> {board.place_name(to)}" if to else unit_name(unit, board)


def removal_words(unit: Unit, board: Map, *, by_default: bool = False) -> str:
    """Return the removal of a unit in an adjustment phase, in words.

    *by_default* is true for a removal without an order.
    """
    verb = "Defaults, removing" if by_default else "Removes"
    return f"{verb} the {unit.kind.title.lower()} in {board.place_name(unit.place)}"


def order_line(power: str, order: Entry, board: Map, *, removing: bool = False) -> str:
    """Return the receipt line of an order, as "India: Army Calcutta -> Burma."."""
    if removing and isinstance(order, Disband):
        return f"{power}: {removal_words(order.unit, board)}."
    return f"{power}: {order_words(order, board)}."


def idle_line(power: str, unit: Unit, board: Map) -> str:
    """Return the line of a unit without an order."""
    return f"{power}: {unit_name(unit, board)}, No Order Processed."


def result_line(
    power: str, order: Order, outcomes: Sequence[Outcome], board: Map, *, removing: bool = False
) -> str:
    """Return an order with its outcomes, as results show it.

    >>> from judge.board.map import UnitKind
    >>> from judge.games.diplomacy.boards import board
    >>> seen = [Outcome.BOUNCE, Outcome.DISLODGED]
    >>> move = Move(Unit(UnitKind.ARMY, "Tok"), "Kyu")
    >>> result_line("Japan", move, seen, board("youngstown"))
    'Japan: Army Tokyo -> Kyushu.  (*bounce, dislodged*)'
    """
    line = f"{power}: {tried_words(order, outcomes, board, removing=removing)}."
    tags = outcome_tags(order, outcomes, removing=removing)
    return f"{line}  (*{', '.join(tags)}*)" if tags else line


def tried_words(
    order: Order, outcomes: Sequence[Outcome], board: Map, *, removing: bool = False
) -> str:
    """Return an order as carried out, without its power and full stop.

    Where no order was given, the words say so.
    """
    ordered = Outcome.NO_ORDER not in outcomes
    if removing and isinstance(order, Disband):
        return removal_words(order.unit, board, by_default=not ordered)
    if ordered or isinstance(order, Waive):
        return order_words(order, board)
    return f"{unit_name(order.unit, board)}, No Order Processed"


def outcome_tags(order: Order, outcomes: Sequence[Outcome], *, removing: bool = False) -> list[str]:
    """Return the outcomes of an order in nJudge's words, without the obvious."""
    if removing and isinstance(order, Disband):
        return []
    disbands = isinstance(order, Disband) and Outcome.NO_ORDER not in outcomes
    return [o.value for o in _TAGGED if o in outcomes and not (disbands and o is Outcome.DISBANDED)]


def glimpse_line(power: str, unit: Unit, outcomes: Sequence[Outcome], board: Map) -> str:
    """Return the line of a unit whose order led out of sight, with its outcomes."""
    tags = glimpse_tags(outcomes)
    line = f"{power}: {glimpse_words(unit, board)}."
    return f"{line}  (*{', '.join(tags)}*)" if tags else line


def glimpse_words(unit: Unit, board: Map) -> str:
    """Return a unit whose order led out of sight, without its power and full stop."""
    return f"{unit_name(unit, board)}, order leads out of sight"


def glimpse_tags(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the outcomes of a unit whose order led out of sight, in nJudge's words."""
    return [outcome.value for outcome in _TAGGED if outcome in outcomes]


def describe_dislodged(
    adjective: str, found: Dislodged, retreats: Sequence[str] | None, board: Map
) -> Phrase:
    """Return nJudge's sentence about the retreats of a dislodged unit.

    None for *retreats* leaves them out, as unknown.
    """
    kind = found.unit.kind.name.lower()
    facts: dict[str, Fact] = {"adjective": adjective, "place": board.place_name(found.unit.place)}
    if retreats is None:
        return phrase(f"dislodged-{kind}", **facts)
    if not retreats:
        return phrase(f"destroyed-{kind}", **facts)
    goals = tuple(board.place_name(place) for place in retreats)
    return phrase(f"retreating-{kind}", **facts, places=goals)
