"""Verdict on the readings of a line: orders to file, or the complaint."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judge.board.map import Unit, province_of
from judge.games.diplomacy.language.grammar import OrderShape, Verb
from judge.games.diplomacy.language.lattice import LineParse
from judge.games.diplomacy.language.lexicon import MapLexicon
from judge.games.diplomacy.language.meaning import Meaning, meanings_of
from judge.games.diplomacy.rules.legality import explain_illegality_here
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Entry, Hold, Move, Order, Support, order_text
from judge.model.phrase import ComplaintKind, Phrase, phrase

KINDS = {
    "which-coast": ComplaintKind.AMBIGUOUS,
    "which-type": ComplaintKind.AMBIGUOUS,
    "incomplete": ComplaintKind.AMBIGUOUS,
    "two-meanings": ComplaintKind.AMBIGUOUS,
    "did-you-mean": ComplaintKind.AMBIGUOUS,
    "too-many-meanings": ComplaintKind.AMBIGUOUS,
    "not-your-unit": ComplaintKind.NOT_ALLOWED,
    "not-your-power": ComplaintKind.NOT_ALLOWED,
    "whose-order": ComplaintKind.NOT_ALLOWED,
    "wrong-phase": ComplaintKind.NOT_ALLOWED,
    "no-such-coast": ComplaintKind.UNREADABLE,
    "unknown-coast": ComplaintKind.UNREADABLE,
    "unknown-place": ComplaintKind.UNREADABLE,
    "missing-source": ComplaintKind.UNREADABLE,
    "unexpected-word": ComplaintKind.UNREADABLE,
    "unknown-word": ComplaintKind.UNREADABLE,
    "not-an-order": ComplaintKind.UNREADABLE,
    "part-unread": ComplaintKind.UNREADABLE,
    "condition-in-brackets": ComplaintKind.NOT_ALLOWED,
}
"""Kind of complaint of a reason. All others are orders that the rules forbid."""

_RANKS = {
    "which-coast": 0, "which-type": 0, "no-unit": 2, "no-unit-there": 2, "not-your-unit": 2,
    "incomplete": 3,
}


class LineVerdict(NamedTuple):
    """One reading with the meanings of its orders."""

    reading: LineParse
    meanings: tuple[Meaning, ...]

    @property
    def faults(self) -> int:
        """The number of its orders that cannot be filed."""
        return sum([meaning.fault is not None for meaning in self.meanings])

    @property
    def filed(self) -> tuple[tuple[str, Entry], ...]:
        """The orders that can be filed, with their powers."""
        able = [m for m in self.meanings if not m.fault]
        return tuple((m.power, m.order) for m in able if m.order is not None)

    @property
    def texts(self) -> str:
        """The line to send for exactly these orders."""
        return "; ".join(order_text(m.order) for m in self.meanings if m.order is not None)

    @property
    def is_vague(self) -> bool:
        """True if a word in it is no name but an abbreviation of several."""
        return any(edge.vague for edge in self.reading.edges)

    @property
    def price(self) -> float:
        """The cost of repairs. With any, a wrong type or a missing arrow adds one each."""
        price = self.reading.cost
        if price:
            price += any(note.code == "wrong-type" for m in self.meanings for note in m.notes)
            price += any(lacks_arrow(shape, self.reading) for shape in self.reading.shapes)
        return price

    def weight(self) -> tuple[float, int, int, int, bool]:
        """Return how doubtful the verdict is, as a sort key."""
        worst = max((_RANKS.get(m.fault.code, 1) for m in self.meanings if m.fault), default=0)
        return self.price, self.faults, -len(self.filed), worst, self.is_vague


def verdicts_on(
    readings: Sequence[LineParse],
    context: OrderContext,
    words: MapLexicon,
    *,
    as_typed: bool = False,
) -> list[LineVerdict]:
    """Return a verdict for each meaning of a line, the clearest first."""
    if len(readings) == 1:
        meanings = meanings_of(readings[0], context, words, as_typed=as_typed)
        return [LineVerdict(readings[0], meanings)]
    found: dict[tuple[object, ...], LineVerdict] = {}
    for reading in readings:
        meanings = meanings_of(reading, context, words, as_typed=as_typed)
        verdict = LineVerdict(reading, meanings)
        key = tuple((m.power, m.order, m.fault and m.fault.code) for m in meanings)
        if key not in found or verdict.weight() < found[key].weight():
            found[key] = verdict
    verdicts = [*found.values()]
    if len(verdicts) > 1:
        verdicts.sort(key=lambda v: (*v.weight(), v.texts))
    return verdicts


def likeliest(verdicts: Sequence[LineVerdict]) -> list[LineVerdict]:
    """Return the verdicts without fault that are likeliest to be meant.

    A convoy over seas with fleets is preferred to one without, and a name to an abbreviation of
    several names.
    """
    legal = [v for v in verdicts if not v.faults]
    if len(legal) < 2:
        return legal
    near = [v for v in legal if not any(m.far for m in v.meanings)] or legal
    return [v for v in near if not v.is_vague] or near


def recheck_arrowless_moves(
    verdict: LineVerdict, typed: Sequence[str], context: OrderContext, words: MapLexicon
) -> LineVerdict:
    """Return a verdict in which moves that were written without an arrow are doubted.

    Two places next to each other may be a support that lost its S if there is a unit in the second
    one. A second place that is one letter from "hold" may be a hold.
    """
    if len(verdict.meanings) != len(verdict.reading.shapes):
        # Some order is for every unit and has no steps.
        return verdict
    meanings = tuple([
        _doubt(meaning, context, not words.like_hold.isdisjoint(typed))
        if lacks_arrow(shape, verdict.reading) else meaning
        for meaning, shape in zip(verdict.meanings, verdict.reading.shapes)
    ])
    return LineVerdict(verdict.reading, meanings)


def lacks_arrow(shape: OrderShape, reading: LineParse) -> bool:
    """Return whether a step was written as two places next to each other."""
    if shape.verb is Verb.RETREAT:
        return False
    for step in shape.steps:
        if reading.edges[step.place - 1].kind != "_MOVE":
            return True
    return False


def _doubt(meaning: Meaning, context: OrderContext, is_like_hold: bool) -> Meaning:
    order = meaning.order
    if meaning.fault or not isinstance(order, Move):
        return meaning
    others: list[Order] = []
    found = context.standing.get(province_of(order.to))
    if found:
        others.append(Support(order.unit, found[1]))
    if is_like_hold:
        others.append(Hold(order.unit))
    others = [o for o in others if not explain_illegality_here(o, meaning.power, context)]
    if not others:
        return meaning
    choices = (*others, order)
    return meaning._replace(fault=_two_meanings(map(order_text, choices)), choices=choices)


def _two_meanings(texts: Iterable[str]) -> Phrase:
    return phrase("two-meanings", choices=tuple(texts))


def ask_for_meaning(verdicts: Sequence[LineVerdict]) -> Phrase:
    """Return the question which of several meanings is meant."""
    return _two_meanings(verdict.texts for verdict in verdicts)


def unit_choices(unit: Unit, power: str, context: OrderContext) -> tuple[str, ...]:
    """Return the simplest complete orders for a unit that was only named."""
    holds = (f"{unit} H", f"{unit} D")[context.kind.value != "M"]
    found = context.orderable(unit.province)
    return (holds,) if found and found[0] == power else ()
