"""A mail's order lines, read: what is filed for which step, and the verdict on each line.

A mail for a step replaces that step's earlier orders; standing orders are replaced one by one
(Y-77, Y-90). Nothing here plays; what can be known to be wrong is refused, line by line.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from judge.digits import has_digit, is_number
from judge.games.order_likeness import without_list_mark
from judge.games.yorktown.language.checking import Checker
from judge.games.yorktown.language.grammar import Control, Done, Read, Unread, clean, parse
from judge.games.yorktown.language.merging import ATTACK, Entry, Gap, merged, one_each
from judge.games.yorktown.language.order_words import order_vocabulary
from judge.games.yorktown.language.repair import repaired
from judge.games.yorktown.language.sheets import amended, read_sheet, sheet_of, write_sheet
from judge.games.yorktown.language.wording import first_unit, holds_all, names_unit, wordings
from judge.games.yorktown.rules.board import AP
from judge.games.yorktown.rules.hexes import SIDES
from judge.games.yorktown.rules.orders import (
    Attack,
    Board,
    Build,
    Enter,
    Fire,
    Join,
    March,
    Order,
    Place,
    Retreat,
    Sail,
    Standing,
    order_text,
    unit_of,
)
from judge.games.yorktown.rules.state import Moment, Position, Step
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.withdrawing import order_withdrawn

_UNIT = re.compile(r"(inf|cav|art|pio|cmd|frig) ?([0-9]{1,2})")
NEAR_SIDES = {"w": ("NW", "SW"), "e": ("NE", "SE")}
"""The hexsides beside the points of the compass to which a hex has none."""
LONGEST = 400
"""Signs in a line; no order is as long."""
_NEAR_ORDER = re.compile(
    r"[a-z]{1,5} ?[0-9]{1,2} ?(:|.*\b([0-9]{4}|holds?|fires?|builds?|face|exit|with|stays)\b)"
)
"""A short word, a number, and what orders have besides: "arrt 1 fires at 1404"."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one line."""

    line: Line
    filed: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()
    complaint: Complaint | None = None
    ignored: bool = False
    withdrawn: tuple[str, ...] = ()
    is_final: bool = False
    """The line says that orders are final."""


class Filed(NamedTuple):
    """What a mail's lines come to: sheets by moment, and verdicts."""

    sheets: Mapping[Moment, str]
    verdicts: tuple[Verdict, ...]
    final: frozenset[Moment] = frozenset()
    """The steps that this mail calls final and that it has new orders for."""

    def held(self, moments: Collection[Moment], faults: int) -> "Filed":
        """Return the same with some steps not final, as their orders do not do what they say."""
        sheets = {
            moment: write_sheet(read_sheet(text)._replace(done=False))
            if moment in moments else text
            for moment, text in self.sheets.items()
        }
        first = min(moments, key=lambda moment: moment.rank)
        step = Phrase(f"step-{first.step.name.lower()}", {})
        reason = phrase("done-held-trial", step=step, count=faults)
        told = [_held(one, reason) if one.is_final else one for one in self.verdicts]
        return Filed(sheets, tuple(told))


@dataclass
class _Pile:
    """The orders of one mail for one step."""

    entries: list[Entry] = field(default_factory=list)
    """Orders, and gaps where lines were refused."""
    done: bool | None = None
    cleared: bool = False
    withdrawn: list[Order] = field(default_factory=list)
    """Orders on file from before that are taken off."""

    @property
    def orders(self) -> list[Order]:
        """The orders without the gaps."""
        return [entry for entry in self.entries if not isinstance(entry, Gap)]

    @property
    def has_gaps_only(self) -> bool:
        """True if nothing but refused lines is for this step."""
        said = self.orders or self.cleared or self.withdrawn or self.done is not None
        return bool(self.entries) and not said


