"""Reader of a mail's order lines: sheets by step, and a verdict on each line.

A mail for a step replaces that step's earlier orders. Standing orders are replaced one by one
(Y-77, Y-90). Nothing is adjudicated here. Orders that are known to be wrong are refused, line by
line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from judge.games.order_likeness import without_list_mark
from judge.games.yorktown.language.checking import MAX_CHOICES, OrderChecker
from judge.games.yorktown.language.examples import example_line
from judge.games.yorktown.language.grammar import Control, Done, Read, UnreadableLine, clean, parse
from judge.games.yorktown.language.meanings import LineMeanings
from judge.games.yorktown.language.merging import (
    ATTACK,
    Entry,
    Gap,
    Pile,
    find_replaced,
    is_repeated,
    merge_orders,
    one_each,
    orders_in,
)
from judge.games.yorktown.language.names import SharedName, names_in
from judge.games.yorktown.language.repair import correct_names, repair_line
from judge.games.yorktown.language.routes import CheckResult
from judge.games.yorktown.language.sheets import (
    YorktownSheet,
    amend_standing_orders,
    read_sheet,
    standing_in_force,
    write_sheet,
)
from judge.games.yorktown.language.talk import is_talk, names_unit
from judge.games.yorktown.language.verdicts import (
    Filed,
    YorktownVerdict,
    join_verdicts,
    refusal,
    without_done,
)
from judge.games.yorktown.language.withdrawing import orders_meant
from judge.games.yorktown.language.word_tables import has_form, replace_words
from judge.games.yorktown.language.wording import first_unit, only_unit, plain_words
from judge.games.yorktown.rules.board import AP, counters, key_of
from judge.games.yorktown.rules.hexes import SIDES, is_hex, neighbours
from judge.games.yorktown.rules.orders import (
    Attack,
    BoardingOrder,
    Enter,
    Fire,
    FrigateOrder,
    JoinOrder,
    MarchOrder,
    Order,
    PlacementOrder,
    RedoubtOrder,
    RetreatPreference,
    Standing,
    order_text,
    unit_of,
    void_of,
)
from judge.games.yorktown.rules.state import Moment, SiegePosition, Step
from judge.model.incoming import Line
from judge.model.phrase import ComplaintKind, Phrase, phrase
from judge.model.withdrawing import order_withdrawn

NEAR_SIDES = {"w": ("NW", "SW"), "e": ("NE", "SE")}
"""Hexsides next to the points of the compass to which a hex has no side."""
_COMMANDS = {
    "show": ("say-preview", "PREVIEW"), "resign": ("say-resign", "RESIGN"),
    "draw": ("say-draw", "VOTE DRAW"),
}
"""Words that are no orders → the reason, and the command to send instead."""
MAX = 400
"""Maximum length of a line in characters. No order is as long."""


class SheetReader:
    """Reader of the lines of one mail as orders of one side.

    *sheets* are the side's sheets on file, by moment.
    """

    def __init__(self, position: SiegePosition, side: str, sheets: Mapping[Moment, str]) -> None:
        self._position = position
        self._now = position.moment
        self._side = side
        self._checker = OrderChecker(position, side)
        self._names = names_in(position, side)
        self._meanings = LineMeanings(position, side)
        self._sheets = sheets
        self._piles: dict[Moment, Pile] = {}
        self._cancelled: set[Line] = set()
        """Lines of this mail that a later line of it cancels."""
        self._named: list[tuple[Line, str]] = []
        """Lines read so far, each with its only unit, or an empty string."""
        self._standing: list[Standing] = []
        self._adds = False
        self._replaced: list[str] = []
        """Orders on file that this mail replaces without a successor."""
        self._finals: list[YorktownVerdict] = []
        """Verdicts on lines that declare orders final."""
        self._afloat = False
        """True once frigate lines are for the MOVE step (Y-89)."""

    def read(self, lines: Sequence[Line]) -> Filed:
        """Read all lines, and merge their orders with the sheets on file."""
        told: list[tuple[Line, list[YorktownVerdict]]] = []
        for line in lines:
            pieces = [piece for piece in line.text.split(";") if clean(piece)]
            told.append((line, [v for piece in pieces for v in self._read_piece(line, piece)]))
            self._named.append((line, only_unit(line.text.lower(), self._names)))
        self._end(told)
        verdicts = [found for line, each in told for found in join_verdicts(line, each)]
        changes = self._standing or any(pile.has_changes for pile in self._piles.values())
        final = frozenset(m for m, pile in self._piles.items() if changes and pile.done)
        sheets = self._laid_over()
        return Filed(sheets, tuple(self._with_replaced(verdicts)), final)

    def _with_replaced(self, verdicts: Sequence[YorktownVerdict]) -> list[YorktownVerdict]:
        """Return verdicts, the first one with filed orders also with the replaced ones."""
        found = list(verdicts)
        for number, verdict in enumerate(found if self._replaced else ()):
            if verdict.filed and not verdict.is_final and verdict.filed != ("add",):
                gone = dict.fromkeys((*verdict.withdrawn, *self._replaced))
                notes = verdict.notes
                if verdict.filed != ("clear",):
                    notes = (*notes, phrase("replaced-on-file"))
                found[number] = replace(verdict, withdrawn=tuple(gone), notes=notes)
                break
        return found

    def _end(self, told: Sequence[tuple[Line, list[YorktownVerdict]]]) -> None:
        """Make orders final as the mail declares, unless a line was refused or cut short.

        So a mistyped line costs no step. A `done` in another mail then makes the orders final.
        """
        wrong = [verdict for _, each in told for verdict in each if self._is_wrong(verdict)]
        for moment in {moment for final in self._finals for moment in final.final}:
            self._pile(moment).done = not wrong
        lines = tuple(dict.fromkeys(" ".join(one.line.text.split()) for one in wrong))
        reason = phrase("done-held", count=len(wrong), lines=lines)
        held = {id(final) for final in self._finals if wrong}
        for _, each in told:
            each[:] = [without_done(one, reason) if id(one) in held else one for one in each]

    def _is_wrong(self, verdict: YorktownVerdict) -> bool:
        """Return whether a line was refused or cut short, and not cancelled later."""
        if verdict.line in self._cancelled:
            return False
        return bool(verdict.complaint) or any(note.code == "path-cut" for note in verdict.notes)

    def _read_piece(self, line: Line, piece: str) -> list[YorktownVerdict]:
        if piece.lstrip().startswith(">") or len(piece) > MAX:
            return [YorktownVerdict(line, ignored=True)]
        text = clean(without_list_mark(piece))
        if has_form(text, "heading"):
            return [YorktownVerdict(line, ignored=True)]
        if named := clean(order_withdrawn(piece)):
            if verdict := self._withdraw(line, named):
                return [verdict]
        if has_form(re.sub(r"[:*_!().]", "", text).strip(), "hold-all"):
            return [YorktownVerdict(line, notes=(phrase("yw03-holds"),))]
        read: Read = parse(text)
        if isinstance(read, UnreadableLine):
            courtesy = replace_words(text.rstrip("! "), "courtesy")
            polite = parse(courtesy) if courtesy not in ("", text) else read
            read = read if isinstance(polite, UnreadableLine) else polite
        if isinstance(read, UnreadableLine):
            return (
                self._freely_worded(line, text)
                or self._read_repaired(line, text)
                or self._read_list(line, piece)
                or self._misspelt(line, text)
                or [self._unreadable(line, text, read)]
            )
        match read:
            case Done(step):
                return [self._done(line, step)]
            case Control(word):
                return [self._control(line, word)]
        return [self._order(line, read)]

    def _read_repaired(self, line: Line, text: str) -> list[YorktownVerdict]:
        """Read a line with one misspelt word. Return an empty list for any other line."""
        better = repair_line(text)
        if better is None:
            return []
        return [self._order(line, better[1], phrase("line-read-as", line=better[0]))]

    def _misspelt(self, line: Line, text: str) -> list[YorktownVerdict]:
        """Read a line with a misspelt name. Return an empty list for any other line."""
        named = correct_names(text, self._names)
        if named == text:
            return []
        note = phrase("line-read-as", line=named)
        found = self._freely_worded(line, named) or self._read_repaired(line, named)
        read = parse(named)
        if not found and isinstance(read, UnreadableLine) and names_unit(named, self._names):
            return [self._unreadable(line, named, read)]
        return [replace(one, notes=(note, *one.notes)) for one in found]

    def _read_list(self, line: Line, piece: str) -> list[YorktownVerdict]:
        """Read several orders between commas. Return an empty list if one is unreadable."""
        parts = [clean(part) for part in piece.split(",") if clean(part)]
        last = parse(parts[-1]) if len(parts) > 1 else None
        listed = parts[:-1] if isinstance(last, Done) else parts
        if len(parts) < 2 or any(self._meanings.orders(part)[1] is None for part in listed):
            return []
        told = [verdict for part in listed for verdict in self._freely_worded(line, part)]
        return [*told, self._done(line, last.step)] if isinstance(last, Done) else told

    def _may_be_of_all(self, order: Order) -> bool:
        """Return whether an order for all units of a type applies to its unit."""
        unit = self._position.units.get(key_of(self._side, unit_of(order)))
        comes_in = isinstance(order, PlacementOrder) or bool(getattr(order, "path", ()))
        return unit is None or unit.on_map or unit.in_play and comes_in

    def _with_able_units(self, order: Order) -> Order:
        """Return an attack of all units of a type with only those next to the hex.

        If none is next to it, all are kept.
        """
        if not isinstance(order, Attack) or not all(map(is_hex, order.at)):
            return order
        near = {name for at in order.at for name in neighbours(at)}
        places = {u: self._position.units[key_of(self._side, u)].at for u in order.units}
        units = tuple(unit for unit in order.units if places[unit] in near)
        return replace(order, units=units or order.units)

    def _freely_worded(self, line: Line, text: str) -> list[YorktownVerdict]:
        """Read a freely worded line. Return an empty list if it cannot be read."""
        wording, orders = self._meanings.orders(text)
        if orders is None and len(wording.lines) == 1:
            read = parse(wording.lines[0])
            if isinstance(read, UnreadableLine) and read.expected == SIDES:
                return [self._unreadable(line, wording.lines[0], read)]
            return self._read_repaired(line, wording.lines[0])
        if not orders:
            return []
        if retreats := [each for each in orders if isinstance(each, RetreatPreference)]:
            is_marching = self._now.side == self._side and self._now.step is not Step.SETUP
            if is_marching and not plain_words(text, self._names).startswith("retreat"):
                return [self._retreat_or_march(line, each) for each in retreats]
        if wording.is_all:
            orders = [self._with_able_units(each) for each in orders]
            orders = [each for each in orders if self._may_be_of_all(each)]
        near = len({each.unit for each in orders if isinstance(each, MarchOrder | Enter)}) > 1
        if wording.is_joint:
            for each in orders:
                if not self._check(each).order:
                    return [self._order(line, each)]
        told = [self._order(line, each, near=near) for each in orders]
        if not wording.is_all:
            return told
        able = [verdict for verdict in told if not verdict.complaint]
        if not able:
            return told[:1]
        passed = tuple(unit_of(each) for each, v in zip(orders, told, strict=True) if v.complaint)
        if passed:
            note = phrase("passed-over", units=passed)
            able[-1] = replace(able[-1], notes=(*able[-1].notes, note))
        return able

    def _retreat_or_march(self, line: Line, order: RetreatPreference) -> YorktownVerdict:
        """Refuse a line that may be a retreat order or a movement. Suggest both."""
        march = f"{order.unit} to {order.to[0]}"
        reason = phrase("retreat-or-march", unit=order.unit, at=order.to[0])
        read = self._meanings.orders(clean(march))[1] or []
        self._leave_gap(order, self._moment_of(Step.MOVE))
        suggested = [order_text(order), *([march] if any(map(self._suggestable, read)) else [])]
        return refusal(line, reason, tuple(suggested))

    def _withdraw(self, line: Line, text: str) -> YorktownVerdict | None:
        """Take orders off file: one, some kind of a unit, or all of a unit.

        Return None for a line that names no order.
        """
        meant = orders_meant(text, self._names)
        if meant is None:
            return None
        self._cancelled |= {each for each, unit in self._named if unit and unit == meant.unit}
        gone: list[str] = []
        left: list[str] = []
        for moment in {*self._sheets, *self._piles}:
            if moment.rank < self._now.rank:
                continue
            old = read_sheet(self._sheets.get(moment, ""))
            pile = self._pile(moment)
            for order in (*old.orders, *old.standing, *pile.orders):
                if meant.means(order):
                    rest = meant.without_unit(order)
                    pile.withdraw(order, rest)
                    gone.append(order_text(order))
                    left += [order_text(rest)] if rest else []
        if meant.orders or meant.kinds:
            in_force = standing_in_force(self._position, self._side)
            for order in filter(meant.means, in_force):
                self._standing.append(void_of(order))
                gone.append(order_text(order))
        if gone:
            return YorktownVerdict(
                line, tuple(dict.fromkeys(left)), withdrawn=tuple(dict.fromkeys(gone))
            )
        return YorktownVerdict(line, notes=(phrase("withdraw-none", order=text.upper()),))

    def _unreadable(self, line: Line, text: str, read: UnreadableLine) -> YorktownVerdict:
        """Complain about an unreadable line, or ignore it as talk."""
        if has_form(text, "done"):
            return refusal(line, phrase("done-meant"), ("done",))
        if is_talk(text, self._names):
            return YorktownVerdict(line, ignored=True)
        plain = plain_words(text, self._names)
        shared = self._names.find_shared(plain)
        meant = shared.units if shared else [first_unit(text, self._names)]
        moment = self._moment_of(_step_meant(text, self._now.step))
        self._pile(moment).entries.append(Gap("/".join(meant).upper()))
        if shared:
            return self._which_unit(line, plain, shared)
        rest = text[read.column :]
        if read.expected == SIDES and (near := NEAR_SIDES.get(rest[:1])):
            found = phrase("ye45", side=rest[:1].upper(), sides=near)
            choices = tuple(f"{text[: read.column]}{side}" for side in near)
            return refusal(line, found, choices, ComplaintKind.UNREADABLE, read.column)
        example = example_line(self._position, self._side, text, self._is_legal)
        reason = phrase(example.code, rest=rest, unit=example.unit)
        if example.line:
            reason = phrase("ye01", rest=rest, example=example.line)
        return refusal(line, reason, (), ComplaintKind.UNREADABLE, read.column)

    def _is_legal(self, text: str) -> bool:
        """Return whether a line would be filed."""
        read = parse(clean(text))
        if isinstance(read, UnreadableLine):
            orders = self._meanings.orders(clean(text))[1] or []
        else:
            orders = [] if isinstance(read, Done | Control) else [read]
        return bool(orders) and all(map(self._suggestable, map(self._as_placed, orders)))

    def _as_placed(self, order: Order) -> Order:
        """Return an order of the side's set-up: a unit sent to one hex is placed there."""
        is_set_up = self._now.step is Step.SETUP and self._now.side == self._side
        if is_set_up and isinstance(order, MarchOrder) and len(order.path) == 1:
            if not order.leaves and key_of(self._side, order.unit) in counters():
                return PlacementOrder(order.unit, order.path[0], face=order.face)
        return order

    def _suggestable(self, order: Order, *, whole: bool = False) -> Order | None:
        """Return an order as it would be filed, or None if it cannot be suggested.

        `whole`: its path must not be cut.
        """
        checked = self._check(order)
        if checked.order is None or whole and checked.cut:
            return None
        return checked.order if self._checker.can_be_suggested(checked.order) else None

    def _which_unit(self, line: Line, text: str, shared: SharedName) -> YorktownVerdict:
        """Refuse a line with a shared name. Suggest a line for each unit that can do it."""
        choices: list[str] = []
        for unit in shared.units:
            named = re.sub(rf"\b{re.escape(shared.name)}s?\b", unit, text)
            orders = self._meanings.orders(named)[1] or []
            able = [self._suggestable(order, whole=True) for order in orders]
            if able and all(able):
                choices.append("; ".join(order_text(order) for order in able if order))
        units = tuple(unit.upper() for unit in shared.units[:MAX_CHOICES])
        more = len(shared.units) - len(units)
        code = "ye02-more" if more else "ye02-shared"
        reason = phrase(code, name=shared.name.capitalize(), units=units)
        return refusal(line, reason, tuple(choices[:MAX_CHOICES]))

    def _check(self, order: Order, *, near: bool = False) -> CheckResult:
        """Check an order as if it were filed, after the orders on file before it."""
        moment = self._moment_for(order)
        if moment.rank < self._now.rank:
            return CheckResult(None)
        is_now = moment.turn == self._now.turn and self._now.side == self._side
        return self._checker.check(
            order, now=is_now or isinstance(order, Standing), near=near,
            before=self._before(moment, order),
        )

    def _before(self, moment: Moment, order: Order) -> Sequence[Order]:
        """Return the orders of a step that would be carried out before a new one."""
        pile = self._piles.get(moment, Pile())
        entries = self._entries(moment, [*pile.entries, order])
        at = next((n for n, each in enumerate(entries) if each is order), len(entries))
        return orders_in(entries[:at])

    def _done(self, line: Line, step: str) -> YorktownVerdict:
        """Record that the orders of one step, or of all steps left, are final (Y-90)."""
        steps = [Step.FIRE, Step.MOVE]
        if self._now.step is Step.SETUP:
            steps = [Step.SETUP]
        elif step:
            steps = [Step.FIRE if step == "fire" else Step.MOVE]
            self._afloat |= step == "fire"
        moments = tuple(map(self._moment_of, steps))
        final = tuple(each for each in moments if each.rank >= self._now.rank)
        verdict = YorktownVerdict(line, (f"done {step}".strip(),), is_final=True, final=final)
        self._finals.append(verdict)
        return verdict

    def _control(self, line: Line, word: str) -> YorktownVerdict:
        if word == "clear":
            for moment in {*self._sheets, *self._piles, self._now}:
                pile = self._pile(moment)
                pile.entries, pile.cleared, pile.done = [], True, False
            self._finals = []
            self._cancelled.update(each for each, _ in self._named)
            return YorktownVerdict(line, filed=("clear",))
        if word == "add":
            self._adds = True
            return YorktownVerdict(line, filed=("add",))
        code, instead = _COMMANDS[word]
        return refusal(line, phrase(code), (instead,), ComplaintKind.NOT_ALLOWED)

    def _order(
        self, line: Line, read: Order, *notes: Phrase, near: bool = False
    ) -> YorktownVerdict:
        read = self._as_placed(read)
        moment = self._moment_for(read)
        if moment.rank < self._now.rank:
            step = _step_of(read, self._afloat)
            return refusal(line, phrase("ye27", step=step.name), self._instead_of(read))
        checked = self._check(read, near=near)
        if fault := self._checker.host_fault(checked.order):
            checked = CheckResult(None, fault)
        if checked.unneeded:
            return YorktownVerdict(line, notes=(*notes, checked.unneeded))
        if checked.refused or checked.order is None:
            reason = checked.refused or phrase("ye34", unit=unit_of(read))
            self._leave_gap(read, moment)
            return refusal(line, reason, checked.choices)
        if checked.found:
            notes = (*notes, checked.found)
        if checked.cut:
            notes = (*notes, checked.cut, phrase("path-cut", line=order_text(checked.order)))
        if moment.turn != self._now.turn:
            kept = phrase("kept-for", moment=str(moment))
            if self._now.side != self._side:
                kept = phrase("ye30", side=self._now.side, moment=str(moment))
            notes = (*notes, kept)
        text = order_text(checked.order)
        if is_repeated(checked.order, self._pile(moment).entries):
            return YorktownVerdict(line, notes=(*notes, phrase("filed-once", line=text)))
        if isinstance(checked.order, Standing):
            self._standing.append(checked.order)
        else:
            self._afloat |= isinstance(checked.order, BoardingOrder)
            self._pile(moment).entries.append(checked.order)
        return YorktownVerdict(line, (text,), notes)

    def _leave_gap(self, order: Order, moment: Moment) -> None:
        """Leave a gap for a refused order in its sheet."""
        if isinstance(order, RetreatPreference) or not isinstance(order, Standing):
            name = ATTACK if isinstance(order, Attack) else unit_of(order)
            self._pile(moment).entries.append(Gap(name))

    def _instead_of(self, order: Order) -> tuple[str, ...]:
        """Suggest a shot at the hex of a late placing, or a movement there, if possible."""
        if not isinstance(order, PlacementOrder) or self._now.side != self._side:
            return ()
        march = MarchOrder(order.unit, (order.at,), order.face)
        shot = Fire(order.unit, order.at)
        able = (self._suggestable(each, whole=True) for each in (shot, march))
        return tuple(order_text(each) for each in able if each)[:1]

    def _pile(self, moment: Moment) -> Pile:
        return self._piles.setdefault(moment, Pile())

    def _moment_for(self, order: Order) -> Moment:
        """Return the moment that an order is for (Y-89).

        Standing orders apply from now on.
        """
        now, is_own = self._now, self._now.side == self._side
        if isinstance(order, Standing):
            return now
        if isinstance(order, JoinOrder) and now.day == 0 and (is_own or self._side != AP):
            return self._moment_of(Step.SETUP)
        is_moving = is_own and now.step is Step.MOVE
        return self._moment_of(_step_of(order, self._afloat or is_moving))

    def _moment_of(self, step: Step) -> Moment:
        """Return the next moment of a step of this side.

        In the side's own turn it is the moment of that turn, even if it is past.
        """
        now, mine = self._now, self._side
        if step is Step.SETUP:
            return Moment(0, mine, step)
        if now.step is Step.SETUP:
            return Moment(1, mine, step)
        is_over = mine != AP and now.side == AP
        return Moment(now.day + is_over, mine, step)

    def _laid_over(self) -> dict[Moment, str]:
        """Return the changed sheets by moment, and record the replaced orders."""
        changed: dict[Moment, str] = {}
        for moment in {*self._piles, *([self._now] if self._standing else [])}:
            pile = self._piles.get(moment, Pile())
            if pile.has_gaps_only and not (self._standing and moment == self._now):
                continue
            old = read_sheet(self._sheets.get(moment, ""))
            entries = self._entries(moment, pile.entries if pile.orders else [])
            if pile.cleared or pile.orders:
                left = [entry for entry in old.entries if entry not in pile.withdrawn]
                self._replaced += map(order_text, find_replaced(left, entries))
            standing = tuple(order for order in old.standing if order not in pile.withdrawn)
            if moment == self._now:
                standing = amend_standing_orders(standing, self._standing)
            done = old.done if pile.done is None else pile.done
            if pile.orders and pile.done is None:
                done = False
            changed[moment] = write_sheet(YorktownSheet(tuple(entries), standing, done))
        return changed


    def _entries(self, moment: Moment, new: Sequence[Entry]) -> list[Entry]:
        """Return the entries on file for a step, merged with a mail's new ones."""
        pile = self._piles.get(moment, Pile())
        if pile.cleared or new and not self._adds:
            return one_each(new)
        old = read_sheet(self._sheets.get(moment, ""))
        left: list[Entry] = [
            entry if isinstance(entry, Gap) else pile.reduced.get(entry, entry)
            for entry in old.entries if entry not in pile.withdrawn
        ]
        return merge_orders(left, new, self._side)


def _step_of(order: Order, afloat: bool) -> Step:
    if isinstance(order, PlacementOrder):
        return Step.SETUP
    is_fire = isinstance(order, RedoubtOrder | Fire)
    is_fire |= isinstance(order, FrigateOrder) and not afloat
    return Step.FIRE if is_fire else Step.MOVE


def _step_meant(text: str, now: Step) -> Step:
    """Return the step that an unreadable line was probably for."""
    if now is Step.SETUP:
        return now
    return Step.FIRE if re.search(r"\b(?:fir|shoot|buil|dig|frig)", text) else Step.MOVE
