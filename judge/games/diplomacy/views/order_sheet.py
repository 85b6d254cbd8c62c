"""Sheet of a power: its orders on file, its plans for later phases, and proxies.

A sheet is stored as JSON text: a list of canonical order texts.

A plan is a power's orders for one later phase, including IF blocks. It is stored as JSON text: a
list of orders ({"at": province, "order": text}) and choices
({"if": condition, "then": […], "else": […]}). Of orders for one unit the last counts, so new
entries go to the end. A new entry replaces an older order for the same unit, or an older choice
with the same condition.

A proxy allows another power to order a unit for a phase (nJudge, DPjudge). It is on the sheet of
the unit's owner, and the order on the sheet of the proxy's holder. If the holder gives none, the
owner's own order counts. Each unit's order is adjudicated under its owner, no matter which power
gave it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from judge.board.map import Map
from judge.board.position import Phase, PhaseKind, Position
from judge.games.capabilities import PlanRead
from judge.games.diplomacy.language.future_orders import evaluate, read_ahead, read_test, text_of
from judge.games.diplomacy.language.verdicts import KINDS
from judge.games.diplomacy.language.withdrawing import Withdrawn, read_withdrawn_ahead
from judge.games.diplomacy.language.wording import in_full
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import (
    Build,
    Disband,
    Entry,
    Order,
    Proxy,
    Waive,
    order_text,
    parse_entry,
    unit_of,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.letter_facts import ProxyGrant
from judge.games.system import LineRead
from judge.model.incoming import Body, IfBlock, Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase


@lru_cache(maxsize=256)
def load_sheet(text: str, board: Map) -> tuple[Entry, ...]:
    """Parse the text of `dump_sheet`. An empty text is an empty sheet.

    Cached, because each mail asks for the same few sheets many times.
    """
    return tuple(parse_entry(order, board) for order in json.loads(text or "[]"))


@lru_cache(maxsize=256)
def load_orders(text: str, board: Map) -> tuple[Order, ...]:
    """Parse the orders of a sheet, without its proxies. Cached as `load_sheet` is."""
    return orders_of(load_sheet(text, board))


def dump_sheet(orders: Iterable[Entry]) -> str:
    """Return orders as the text of a sheet."""
    return json.dumps([order_text(order) for order in orders])


class Merged(NamedTuple):
    """Sheet after a new order was added, with notes on the change."""

    orders: tuple[Entry, ...]
    notes: tuple[Phrase, ...] = ()
    surplus: tuple[Entry, ...] = ()
    """Builds or removals dropped because more were given than are due."""


def lay_over(sheet: Sequence[Entry], order: Entry, owed: int | None = None) -> Merged:
    """Return a sheet with an order in place of the one for its unit or build place.

    A proxy replaces only a proxy: the unit's own order stays, in case the other power gives none.
    An order takes back a proxy given before.

    *owed* is the number of builds (above 0) or removals (below 0) of a power in an adjustment
    phase, and None in other phases. The last orders have priority, and the earliest are dropped as
    surplus.
    """
    if isinstance(order, Proxy):
        return _with_proxy(sheet, order)
    place = _place(order)
    kept: list[Entry] = [*sheet] if not place else [
        old for old in sheet if isinstance(old, Waive) or old.unit.province != place
    ]
    ended = [] if len(kept) == len(sheet) else [
        old for old in sheet if isinstance(old, Proxy) and _place(old) == place
    ]
    kept.append(order)
    surplus = 0 if owed is None else len(kept) - abs(owed)
    if owed is None or surplus <= 0:
        notes = tuple(
            phrase("proxy-ended", unit=str(old.unit), power=old.power, order=order_text(order))
            for old in ended
        )
        return Merged(tuple(kept), notes)
    return Merged(tuple(kept[surplus:]), surplus=tuple(kept[:surplus]))


def surplus_phrase(order: Entry, owed: int) -> Phrase:
    """Return why a build or removal was dropped from a sheet of *owed* adjustments."""
    code = "dropped-build" if owed > 0 else "dropped-removal"
    return phrase(code, order=order_text(order), allowed=abs(owed))


def refuse_surplus(reads: Sequence[LineRead], order: Entry, owed: int) -> list[LineRead]:
    """Return verdicts with the line of a surplus *order* refused.

    An equal order (WAIVE) that was on file before has no line.
    """
    text, reason = order_text(order), surplus_phrase(order, owed)
    found = list(reads)
    at = next((at for at, read in enumerate(found) if text in read.filed), None)
    if at is None:
        return found
    read = found[at]
    place = read.filed.index(text)
    complaint = Complaint(ComplaintKind.ILLEGAL, read.line.number, read.line.text, reason)
    filed = read.filed[:place] + read.filed[place + 1 :]
    if read.complaint:
        found[at] = replace(read, filed=filed)
        found.insert(at + 1, LineRead(read.line, complaint=complaint))
    else:
        found[at] = replace(read, filed=filed, complaint=complaint)
    return found


def _with_proxy(sheet: Sequence[Entry], proxy: Proxy) -> Merged:
    """Return a sheet with a proxy added or, if it names no power, taken back."""
    others = [old for old in sheet if not isinstance(old, Proxy) or _place(old) != _place(proxy)]
    if proxy.power:
        note = phrase("proxy-given", power=proxy.power, unit=str(proxy.unit))
        return Merged((*others, proxy), (note,))
    code = "proxy-none" if len(others) == len(sheet) else "proxy-back"
    return Merged(tuple(others), (phrase(code, unit=str(proxy.unit)),))


def without_order(
    sheet: Sequence[Entry], place: str, order: str
) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Return a sheet without the entries for a unit, and these entries.

    Only entries that read as *order* are removed, if it is not empty, and only one waived build.
    """
    found = [
        at for at, old in enumerate(sheet)
        if _place(old) == place and order in ("", order_text(old))
    ]
    taken = found if place else found[-1:]
    kept = (old for at, old in enumerate(sheet) if at not in taken)
    return tuple(kept), tuple(sheet[at] for at in taken)


