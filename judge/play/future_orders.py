"""Orders for later phases, proxy grants, and questions among lines of orders."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count

from judge.errors import DataError
from judge.games import find_system
from judge.games.capabilities import FutureOrders, Later, LaterSheets, Proxies
from judge.games.letter_facts import ProxyGrant, SheetFacts
from judge.games.system import LineRead, OrdersRead, Table
from judge.model.incoming import Line
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.record import Plan, Seat
from judge.play.game import Game
from judge.play.letters.letter_factory import letter_to, notice_to, owed_facts
from judge.play.queries import (
    find_power,
    is_main_phase,
    is_present,
    occupied_seats,
    seat_of_power,
)

OLDER_ORDER_CODE = "older-order-stands"
"""Code of the reason for a refused line whose unit keeps an earlier order."""
NOT_FILED = frozenset({
    "orders-for-no-phase", "orders-of-earlier-phase", "orders-of-undone-phase",
    "looks-like-later", "looks-like-next", "if-not-closed", "master-plays-too",
})
"""Reasons that reject whole lines of orders, regardless of their content."""


def current_proxies(game: Game) -> tuple[ProxyGrant, ...]:
    """Return all current proxy grants."""
    return _trusts(game.table, game.orders(game.phase))


def _trusts(table: Table, sheets: Mapping[str, str]) -> tuple[ProxyGrant, ...]:
    return table.proxy_grants(sheets) if isinstance(table, Proxies) else ()


def sheet_facts(game: Game, power: str) -> SheetFacts:
    """Return the facts of a power's sheet, with the proxy grants it has received."""
    return sheets_facts(game, [power])[0]


def sheets_facts(game: Game, powers: Iterable[str]) -> list[SheetFacts]:
    """Return the facts of several powers' sheets, with the grants computed once."""
    table, sheets = game.table, game.orders(game.phase)
    trusts = _trusts(table, sheets)
    found = [table.show_sheet(power, sheets.get(power, "")) for power in powers]
    if not trusts:
        return found
    return [
        replace(sheet, entrusted=tuple(trust for trust in trusts if trust.holder == sheet.power))
        for sheet in found
    ]


def missing_proxy_orders(game: Game, table: Table) -> list[Seat]:
    """Return the occupied seats that have not yet ordered a unit granted to them.

    A phase does not end early without them, but its deadline does not wait, as these orders are
    not missing orders.
    """
    trusts = _trusts(table, game.orders(game.phase))
    holders = {trust.holder for trust in trusts if not trust.order}
    return [seat for seat in occupied_seats(game, holders) if not seat.ready]


def proxy_change_letters(
    game: Game, before: Collection[ProxyGrant], after: Collection[ProxyGrant]
) -> list[Letter]:
    """Return the letters to those whose proxy grants changed."""
    news: dict[str, list[Phrase]] = {}
    for code, gone, come in (("proxy-taken", after, before), ("proxy-lent", before, after)):
        known = trust_keys(gone)
        for trust in come:
            if trust_key(trust) not in known:
                reason = phrase(code, owner=trust.owner, unit=trust.unit, phase=game.phase)
                news.setdefault(trust.holder, []).append(reason)
    letters = []
    for power, reasons in news.items():
        seat = seat_of_power(game, power)
        if seat and is_present(seat):
            letters.append(notice_to(game, seat, reasons, LetterKind.NOTICE))
    return letters


def trust_key(trust: ProxyGrant) -> tuple[str, str, str]:
    """Return the identity of a grant: owner, holder and unit."""
    return trust.owner, trust.holder, trust.unit


def trust_keys(trusts: Collection[ProxyGrant]) -> frozenset[tuple[str, str, str]]:
    """Return the identities of several grants."""
    return frozenset(map(trust_key, trusts))


NEXT_MAIN_PHASE = "next movement"
"""Phase name under which lines for the next main phase are stored.

It is the same for all games, regardless of the titles of their phases. It is in databases and
exports.
"""


