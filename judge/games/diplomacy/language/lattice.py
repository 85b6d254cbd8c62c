"""Order line as a lattice: the possible meanings of each word, and all paths."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from judge.board.position import PhaseKind
from judge.games.diplomacy.language.cleaning import MAX, NormalizedLine
from judge.games.diplomacy.language.grammar import OrderShape, ParseState, first_state, states_met
from judge.games.diplomacy.language.lexicon import Branch, MapLexicon, Sense

MAX_ATOMS = 40
"""Words and signs of one order that are read."""

_KNOWN = 1_024
"""Number of cached lines, about 4 kB each, because many players send the same orders."""
_MAX_STEPS = 4_000
_MAX_READINGS = 64
_MAX_NEW_STATES = 500
"""Limit of new grammar states that one line may add."""

_ATOM = re.compile(r"([^\W_]+)(?:'s(?![^\W_]))?|-+>+|=+>+|>+|-+|[^\s_]")
_JOINERS = frozenset({"-", ".", "'"})
_TYPES = frozenset({"a", "army", "f", "fleet"})
_COASTS = frozenset({"nc", "sc", "ec", "wc"})


class Atom(NamedTuple):
    """Word or sign of a clean line and its position. *gap*: a blank is before it."""

    text: str
    start: int
    end: int
    gap: bool


class Edge(NamedTuple):
    """Some atoms taken as one thing. An empty *kind* means nothing and is skipped."""

    kind: str
    meaning: str
    start: int
    end: int
    vague: bool = False
    cost: float = 0.0
    """Cost of the repair behind this interpretation, or 0."""
    is_sure: bool = True
    """True if the interpretation may be filed. Otherwise the player is only asked about it."""


class LineParse(NamedTuple):
    """One way to parse a whole line. The numbers in the shapes are indexes of edges."""

    shapes: tuple[OrderShape, ...]
    edges: tuple[Edge, ...]
    cost: float


@dataclass(frozen=True, slots=True)
class LineParses:
    """All parses of a line, and how far parsing came if there are none."""

    found: tuple[LineParse, ...]
    furthest: int
    """Index of the first atom that no path could take."""
    stuck: tuple[ParseState, ...]
    """Grammar states at that atom."""
    too_many: bool
    """True if there may be more parses, which were not searched for."""

    @property
    def expected(self) -> frozenset[str]:
        """The word classes that the grammar accepts at the furthest atom."""
        return frozenset[str]().union(*(state.list_expected() for state in self.stuck))


def atoms_of(line: NormalizedLine) -> tuple[Atom, ...]:
    """Return the words and signs of a clean line.

    All arrows become "->" and all dashes "-".

    >>> [atom.text for atom in atoms_of(NormalizedLine("a par--bur => x, f st.p", ()))]
    ['a', 'par', '-', 'bur', '->', 'x', ',', 'f', 'st', '.', 'p']
    """
    found: list[Atom] = []
    end = 0
    for match in _ATOM.finditer(line.text):
        text = match[1] or match[0]
        if text[0] in "-=>":
            text = "->" if text[-1] == ">" else text[0]
        found.append(Atom(text, match.start(), match.end(), match.start() > end))
        end = match.end()
    return tuple(found)


_GOING_ON = frozenset({"HOLD", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "_MOVE", "VIA"})
_MISSING = Edge("_SEP", "", 0, 0)
_STARTS = frozenset({"ARMY", "FLEET", "POWER"})
_ROUTE_SIGNS = frozenset({",", "/", "&", "and", "und"})


class Lattice:
    """Edges of one line, by the atom they start at.

    Points beyond the last atom are inside words: there, words written together are cut.
    """

    def __init__(
        self, atoms: Sequence[Atom], words: MapLexicon, phase: PhaseKind,
        edges: Sequence[Sequence[Edge]] = (),
    ) -> None:
        self.atoms = atoms
        self.words = words
        self._phase = phase
        self.edges: list[list[Edge]] = [[*each] for each in edges]
        if not edges:
            self.edges = [[*self._edges_at(at)] for at in range(len(atoms))] + [[]]

    def copy(self) -> "Lattice":
        """Return a copy to which edges may be added."""
        return Lattice(self.atoms, self.words, self._phase, self.edges)

    def add(self, parts: Sequence[tuple[str, str]], start: int, end: int, cost: float) -> None:
        """Add edges that read the word between two points as several words together."""
        here = start
        for number, (kind, meaning) in enumerate(parts, 1):
            there = end if number == len(parts) else len(self.edges)
            self.edges[here].append(Edge(kind, meaning, here, there, cost=cost))
            if number < len(parts):
                self.edges.append([])
            here, cost = there, 0.0

    def unknown(self) -> list[int]:
        """Return the indexes of words that no spelling explains."""
        known = {at for edges in self.edges for e in edges for at in range(e.start, e.end)}
        return [n for n, a in enumerate(self.atoms) if n not in known and a.text.isalnum()]

    def readings(self, dearest: float = 0.0, *, unparted: bool = False) -> LineParses:
        """Return all paths that the grammar accepts and that cost at most *dearest*.

        With *unparted*, orders may follow each other without a separator. The search is depth first
        and always in the same order, so that the same line always has the same parses.
        """
        found: list[LineParse] = []
        length = len(self.atoms)
        stack: list[tuple[int, ParseState, float, _Path]] = [(0, first_state(), 0.0, None)]
        steps, furthest, stuck = 0, 0, list[ParseState]()
        most_states = states_met() + _MAX_NEW_STATES
        while stack and steps < _MAX_STEPS and len(found) < _MAX_READINGS:
            if states_met() > most_states:
                break
            steps += 1
            at, state, cost, path = stack.pop()
            if at > furthest:
                furthest, stuck = at, []
            if at == furthest:
                stuck.append(state)
            if at == length:
                if state.ending:
                    found.append(LineParse(state.ending, _unroll_path(path), cost))
                continue
            for edge in self.edges[at]:
                if cost + edge.cost > dearest:
                    continue
                after = state.follow(edge.kind) if edge.kind else state
                rest = (edge, path) if edge.kind else path
                if after is None and unparted and edge.kind in _STARTS:
                    parted = state.follow("_SEP")
                    after = parted and parted.follow(edge.kind)
                    rest = (edge, (_MISSING, path))
                if after:
                    stack.append((edge.end, after, cost + edge.cost, rest))
        return LineParses(tuple(found), furthest, tuple(stuck), bool(stack))

    def _edges_at(self, at: int) -> Iterator[Edge]:
        text = self.atoms[at].text
        yield from self.find_spellings(at)
        if text.isalnum():
            if text in self.words.letters and (self._text(at + 1) == ":" or self._is_proxied(at)):
                yield Edge("POWER", self.words.letters[text], at, at + 1)
        elif text in "(/-" and not self._is_around_place(at):
            yield from self._coast_edges(at)
        if text in "()" and self._is_around_place(self._opening(at)):
            yield Edge("", "", at, at + 1)
        if text in _ROUTE_SIGNS and self._is_in_route(at):
            yield Edge("", "", at, at + 1)
        if at == 0 and text in ("-", "+"):
            yield Edge("", "", at, at + 1)
            if self._phase is PhaseKind.ADJUSTMENT:
                yield Edge("DISBAND" if text == "-" else "BUILD", "", at, at + 1)

    def _opening(self, at: int) -> int:
        """Return the index of the bracket that opens before a sign, or the sign itself."""
        before = (n for n in range(at, -1, -1) if self.atoms[n].text == "(")
        return next(before, at)

    def _is_around_place(self, at: int) -> bool:
        """Return whether a bracket has only a unit's place in it: "F (Edi) - Nth"."""
        if self.atoms[at].text != "(" or not 0 < at < len(self.atoms) - 1:
            return False
        if self.atoms[at - 1].text not in _TYPES:
            return False
        return any(
            sense.kind == "PLACE" and self._text(end) == ")"
            for end, sense, _ in self._matches(at + 1, self.words.root)
        )

    def _is_in_route(self, at: int) -> bool:
        """Return whether a sign or word may join two places of a convoy route."""
        if not any(atom.text in ("via", "by", "through") for atom in self.atoms[:at]):
            return False
        return at + 1 < len(self.atoms) and any(
            sense.kind == "PLACE" for _, sense, _ in self._matches(at + 1, self.words.root)
        )

    def _is_proxied(self, at: int) -> bool:
        """Return whether a word names the power that gets a proxy: "proxy e", "p to e"."""
        before = [atom.text for atom in self.atoms[max(at - 2, 0) : at]]
        return before[-1:] in (["p"], ["proxy"]) or before in (["p", "to"], ["proxy", "to"])

    def find_spellings(self, at: int) -> Iterator[Edge]:
        """Yield the edges of listed spellings: the longest, and hyphenated or loose ones."""
        matches = self._matches(at, self.words.root)
        longest = 0
        for end, sense, hyphen in matches:
            if end > longest and not hyphen and not sense.loose:
                longest = end
        for end, sense, hyphen in matches:
            if hyphen or sense.loose or end >= longest:
                if sense.kind == "FILLER":
                    if self.atoms[at].text != "," or self._goes_on(end):
                        yield Edge("", "", at, end)
                elif sense.kind != "_SEP" or self._may_separate(at):
                    yield Edge(sense.kind, sense.meaning, at, end, sense.vague)

    def _goes_on(self, at: int) -> bool:
        """Return whether a comma before *at* has no meaning.

        It has none before a verb ("Brest, HOLD") or at the end.
        """
        if at >= len(self.atoms):
            return True
        return any(sense.kind in _GOING_ON for _, sense, _ in self._matches(at, self.words.root))

    def _may_separate(self, at: int) -> bool:
        """Return whether a separator separates orders here.

        A full stop does so only before a blank and more text, unlike in "St. Petersburg".
        """
        if self.atoms[at].text != ".":
            return True
        return at + 1 < len(self.atoms) and self.atoms[at + 1].gap

    def _matches(self, at: int, root: Branch) -> list[tuple[int, Sense, bool]]:
        """Return the ends of spellings that begin here, with their senses.

        The last item is true if there is a hyphen inside.
        """
        found = []
        branch = root.after.get(self.atoms[at].text)
        end, hyphen = at + 1, False
        while branch:
            for sense in branch.senses:
                found.append((end, sense, hyphen))
            if not branch.after:
                break
            if self._text(end) in _JOINERS:
                hyphen = hyphen or self._text(end) == "-"
                end += 1
            branch = branch.after.get(self._text(end))
            end += 1
        return found

    def _coast_edges(self, at: int) -> Iterator[Edge]:
        """Yield the coast after a slash or hyphen or in brackets. Skip other brackets."""
        sign = self.atoms[at].text
        if sign == "-":
            if self._text(at + 1) in _COASTS and not (self.atoms[at].gap or self.atoms[at + 1].gap):
                yield Edge("COAST", self._text(at + 1), at, at + 2)
            return
        closing = len(self.atoms)
        if sign == "(":
            closing = next((n for n in range(at, closing) if self.atoms[n].text == ")"), closing)
        if at + 1 >= len(self.atoms):
            return
        bracketed = 0
        for root in (self.words.coasts, self.words.root):
            for end, sense, _ in self._matches(at + 1, root):
                end += sign == "(" and self._text(end) == "."
                if sense.kind in ("COAST", "VIA") and (sign == "/" or end == closing):
                    bracketed += 1
                    end = min(end + (sign == "("), len(self.atoms))
                    yield Edge(sense.kind, sense.meaning, at, end)
            if bracketed:
                return
        if sign == "(":
            yield Edge("", "", at, min(closing + 1, len(self.atoms)))

    def _text(self, at: int) -> str:
        return self.atoms[at].text if at < len(self.atoms) else ""


def build_lattice(
    line: NormalizedLine, words: MapLexicon, phase: PhaseKind
) -> tuple[Lattice, LineParses] | None:
    """Return the lattice of a clean line and its exact parses.

    None if it is too long. The lattice is cached for other senders of the same line: it must be
    copied before edges are added.
    """
    read = _known if len(line.text) <= MAX else _known.__wrapped__
    return read(line.text, words, phase)


@lru_cache(maxsize=_KNOWN)
def _known(text: str, words: MapLexicon, phase: PhaseKind) -> tuple[Lattice, LineParses] | None:
    atoms = atoms_of(NormalizedLine(text, ()))
    if len(atoms) > MAX_ATOMS:
        return None
    lattice = Lattice(atoms, words, phase)
    return lattice, lattice.readings()


_Path = tuple[Edge, "_Path"] | None


def _unroll_path(path: "_Path") -> tuple[Edge, ...]:
    edges: list[Edge] = []
    while path:
        edge, path = path
        edges.append(edge)
    return tuple(reversed(edges))