def withdrawal_fault(sheet: Sequence[Entry], place: str, order: str) -> Phrase:
    """Return why there is no order to take off file: there is another one, or none."""
    others = [order_text(old) for old in sheet if place and _place(old) == place]
    if others:
        return phrase("withdraw-other", order=order, filed=tuple(others))
    return phrase("withdraw-none", order=order or place.upper())


def _place(order: Entry) -> str:
    """Return the province that a later order must name to replace this one.

    Empty for a waived build, which is never replaced.
    """
    return "" if isinstance(order, Waive) else order.unit.province


def kept_orders(
    refused: Mapping[Line, Sequence[str]],
    before: Mapping[str, Sequence[Entry]],
    after: Mapping[str, Sequence[Entry]],
) -> dict[Line, tuple[str, ...]]:
    """Return the orders on file that each refused line would have changed.

    Only those that still count are included.
    """
    if not refused:
        return {}
    standing = {
        order.unit.province: order_text(order)
        for power, entries in before.items()
        for order in orders_of(entries)
        if not isinstance(order, Build | Waive) and order in after.get(power, entries)
    }
    return {
        line: tuple(dict.fromkeys(standing[place] for place in places if place in standing))
        for line, places in refused.items()
    }


def with_kept(read: LineRead, kept: tuple[str, ...]) -> LineRead:
    """Return a refused line with the orders on file that it did not change.

    A line whose only possible meaning is on file is not asked for again.
    """
    complaint = read.complaint
    if complaint is None or not kept or complaint.suggestions != kept:
        return replace(read, kept=kept)
    reason = phrase("means-order-on-file", order=kept[0])
    return replace(read, complaint=replace(complaint, reason=reason, suggestions=()))


def orders_of(sheet: Iterable[Entry]) -> tuple[Order, ...]:
    """Return the orders on a sheet, without its proxies."""
    return tuple([entry for entry in sheet if not isinstance(entry, Proxy)])


def units_ordered(sheet: Iterable[Entry]) -> frozenset[str]:
    """Return the provinces whose unit has an order on the sheet."""
    return frozenset([
        order.unit.province for order in sheet if not isinstance(order, Build | Waive)
    ])


def builds_used(sheet: Iterable[Entry]) -> int:
    """Return the number of builds that a sheet gives or waives."""
    return sum(isinstance(order, Build | Waive) for order in sheet)


def removals_given(sheet: Iterable[Entry]) -> int:
    """Return the number of removals that a sheet gives."""
    return sum(isinstance(order, Disband) for order in sheet)


MAX_ORDERS = 200
"""Limit of orders in one plan."""

PlanEntry = Mapping[str, Any]