def apply_stored_orders(game: Game) -> list[Letter]:
    """File orders that were sent ahead for the phase that has just begun.

    Return the letters to their senders. Conditions are evaluated now, and lines that turn out
    wrong are in the letter. Orders for a phase that was skipped are dropped. A whole sheet for
    the phase is filed without a letter, as the results show it.
    """
    work = _Work(game)
    plans = game.plans()
    for plan in plans:
        work.plan(plan)
    if current_proxies(game):
        # A unit granted by a plan that was read after the holder's own can be ordered only now.
        for plan in plans:
            work.again(plan)
    if is_main_phase(game, work.table):
        for power, text in sorted(game.orders(NEXT_MAIN_PHASE).items()):
            work.read_deferred_lines(power, text)
        game.drop_orders(NEXT_MAIN_PHASE)
    return [*work.letters(), *proxy_change_letters(game, (), current_proxies(game))]


class _Work:
    """Processing of all orders that were sent ahead, power by power."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.table: Table = game.table
        self._lines: dict[str, list[LineRead]] = {}
        self._said: dict[str, list[Phrase]] = {}

    def plan(self, plan: Plan) -> None:
        """File one plan if it is for this phase, and delete it if its phase is over."""
        if plan.phase == self._game.phase:
            self._carry_out(plan)
        elif self._is_over(plan.phase):
            self._say(plan.power, phrase("plan-passed", phase=plan.phase))
        else:
            return
        self._game.file_plan(replace(plan, text="", wait=False))

    def _is_over(self, label: str) -> bool:
        table, now = self.table, self._game.phase
        if isinstance(table, FutureOrders):
            return isinstance(table.phase_called(label), Phrase)
        return find_system(self._game.system).sort_phases([now, label])[0] == label

    def _carry_out(self, plan: Plan) -> None:
        table = self.table
        if plan.wait:
            for seat in occupied_seats(self._game, [plan.power]):
                self._game.save_seat(replace(seat, wait=True))
            self._say(plan.power, phrase("wait-on", phase=plan.phase))
        if not plan.text:
            return
        if plan.power not in table.powers_due():
            self._say(plan.power, phrase("plan-not-needed", phase=plan.phase))
        elif isinstance(table, FutureOrders):
            sheets = self._game.orders(self._game.phase)
            self._file(plan.power, table.carry_out(plan.text, plan.power, sheets))
        else:
            self._game.file_orders(self._game.phase, plan.power, plan.text)

    def again(self, plan: Plan) -> None:
        """Carry out a plan once more if some of it was refused."""
        table = self.table
        if plan.phase == self._game.phase and isinstance(table, FutureOrders):
            if any(line.complaint for line in self._lines.get(plan.power, ())):
                self._lines.pop(plan.power)
                sheets = self._game.orders(self._game.phase)
                self._file(plan.power, table.carry_out(plan.text, plan.power, sheets))

    def read_deferred_lines(self, power: str, text: str) -> None:
        """Read the lines that a power sent while it had nothing to decide."""
        lines = [Line(number, line) for number, line in zip(count(1), json.loads(text))]
        sheets = self._game.orders(self._game.phase)
        read = read_lines(self._game, self.table, lines, power, sheets)
        file_later(self._game, read.later)
        self._file(power, read)

    def _file(self, power: str, read: OrdersRead) -> None:
        self._game.file_sheets(self._game.phase, read.sheets)
        self._lines.setdefault(power, []).extend(read.lines)

    def _say(self, power: str, reason: Phrase) -> None:
        self._said.setdefault(power, []).append(reason)

    def letters(self) -> list[Letter]:
        """Return the letters that report the results to the players."""
        game = self._game
        letters = []
        for seat in occupied_seats(game, {*self._lines, *self._said}):
            if self._lines.get(seat.power):
                game.save_seat(replace(seat, missed=0))
            facts = {
                "reasons": self._said.get(seat.power, []),
                "orders": self._lines.get(seat.power, []),
                "sheet": sheet_facts(game, seat.power),
                "plans": plan_facts(game, seat.power),
                "owed": owed_facts(game, seat),
            }
            letters.append(
                letter_to(
                    game, seat, LetterKind.RECEIPT, "kept", facts, phrase("event-kept-orders")
                )
            )
        return letters


def plan_facts(game: Game, power: str) -> list[dict[str, object]]:
    """Return a power's orders on file for later phases, the next one first."""
    table = game.table
    if not isinstance(table, FutureOrders | LaterSheets):
        return []
    plans = {plan.phase: plan for plan in game.plans(power)}
    found = []
    for label in find_system(game.system).sort_phases(plans):
        shown = _show_later(table, power, label, plans[label].text)
        if shown:
            found.append({
                "phase": label,
                "title": shown.title,
                "lines": shown.lines,
                "wait": plans[label].wait,
            })
    return found