class SheetReader:
    """Reads the lines of one mail as orders of one side."""

    def __init__(self, position: Position, side: str, sheets: Mapping[Moment, str]) -> None:
        """`sheets` are what the side has on file, by moment."""
        self._now = position.moment
        self._side = side
        self._checker = Checker(position, side)
        self._sheets = sheets
        self._piles: dict[Moment, _Pile] = {}
        self._standing: list[Standing] = []
        self._adds = False
        self._finals: list[tuple[Verdict, list[Moment]]] = []
        """What says that orders are final, and of which steps."""
        self._afloat = False
        """Frigate lines from here on are for the MOVE step (Y-89)."""

    def read(self, lines: Sequence[Line]) -> Filed:
        """Read all lines, and lay what they order over the sheets."""
        told: list[tuple[Line, list[Verdict]]] = []
        for line in lines:
            pieces = [piece for piece in line.text.split(";") if clean(piece)]
            told.append((line, [v for piece in pieces for v in self._read_piece(line, piece)]))
        self._end(told)
        verdicts = [found for line, each in told for found in _joined(line, each)]
        final = frozenset(m for m, pile in self._piles.items() if pile.done and pile.orders)
        return Filed(self._laid_over(), tuple(verdicts), final)

    def _end(self, told: Sequence[tuple[Line, list[Verdict]]]) -> None:
        """Let orders be final whose mail says so; where a line of it was refused or cut short they
        are not: what is mistyped costs nobody a step, and `done` in another mail plays it."""
        wrong = sum(_is_wrong(verdict) for _, each in told for verdict in each)
        for final, moments in self._finals:
            for moment in moments:
                self._pile(moment).done = not wrong
            reason = phrase("done-held", count=wrong)
            for _, each in told if wrong else ():
                each[:] = [_held(one, reason) if one is final else one for one in each]

    def _read_piece(self, line: Line, piece: str) -> list[Verdict]:
        if piece.lstrip().startswith(">") or len(piece) > LONGEST:
            return [Verdict(line, ignored=True)]
        text = clean(without_list_mark(piece))
        if named := clean(order_withdrawn(piece)):
            if verdict := self._withdraw(line, named):
                return [verdict]
        if holds_all(text):
            return [Verdict(line, notes=(phrase("yw03-holds"),))]
        read: Read = parse(text)
        if isinstance(read, Unread):
            return (
                self._freely_worded(line, piece, text)
                or self._repaired(line, piece, text)
                or [self._unreadable(line, text, read)]
            )
        match read:
            case Done(step):
                return [self._done(line, step)]
            case Control(word):
                return [self._control(line, word)]
        return [self._order(line, piece, read, ())]

    def _repaired(self, line: Line, piece: str, text: str) -> list[Verdict]:
        """Read a line with one misspelt word; empty if it cannot be read."""
        better = repaired(text)
        if better is None:
            return []
        return [self._order(line, piece, better[1], (phrase("line-read-as", line=better[0]),))]

    def _freely_worded(self, line: Line, piece: str, text: str) -> list[Verdict]:
        """Read a line in words that the grammar has not; empty if it cannot be read."""
        wording = wordings(text, self._side)
        if wording is None:
            return []
        found = [parse(each) for each in wording.lines]
        for bad in found:
            if isinstance(bad, Unread) and bad.expected == SIDES and len(found) == 1:
                return [self._unreadable(line, wording.lines[0], bad)]
        orders = [each for each in found if not isinstance(each, Unread | Done | Control)]
        if len(orders) < len(found):
            return self._repaired(line, piece, wording.lines[0]) if len(found) == 1 else []
        near = len({each.unit for each in orders if isinstance(each, March | Enter)}) > 1
        told = [self._order(line, piece, each, self._march_meant(each), near=near)
                for each in orders]
        if not wording.is_all:
            return told
        able = [verdict for verdict in told if not verdict.complaint]
        if not able:
            return told[:1]
        passed = tuple(
            getattr(each, "unit", "") for each, v in zip(orders, told, strict=True) if v.complaint
        )
        if passed:
            note = phrase("passed-over", units=passed)
            able[-1] = replace(able[-1], notes=(*able[-1].notes, note))
        return able

    def _march_meant(self, order: Order) -> tuple[Phrase, ...]:
        """Return a note on a free retreat line in a turn with marches."""
        is_turn = self._now.side == self._side and self._now.step is not Step.SETUP
        if not isinstance(order, Retreat) or not is_turn:
            return ()
        march = f"{order.unit} to {order.to[0]}"
        return (phrase("retreat-only", unit=order.unit, line=march),)

    def _withdraw(self, line: Line, text: str) -> Verdict | None:
        """Take an order off file, or all of a unit; None for a line that names neither."""
        read, unit = parse(text), _UNIT.fullmatch(text)
        if unit is None and isinstance(read, Unread | Done | Control):
            return None
        name = f"{unit[1]} {unit[2]}".upper() if unit else ""
        gone: list[str] = []
        for moment in {*self._sheets, *self._piles}:
            if moment.rank < self._now.rank:
                continue
            old = read_sheet(self._sheets.get(moment, ""))
            pile = self._pile(moment)
            found = [
                order for order in (*old.orders, *old.standing, *pile.orders)
                if order == read or name and getattr(order, "unit", "") == name
            ]
            if found:
                pile.entries = [entry for entry in pile.entries if entry not in found]
                pile.withdrawn += found
                pile.done = False
                gone += map(order_text, found)
        if gone:
            return Verdict(line, withdrawn=tuple(dict.fromkeys(gone)))
        return self._refused(line, phrase("withdraw-none", order=text.upper()))

    def _unreadable(self, line: Line, text: str, read: Unread) -> Verdict:
        """Complain of a line that is an order but cannot be read; prose is left alone."""
        words = order_vocabulary()
        is_order = _is_order_like(text) or names_unit(text, self._side)
        if not words.is_order_like(text) and (not is_order or words.is_talk(text)):
            return Verdict(line, ignored=True)
        if moment := self._moment_of(_step_meant(text, self._now.step)):
            self._pile(moment).entries.append(Gap(first_unit(text, self._side)))
        rest = text[read.column :] or ""
        if read.expected == SIDES and (near := NEAR_SIDES.get(rest.split(" ")[0][:1])):
            found = phrase("ye45", side=rest.split(" ")[0][:1].upper(), sides=near)
            choices = tuple(f"{text[: read.column]}{side}" for side in near)
            return Verdict(line, complaint=Complaint(
                ComplaintKind.UNREADABLE, line.number, line.text, found, read.column, choices
            ))
        reason = phrase("ye01", expected=read.expected, rest=rest)
        complaint = Complaint(
            ComplaintKind.UNREADABLE, line.number, line.text, reason, read.column
        )
        return Verdict(line, complaint=complaint)

    def _done(self, line: Line, step: str) -> Verdict:
        """Note that orders are final: of one step, or of all that is left (Y-90)."""
        now = self._now
        moments = [self._moment_of(s) for s in (Step.FIRE, Step.MOVE)]
        if now.step is Step.SETUP:
            moments = [self._moment_of(Step.SETUP)]
        elif step:
            moments = [self._moment_of(Step.FIRE if step == "fire" else Step.MOVE)]
            if step == "fire":
                self._afloat = True
        verdict = Verdict(line, filed=(f"done {step}".strip(),), is_final=True)
        final = [each for each in moments if each is not None and each.rank >= now.rank]
        self._finals.append((verdict, final))
        return verdict

    def _control(self, line: Line, word: str) -> Verdict:
        if word == "clear":
            for moment in {*self._sheets, *self._piles, self._now}:
                pile = self._pile(moment)
                pile.entries, pile.cleared, pile.done = [], True, False
            self._finals = []
            return Verdict(line, filed=("clear",))
        if word == "add":
            self._adds = True
            return Verdict(line, filed=("add",))
        codes = {"show": "say-preview", "resign": "say-resign", "draw": "say-draw"}
        lines = {"show": "PREVIEW", "resign": "RESIGN", "draw": "VOTE DRAW"}
        complaint = Complaint(
            ComplaintKind.NOT_ALLOWED,
            line.number,
            line.text,
            phrase(codes[word]),
            suggestions=(lines[word],),
        )
        return Verdict(line, complaint=complaint)

    def _order(
        self, line: Line, piece: str, read: Order, notes: tuple[Phrase, ...], *,
        near: bool = False,
    ) -> Verdict:
        if self._now.step is Step.SETUP and self._now.side == self._side:
            read = self._checker.as_placed(read)
        moment = self._moment_for(read)
        if moment is None or moment.rank < self._now.rank:
            step = _step_of(read, self._afloat)
            return self._refused(line, phrase("ye27", step=step.name))
        is_now = moment.turn == self._now.turn and self._now.side == self._side
        checked = self._checker.check(
            read, now=is_now or isinstance(read, Standing), near=near
        )
        if checked.unneeded:
            return Verdict(line, notes=(*notes, checked.unneeded))
        if checked.refused or checked.order is None:
            reason = checked.refused or phrase("ye01", expected=(), rest="")
            choices = _with_units(piece, checked.choices)
            if not isinstance(read, Standing):
                name = ATTACK if isinstance(read, Attack) else unit_of(read)
                self._pile(moment).entries.append(Gap(name))
            return self._refused(line, reason, choices)
        if checked.found:
            notes = (*notes, checked.found)
        if checked.cut:
            notes = (*notes, checked.cut, phrase("path-cut", line=order_text(checked.order)))
        if moment.turn != self._now.turn:
            notes = (*notes, self._kept_for(moment))
        self._file(checked.order, moment)
        return Verdict(line, (order_text(checked.order),), notes)

    def _kept_for(self, moment: Moment) -> Phrase:
        if self._now.side == self._side:
            return phrase("kept-for", moment=str(moment))
        return phrase("ye30", side=self._now.side, moment=str(moment))

    def _refused(
        self, line: Line, reason: Phrase, suggestions: tuple[str, ...] = ()
    ) -> Verdict:
        complaint = Complaint(
            ComplaintKind.ILLEGAL, line.number, line.text, reason, suggestions=suggestions
        )
        return Verdict(line, complaint=complaint)

    def _file(self, order: Order, moment: Moment) -> None:
        if isinstance(order, Standing):
            self._standing.append(order)
            return
        if isinstance(order, Board):
            self._afloat = True
        self._pile(moment).entries.append(order)

    def _pile(self, moment: Moment) -> _Pile:
        return self._piles.setdefault(moment, _Pile())

    def _moment_for(self, order: Order) -> Moment | None:
        """Return the step an order is for (Y-89); standing orders hold from now on."""
        if isinstance(order, Standing):
            return self._now
        if isinstance(order, Join) and self._now.day == 0 and self._is_before_setup():
            return self._moment_of(Step.SETUP)
        return self._moment_of(_step_of(order, self._afloat or self._is_moving()))

    def _is_before_setup(self) -> bool:
        return self._now.side == self._side or self._side != AP

    def _is_moving(self) -> bool:
        return self._now.side == self._side and self._now.step is Step.MOVE

    def _moment_of(self, step: Step) -> Moment | None:
        """Return the next moment of a step of this side; a past one of its turn under way."""
        now, mine = self._now, self._side
        if step is Step.SETUP:
            return Moment(0, mine, step)
        if now.step is Step.SETUP:
            return Moment(1, mine, step)
        is_over = mine != AP and now.side == AP
        return Moment(now.day + is_over, mine, step)

    def _laid_over(self) -> dict[Moment, str]:
        """Return the sheets that changed."""
        changed: dict[Moment, str] = {}
        for moment in {*self._piles, *([self._now] if self._standing else [])}:
            pile = self._piles.get(moment, _Pile())
            if pile.has_gaps_only and not (self._standing and moment == self._now):
                continue
            old = read_sheet(self._sheets.get(moment, ""))
            new = pile.entries if pile.orders else []
            replaces = pile.cleared or (pile.orders and not self._adds)
            left = [entry for entry in old.entries if entry not in pile.withdrawn]
            if replaces:
                entries = one_each(new)
            else:
                entries = merged(left, new, self._side)
            standing = tuple(order for order in old.standing if order not in pile.withdrawn)
            if moment == self._now:
                standing = amended(standing, self._standing)
            done = old.done if pile.done is None else pile.done
            if pile.orders and pile.done is None:
                done = False
            changed[moment] = write_sheet(sheet_of(entries, standing, done=done))
        return changed


