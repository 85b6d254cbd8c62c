"""A power's plan: what it ordered for one phase still to come, IF blocks and all.

A plan is stored as JSON text: a list of orders ({"at": province, "order": text}) and choices
({"if": condition, "then": […], "else": […]}). Of orders for one unit the last counts, so
whatever is new goes to the end; it replaces an older order for the same unit and an older
choice under the same condition.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.board.map import Map
from judge.board.phase import Phase
from judge.board.position import Position
from judge.games.diplomacy.ahead import read_ahead
from judge.games.diplomacy.conditions import holds, read_test, text_of
from judge.games.diplomacy.rules import Rules
from judge.games.diplomacy.verdicts import KINDS
from judge.games.system import LineRead, PlanRead
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Body, Choice, Line
from judge.words.reason import Reason, because

MOST_ORDERS = 200
"""Orders of one plan; nobody has so many units."""

Entry = Mapping[str, Any]


class Planner:
    """Reads lines for one power and one phase still to come."""

    def __init__(self, board: Map, phase: Phase, power: str, rules: Rules) -> None:
        self._board = board
        self._phase = phase
        self._power = power
        self._rules = rules
        self._told: list[LineRead] = []

    def lay_over(self, body: Body, plan: str) -> PlanRead:
        """Return a plan with new lines and choices in it, and the verdict on each line."""
        entries: list[Entry] = json.loads(plan or "[]")
        for each in body:
            for entry in self._line(each) if isinstance(each, Line) else self._choice(each):
                entries = [old for old in entries if not _is_same(old, entry)]
                if _count([*entries, entry]) > MOST_ORDERS:
                    line = each if isinstance(each, Line) else _head(each)
                    self._refuse(line, because("plan-too-long", limit=MOST_ORDERS))
                    break
                entries.append(entry)
        return PlanRead(json.dumps(entries) if entries else "", tuple(self._told))

    def _line(self, line: Line) -> list[Entry]:
        found = read_ahead(line, self._board, self._phase, self._power, self._rules)
        first = found.complaints[0] if found.complaints else None
        texts = tuple(sketch.text for sketch in found.orders)
        self._told.append(
            LineRead(line, texts, found.notes, first, ignored=not texts and not first)
        )
        self._told += [LineRead(line, complaint=other) for other in found.complaints[1:]]
        return [{"at": sketch.place, "order": sketch.text} for sketch in found.orders]

    def _choice(self, choice: Choice) -> list[Entry]:
        """Read an IF block: all of it counts or, if anything in it is wrong, nothing."""
        before = len(self._told)
        entry = self._entry(choice)
        if entry and not any(told.complaint for told in self._told[before:]):
            if _count([entry]):
                return [entry]
            self._refuse(_head(choice), because("block-empty"))
        else:
            self._refuse(_head(choice), because("block-refused"))
        return []

    def _entry(self, choice: Choice) -> Entry | None:
        found = read_test(choice.test.text, self._board)
        if isinstance(found, Reason):
            self._refuse(_head(choice), found)
        elif found.is_mended:
            note = because("read-as", word=choice.test.text, meaning=text_of(found.test))
            self._told.append(LineRead(choice.test, (text_of(found.test),), (note,)))
        then, otherwise = self._branch(choice.then), self._branch(choice.otherwise)
        if isinstance(found, Reason):
            return None
        return {"if": text_of(found.test), "then": then, "else": otherwise}

    def _branch(self, body: Body) -> list[Entry]:
        entries: list[Entry] = []
        for each in body:
            if isinstance(each, Line):
                entries += self._line(each)
            else:
                entry = self._entry(each)
                entries += [entry] if entry else []
        return entries

    def _refuse(self, line: Line, fault: Reason) -> None:
        kind = KINDS.get(fault.code, ComplaintKind.UNREADABLE)
        choices = fault.facts.get("choices", ())
        suggestions = tuple(f"IF {c} THEN" for c in choices) if isinstance(choices, tuple) else ()
        complaint = Complaint(kind, line.number, line.text, fault, suggestions=suggestions)
        self._told.append(LineRead(line, complaint=complaint))


def _head(choice: Choice) -> Line:
    """Return the line that opens a choice, for a complaint about it."""
    return choice.test._replace(text=f"IF {choice.test.text}")


def _is_same(old: Entry, new: Entry) -> bool:
    """Tell whether a new entry takes the place of an old one."""
    if "if" in new:
        return bool(old.get("if") == new["if"])
    return bool(new["at"]) and bool(old.get("at") == new["at"])


def _count(entries: Sequence[Entry]) -> int:
    """Return how many orders stand among entries, those of choices too."""
    return sum(
        _count(entry["then"]) + _count(entry["else"]) if "if" in entry else 1 for entry in entries
    )


def plan_lines(plan: str) -> tuple[str, ...]:
    """Return a plan as lines that could be sent again.

    >>> then, other = {"at": "Par", "order": "A PAR H"}, {"at": "Par", "order": "A PAR - BUR"}
    >>> plan_lines(json.dumps([{"if": "A BUR", "then": [then], "else": [other]}]))
    ('IF A BUR THEN', '  A PAR H', 'ELSE', '  A PAR - BUR', 'ENDIF')
    """
    return tuple(_lines(json.loads(plan or "[]"), ""))


def _lines(entries: Sequence[Entry], indent: str) -> Iterator[str]:
    for entry in entries:
        if "order" in entry:
            yield indent + entry["order"]
            continue
        word, here = "IF", entry
        while True:
            yield f"{indent}{word} {here['if']} THEN"
            yield from _lines(here["then"], indent + "  ")
            rest = here["else"]
            if len(rest) != 1 or "if" not in rest[0]:
                break
            word, here = "ELSE IF", rest[0]
        if rest:
            yield f"{indent}ELSE"
            yield from _lines(rest, indent + "  ")
        yield f"{indent}ENDIF"


def orders_now(plan: str, board: Map, position: Position) -> tuple[Line, ...]:
    """Return the lines of a plan that count now that its phase has begun."""
    texts = _chosen(json.loads(plan or "[]"), board, position)
    return tuple(Line(number, text) for number, text in enumerate(texts, 1))


def _chosen(entries: Sequence[Entry], board: Map, position: Position) -> Iterator[str]:
    for entry in entries:
        if "order" in entry:
            yield entry["order"]
            continue
        meant = read_test(entry["if"], board)
        is_so = not isinstance(meant, Reason) and holds(meant.test, position)
        yield from _chosen(entry["then" if is_so else "else"], board, position)