class Planner:
    """Reader of lines for one power and one later phase."""

    def __init__(self, board: Map, phase: Phase, power: str, rules: Rules) -> None:
        self._board = board
        self._phase = phase
        self._power = power
        self._rules = rules
        self._told: list[LineRead] = []

    def lay_over(self, body: Body, plan: str) -> PlanRead:
        """Return a plan with new lines and choices in it, and the verdict on each line."""
        entries: list[PlanEntry] = json.loads(plan or "[]")
        given: list[PlanEntry] = []
        for each in body:
            if isinstance(each, Line) and (withdrawn := self._withdrawn(each)):
                entries = self._without(each, withdrawn, entries)
                continue
            for entry in self._line(each) if isinstance(each, Line) else self._choice(each):
                for old in entries:
                    if old in given and "at" in old and old != entry and _is_same(old, entry):
                        self._note_replaced(entry["order"], old["order"])
                entries = [old for old in entries if not _is_same(old, entry)]
                if _count([*entries, entry]) > MAX_ORDERS:
                    line = each if isinstance(each, Line) else _head(each)
                    self._refuse(line, phrase("plan-too-long", limit=MAX_ORDERS))
                    break
                entries.append(entry)
                given.append(entry)
        told = tuple(with_names(one, self._board) for one in self._told)
        return PlanRead(json.dumps(entries) if entries else "", told)

    def _withdrawn(self, line: Line) -> tuple[Withdrawn, ...]:
        context = OrderContext(self._board, Position(self._phase, {}, {}), self._power, self._rules)
        return read_withdrawn_ahead(line, context)

    def _without(
        self, line: Line, withdrawn: Sequence[Withdrawn], entries: list[PlanEntry]
    ) -> list[PlanEntry]:
        """Return a plan without the orders that a line withdraws.

        Choices are not changed.
        """
        gone: list[str] = []
        for each in withdrawn:
            taken = [
                old for old in entries
                if each.place and old.get("at") == each.place
                and each.order in ("", old["order"])
            ]
            entries = [old for old in entries if old not in taken]
            gone += [old["order"] for old in taken]
            if not taken:
                self._refuse(line, phrase("withdraw-none", order=each.order or each.place.upper()))
        if gone:
            self._told.append(LineRead(line, withdrawn=tuple(gone)))
        return entries

    def _line(self, line: Line) -> list[PlanEntry]:
        found = read_ahead(line, self._board, self._phase, self._power, self._rules)
        first = found.complaints[0] if found.complaints else None
        texts = tuple(sketch.text for sketch in found.orders)
        self._told.append(
            LineRead(line, texts, found.notes, first, ignored=not texts and not first)
        )
        self._told += [LineRead(line, complaint=other) for other in found.complaints[1:]]
        return [{"at": sketch.place, "order": sketch.text} for sketch in found.orders]

    def _choice(self, choice: IfBlock) -> list[PlanEntry]:
        """Parse an IF block, which counts as a whole or, with any fault, not at all."""
        before = len(self._told)
        entry = self._entry(choice)
        if entry and not any(told.complaint for told in self._told[before:]):
            if _count([entry]):
                return [entry]
            self._refuse(_head(choice), phrase("block-empty"))
        else:
            self._refuse(_head(choice), phrase("block-refused"))
        return []

    def _entry(self, choice: IfBlock) -> PlanEntry | None:
        found = read_test(choice.test.text, self._board)
        if isinstance(found, Phrase):
            self._refuse(_head(choice), found)
        elif found.is_mended:
            note = phrase("read-as", word=choice.test.text, meaning=text_of(found.test))
            self._told.append(LineRead(choice.test, (text_of(found.test),), (note,)))
        then, otherwise = self._branch(choice.then), self._branch(choice.otherwise)
        if isinstance(found, Phrase):
            return None
        return {"if": text_of(found.test), "then": then, "else": otherwise}

    def _branch(self, body: Body) -> list[PlanEntry]:
        entries: list[PlanEntry] = []
        for each in body:
            if isinstance(each, Line):
                entries += self._line(each)
            else:
                entry = self._entry(each)
                entries += [entry] if entry else []
        return entries

    def _note_replaced(self, order: str, before: str) -> None:
        """Add a note to the verdict on an order that it replaced one of the same mail."""
        at = max(at for at, told in enumerate(self._told) if order in told.filed)
        note = phrase("order-replaced", order=order, before=before)
        self._told[at] = replace(self._told[at], notes=(*self._told[at].notes, note))

    def _refuse(self, line: Line, fault: Phrase) -> None:
        kind = KINDS.get(fault.code, ComplaintKind.UNREADABLE)
        choices = fault.facts.get("choices", ())
        suggestions = tuple(f"IF {c} THEN" for c in choices) if isinstance(choices, tuple) else ()
        complaint = Complaint(kind, line.number, line.text, fault, suggestions=suggestions)
        self._told.append(LineRead(line, complaint=complaint))


def _head(choice: IfBlock) -> Line:
    """Return the line that opens a choice, for a complaint about it."""
    return choice.test._replace(text=f"IF {choice.test.text}")


def _is_same(old: PlanEntry, new: PlanEntry) -> bool:
    """Return whether a new entry replaces an old one."""
    if "if" in new:
        return bool(old.get("if") == new["if"])
    return bool(new["at"]) and bool(old.get("at") == new["at"])


