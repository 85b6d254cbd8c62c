"""Meaning of one reading in a position: orders, assumptions and faults."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.board.map import Unit, UnitKind, province_of
from judge.board.position import PhaseKind
from judge.games.diplomacy.language.grammar import NamedUnit, OrderShape, PlaceRef, Verb
from judge.games.diplomacy.language.lattice import Edge, LineParse
from judge.games.diplomacy.language.lexicon import MapLexicon
from judge.games.diplomacy.rules.adjustments import builds_due
from judge.games.diplomacy.rules.legality import (
    explain_illegality_here,
    explain_not_orderable,
    may_go_by_sea,
)
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Entry,
    Hold,
    Move,
    Order,
    Proxy,
    Retreat,
    Support,
    Waive,
    unit_of,
)
from judge.model.phrase import Phrase, phrase


class Meaning(NamedTuple):
    """One order as meant, with the reason if it cannot be given (*fault*).

    *choices* are orders to choose from where the fault is that something was left open. *far*: it
    needs a convoy over seas without fleets.
    """

    power: str
    order: Entry | None
    fault: Phrase | None = None
    notes: tuple[Phrase, ...] = ()
    choices: tuple[Entry, ...] = ()
    far: bool = False
    general: Verb | None = None
    """Verb for every unit from which the order comes: `HOLD_ALL`, `HOLD_REST`."""


def meanings_of(
    reading: LineParse, context: OrderContext, words: MapLexicon, *, as_typed: bool = False
) -> tuple[Meaning, ...]:
    """Return the meanings of all orders of a reading.

    *as_typed* leaves it to the adjudicator whether a move goes by sea and which coast a support
    names.
    """
    found = [
        meaning
        for shape in _with_shared_verbs(reading, context)
        for meaning in _OrderBuilder(reading.edges, context, words, as_typed).meanings(shape)
    ]
    named = {unit_of(m.order) for m in found if not m.general}
    return tuple(m for m in found if not (m.general and unit_of(m.order) in named))


def _with_shared_verbs(reading: LineParse, context: OrderContext) -> tuple[OrderShape, ...]:
    """Return the shapes of a reading, with a shared verb in all of them.

    "F Bre, A Mar hold" and "Hold A Par, A Mar" hold both units, "Remove A Par, A Mar" removes both.
    """
    shapes = reading.shapes
    verbs = [shape.verb for shape in shapes]
    if len(shapes) < 2 or Verb.BARE not in verbs:
        return shapes
    verb = Verb.HOLD if context.kind is PhaseKind.MOVEMENT else Verb.DISBAND
    leads = verbs[0] is verb and reading.edges[0].kind == verb.name
    ends = verbs[-1] is verb and reading.edges[-1].kind == verb.name
    bare = {Verb.BARE}
    if leads and set(verbs[1:]) == bare or ends and set(verbs[:-1]) == bare:
        return tuple(shape._replace(verb=verb) for shape in shapes)
    return shapes


GENERAL_HOLDS = frozenset({Verb.HOLD_ALL, Verb.HOLD_REST})
_BUILD_WORDS = frozenset({"BUILD", "LABEL"})


class _OrderBuilder:
    """Builder of orders from one shape and the words of its reading."""

    def __init__(
        self, edges: Sequence[Edge], context: OrderContext, words: MapLexicon, as_typed: bool
    ) -> None:
        self._edges = edges
        self._context = context
        self._board = context.board
        self._words = words
        self._as_typed = as_typed
        self._notes: list[Phrase] = []

    def meanings(self, shape: OrderShape) -> list[Meaning]:
        """Return the meaning of a shape: one order, or one for every unit or build."""
        named = self._edges[shape.power].meaning if shape.power >= 0 else ""
        power = named or self._context.power
        position, kind = self._context.position, self._context.kind
        if shape.verb in GENERAL_HOLDS and kind is PhaseKind.MOVEMENT:
            return [
                self._check_order(power, Hold(unit), named)._replace(general=shape.verb)
                for unit in position.units.get(power, ())
            ]
        if shape.verb is Verb.WAIVE_ALL and kind is PhaseKind.ADJUSTMENT:
            due = builds_due(self._board, position, power)
            return [self._check_order(power, Waive(), named)] * max(due, 1)
        return [self.interpret(shape)]

    def interpret(self, shape: OrderShape) -> Meaning:
        named = self._edges[shape.power].meaning if shape.power >= 0 else ""
        said = shape.unit
        if said is None:
            return self._check_order(named or self._context.power, Waive(), named)
        place = self._province(said.spot)
        found = self._context.orderable(place)
        if found and named == found[0] and self._context.is_orderer(self._context.power, place):
            # With a proxy, the owner of the unit may be named: the order is still the sender's.
            named = self._context.power
        power = named or self._context.power or (found[0] if found else "")
        if self._context.kind is PhaseKind.ADJUSTMENT:
            if shape.verb is Verb.BUILD or (shape.verb is Verb.BARE and not found):
                if _BUILD_WORDS.isdisjoint(edge.kind for edge in self._edges):
                    self._notes.append(phrase("read-as-build"))
                return self._built(said, power or self._board.provinces[place].home, named)
            if shape.verb is Verb.RECALL:
                shape = shape._replace(verb=Verb.DISBAND)
        if shape.verb in (Verb.BARE, Verb.RECALL):
            unit = self._find_ordered_unit(said)
            fault = self._as_master(said.kind and explain_not_orderable(unit, power, self._context))
            return Meaning(power, Hold(unit), fault or phrase("incomplete", unit=str(unit)))
        return self._ordered_to(self._find_ordered_unit(said), shape, power, named)

    def _ordered_to(self, unit: Unit, shape: OrderShape, power: str, named: str) -> Meaning:
        match shape.verb:
            case Verb.HOLD:
                return self._check_order(power, Hold(unit), named)
            case Verb.DISBAND:
                return self._check_order(power, Disband(unit), named)
            case Verb.BUILD:
                return self._check_order(power, Build(unit), named)
            case Verb.SUPPORT:
                return self._check_order(power, self._support(unit, shape), named)
            case Verb.CONVOY:
                return self._interpret_convoy(unit, shape, power, named)
            case Verb.PROXY | Verb.UNPROXY:
                other = self._edges[shape.proxy].meaning if shape.proxy >= 0 else ""
                lent = Proxy(unit, "" if other == power else other)
                return self._check_order(power, lent, named)
            case _:
                return self._interpret_move(unit, shape, power, named)

    def _interpret_move(self, unit: Unit, shape: OrderShape, power: str, named: str) -> Meaning:
        """Return the meaning of a move, or of a retreat in a retreat phase."""
        steps = shape.steps
        if len(steps) > 1 and self._province(steps[0]) == unit.province:
            # In "A Par from Paris to Bur", the start is no part of a route.
            steps = steps[1:]
        goals = self._goals(unit, steps[-1])
        retreats = self._context.kind is PhaseKind.RETREAT and len(steps) == 1
        if retreats or shape.verb is Verb.RETREAT:
            options: list[Order] = [Retreat(unit, goal) for goal in goals]
        else:
            route = tuple(map(self._province, steps[:-1]))
            by_sea = shape.via or bool(route)
            options = [self._move(unit, goal, by_sea, route) for goal in goals]
        if len(options) == 1:
            told = self._check_order(power, options[0], named)
            if told.fault and told.fault.code == "only-armies-by-sea" and not shape.via:
                places = tuple(map(self._province, steps))
                return told._replace(fault=phrase("one-step", unit=str(unit), places=places))
            return told
        place = province_of(goals[0])
        tried = [self._check_order(power, order, named) for order in options]
        able = [meaning for meaning in tried if not meaning.fault]
        if len(able) == 1 or not able:
            return (able or tried)[0]
        return Meaning(
            power,
            options[0]._replace(to=place),  # type: ignore[call-arg]
            phrase("which-coast", place=place, open=tuple(goals)),
            choices=tuple(m.order for m in able if m.order is not None),
        )

    def _move(self, unit: Unit, goal: str, by_sea: bool, route: tuple[str, ...]) -> Move:
        if unit.kind is UnitKind.ARMY and not by_sea and not self._as_typed:
            by_sea = goal not in self._board.walk.get(unit.province, ()) and may_go_by_sea(
                unit.province, goal, self._context
            )
        return Move(unit, goal, by_sea, route)

    def _goals(self, unit: Unit, spot: PlaceRef) -> tuple[str, ...]:
        """Return the place a unit moves to, or several where the coast is open."""
        province, coast = self._province(spot), self._coast(spot)
        if unit.kind is UnitKind.ARMY:
            self._ignore_coast(province, coast)
            return (province,)
        if coast and self._board.provinces[province].coasts:
            return (self._words.coast_places.get((province, coast), f"{province}/{coast}"),)
        self._ignore_coast(province, coast)
        reached = self._board.sail.get(unit.place, {}).get(province, ())
        if self._context.rules.missing_coast == "illegal" and province not in reached:
            return (province,)
        if len(reached) == 1 and reached[0] != province:
            self._notes.append(phrase("coast-chosen", place=reached[0]))
        if self._as_typed and len(reached) > 1:
            return (province,)
        return reached or (province,)

    def _support(self, unit: Unit, shape: OrderShape) -> Support:
        assert shape.other
        helped = self._find_helped_unit(shape.other)
        if not shape.steps:
            return Support(unit, helped)
        spot = shape.steps[-1]
        to, coast = self._province(spot), self._coast(spot)
        if self._as_typed and helped.kind is UnitKind.FLEET:
            to = self._words.coast_places.get((to, coast), to)
        else:
            self._ignore_coast(to, coast)
        return Support(unit, helped, to)

    def _interpret_convoy(self, unit: Unit, shape: OrderShape, power: str, named: str) -> Meaning:
        if shape.other is None:
            # "A Yor convoys to Nwy": an army means itself.
            if unit.kind is UnitKind.ARMY:
                return self._interpret_move(unit, shape._replace(via=True), power, named)
            return Meaning(power, None, phrase("incomplete", unit=str(unit)))
        army = self._find_helped_unit(shape.other, UnitKind.ARMY)
        to, coast = self._province(shape.steps[-1]), self._coast(shape.steps[-1])
        self._ignore_coast(to, coast)
        return self._check_order(power, Convoy(unit, army, to), named)

    def _built(self, said: NamedUnit, power: str, named: str) -> Meaning:
        province, coast = self._province(said.spot), self._coast(said.spot)
        terrain = self._board.provinces[province].terrain
        fleets = self._board.fleet_places(province) or (province,)
        if coast and self._board.provinces[province].coasts:
            fleets = (self._words.coast_places.get((province, coast), f"{province}/{coast}"),)
        else:
            self._ignore_coast(province, coast)
        army, built = Build(Unit(UnitKind.ARMY, province)), phrase("which-type", place=province)
        options: list[Order] = [Build(Unit(UnitKind.FLEET, place)) for place in fleets]
        if said.kind is UnitKind.ARMY or not terrain.takes_fleets and said.kind is None:
            options = [army]
        elif said.kind is None:
            options = [army, *options]
        else:
            built = phrase("which-coast", place=province, open=fleets)
        told = [self._check_order(power, order, named) for order in options]
        able = [m.order for m in told if m.order is not None and not m.fault]
        if len(options) == 1 or not able:
            return told[0]
        kind = said.kind or UnitKind.ARMY
        return Meaning(power, Build(Unit(kind, province)), built, choices=tuple(able))

    def _check_order(self, power: str, order: Entry, named: str) -> Meaning:
        """Return the meaning of an order, with its fault under the rules."""
        context = self._context
        fault: Phrase | None = None
        if named and context.power and named != context.power:
            fault = phrase("not-your-power", power=named)
        elif not power and isinstance(order, Waive | Build):
            fault = phrase("whose-order")
        else:
            fault = self._as_master(explain_illegality_here(order, power, context))
        far = False
        match order:
            case Move(unit, to, True, _):
                far = not may_go_by_sea(
                    unit.province, province_of(to), context, context.fleets_at_sea
                )
        fault = self._with_type(fault, unit_of(order))
        return Meaning(power, order, fault, tuple(self._notes), far=far)

    def _as_master(self, fault: Phrase | None) -> Phrase | None:
        """Return a fault worded for its reader, since a master has no units."""
        if fault and fault.code == "no-unit" and not self._context.power:
            return phrase("no-unit-there", place=fault.facts["place"])
        return fault

    def _with_type(self, fault: Phrase | None, unit: Unit | None) -> Phrase | None:
        """Return a fault that names the unit there if the order named another kind."""
        if fault is None:
            return None
        wrong = [note for note in self._notes if note.code == "wrong-type"]
        mine = next((note for note in wrong if note.facts["unit"] == str(unit)), None)
        if mine is None or fault.code not in ("cannot-reach", "inland", "at-sea"):
            return fault
        typed, place = mine.facts["typed"], fault.facts["place"]
        return phrase("other-unit-there", unit=str(unit), typed=typed, place=place)

    def _find_ordered_unit(self, said: NamedUnit) -> Unit:
        """Return the unit on the board that an order means, or the one typed."""
        found = self._context.orderable(self._province(said.spot))
        return self._as_found(said, found[1] if found else None, None)

    def _find_helped_unit(self, said: NamedUnit, default: UnitKind | None = None) -> Unit:
        found = self._context.standing.get(self._province(said.spot))
        return self._as_found(said, found[1] if found else None, default)

    def _as_found(self, said: NamedUnit, unit: Unit | None, default: UnitKind | None) -> Unit:
        province, coast = self._province(said.spot), self._coast(said.spot)
        named = self._words.coast_places.get((province, coast), province)
        if unit is None:
            kind = said.kind or default
            if kind is None:
                armies = self._board.provinces[province].terrain.takes_armies
                kind = UnitKind.ARMY if armies else UnitKind.FLEET
            return Unit(kind, named if kind is UnitKind.FLEET else province)
        if said.kind and said.kind is not unit.kind:
            self._notes.append(phrase("wrong-type", unit=str(unit), typed=said.kind.title))
        if coast and self._words.coast_places.get((province, coast)) != unit.place:
            self._notes.append(phrase("coast-ignored", place=unit.place, coast=coast))
        return unit

    def _province(self, spot: PlaceRef) -> str:
        return self._edges[spot.place].meaning

    def _coast(self, spot: PlaceRef) -> str:
        return self._edges[spot.coast].meaning if spot.coast >= 0 else ""

    def _ignore_coast(self, province: str, coast: str) -> None:
        if coast:
            self._notes.append(phrase("coast-ignored", place=province, coast=coast))
