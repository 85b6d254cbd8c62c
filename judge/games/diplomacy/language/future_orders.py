"""Orders for a future phase, parsed before its position is known, and conditions.

Exact listed spellings are accepted, and a word of four letters or more as the one place nearest to
it. Only orders that no unit on any board could carry out are refused. All else is checked again
when the phase begins. The stored text is therefore close to the original: types and coasts that
were left out stay left out.

Conditions ask whether there are units in places when the phase begins. They are written
`[NOT] [power] [type] province`, joined by AND and OR from left to right as in nJudge, with
brackets. A word may be more than one thing ("and" is the Andaman Sea too, "eng" a sea and a
power): every interpretation that makes a whole condition of the line is tried.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from judge.board.map import Map, Unit, UnitKind, province_of
from judge.board.position import Dislodged, Phase, PhaseKind, Position
from judge.games.diplomacy.language.cleaning import MAX, NormalizedLine, normalize_line
from judge.games.diplomacy.language.grammar import NamedUnit, OrderShape, PlaceRef, Verb
from judge.games.diplomacy.language.lattice import (
    MAX_ATOMS,
    Atom,
    Edge,
    Lattice,
    LineParse,
    atoms_of,
)
from judge.games.diplomacy.language.lexicon import MapLexicon, lexicon
from judge.games.diplomacy.language.meaning import GENERAL_HOLDS, meanings_of
from judge.games.diplomacy.language.order_reader import LineReader, pieces_of, split
from judge.games.diplomacy.language.order_words import order_vocabulary
from judge.games.diplomacy.language.repair import is_prose, places_near, slips, verbs_near
from judge.games.diplomacy.language.verdicts import LineVerdict, lacks_arrow
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.incoming import Line
from judge.model.phrase import Complaint, Phrase, phrase

_MIN = 4
"""Letters of a word that may be repaired without a position."""
_DEAREST = 3.0
_MAX_CHOICES = 6


class FutureOrder(NamedTuple):
    """One order for a phase whose position is not known yet.

    *place* is the province of its unit, empty for a waived build. *fault* is the reason why no unit
    could ever carry it out. *choices* are texts to choose from.
    """

    place: str
    text: str
    fault: Phrase | None = None
    choices: tuple[str, ...] = ()


class FutureLine(NamedTuple):
    """Orders of one line for a later phase, with notes and complaints."""

    line: Line
    orders: tuple[FutureOrder, ...] = ()
    notes: tuple[Phrase, ...] = ()
    complaints: tuple[Complaint, ...] = ()


def read_ahead(line: Line, board: Map, phase: Phase, power: str, rules: Rules) -> FutureLine:
    """Parse one line as orders of a power for a later phase. Prose gives no orders."""
    context = OrderContext(board, Position(phase, {}, {}), power, rules)
    found = FutureLine(line)
    if not line.text.lstrip().startswith(">"):
        for typed in pieces_of(line.text, order_vocabulary(board)):
            read = _LineReader(line, context).read(typed)
            if read.orders or not LineReader(line, context).is_talk(read.complaints, typed):
                found = _both(found, read)
    return found


def repair_places(lattice: Lattice, words: MapLexicon) -> None:
    """Repair each unknown word as the place nearest to it, if there is only one.

    A word that may be a misspelt verb is not repaired, except as PROXY, and no name goes across a
    hyphen.
    """
    unknown = lattice.unknown()
    for at in unknown:
        if verbs := tuple(verbs_near(lattice.atoms[at].text, at)):
            if {edge.kind for edge in verbs} == {"PROXY"}:
                # No other word is spelled like it, and the power after it leaves no doubt.
                lattice.edges[at] += verbs
            continue
        long = [
            edge
            for edge in places_near(lattice, at, unknown, words)
            if edge.is_sure and _is_long(lattice.atoms[edge.start : edge.end])
        ]
        best = [edge for edge in long if edge.cost == min(each.cost for each in long)]
        if len({edge.meaning for edge in best}) == 1:
            for edge in best:
                lattice.edges[edge.start].append(edge)


def _is_long(atoms: Sequence[Atom]) -> bool:
    return all(a.text.isalpha() for a in atoms) and sum(len(a.text) for a in atoms) >= _MIN


def _both(first: FutureLine, second: FutureLine) -> FutureLine:
    return FutureLine(
        first.line,
        first.orders + second.orders,
        first.notes + second.notes,
        first.complaints + second.complaints,
    )


class _LineReader:
    """Reader of the text between the semicolons of one line."""

    def __init__(self, line: Line, context: OrderContext) -> None:
        self._line = line
        self._context = context
        self._words = lexicon(context.board)
        self._teller = LineReader(line, context)

    def read(self, typed: NormalizedLine) -> FutureLine:
        atoms = atoms_of(typed)
        pieces = list(split(typed, ","))
        if len(atoms) > MAX_ATOMS or len(typed.text) > MAX:
            if len(pieces) > 1:
                return self._pieces(pieces)
            return self._refuse_line(phrase("not-an-order"), typed)
        lattice = Lattice(atoms, self._words, self._context.kind)
        found = self._sketches(lattice, 0.0)
        refused = self._teller.condition(typed)
        if refused and (found or self._teller.order_like(typed)):
            return FutureLine(self._line, complaints=(refused,))
        if not found and is_prose(lattice, self._context.power):
            return FutureLine(self._line, complaints=self._teller.order_like(typed))
        if not found and len(pieces) > 1 and any(self.read(piece).orders for piece in pieces):
            return self._pieces(pieces)
        able = [each for each in found if not any(sketch.fault for sketch in each[1])]
        if not found:
            return self._repair_line(lattice, typed)
        if len(able) > 1:
            return self._ask_for_meaning([sketches for _, sketches in able], typed)
        return self._build_line(*(able or found)[0], typed)

    def _pieces(self, pieces: Sequence[NormalizedLine]) -> FutureLine:
        found = FutureLine(self._line)
        for piece in pieces:
            found = _both(found, self.read(piece))
        return found

    def _repair_line(self, lattice: Lattice, typed: NormalizedLine) -> FutureLine:
        """Repair a line with unknown words. Only ask where more than one place is near."""
        unknown = lattice.unknown()
        repair_places(lattice, self._words)
        for asks in (False, True):
            if asks:
                for at in unknown:
                    for edge in tuple(slips(lattice, at, unknown, self._words)):
                        lattice.edges[edge.start].append(edge)
            found = self._sketches(lattice, _DEAREST, unparted=asks)
            able = [each for each in found if not any(sketch.fault for sketch in each[1])]
            if len(able) == 1 and not asks:
                return self._build_line(*able[0], typed)
            if 0 < len(able) <= _MAX_CHOICES:
                return self._ask_for_meaning([sketches for _, sketches in able], typed)
        readings = Lattice(lattice.atoms, self._words, self._context.kind).readings()
        return FutureLine(
            self._line, complaints=(self._teller.unreadable(typed, lattice, readings),)
        )

    def _sketches(
        self, lattice: Lattice, dearest: float, *, unparted: bool = False
    ) -> list[tuple[LineParse, tuple[FutureOrder, ...]]]:
        """Return the parses of a line, each text once, those with vague words last."""
        found: dict[tuple[str, ...], tuple[LineParse, tuple[FutureOrder, ...]]] = {}
        for reading in lattice.readings(dearest, unparted=unparted).found:
            sketches = tuple(
                sketch_of(shape, reading, self._context, self._words) for shape in reading.shapes
            )
            found.setdefault(tuple(sketch.text for sketch in sketches), (reading, sketches))
        clear = [each for each in found.values() if not any(e.vague for e in each[0].edges)]
        return clear or list(found.values())

    def _build_line(
        self, reading: LineParse, sketches: Sequence[FutureOrder], typed: NormalizedLine
    ) -> FutureLine:
        notes = self._teller.repairs(LineVerdict(reading, ()), typed, atoms_of(typed))
        complaints = tuple(
            self._teller.complaint(sketch.fault, typed, sketch.choices)
            for sketch in sketches
            if sketch.fault
        )
        able = tuple(sketch for sketch in sketches if not sketch.fault)
        return FutureLine(self._line, able, tuple(notes), complaints)

    def _ask_for_meaning(
        self, choices: Sequence[Sequence[FutureOrder]], typed: NormalizedLine
    ) -> FutureLine:
        texts = tuple(sorted("; ".join(sketch.text for sketch in each) for each in choices))
        if len(texts) > _MAX_CHOICES:
            return self._refuse_line(phrase("too-many-meanings"), typed)
        fault = phrase("two-meanings" if len(texts) > 1 else "did-you-mean", choices=texts)
        return self._refuse_line(fault, typed, texts)

    def _refuse_line(
        self, fault: Phrase, typed: NormalizedLine, texts: tuple[str, ...] = ()
    ) -> FutureLine:
        return FutureLine(self._line, complaints=(self._teller.complaint(fault, typed, texts),))


def sketch_of(
    shape: OrderShape, reading: LineParse, context: OrderContext, words: MapLexicon
) -> FutureOrder:
    """Return one order of a reading, and whether any unit could ever carry it out."""
    return _Sketcher(shape, reading, context, words).sketch()


class _Sketcher:
    """Builder of one order from a shape, tried with imagined units."""

    def __init__(
        self, shape: OrderShape, reading: LineParse, context: OrderContext, words: MapLexicon
    ) -> None:
        self._shape = shape
        self._reading = reading
        self._edges = reading.edges
        self._context = context
        self._words = words

    def sketch(self) -> FutureOrder:
        shape, said = self._shape, self._shape.unit
        if shape.power >= 0 and self._edges[shape.power].meaning != self._context.power:
            named = self._edges[shape.power].meaning
            return FutureOrder("", "", phrase("not-your-power", power=named))
        if shape.verb in (*GENERAL_HOLDS, Verb.WAIVE_ALL):
            return FutureOrder("", "", phrase("all-unknown"))
        place = self._meaning(said.spot) if said else ""
        choices: tuple[str, ...]
        if said and shape.verb is Verb.BARE and self._context.kind is PhaseKind.ADJUSTMENT:
            unit = self._unit(said)
            choices = (f"BUILD {unit}", f"REMOVE {unit}")
            return FutureOrder(place, unit, phrase("incomplete", unit=unit), choices)
        if shape.verb is Verb.MOVE and lacks_arrow(shape, self._reading):
            # A lost S or a misspelt "hold" is as likely, and there is no position to decide it.
            unit, goal = self._unit(shape.unit) if shape.unit else "", self._place(shape.steps[-1])
            choices = (self._text(), f"{unit} S {goal}")
            return FutureOrder(
                place, self._text(), phrase("two-meanings", choices=choices), choices
            )
        if shape.other and len(shape.steps) > 1:
            choices = (self._text(),)
            return FutureOrder(place, choices[0], phrase("did-you-mean", choices=choices), choices)
        fault: Phrase | None = None
        choices = ()
        for context in self._imagine_contexts():
            alone = LineParse((shape,), self._edges, 0.0)
            (meaning,) = meanings_of(alone, context, self._words)
            if meaning.fault is None:
                return FutureOrder(place, self._text())
            if fault is None:
                fault = meaning.fault
                choices = tuple(sorted(map(order_text, meaning.choices)))
        return FutureOrder(place, self._text(), fault, choices)

    def _text(self) -> str:
        shape = self._shape
        if shape.unit is None:
            return "WAIVE"
        unit = self._unit(shape.unit)
        other = self._unit(shape.other) if shape.other else ""
        goal = self._place(shape.steps[-1]) if shape.steps else ""
        match shape.verb:
            case Verb.HOLD:
                return f"{unit} H"
            case Verb.MOVE:
                route = [self._place(spot) for spot in shape.steps[:-1]]
                if route[:1] == [self._place(shape.unit.spot)]:
                    route = route[1:]
                by_sea = ["VIA", *route] if shape.via or route else []
                return " ".join([f"{unit} - {goal}", *by_sea])
            case Verb.SUPPORT:
                return f"{unit} S {other}" + (f" - {goal}" if goal else "")
            case Verb.CONVOY if not other:
                return f"{unit} - {goal} VIA"
            case Verb.CONVOY:
                return f"{unit} C {other} - {goal}"
            case Verb.RETREAT:
                return f"{unit} R {goal}"
            case Verb.DISBAND | Verb.RECALL:
                return f"{unit} D"
            case Verb.BUILD:
                return f"BUILD {unit}"
            case Verb.PROXY:
                return f"{unit} PROXY {self._meaning_at(shape.proxy).upper()}"
            case Verb.UNPROXY:
                return f"{unit} NO PROXY"
            case Verb.WAIVE | Verb.BARE | Verb.HOLD_ALL | Verb.HOLD_REST | Verb.WAIVE_ALL:
                return unit
            case _:
                assert_never(shape.verb)

    def _unit(self, said: NamedUnit) -> str:
        place = self._place(said.spot)
        return f"{said.kind.value} {place}" if said.kind else place

    def _place(self, spot: PlaceRef) -> str:
        coast = f"/{self._meaning_at(spot.coast)}" if spot.coast >= 0 else ""
        return f"{self._meaning(spot)}{coast}".upper()

    def _meaning(self, spot: PlaceRef) -> str:
        return self._meaning_at(spot.place)

    def _meaning_at(self, number: int) -> str:
        return self._edges[number].meaning

    def _imagine_contexts(self) -> Iterator[OrderContext]:
        """Yield contexts with the units named by the order, of each possible kind."""
        for unit in self._stands(self._shape.unit):
            for other in self._stands(self._shape.other):
                yield OrderContext(
                    self._context.board, self._position(unit, other), self._context.power,
                    self._context.rules,
                )

    def _stands(self, said: NamedUnit | None) -> tuple[Unit | None, ...]:
        """Return the units that a name may mean, of the typed kind if there can be one."""
        if said is None:
            return (None,)
        province, board = self._meaning(said.spot), self._context.board
        coast = self._meaning_at(said.spot.coast) if said.spot.coast >= 0 else ""
        places = board.fleet_places(province)
        named = self._words.coast_places.get((province, coast))
        units = [Unit(UnitKind.FLEET, p) for p in places if named in (None, p)]
        if board.provinces[province].terrain.takes_armies:
            units.insert(0, Unit(UnitKind.ARMY, province))
        as_typed = [unit for unit in units if unit.kind is said.kind]
        return tuple(as_typed or units) or (Unit(said.kind or UnitKind.ARMY, province),)

    def _position(self, unit: Unit | None, other: Unit | None) -> Position:
        phase, power = self._context.position.phase, self._context.power
        standing = tuple(each for each in (unit, other) if each)
        if phase.kind is PhaseKind.RETREAT and unit:
            beaten = {power: (Dislodged(unit),)}
            return Position(phase, {power: standing[1:]}, {}, beaten)
        if self._shape.verb is Verb.BUILD and unit:
            return Position(phase, {}, {unit.province: power})
        return Position(phase, {power: standing}, {})


class UnitAt(NamedTuple):
    """Condition that a unit is there: of any power or one, of any kind or one."""

    place: str
    kind: UnitKind | None = None
    power: str = ""


class Not(NamedTuple):
    """Condition that another one is false."""

    test: "Test"


class Both(NamedTuple):
    """Condition that two others are true."""

    first: "Test"
    second: "Test"


class Either(NamedTuple):
    """Condition that at least one of two others is true."""

    first: "Test"
    second: "Test"


Test = UnitAt | Not | Both | Either


def text_of(test: Test) -> str:
    """Return the canonical text of a condition, with brackets only where needed.

    >>> gas, par = UnitAt("Gas", UnitKind.ARMY, "France"), UnitAt("Par")
    >>> text_of(Both(gas, Not(Either(par, UnitAt("StP/nc", UnitKind.FLEET)))))
    'France A GAS AND NOT (PAR OR F STP/NC)'
    """
    match test:
        case UnitAt(place, kind, power):
            return " ".join(filter(None, (power, kind.value if kind else "", place.upper())))
        case Not(inner):
            return f"NOT {_add_brackets(inner)}"
        case Both(first, second):
            left = _add_brackets(first) if isinstance(first, Either) else text_of(first)
            return f"{left} AND {_add_brackets(second)}"
        case Either(first, second):
            left = _add_brackets(first) if isinstance(first, Both) else text_of(first)
            return f"{left} OR {_add_brackets(second)}"
        case _:
            assert_never(test)


def _add_brackets(test: Test) -> str:
    text = text_of(test)
    return f"({text})" if isinstance(test, Both | Either) else text


def evaluate(test: Test, position: Position) -> bool:
    """Return whether a condition is true. Units that must retreat do not count."""
    match test:
        case UnitAt(place, kind, power):
            found = position.unit_at(province_of(place))
            if found is None or (power and found[0] != power):
                return False
            unit = found[1]
            return kind in (None, unit.kind) and ("/" not in place or unit.place == place)
        case Not(inner):
            return not evaluate(inner, position)
        case Both(first, second):
            return evaluate(first, position) and evaluate(second, position)
        case Either(first, second):
            return evaluate(first, position) or evaluate(second, position)
        case _:
            assert_never(test)


class ParsedCondition(NamedTuple):
    """Parsed condition. *is_mended*: a word in it was misspelt."""

    test: Test
    is_mended: bool = False


def read_test(text: str, board: Map) -> ParsedCondition | Phrase:
    """Parse a condition. Return the reason if it cannot be."""
    typed = normalize_line(text)
    atoms = atoms_of(typed)
    if not atoms:
        return phrase("condition-missing")
    if len(atoms) > MAX_ATOMS or len(typed.text) > MAX:
        return phrase("condition-too-long")
    reader = _ConditionReader(atoms, board)
    found = dict.fromkeys(reader.whole())
    if len(found) > 1:
        return phrase("two-meanings", choices=tuple(sorted(map(text_of, found))))
    if found:
        return ParsedCondition(next(iter(found)), reader.is_mended)
    if reader.furthest >= len(atoms):
        return phrase("condition-unfinished")
    word = atoms[reader.furthest].text
    if reader.wants_place and word.isalnum():
        return phrase("unknown-place", word=word)
    return phrase("unexpected-word", word=word)


_MAX_STEPS = 2_000
_LINKS = frozenset({"and", "or", "not"})


def _links(atoms: Sequence[Atom]) -> Iterator[int]:
    return (at for at, atom in enumerate(atoms) if atom.text in _LINKS)


class _ConditionReader:
    """Reader of one condition. Its methods yield all interpretations from a word on."""

    def __init__(self, atoms: Sequence[Atom], board: Map) -> None:
        self._atoms = atoms
        self._words = lexicon(board)
        lattice = Lattice(atoms, self._words, PhaseKind.MOVEMENT)
        self.is_mended = bool(set(lattice.unknown()) - {*_links(atoms)})
        repair_places(lattice, self._words)
        self._edges = lattice.edges
        self._steps = 0
        self.furthest = 0
        self.wants_place = False

    def whole(self) -> Iterator[Test]:
        """Yield the interpretations of the whole line."""
        for test, end in self._read_conjunction(0):
            if end == len(self._atoms):
                yield test

    def _read_conjunction(self, at: int) -> Iterator[tuple[Test, int]]:
        for test, end in self._single(at):
            yield from self._more(test, end)

    def _more(self, left: Test, at: int) -> Iterator[tuple[Test, int]]:
        yield left, at
        word = self._word(at, wants_place=False)
        if word in ("and", "&", "or", "|"):
            for right, end in self._single(at + 1):
                both = Both(left, right) if word in ("and", "&") else Either(left, right)
                yield from self._more(both, end)

    def _single(self, at: int) -> Iterator[tuple[Test, int]]:
        self._steps += 1
        if self._steps > _MAX_STEPS:
            return
        word = self._word(at, wants_place=True)
        if word == "not":
            for test, end in self._single(at + 1):
                yield Not(test), end
        elif word == "(":
            for test, end in self._read_conjunction(at + 1):
                if self._word(end, wants_place=False) == ")":
                    yield test, end + 1
        elif word:
            yield from self._unit(at)

    def _unit(self, at: int) -> Iterator[tuple[Test, int]]:
        for power, after in ((None, at), *self._of("POWER", at)):
            kinds = [*self._of("ARMY", after), *self._of("FLEET", after)]
            for kind, start in ((None, after), *kinds):
                for place, end in self._of("PLACE", start):
                    yield from self._stands(power, kind, place, end)

    def _stands(
        self, power: Edge | None, kind: Edge | None, place: Edge, at: int
    ) -> Iterator[tuple[Test, int]]:
        whose = power.meaning if power else ""
        what = kind and (UnitKind.ARMY if kind.kind == "ARMY" else UnitKind.FLEET)
        coasts = list(self._of("COAST", at))
        for coast, end in coasts:
            named = self._words.coast_places.get((place.meaning, coast.meaning), place.meaning)
            yield UnitAt(named, what, whose), end
        if not coasts:
            yield UnitAt(place.meaning, what, whose), at

    def _of(self, kind: str, at: int) -> list[tuple[Edge, int]]:
        """Return the words of a class that begin at an atom, or after meaningless words."""
        self._word(at, wants_place=kind != "COAST")
        if at >= len(self._atoms):
            return []
        found = [(edge, edge.end) for edge in self._edges[at] if edge.kind == kind]
        if not found:
            for edge in self._edges[at]:
                if not edge.kind and self._atoms[at].text.isalpha():
                    found += self._of(kind, edge.end)
        return [(edge, end) for edge, end in found if not edge.vague]

    def _word(self, at: int, *, wants_place: bool) -> str:
        if at > self.furthest or (at == self.furthest and wants_place):
            self.furthest, self.wants_place = at, wants_place
        return self._atoms[at].text if at < len(self._atoms) else ""