def _show_later(
    table: FutureOrders | LaterSheets, power: str, label: str, text: str
) -> Later | None:
    """Return the orders on file for a later phase, or None if it cannot come."""
    if isinstance(table, LaterSheets):
        return table.show_later(power, label, text)
    info = table.phase_called(label)
    if isinstance(info, Phrase):
        return None
    title = phrase("plan-title", kind=info.title, turn=info.turn)
    return Later(title, table.show_plan(text))


def read_lines(
    game: Game, table: Table, lines: Sequence[Line], power: str | None,
    sheets: Mapping[str, str], *, fresh: bool = False,
) -> OrdersRead:
    """Read lines of orders, some of which may be for later phases.

    With `fresh`, they replace all that the power has on file for later phases.

    Raises:
        DataError: the system filed orders for this or an earlier phase as later ones.
    """
    if not isinstance(table, LaterSheets):
        return table.read_orders(lines, power, sheets)
    later: dict[str, dict[str, str]] = {}
    for plan in game.plans():
        if not (fresh and plan.power == power):
            later.setdefault(plan.phase, {})[plan.power] = plan.text
    read = table.read_with_later(lines, power, sheets, later)
    labels = [game.phase, *read.later]
    ahead = find_system(game.system).sort_phases(labels)
    if ahead[0] != game.phase or game.phase in read.later:
        raise DataError(f"{game.system} read orders for {ahead[0]} in {game.phase} as later ones")
    return read


def file_later(game: Game, later: Mapping[str, Mapping[str, str]]) -> None:
    """Store sheets for later phases, by label and power. Empty ones are removed."""
    waits = {(plan.phase, plan.power): plan.wait for plan in game.plans()}
    for label, sheets in later.items():
        for power, text in sheets.items():
            wait = waits.get((label, power), False)
            game.file_plan(Plan(game.id, label, power, text, wait))


MIN_WORDS = 4
"""Fewer words ("Ready?", "What now?") are not a question to a person."""
_QUESTION = re.compile(
    r"(?:can|could|does|would|will|is|are|has|kann|k.nnte|wei.|hat)\s+"
    r"(?:(?:any|some)(?:body|one)|jemand|wer)\b|.*\?\s*$",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Return whether a line reads like a question to a person.

    >>> is_question("Can anyone explain why my fleet bounced"), is_question("A Par - Bur ?")
    (True, True)
    >>> is_question("Ready?"), is_question("Thanks for the game so far")
    (False, False)
    """
    plain = text.strip()
    return len(plain.split()) >= MIN_WORDS and _QUESTION.match(plain) is not None


_ADDRESSED = re.compile(
    r"(?:to|dear|hi|hello|an|liebe[rs]?|hallo)\s+(?P<who>[^:,!.]{1,30}?)\s*[:,!]\s*(?P<rest>.*)",
    re.IGNORECASE,
)
"""Beginning of a message to a power, as in "To England: shall we?"."""


def messages_among(game: Game, power: str, lines: Sequence[LineRead]) -> list[Complaint]:
    """Return complaints about ignored lines that read like messages or questions."""
    found = (_message(game, power, read) for read in lines if read.ignored)
    return [each for each in found if each]


def _message(game: Game, power: str, read: LineRead) -> Complaint | None:
    text = read.line.text.strip()
    to, rest, reason = "MASTER", text, phrase("looks-like-question")
    found = _ADDRESSED.fullmatch(text)
    side = find_power(game, found["who"]) if found and game.chosen.press != "none" else None
    if found and side and side.name != power:
        to, rest = side.name.upper(), found["rest"] or text
        reason = phrase("looks-like-press", power=side.name)
    elif not is_question(text):
        return None
    return Complaint(
        ComplaintKind.UNREADABLE, read.line.number, text, reason,
        suggestions=(f"PRESS TO {to}", rest, "ENDPRESS"),
    )