def _count(entries: Sequence[PlanEntry]) -> int:
    """Return the number of orders among entries, including those of choices."""
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


def _lines(entries: Sequence[PlanEntry], indent: str) -> Iterator[str]:
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


def _chosen(entries: Sequence[PlanEntry], board: Map, position: Position) -> Iterator[str]:
    for entry in entries:
        if "order" in entry:
            yield entry["order"]
            continue
        meant = read_test(entry["if"], board)
        is_so = not isinstance(meant, Phrase) and evaluate(meant.test, position)
        yield from _chosen(entry["then" if is_so else "else"], board, position)


Sheets = Mapping[str, Sequence[Entry]]


class Settled(NamedTuple):
    """Orders that count, by the owner of the unit, and the use of proxies."""

    orders: dict[str, tuple[Order, ...]]
    by: dict[str, str]
    """Province → the power that ordered the unit there by proxy."""


def lent_units(sheets: Sheets) -> dict[str, str]:
    """Return province of a unit → the power that may order it by proxy."""
    return {entry.unit.province: entry.power for _, entry in _proxies(sheets)}


def _proxies(sheets: Sheets) -> list[tuple[str, Proxy]]:
    return [
        (owner, entry)
        for owner, entries in sheets.items()
        for entry in entries
        if isinstance(entry, Proxy)
    ]


def settle(position: Position, sheets: Sheets) -> Settled:
    """Return every unit's order under its owner, with proxies resolved.

    An order for a unit whose proxy was withdrawn is left out. Only movement phases have proxies.
    """
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return Settled({power: orders_of(entries) for power, entries in sheets.items()}, {})
    owners = {unit.province: power for power, units in position.units.items() for unit in units}
    orders: dict[str, tuple[Order, ...]] = {
        power: tuple(
            order
            for order in orders_of(entries)
            if (unit := unit_of(order)) is None or owners.get(unit.province, power) == power
        )
        for power, entries in sheets.items()
    }
    by: dict[str, str] = {}
    for owner, proxy in _proxies(sheets):
        given = order_by_proxy(proxy, sheets)
        if given:
            place = proxy.unit.province
            own = [order for order in orders[owner] if _place(order) != place]
            orders[owner] = (*own, given)
            by[place] = proxy.power
    return Settled(orders, by)


def order_by_proxy(proxy: Proxy, sheets: Sheets) -> Order | None:
    """Return the order that the holder of a proxy has given to its unit, or None."""
    given = orders_of(sheets.get(proxy.power, ()))
    found = [order for order in given if _place(order) == proxy.unit.province]
    return found[-1] if found else None


def trusts_in(sheets: Sheets) -> tuple[ProxyGrant, ...]:
    """Return all proxies with owner, holder, unit and the order given."""
    found = []
    for owner, proxy in _proxies(sheets):
        given = order_by_proxy(proxy, sheets)
        text = order_text(given) if given else ""
        found.append(ProxyGrant(owner, proxy.power, str(proxy.unit), text))
    return tuple(sorted(found))


def published_entries(position: Position, sheets: Sheets) -> dict[str, tuple[Entry, ...]]:
    """Return the sheets without unused proxies and orders that did not count."""
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return {power: tuple(entries) for power, entries in sheets.items()}
    used = [(owner, p) for owner, p in _proxies(sheets) if order_by_proxy(p, sheets)]
    holders = {proxy.unit.province: proxy.power for _, proxy in used}
    owners = {unit.province: power for power, units in position.units.items() for unit in units}

    def counts(power: str, entry: Entry) -> bool:
        if isinstance(entry, Proxy):
            return (power, entry) in used
        place = _place(entry)
        return not place or holders.get(place, owners.get(place, power)) == power

    return {
        power: tuple(entry for entry in entries if counts(power, entry))
        for power, entries in sheets.items()
    }


def known_entries(power: str, sheets: Sheets) -> dict[str, tuple[Entry, ...]]:
    """Return the entries a power may know: its own, and the proxies it holds."""
    return {
        owner: tuple(
            entry
            for entry in entries
            if owner == power or isinstance(entry, Proxy) and entry.power == power
        )
        for owner, entries in sheets.items()
    }


def with_names(read: LineRead, board: Map) -> LineRead:
    """Return the verdict on a line with full names of places in its notes."""
    if not read.notes and not read.complaint:
        return read
    wrong = read.complaint and replace(read.complaint, reason=in_full(read.complaint.reason, board))
    return replace(read, notes=tuple(in_full(note, board) for note in read.notes), complaint=wrong)
