"""Conditions of orders for later phases: whether units stand somewhere when the phase begins.

`[NOT] [power] [type] province`, joined by AND and OR from left to right as nJudge does, with
brackets. A word may be more than one thing ("and" is the Andaman Sea too, "eng" a sea and a
power): whatever makes a whole condition of the line is tried.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from judge.board.map import Map, UnitKind, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.games.diplomacy.ahead import mend
from judge.games.diplomacy.cleaning import LONGEST, clean
from judge.games.diplomacy.lattice import MOST_ATOMS, Atom, Edge, Lattice, atoms_of
from judge.games.diplomacy.lexicon import lexicon
from judge.words.reason import Reason, because


class Stands(NamedTuple):
    """A unit stands there: anybody's or a power's, of any kind or of one."""

    place: str
    kind: UnitKind | None = None
    power: str = ""


class Not(NamedTuple):
    """Something is not so."""

    test: "Test"


class Both(NamedTuple):
    """Two things are so."""

    first: "Test"
    second: "Test"


class Either(NamedTuple):
    """One of two things is so, or both."""

    first: "Test"
    second: "Test"


Test = Stands | Not | Both | Either


def text_of(test: Test) -> str:
    """Return the canonical text of a condition; brackets stand where reading needs them.

    >>> gas, par = Stands("Gas", UnitKind.ARMY, "France"), Stands("Par")
    >>> text_of(Both(gas, Not(Either(par, Stands("StP/nc", UnitKind.FLEET)))))
    'France A GAS AND NOT (PAR OR F STP/NC)'
    """
    match test:
        case Stands(place, kind, power):
            return " ".join(filter(None, (power, kind.value if kind else "", place.upper())))
        case Not(inner):
            return f"NOT {_bracketed(inner)}"
        case Both(first, second):
            left = _bracketed(first) if isinstance(first, Either) else text_of(first)
            return f"{left} AND {_bracketed(second)}"
        case Either(first, second):
            left = _bracketed(first) if isinstance(first, Both) else text_of(first)
            return f"{left} OR {_bracketed(second)}"
        case _:
            assert_never(test)


def _bracketed(test: Test) -> str:
    text = text_of(test)
    return f"({text})" if isinstance(test, Both | Either) else text


def holds(test: Test, position: Position) -> bool:
    """Tell whether a condition is true; units that must retreat stand nowhere."""
    match test:
        case Stands(place, kind, power):
            found = position.unit_at(province_of(place))
            if found is None or (power and found[0] != power):
                return False
            unit = found[1]
            return kind in (None, unit.kind) and ("/" not in place or unit.place == place)
        case Not(inner):
            return not holds(inner, position)
        case Both(first, second):
            return holds(first, position) and holds(second, position)
        case Either(first, second):
            return holds(first, position) or holds(second, position)
        case _:
            assert_never(test)


class Meant(NamedTuple):
    """A condition as it was understood; `is_mended`: a word in it was misspelt."""

    test: Test
    is_mended: bool = False


def read_test(text: str, board: Map) -> Meant | Reason:
    """Read a condition, or say what is wrong with it."""
    typed = clean(text)
    atoms = atoms_of(typed)
    if not atoms:
        return because("condition-missing")
    if len(atoms) > MOST_ATOMS or len(typed.text) > LONGEST:
        return because("condition-too-long")
    reader = _Reader(atoms, board)
    found = dict.fromkeys(reader.whole())
    if len(found) > 1:
        return because("two-meanings", choices=tuple(sorted(map(text_of, found))))
    if found:
        return Meant(next(iter(found)), reader.is_mended)
    if reader.furthest >= len(atoms):
        return because("condition-unfinished")
    word = atoms[reader.furthest].text
    if reader.wants_place and word.isalnum():
        return because("unknown-place", word=word)
    return because("unexpected-word", word=word)


_MOST_STEPS = 2_000
_LINKS = frozenset({"and", "or", "not"})


def _links(atoms: Sequence[Atom]) -> Iterator[int]:
    return (at for at, atom in enumerate(atoms) if atom.text in _LINKS)


class _Reader:
    """Reads the words of one condition; each method yields what may stand from a word on."""

    def __init__(self, atoms: Sequence[Atom], board: Map) -> None:
        self._atoms = atoms
        self._words = lexicon(board)
        lattice = Lattice(atoms, self._words, PhaseKind.MOVEMENT)
        self.is_mended = bool(set(lattice.unknown()) - {*_links(atoms)})
        mend(lattice, self._words)
        self._edges = lattice.edges
        self._steps = 0
        self.furthest = 0
        self.wants_place = False

    def whole(self) -> Iterator[Test]:
        """Yield the conditions that the whole line may be."""
        for test, end in self._joined(0):
            if end == len(self._atoms):
                yield test

    def _joined(self, at: int) -> Iterator[tuple[Test, int]]:
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
        if self._steps > _MOST_STEPS:
            return
        word = self._word(at, wants_place=True)
        if word == "not":
            for test, end in self._single(at + 1):
                yield Not(test), end
        elif word == "(":
            for test, end in self._joined(at + 1):
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
            yield Stands(named, what, whose), end
        if not coasts:
            yield Stands(place.meaning, what, whose), at

    def _of(self, kind: str, at: int) -> list[tuple[Edge, int]]:
        """Return the words of a class that begin at an atom, or behind words that say nothing."""
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