def _is_wrong(verdict: Verdict) -> bool:
    """Tell whether a line was refused, or filed only as far as it goes."""
    return bool(verdict.complaint) or any(note.code == "path-cut" for note in verdict.notes)


def _held(final: Verdict, reason: Phrase) -> Verdict:
    """Return what is said of a `done` that does not count."""
    line, kind = final.line, ComplaintKind.NOT_ALLOWED
    complaint = Complaint(kind, line.number, line.text, reason, suggestions=final.filed)
    return Verdict(line, complaint=complaint)


def _step_of(order: Order, afloat: bool) -> Step:
    match order:
        case Place():
            return Step.SETUP
        case Build() | Fire():
            return Step.FIRE
        case Sail():
            return Step.MOVE if afloat else Step.FIRE
    return Step.MOVE


def _step_meant(text: str, now: Step) -> Step:
    """Return the step that a line which cannot be read was probably for."""
    if now is Step.SETUP:
        return now
    return Step.FIRE if re.search(r"\b(?:fir|shoot|buil|dig|frig)", text) else Step.MOVE


def _is_order_like(text: str) -> bool:
    """Tell whether a line means to be an order: it begins as one, or as one whose unit is mistyped.

    >>> _is_order_like("inf 3 dances"), _is_order_like("I think we should talk")
    (True, False)
    >>> _is_order_like("arrt 1 fires at 1404"), _is_order_like("day 6 was good")
    (True, False)
    """
    first = text.split(" ")[0]
    rest = text[len(first) :].strip()
    known = {"attack", "attacks", "retreat", "hit", "losses", "done", "draw", "show"}
    kinds = {"inf", "cav", "art", "pio", "cmd", "frig", "i", "c", "a", "p", "k", "f"}
    stem = first.rstrip("0123456789:")
    has_number = stem != first.rstrip(":") or is_number(rest[:1])
    if first in known or (stem in kinds and has_number):
        return True
    return bool(_NEAR_ORDER.match(text))


def _with_units(piece: str, units: Sequence[str]) -> tuple[str, ...]:
    """Return a line with each of some units in place of its first one, to be sent back."""
    _, colon, rest = piece.partition(":")
    if not colon:
        words = piece.split()
        joined = bool(words) and has_digit(words[0])
        rest = " ".join(words[1:] if joined else words[2:])
        return tuple(f"{unit} {rest}".strip() for unit in units)
    return tuple(f"{unit}:{rest}" for unit in units)


def _joined(line: Line, told: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts on a line of several orders: one for all that was filed, one for each
    complaint."""
    found = [verdict for verdict in told if verdict.withdrawn]
    good = [
        verdict for verdict in told
        if not (verdict.complaint or verdict.ignored or verdict.withdrawn or verdict.is_final)
    ]
    bad = [verdict for verdict in told if verdict.complaint or verdict.is_final]
    if good:
        filed = tuple(text for verdict in good for text in verdict.filed)
        notes = tuple(note for verdict in good for note in verdict.notes)
        found.append(Verdict(line, filed, notes))
    found += bad
    return found or [Verdict(line, ignored=True)]
