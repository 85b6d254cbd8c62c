"""Commands that file, show and clear orders, with WAIT and READY."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from judge.games import find_head as find_game_head
from judge.games import find_system
from judge.games.order_likeness import is_greeting
from judge.games.system import LineRead, OrdersRead
from judge.model.command import AuditDetail, Command, CommandForm, Permission, Where
from judge.model.incoming import Line
from judge.model.order_commands import GiveOrders, Heading
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.model.withdrawing import means_withdrawal
from judge.play.commands.orders import future
from judge.play.commands.orders.excusing import standing
from judge.play.commands.orders.future import (
    MAX_PLANS,
    plan_body,
    plan_wait,
    remember_earlier_proxies,
    sheets_to_change,
    warn_of_vacant_proxies,
)
from judge.play.commands.row import DECLARED, CommandRow, command, reads
from judge.play.commands.seats.signup import is_from
from judge.play.commands.session import ReplyDraft, Session
from judge.play.future_orders import (
    NEXT_MAIN_PHASE,
    OLDER_ORDER_CODE,
    file_later,
    messages_among,
    read_lines,
)
from judge.play.game import Game
from judge.play.letters.kept_phrases import load_phrase
from judge.play.letters.letter_factory import has_password, seat_facts
from judge.play.passwords import mask_line
from judge.play.queries import (
    awaits_release,
    code_or_default,
    is_main_phase,
    main_phases,
    phase_meant,
    reader_of,
    seat_of_power,
)
from judge.play.unsettled import (
    is_open,
    note_lines,
    note_unread_lines,
    settle_lines,
)


def give_orders(session: Session, command: GiveOrders) -> None:
    """Read order lines for the open seat and merge them into those on file.

    They are merged unit by unit. Without a sign-on the lines may be prose, so they get a single
    complaint.
    """
    if not session.is_signed_on:
        greets = all(is_greeting(line.text) for line in command.lines)
        code = "greeting-without-seat" if greets else "orders-without-seat"
        session.complain(_refusal(command.lines[0], phrase(code, count=len(command.lines))))
        return
    seat, game = session.seat, session.game
    if seat.role in (Role.OBSERVER, Role.MONITOR):
        _refused_lines(session, command.lines, phrase("orders-by-observer"))
        return
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        code = "orders-before-start" if game.state is GameState.FORMING else "orders-after-end"
        _refused_orders(session, game, command.lines, phrase(code, game=game.name))
        return
    if session.phase_invalid:
        _refused_lines(session, command.lines, phrase("orders-for-no-phase"))
    elif session.order_phase not in ("", game.phase):
        plan_body(session, command.lines)
    elif not session.order_phase and _is_stale(session, game, seat):
        _refused_stale(session, game, command.lines)
    elif seat.role is Role.MASTER:
        _file(session, game, None, command.lines)
    elif _waits_for_main_phase(game, seat):
        _keep(session, game, seat, command.lines)
    elif awaits_release(game):
        _refused_lines(session, command.lines, phrase("orders-while-held", phase=game.phase))
    else:
        _file(session, game, seat.power, command.lines)


DECLARED.append(CommandRow(
    value=GiveOrders, run=give_orders, who=Permission.ANYBODY,
    log=AuditDetail.UNITS, as_power=True, frozen="orders",
))


def heading(session: Session, command: Heading) -> None:
    """Handle the name of a phase above orders.

    A name that only another game system uses is read as an order.
    """
    if command.words and session.is_signed_on:
        if find_system(session.game.system).find_head(command.words) is None:
            give_orders(session, _as_order(command, command.text))
            return
    if not command.rest:
        future.handle_heading(session, command)
        return
    head = find_game_head(command.words)
    assert head is not None
    if session.is_signed_on and future.names_open_phase(session, head):
        give_orders(session, _as_order(command, command.rest))
        return
    lines = (f"PHASE {head.label}", command.rest)
    session.complain(Complaint(
        ComplaintKind.UNREADABLE, command.line, command.text, phrase("looks-like-later"),
        suggestions=lines,
    ))


DECLARED.append(CommandRow(value=Heading, run=heading, who=Permission.ANYBODY))


def _as_order(command: Heading, text: str) -> GiveOrders:
    """Return a line with the name of a phase, or its rest, as an order."""
    return GiveOrders(line=command.line, text=text, lines=(Line(command.line, text),))


def _file(session: Session, game: Game, power: str | None, lines: Sequence[Line]) -> None:
    context = session.context
    sheets = sheets_to_change(session, game, power)
    # A master who also plays on a hidden board sees no units to order.
    table = game.table if power else game.table.as_seen_by(reader_of(game, session.seat))
    read = read_lines(game, table, lines, power, sheets, fresh=session.current.replaces_orders)
    checked = map(_with_unread_withdrawal, read.lines)
    read = replace(read, lines=tuple(map(mask_line, checked)))
    if power is not None and read.ready and _is_crossing(session, game, read.lines):
        alone = [line.line for line in read.lines if line.filed]
        _refused_lines(session, alone, phrase("ready-too-soon", phase=game.phase))
        return
    later = {owner for named in read.later.values() for owner in named}
    for owner in (*read.sheets, *later):
        if power is None and not _may_order(session, game, owner):
            reason = phrase("master-plays-too", power=owner)
            _refused_lines(session, lines, reason)
            return
    if {*read.later} - {plan.phase for plan in game.plans()} and _is_full(game, read.later):
        _refused_lines(session, lines, phrase("too-many-plans", limit=MAX_PLANS))
        return
    remember_earlier_proxies(session, game)
    game.file_sheets(game.phase, read.sheets)
    file_later(game, read.later)
    # A master has no need to be advised to send press to the master.
    asked = messages_among(game, power, read.lines) if power else []
    told = {complaint.line for complaint in asked}
    session.add(ReplyDraft(
        powers=frozenset(read.sheets),
        orders=tuple(each for each in read.lines if each.line.number not in told),
        complaints=(*complaints_of(read.lines), *asked),
    ))
    if (read.sheets or later) and power is not None:
        seat = session.seat
        if seat.missed:
            context.games.save_seat(replace(seat, missed=0))
    if read.sheets or later:
        warn_of_vacant_proxies(session, game)
        session.set_replace_mode(False)
        session.mark_changed(game)
    if power is not None:
        if note_lines(game, power, read.lines, session.current.orders):
            session.mark_changed(game)
        if any(line.withdrawn for line in read.lines):
            no_longer_ready(session, game)
        _readiness(session, game, read)


def _with_unread_withdrawal(read: LineRead) -> LineRead:
    """Return a complaint for a line that withdraws an order and names none.

    Other lines are returned unchanged.
    """
    if not read.ignored or not means_withdrawal(read.line.text):
        return read
    line, kind = read.line, ComplaintKind.UNREADABLE
    reason = phrase("withdraw-unread")
    return LineRead(line, complaint=Complaint(kind, line.number, line.text.strip(), reason))


def no_longer_ready(session: Session, game: Game) -> None:
    """Clear READY, because fewer orders are on file than at the time of READY."""
    seat = session.context.games.seat(session.seat.id) or session.seat
    if not seat.ready:
        return
    _not_ready(session, game)
    session.done(phrase("unready"))


def _readiness(session: Session, game: Game, read: OrdersRead) -> None:
    """Set READY from lines of orders, or clear it next to refused lines.

    READY may be among these orders or earlier in the mail.
    """
    ready = read.ready or read.ready is None and "READY" in session.current.verbs
    if ready and _is_slip(session, game, (*session.current.orders, *read.lines)):
        _not_ready(session, game)
        session.done(phrase("ready-beside-refused"))
        return
    if read.ready is not None:
        _be_ready(session, game, read.ready)


def _is_full(game: Game, later: Mapping[str, Mapping[str, str]]) -> bool:
    """Return whether a power would have orders for more than MOST_PLANS later phases."""
    phases = {(plan.power, plan.phase) for plan in game.plans()}
    phases |= {(power, label) for label, sheets in later.items() for power in sheets}
    return max(Counter(power for power, _ in phases).values(), default=0) > MAX_PLANS


def complaints_of(lines: Sequence[LineRead]) -> list[Complaint]:
    """Return the complaints of lines, each followed by notes on the valid rest.

    The notes are about valid orders in the same line, and about older orders that it did not
    change.
    """
    found = []
    for number, read in enumerate(lines):
        if read.complaint is None:
            continue
        found.append(read.complaint)
        if [each.line for each in lines[number + 1 : number + 2]] == [read.line]:
            continue
        filed = [order for each in lines if each.line == read.line for order in each.filed]
        if filed:
            reason = phrase("rest-of-line-filed", orders=tuple(filed))
            found.append(replace(read.complaint, reason=reason, column=None, suggestions=()))
        for order in read.kept:
            reason = phrase(OLDER_ORDER_CODE, order=order)
            found.append(replace(read.complaint, reason=reason, column=None, suggestions=()))
    return found


def _may_order(session: Session, game: Game, power: str) -> bool:
    """Return whether the master may order a power's units.

    A master who plays may not order the units of other players.
    """
    if not game.chosen.gm_plays:
        return True
    seat = seat_of_power(game, power)
    return seat is None or seat.state is not SeatState.OCCUPIED or is_from(session, seat)


def _waits_for_main_phase(game: Game, seat: Seat) -> bool:
    """Return whether the power of a seat has nothing to decide in a minor phase.

    A phase of retreats is one. Orders are then stored for the next main phase. An eliminated
    power has no next phase.
    """
    table = game.table
    waits = not is_main_phase(game, table) and seat.power not in table.powers_due()
    return waits and seat.power in table.powers_alive()


def _keep(session: Session, game: Game, seat: Seat, lines: Sequence[Line]) -> None:
    kept = game.orders(NEXT_MAIN_PHASE)
    before = [] if session.current.replaces_orders else json.loads(kept.get(seat.power, "[]"))
    texts = [*before, *(line.text for line in lines)]
    text = json.dumps(texts, ensure_ascii=False)
    game.file_orders(NEXT_MAIN_PHASE, seat.power, text)
    kept_for = main_phases(game)
    session.set_replace_mode(False)
    session.done(phrase("orders-kept", count=len(lines), phase=game.phase, main=kept_for))


def _is_stale(session: Session, game: Game, seat: Seat) -> bool:
    """Return whether a reply refers to an earlier phase and so may have old orders.

    A reply to the results of the last main phase is valid in the next one, as long as its
    writer had nothing to decide in the phases between. A master decides for all powers.
    """
    written = session.stale_turn
    if written is None and session.released:
        # The orders of a deferred mail are for the phase in which it arrived.
        turns = game.turns()
        later = [turn.number for turn in turns if turn.at > session.mail.accepted]
        written = min(later, default=None)
    if written is None:
        return False
    if _is_undone(session, game):
        return True
    if written >= game.turn:
        return False
    if not is_main_phase(game, game.table):
        return True
    system = find_system(game.system)
    for turn in game.turns():
        if turn.number >= written:
            then = system.table(game.map, turn.before, game.settings)
            decided = (
                then.powers_due()
                if seat.role is Role.MASTER
                else {seat.power} & set(then.powers_due())
            )
            if is_main_phase(game, then) or decided:
                return True
    return False


def _is_undone(session: Session, game: Game) -> bool:
    """Return whether a reply refers to a letter from before a rollback.

    That letter showed another position.
    """
    return session.stale_branch is not None and session.stale_branch != game.branch


def _refused_stale(session: Session, game: Game, lines: Sequence[Line]) -> None:
    signon = f"SIGNON {seat_facts(game, session.seat)['signon']} yourpassword"
    undone = _is_undone(session, game)
    code = "orders-of-undone-phase" if undone else "orders-of-earlier-phase"
    reason = Phrase(code, {"phase": game.phase, "game": game.name})
    again = [signon] if has_password(session.seat) else []
    again += [line.text.strip() for line in lines]
    session.complain(
        Complaint(
            ComplaintKind.TOO_LATE, lines[0].number, lines[0].text.strip(), reason,
            suggestions=tuple(again[:40]),
        )
    )


def _refused_lines(session: Session, lines: Sequence[Line], reason: Phrase) -> None:
    """Refuse each of these lines for one reason."""
    each = Phrase(reason.code, {**reason.facts, "count": 1})
    session.complain(*(_refusal(line, each) for line in lines))


def _refusal(line: Line, reason: Phrase) -> Complaint:
    text = mask_line(LineRead(line)).line.text.strip()[:200]
    return Complaint(ComplaintKind.NOT_ALLOWED, line.number, text, reason)


def _refused_orders(session: Session, game: Game, lines: Sequence[Line], reason: Phrase) -> None:
    """Refuse the orders among lines, and show prose among them as ignored."""
    reads = game.table.read_orders(lines, None, {}).lines
    talk = [read for read in reads if read.ignored]
    left = {read.line for read in talk}
    if talk:
        session.add(ReplyDraft(orders=tuple(talk)))
    if orders := [line for line in lines if line not in left]:
        _refused_lines(session, orders, reason)


@command(CommandForm("CLEAR", "CLEAR"), as_power=True, freeze="orders")
class Clear(Command):
    """Command that removes the orders on file: all, or those of one phase."""

    phase: str = ""

    def run(self, session: Session) -> None:
        """Remove the orders on file of the open power: all, or those of one phase."""
        seat, game = session.seat, session.game
        if seat.role is not Role.PLAYER or not seat.power:
            session.refuse(self, phrase("needs-power"))
            return
        remember_earlier_proxies(session, game)
        only = phase_meant(game, self.phase) or session.order_phase
        plans = {plan.phase: plan for plan in game.plans(seat.power)}
        if only not in ("", game.phase, *plans):
            session.refuse(self, phrase("nothing-ahead", phase=only))
            return
        if awaits_release(game) and only in ("", game.phase):
            session.refuse(self, phrase("orders-while-held", phase=game.phase))
            return
        gone = [plan for plan in plans.values() if only in ("", plan.phase)]
        for plan in gone:
            game.file_plan(replace(plan, text="", wait=False))
        if only in ("", game.phase):
            for phase in (game.phase, NEXT_MAIN_PHASE):
                game.file_orders(phase, seat.power, "")
            session.done(phrase("orders-cleared", phase=game.phase))
            no_longer_ready(session, game)
        if gone:
            labels = find_system(game.system).sort_phases(plan.phase for plan in gone)
            session.done(phrase("plans-cleared", phases=tuple(labels)))
        session.mark_changed(game)


@command(CommandForm("DROP", "DROP"), as_power=True, freeze="orders")
class Drop(Command):
    """Command that drops refused lines, so that no phase waits for them: `DROP`."""

    def run(self, session: Session) -> None:
        """Drop the refused lines of the open power, so that no phase waits for them."""
        seat, game = session.seat, session.game
        if seat.role is not Role.PLAYER or not seat.power:
            session.refuse(self, phrase("needs-power"))
            return
        dropped = settle_lines(game, seat.power)
        if not dropped:
            session.done(phrase("nothing-to-drop"))
            return
        session.done(phrase("refused-lines-dropped", count=dropped))
        session.mark_changed(game)


def note_unread(session: Session, complaint: Complaint) -> None:
    """Prevent a phase from ending early because of lines below a failed sign-on.

    The lines may be orders for the open seat.
    """
    reason = complaint.reason
    if reason.code != "after-failed-sign-on" or not session.is_signed_on:
        return
    seat, game = session.seat, session.game
    if seat.role is not Role.PLAYER or game.state not in (GameState.RUNNING, GameState.PAUSED):
        return
    count = reason.facts["count"]
    assert isinstance(count, int)
    note_unread_lines(game, seat.power, count)
    session.mark_changed(game)


@command(CommandForm("STATUS", "STATUS"), log=AuditDetail.LOOK, as_power=True)
class Status(Command):
    """State of the seat: orders on file, position and deadline."""

    def run(self, session: Session) -> None:
        """Show the open seat.

        The reply always contains the orders, so only the position is added. A master who does
        not play gets the orders of all powers with something to decide, while the game runs.
        """
        position = {"template": "position"}
        if position not in session.current.infos:
            session.add(ReplyDraft(infos=(position,)))
            standing(session)
        if session.game.state is GameState.ENDED and session.game.result:
            session.done(
                load_phrase(json.loads(session.game.result)["reason"], session.game.system)
            )
        if session.is_master and session.game.state is GameState.RUNNING:
            if not session.game.chosen.gm_plays:
                session.add(ReplyDraft(powers=frozenset(session.game.table.powers_due())))


@command(
    CommandForm("READY", "READY"), CommandForm("UNREADY, NOTREADY, NOT READY", "NOT READY"),
    as_power=True, freeze="orders",
)
class Ready(Command):
    """Completion of the orders on file: `READY`, `UNREADY` or `NOT READY`.

    Units without orders get their default orders.
    """

    ready: bool = True

    @reads("unready")
    @classmethod
    def read(cls, *, at: Where) -> "Ready":
        """NOT READY."""
        return cls(**at, ready=False)

    def run(self, session: Session) -> None:
        """Set or clear READY for the open power."""
        seat, game = session.seat, session.game
        if seat.role is not Role.PLAYER or game.state is not GameState.RUNNING:
            session.refuse(self, phrase("needs-running-power"))
            return
        if awaits_release(game):
            session.refuse(self, phrase("orders-while-held", phase=game.phase))
            return
        if self.ready and not session.order_phase and _is_stale(session, game, seat):
            session.refuse(self, phrase("ready-of-earlier-phase", phase=game.phase), "READY")
            return
        if self.ready and _is_slip(session, game, session.current.orders):
            _not_ready(session, game)
            session.refuse(self, phrase("ready-beside-refused"), "READY")
            return
        _be_ready(session, game, self.ready)


def _is_slip(session: Session, game: Game, lines: Sequence[LineRead]) -> bool:
    """Return whether READY is refused because of a refused line of the same mail.

    A DROP settles the lines above it, not those below.
    """
    power = session.seat.power
    return not game.clock.negotiates and any(is_open(game, power, read) for read in lines)


def _is_crossing(session: Session, game: Game, lines: Sequence[LineRead]) -> bool:
    """Return whether a READY alone probably crossed the results of the phase before.

    It was sent in the moments after that phase ended, not as a reply, and its power has no
    orders for the present phase. This is only checked in games where READY is among the orders.
    """
    orders = [order for read in lines for order in (*read.filed, *read.withdrawn)]
    turns = game.turns()
    is_reply = session.stale_turn is not None
    if orders != ["READY"] or is_reply or session.order_phase or not turns:
        return False
    if any(read.complaint for read in lines) or game.orders(game.phase).get(session.seat.power):
        return False
    return session.mail.accepted - turns[-1].at < _CROSSING_TIME


_CROSSING_TIME = timedelta(seconds=60)
"""Time that is too short to read the results and decide on no orders."""


def _not_ready(session: Session, game: Game) -> None:
    """Clear READY for the open power and remove the reports of it from this mail."""
    seat = session.context.games.seat(session.seat.id) or session.seat
    session.context.games.save_seat(replace(seat, ready=False))
    session.remove_from_all(game.id, _said_of_ready(game))


def _said_of_ready(game: Game) -> str:
    """Return the code of the report to a power that is READY with its orders."""
    return code_or_default(game, f"ready-orders-{game.table.phase.clock}", "ready-orders")


def _be_ready(session: Session, game: Game, ready: bool) -> None:
    """Set or clear READY for the open power."""
    if game.state is not GameState.RUNNING:
        session.done(phrase("needs-running-power"))
        return
    # READY shows that the player is present, with or without orders.
    seat = session.context.games.seat(session.seat.id) or session.seat
    missed = 0 if ready else seat.missed
    session.context.games.save_seat(replace(seat, ready=ready, missed=missed))
    negotiating = game.clock.negotiates
    if ready:
        settle_lines(game, seat.power)
        is_due = negotiating or seat.power in game.table.powers_due()
        told = "ready-negotiation" if negotiating else _said_of_ready(game)
        session.done(phrase(told) if is_due else phrase("ready-not-due", phase=game.phase))
    else:
        session.done(phrase("unready"))
    session.mark_changed(game)


def set_wait(session: Session, waits: bool) -> None:
    """Set or clear WAIT for a phase, which then lasts until its deadline."""
    seat = session.seat
    if session.order_phase not in ("", session.game.phase):
        plan_wait(session, waits)
        return
    session.context.games.save_seat(replace(seat, wait=waits))
    session.done(phrase("wait-on" if waits else "wait-off", phase=session.game.phase))
    session.mark_changed(session.game)
