"""Order lines as players write them, parsed into orders and verdicts.

There are three passes, and the first one with a result is the last: exact listed spellings, then
misspelt words repaired where one meaning is clear, then guesses, which are only asked about. A line
spelled well is never corrected, however impossible its order is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from judge.board.map import Map, province_of
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy.language.cleaning import (
    MAX,
    NormalizedLine,
    comment_of,
    may_go_on,
    normalize_line,
    without_mark,
)
from judge.games.diplomacy.language.grammar import Verb
from judge.games.diplomacy.language.lattice import Atom, Edge, Lattice, LineParses, build_lattice
from judge.games.diplomacy.language.lexicon import MapLexicon, lexicon
from judge.games.diplomacy.language.order_words import order_vocabulary
from judge.games.diplomacy.language.repair import guess, is_prose
from judge.games.diplomacy.language.verdicts import (
    KINDS,
    LineVerdict,
    ask_for_meaning,
    likeliest,
    recheck_arrowless_moves,
    unit_choices,
    verdicts_on,
)
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import Build, Entry, Hold, order_text, unit_of
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.order_likeness import OrderVocabulary
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """Verdict on one line: the orders to file by power, with notes and complaints.

    A line may have several orders, some good and some bad. *ignored*: it was no order at all.
    """

    line: Line
    orders: tuple[tuple[str, Entry], ...] = ()
    notes: tuple[Phrase, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    ignored: bool = False
    refused: tuple[str, ...] = ()
    """Provinces of the units whose orders were refused, as far as the line names them."""
    is_general: bool = False
    """True if it orders every unit of the power: "All hold"."""
    rest: tuple[Entry, ...] = ()
    """Orders that count only for units without an order on file: "The rest hold"."""


def read_lines(
    lines: Sequence[Line],
    board: Map,
    position: Position,
    power: str | None,
    rules: Rules,
    lent: Mapping[str, str] | None = None,
) -> tuple[ParsedLine, ...]:
    """Parse lines as orders of a power, or of the game master without one.

    The master may order every unit. *lent* is as in `OrderContext`.
    """
    context = OrderContext(board, position, power or "", rules, lent or {})
    seen: list[ParsedLine] = []
    for line in lines:
        read = LineReader(line, context).read()
        pieces = [*_before(seen, read), read]
        for start in range(len(pieces) - 1):
            whole = _join_lines(pieces[start:], context)
            if whole:
                del seen[len(seen) + 1 + start - len(pieces) :]
                read = whole
                break
        seen.append(read)
    return tuple(_without_general(seen))


def _without_general(seen: Sequence[ParsedLine]) -> Iterator[ParsedLine]:
    """Yield lines. "All hold" leaves out the units that other lines order."""
    named = {
        unit.province for one in seen if not one.is_general
        for _, order in one.orders if (unit := unit_of(order))
    }
    for one in seen:
        if one.is_general:
            rest = [
                (power, order) for power, order in one.orders
                if (unit := unit_of(order)) and unit.province not in named
            ]
            one = replace(one, orders=tuple(rest))
        yield one


def _before(seen: Sequence[ParsedLine], read: ParsedLine) -> Sequence[ParsedLine]:
    """Return the last lines that may continue with the next one after a line break."""
    many = 0
    for before in reversed(seen[1 - _PIECES :]):
        if not _goes_on(before, read):
            break
        many, read = many + 1, before
    return seen[len(seen) - many :]


def _goes_on(before: ParsedLine, rest: ParsedLine) -> bool:
    """Return whether a line may be the rest of the one before it.

    It has no orders, or there is a complaint about one of the two ("... comma army", "Delhi hold").
    """
    if rest.orders and not (before.complaints or rest.complaints):
        return False
    is_short = any(complaint.reason.code == "incomplete" for complaint in before.complaints)
    return may_go_on(before.line, rest.line, is_short=is_short)


def _join_lines(pieces: Sequence[ParsedLine], context: OrderContext) -> ParsedLine | None:
    """Return lines parsed as one, or None if that is no improvement.

    The whole must have no complaints, give other orders than the lines before the last, and all
    orders of the last line and more.
    """
    first, *rest = (piece.line for piece in pieces)
    text = " ".join([first.text.rstrip(), *(line.text.strip() for line in rest)])
    whole = LineReader(Line(first.number, text), context).read()
    known = tuple(order for piece in pieces[:-1] for order in piece.orders)
    if whole.complaints or whole.orders == known:
        return None
    return whole if set(whole.orders) > set(pieces[-1].orders) else None


def read_exact(
    text: str,
    board: Map,
    position: Position,
    power: str,
    rules: Rules,
    lent: Mapping[str, str] | None = None,
) -> Entry | Complaint:
    """Parse one order exactly: listed spellings only, whether or not it is possible.

    An order that the rules forbid is returned as an order. An unreadable one, one that leaves
    something open, or one for a unit of another power is returned as a complaint.
    """
    line = Line(1, text)
    context = OrderContext(board, position, power, rules, lent or {})
    reader = LineReader(line, context)
    typed = normalize_line(text)
    known = build_lattice(typed, reader.words, context.kind)
    if known is None:
        return reader.complaint(phrase("not-an-order"), typed)
    readings = known[1]
    single = [reading for reading in readings.found if len(reading.shapes) == 1]
    if not single:
        complaint = reader.unreadable(typed, known[0], readings)
        if complaint.reason.code == "unknown-word":
            # Programs know this code.
            return replace(complaint, reason=Phrase("unknown-place", complaint.reason.facts))
        return complaint
    verdicts = verdicts_on(single, context, reader.words, as_typed=True)
    legal = likeliest(verdicts)
    if len(legal) > 1:
        return reader.complaint(ask_for_meaning(legal), typed, tuple(v.texts for v in legal))
    meaning = (legal or verdicts)[0].meanings[0]
    fault = meaning.fault
    if meaning.order is not None and (not fault or fault.code not in _NEVER_FILED):
        return meaning.order
    assert fault
    return reader.complaint(fault, typed)


_PIECES = 3
"""Number of lines that may have been one before a mail program broke it."""

_SHORT = 12
"""Words of a line so short that a repair may show that it is an order ("A ParBur")."""

_LEFT_OPEN = re.compile(r"\s*[AFaf]\s[\w/]{2,12}\s?(?:\.\.\.|…)\s*")
"""Unit of a letter that a link of the judge opens, to which nothing was added."""

_IF = (
    r"(?:if|when|as long as|in case|unless|(?:or )?else|otherwise|supported by|"
    r"provided|wenn|falls|sonst|außer|ausser|"
    r"unterstützt von)\b(?!\s(?:possible|necessary|you please|i may|möglich|nötig))"
)
CONDITION = re.compile(rf"[(\[][^()\[\]]*\b{_IF}[^()\[\]]*[)\]]?|(?:^|(?<=,)|(?<=, )){_IF}[^,;]*")
"""Condition in brackets or between commas. An order with one is never filed without it."""

_BRACKET = re.compile(r"(?<!\b[af])(?<!\b[af] )(?<!army )(?<!fleet )\(([^()]*)\)")
"""Text in brackets, except the place of a unit: "F (Edi) - Nth"."""
_IN_ORDERS = re.compile(
    r"\s*(?:(?:[nsew]|north|south|east|west)(?:ern)?[\s.]*(?:c|coast)?\.?|"
    r"\w+kue?ste|(?:via|by)\b.*)\s*"
)
"""Text that has a meaning in brackets: a coast, and the route of a convoy."""

_MAX_COURTESY_WORDS = 2
_MAX_SLIPPED_WORDS = 7
"""Words of a line that may be an order although most of them are unknown."""

_SLIPS = frozenset({"unknown-place", "unknown-word", "missing-source", "unexpected-word"})
_ARROWS = frozenset({"-", "->"})

_EXAMPLES = {
    PhaseKind.MOVEMENT: "A Par - Bur",
    PhaseKind.RETREAT: "A Par R Bur",
    PhaseKind.ADJUSTMENT: "BUILD A Par",
}
"""Example of an order for each kind of phase, shown if none could be read."""

_ROWS = re.compile(r"(?:(?!\s[0-9]{1,2}[.)]\s|[.!]\s).)+")
"""Orders of a line with list numbers or full stops between them."""

_NEVER_FILED = frozenset(
    code for code, kind in KINDS.items() if kind is not ComplaintKind.ILLEGAL
) - {"which-coast"}


class _Part:
    __slots__ = ("orders", "notes", "complaints", "refused", "is_exact", "is_general", "rest")

    def __init__(self) -> None:
        self.orders: list[tuple[str, Entry]] = []
        self.notes: list[Phrase] = []
        self.complaints: list[Complaint] = []
        self.refused: list[str] = []
        self.is_exact = False
        self.is_general = False
        self.rest: list[Entry] = []

    def add(self, other: "_Part") -> None:
        self.orders += other.orders
        self.notes += other.notes
        self.complaints += other.complaints
        self.refused += other.refused
        self.is_general = self.is_general or other.is_general
        self.rest += other.rest


class LineReader:
    """Reader of one line. Other modules use it to word complaints."""

    def __init__(self, line: Line, context: OrderContext) -> None:
        self._line = line
        self._context = context
        self.words: MapLexicon = lexicon(context.board)

    def read(self) -> ParsedLine:
        """Return the verdict on the line."""
        if self._line.text.lstrip().startswith(">") or _LEFT_OPEN.fullmatch(self._line.text):
            return ParsedLine(self._line, ignored=True)
        whole = _Part()
        for piece in pieces_of(self._line.text, order_vocabulary(self._context.board)):
            whole.add(self._whole(piece))
        if whole.orders:
            whole.notes += self._commented_out()
        return ParsedLine(
            self._line,
            tuple(whole.orders),
            tuple(whole.notes),
            tuple(whole.complaints),
            not whole.orders and not whole.complaints,
            tuple(whole.refused),
            whole.is_general,
            tuple(whole.rest),
        )

    def _commented_out(self) -> Iterator[Phrase]:
        """Yield a note on an ignored order behind the comment sign."""
        sign, typed = comment_of(self._line.text)
        if sign == "#" and order_vocabulary(self._context.board).is_order_like(typed.text):
            words = self._get_typed_text(typed, 0, len(typed.text))
            yield phrase("words-ignored", words=f'"{words}"')

    def _whole(self, typed: NormalizedLine) -> _Part:
        """Parse the text between semicolons. Text that is like an order is never ignored."""
        if part := self._refuse_condition(typed) or self._piece(typed):
            part.notes += self._asides(typed) if part.orders else []
            return _Part() if self.is_talk(part.complaints, typed) and not part.orders else part
        rows = [typed.cut(*found.span()) for found in _ROWS.finditer(typed.text)]
        if len(rows) > 1 and any(self._is_exact(row) for row in rows):
            return self._pieces(rows) or _Part()
        return self._unread(typed)

    def _asides(self, typed: NormalizedLine) -> list[Phrase]:
        """Return notes on text in brackets that was ignored.

        Coasts and routes have a meaning there and are not ignored.
        """
        return [
            phrase("words-ignored", words=self._get_typed_text(typed, *found.span()))
            for found in _BRACKET.finditer(typed.text)
            if not _IN_ORDERS.fullmatch(found[1])
        ]

    def _get_typed_text(self, typed: NormalizedLine, start: int, end: int) -> str:
        return self._line.text[typed.columns[start] : typed.columns[end - 1] + 1]

    def is_talk(self, complaints: Sequence[Complaint], typed: NormalizedLine) -> bool:
        """Return whether all complaints may be slips of words in text that is talk."""
        if any(each.reason.code not in _SLIPS for each in complaints):
            return False
        return order_vocabulary(self._context.board).is_talk(typed.text)

    def _refuse_condition(self, typed: NormalizedLine) -> _Part | None:
        """Refuse an order with a condition in brackets. Return None without one."""
        if not CONDITION.search(typed.text):
            return None
        plain = self._piece(typed, may_guess=False) or _Part()
        orders = [order for _, order in plain.orders]
        units = [unit for unit in map(unit_of, orders) if unit]
        lines: tuple[str, ...] = ()
        if units:
            block = f"IF {units[0]} THEN {order_text(orders[0])} ENDIF"
            lines = (f"PHASE {self._context.position.phase}", block)
        refused = self.condition(typed, lines)
        if refused is None or not (orders or self.order_like(typed)):
            return None
        part = _Part()
        part.complaints.append(refused)
        part.refused += [unit.province for unit in units]
        return part

    def condition(self, typed: NormalizedLine, lines: tuple[str, ...] = ()) -> Complaint | None:
        """Return why a line with a condition in brackets is refused, or None without one.

        *lines* are the suggestions.
        """
        found = CONDITION.search(typed.text)
        if found is None:
            return None
        reason = phrase("condition-in-brackets", words=self._get_typed_text(typed, *found.span()))
        complaint = self.complaint(reason, typed, lines)
        return replace(complaint, column=typed.columns[found.start()])

    def order_like(self, typed: NormalizedLine) -> tuple[Complaint, ...]:
        """Return a complaint about unread words, or nothing if they are talk."""
        vocabulary = order_vocabulary(self._context.board)
        if not typed.text or not vocabulary.is_order_like(typed.text):
            return ()
        words = self._get_typed_text(typed, 0, len(typed.text))
        example = _EXAMPLES[self._context.kind]
        return (self.complaint(phrase("part-unread", words=words, example=example), typed),)

    def _piece(self, typed: NormalizedLine, *, may_guess: bool = True) -> _Part | None:
        """Parse the text between semicolons. Return None if it is no order at all."""
        pieces = list(split(typed, ",")) if "," in typed.text else []
        known = build_lattice(typed, self.words, self._context.kind)
        if known is None or len(typed.text) > MAX:
            return self._pieces(pieces) if len(pieces) > 1 else None
        lattice, readings = known
        atoms = lattice.atoms
        verdicts = verdicts_on(readings.found, self._context, self.words)
        legal = likeliest(verdicts)
        if legal and readings.too_many or len(legal) > 1:
            return _about(lattice, self._ask_for_meaning([] if readings.too_many else legal, typed))
        if verdicts:
            typed_words = [atom.text for atom in atoms]
            verdict = recheck_arrowless_moves(
                (legal or verdicts)[0], typed_words, self._context, self.words
            )
            return self._file_verdict(verdict, typed, atoms)
        if len(pieces) > 1 and any(self._is_exact(piece) for piece in pieces):
            return self._pieces(pieces)
        prose = is_prose(lattice, self._context.power)
        found = None
        if may_guess and (not prose or len(atoms) <= _SHORT):
            lattice = lattice.copy()
            found = guess(lattice, self._context, self.words)
        if prose and (found is None or found.is_far and self._is_sentence(typed)):
            return None
        if found is None:
            part = _Part()
            part.complaints.append(self.unreadable(typed, known[0], readings))
            return _about(lattice, part)
        if found.verdict:
            return self._file_verdict(found.verdict, typed, atoms)
        return _about(lattice, self._ask_for_meaning(found.choices, typed))

    def _is_sentence(self, typed: NormalizedLine) -> bool:
        """Return whether words are rather talk or a name than an order with slips."""
        many = len(typed.text.split())
        is_talk = order_vocabulary(self._context.board).is_talk
        return not 1 < many <= _MAX_SLIPPED_WORDS or is_talk(typed.text)

    def _is_exact(self, typed: NormalizedLine) -> bool:
        """Return whether a piece can be parsed and filed without repair."""
        known = build_lattice(typed, self.words, self._context.kind)
        if known is None:
            return False
        return bool(likeliest(verdicts_on(known[1].found, self._context, self.words)))

    def _pieces(self, pieces: Sequence[NormalizedLine]) -> _Part | None:
        """Parse text between commas. Pieces are repaired only next to an exact one."""
        may_guess = any(self._is_exact(piece) for piece in pieces)
        found = [self._piece(piece, may_guess=may_guess) for piece in pieces]
        whole = _Part()
        for typed, part in zip(pieces, found, strict=True):
            whole.add(part or self._beside(typed))
        return whole if any(found) else None

    def _beside(self, typed: NormalizedLine) -> _Part:
        """Refuse words next to orders, or note them as ignored if they are no courtesy."""
        part = self._unread(typed)
        if not part.complaints and len(typed.text.split()) > _MAX_COURTESY_WORDS:
            words = self._get_typed_text(typed, 0, len(typed.text))
            part.notes.append(phrase("words-ignored", words=f'"{words}"'))
        return part

    def _unread(self, typed: NormalizedLine) -> _Part:
        part = _Part()
        part.complaints += self.order_like(typed)
        return part

    def _ask_for_meaning(self, choices: Sequence[LineVerdict], typed: NormalizedLine) -> _Part:
        part = _Part()
        texts = tuple(sorted(
            verdict.texts for verdict in choices if not _is_twice_the_same(verdict.texts)
        ))
        fault = phrase("two-meanings" if len(texts) > 1 else "did-you-mean", choices=texts)
        if not texts:
            fault = phrase("too-many-meanings")
        part.complaints.append(self.complaint(fault, typed, texts))
        return part

    def _file_verdict(
        self, verdict: LineVerdict, typed: NormalizedLine, atoms: Sequence[Atom]
    ) -> _Part | None:
        if _is_bare_name(verdict, atoms):
            return None
        part = _Part()
        part.orders += verdict.filed
        part.is_general = all(meaning.general for meaning in verdict.meanings)
        part.rest += [m.order for m in verdict.meanings if m.general is Verb.HOLD_REST and m.order]
        part.notes += self.repairs(verdict, typed, atoms)
        for meaning in verdict.meanings:
            if not meaning.fault:
                part.notes += meaning.notes
                continue
            fault = meaning.fault
            part.refused += [unit.province] if (unit := unit_of(meaning.order)) else []
            if fault.code == "incomplete" and atoms[0].text in ("-", "->"):
                fault = phrase("missing-source")
            choices = tuple(sorted(map(order_text, meaning.choices)))
            if fault.code == "incomplete" and isinstance(meaning.order, Hold):
                choices = unit_choices(meaning.order.unit, meaning.power, self._context)
            at = _find_blamed_word(verdict, fault, atoms)
            part.complaints.append(self.complaint(fault, typed, choices, at))
        return part

    def repairs(
        self, verdict: LineVerdict, typed: NormalizedLine, atoms: Sequence[Atom]
    ) -> Iterator[Phrase]:
        """Yield notes on the words that were taken for others."""
        edges = verdict.reading.edges
        for number, edge in enumerate(edges):
            if not (edge.vague or edge.cost):
                continue
            meant, end = [self._describe_edge(edge)], edge.end
            while end > len(atoms):  # The word was cut, and all its parts are meant.
                number += 1
                meant.append(self._describe_edge(edges[number]))
                end = edges[number].end
            left, right = atoms[edge.start].start, atoms[end - 1].end - 1
            word = self._line.text[typed.columns[left] : typed.columns[right] + 1]
            yield phrase("read-as", word=word, meaning=" ".join(meant))

    def _describe_edge(self, edge: Edge) -> str:
        if edge.kind == "PLACE":
            return self._context.board.place_name(edge.meaning)
        return edge.kind.lower().strip("_")

    def unreadable(
        self, typed: NormalizedLine, lattice: Lattice, readings: LineParses
    ) -> Complaint:
        """Return why no path leads through a line, with the furthest word."""
        atoms, furthest = lattice.atoms, readings.furthest
        expected = readings.expected
        if furthest >= len(atoms):
            return self.complaint(phrase("incomplete", unit=""), typed)
        stuck = atoms[furthest]
        if stuck.text in _ARROWS and "PLACE" in expected:
            return self.complaint(phrase("missing-source"), typed, at=stuck)
        if stuck.text == "/":
            word = " ".join(atom.text for atom in atoms[furthest + 1 :][:1])
            return self.complaint(phrase("unknown-coast", word=word), typed, at=stuck)
        word = self._get_typed_text(typed, stuck.start, stuck.end)
        code = "unexpected-word"
        if "PLACE" in expected and stuck.text.isalnum() and self._is_unknown(lattice, furthest):
            after = atoms[furthest + 1].text if furthest + 1 < len(atoms) else ""
            is_led = furthest and any(
                e.kind == "_MOVE" for e in lattice.find_spellings(furthest - 1)
            )
            is_place = is_led or after in _ARROWS or furthest and "SUPPORT" not in expected
            code = "unknown-place" if is_place else "unknown-word"
        return self.complaint(phrase(code, word=word), typed, at=stuck)

    def _is_unknown(self, lattice: Lattice, at: int) -> bool:
        """Return whether a word is neither an order word nor an ordinary word."""
        if any(lattice.find_spellings(at)):
            return False
        return order_vocabulary(self._context.board).is_unknown(lattice.atoms[at].text)

    def complaint(
        self,
        fault: Phrase,
        typed: NormalizedLine,
        suggestions: tuple[str, ...] = (),
        at: Atom | None = None,
    ) -> Complaint:
        """Return a complaint about this line that points at a word as typed."""
        return Complaint(
            KINDS.get(fault.code, ComplaintKind.ILLEGAL),
            self._line.number,
            self._line.text,
            fault,
            typed.columns[at.start] if at else None,
            suggestions,
        )


def _is_twice_the_same(texts: str) -> bool:
    orders = texts.split("; ")
    return len({*orders}) < len(orders)


def pieces_of(text: str, vocabulary: OrderVocabulary) -> Iterator[NormalizedLine]:
    """Yield the pieces of a line between semicolons, without list marks.

    Text behind "//" is a piece if it is like an order, and else a comment.
    """
    sign, comment = comment_of(text)
    behind = [comment] if sign == "//" and vocabulary.is_order_like(comment.text) else []
    for part in (normalize_line(text), *behind):
        for piece in split(part, ";"):
            yield without_mark(piece)


def split(typed: NormalizedLine, sign: str) -> Iterator[NormalizedLine]:
    """Yield the parts of a line between signs, stripped and without empty parts."""
    if sign not in typed.text and typed.text.strip() == typed.text != "":
        yield typed
        return
    start = 0
    for part in typed.text.split(sign):
        if part.strip():
            left = start + len(part) - len(part.lstrip())
            yield typed.cut(left, start + len(part.rstrip()))
        start += len(part) + 1


def _about(lattice: Lattice, part: _Part) -> _Part:
    """Record the unit of a refused part: an order begins with the place of its unit."""
    places = [
        edge.meaning for edges in lattice.edges[:4] for edge in edges
        if edge.kind == "PLACE" and not edge.cost
    ]
    part.refused += places[:1]
    return part


def _is_bare_name(verdict: LineVerdict, atoms: Sequence[Atom]) -> bool:
    """Return whether a line only names places, which is prose."""
    for meaning in verdict.meanings:
        is_build = isinstance(meaning.order, Build)
        if not is_build and (meaning.fault is None or meaning.fault.code != "incomplete"):
            return False
    kinds = {edge.kind for edge in verdict.reading.edges}
    return kinds <= {"PLACE", "COAST", "POWER", "_COLON", "_SEP"} and atoms[0].text not in "->"


def _find_blamed_word(verdict: LineVerdict, fault: Phrase, atoms: Sequence[Atom]) -> Atom | None:
    """Return the word that names the place of a fault, or None."""
    place = province_of(str(fault.facts.get("place", "")))
    found: Atom | None = None
    start = 0
    for edge in verdict.reading.edges:
        # The parts of a cut word start inside it.
        start = edge.start if edge.start < len(atoms) else start
        if edge.kind == "PLACE" and edge.meaning == place:
            found = atoms[start]
    return found
