"""Orders: filed, shown, cleared; WAIT and READY."""

import json
from collections.abc import Sequence
from dataclasses import replace

from judge.games import find_system
from judge.games.system import LineRead
from judge.play.commands.orders.foresight import plan_body, plan_wait, sheets_to_change
from judge.play.commands.orders.lending import warn, watch
from judge.play.commands.seats.signup import is_from
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.inquiries import reason_from
from judge.play.letters.telling import has_password, seat_facts
from judge.play.office import is_held, reader_of, seat_of_power
from judge.play.orders.ahead import KEPT
from judge.play.orders.ordering import OLDER
from judge.play.orders.questions import questions_among
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.incoming import Line
from judge.words.orders import Clear, GiveOrders, Ready, Status
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role, Seat, SeatState


def give_orders(session: Session, command: GiveOrders) -> None:
    """Read order lines for the open seat and merge them, unit by unit, into what is on file.

    Lines of somebody who signed on to nothing may be prose; then only the question remains.
    """
    if not session.is_signed_on:
        _refuse_lines(session, command.lines, because("orders-without-seat"))
        return
    seat, game = session.seat, session.game
    if seat.role in (Role.OBSERVER, Role.MONITOR):
        _refuse_lines(session, command.lines, because("orders-by-observer"))
        return
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        code = "orders-before-start" if game.state is GameState.FORMING else "orders-after-end"
        _refuse_lines(session, command.lines, because(code, game=game.name))
        return
    if session.astray:
        _refuse_lines(session, command.lines, because("orders-for-no-phase"))
    elif session.ahead not in ("", game.phase):
        plan_body(session, command.lines)
    elif not session.ahead and _is_stale(session, game, seat):
        _refuse_stale(session, game, command.lines)
    elif seat.role is Role.MASTER:
        _file(session, game, None, command.lines)
    elif _waits_for_movement(game, seat):
        _keep(session, game, seat, command.lines)
    elif is_held(game):
        _refuse_lines(session, command.lines, because("orders-while-held", phase=game.phase))
    else:
        _file(session, game, seat.power, command.lines)


def _file(session: Session, game: Game, power: str | None, lines: Sequence[Line]) -> None:
    office = session.office
    watch(session, game)
    sheets = sheets_to_change(session, game, power)
    # Whoever masters a hidden board and plays on it too sees no units to order.
    table = game.table if power else game.table.seen_by(reader_of(game, session.seat))
    read = table.read_orders(lines, power, sheets)
    for owner in read.sheets:
        if power is None and not _may_order(session, game, owner):
            reason = because("master-plays-too", power=owner)
            _refuse_lines(session, lines, reason)
            return
    game.file_sheets(game.phase, read.sheets)
    session.current.powers |= set(read.sheets)
    # A master is nobody to be sent to himself.
    asked = questions_among(read.lines) if power else []
    told = {complaint.line for complaint in asked}
    session.current.orders.extend(each for each in read.lines if each.line.number not in told)
    session.current.complaints += complaints_of(read.lines) + asked
    if read.sheets and power is not None:
        seat = session.seat
        if seat.missed:
            office.games.save_seat(replace(seat, missed=0))
    if read.sheets:
        warn(session, game)
        session.current.fresh = False
        session.touch(game)


def complaints_of(lines: Sequence[LineRead]) -> list[Complaint]:
    """Return what is wrong with lines, and below each what of it counts all the same: the orders
    it held beside the wrong one, and those from before that it did not change."""
    found = []
    for number, read in enumerate(lines):
        if read.complaint is None:
            continue
        found.append(read.complaint)
        if [each.line for each in lines[number + 1 : number + 2]] == [read.line]:
            continue
        filed = [order for each in lines if each.line == read.line for order in each.filed]
        if filed:
            reason = because("rest-of-line-filed", orders=tuple(filed))
            found.append(replace(read.complaint, reason=reason, column=None, suggestions=()))
        for order in read.kept:
            reason = because(OLDER, order=order)
            found.append(replace(read.complaint, reason=reason, column=None, suggestions=()))
    return found


def _may_order(session: Session, game: Game, power: str) -> bool:
    """Tell whether the master may order a power's units: not those of others where he plays."""
    if not game.chosen.gm_plays:
        return True
    seat = seat_of_power(game, power)
    return seat is None or seat.state is not SeatState.HELD or is_from(session, seat)


def _waits_for_movement(game: Game, seat: Seat) -> bool:
    """Tell whether a power has nothing to decide in a retreat or adjustment phase.

    What it orders then is meant for the next movement phase and kept for it.
    """
    table = game.table
    return table.phase.clock != "move" and seat.power not in table.due()


def _keep(session: Session, game: Game, seat: Seat, lines: Sequence[Line]) -> None:
    kept = game.orders(KEPT)
    before = [] if session.current.fresh else json.loads(kept.get(seat.power, "[]"))
    session.current.fresh = False
    texts = [*before, *(line.text for line in lines)]
    text = json.dumps(texts, ensure_ascii=False)
    game.file_orders(KEPT, seat.power, text)
    session.say(because("orders-kept", count=len(lines), phase=game.phase))


def _is_stale(session: Session, game: Game, seat: Seat) -> bool:
    """Tell whether a reply answers a letter of an earlier phase, so that its orders may be old.

    A reply to the last movement results stays good in the movement phase that follows, as long
    as its writer had nothing to decide in the phases between. A master decides for all.
    """
    written = session.stale_turn
    if written is None and session.released:
        # The mail has waited: its orders are for the phase in which it came.
        turns = game.turns()
        later = [turn.number for turn in turns if turn.at > session.mail.accepted]
        written = min(later, default=None)
    if written is None:
        return False
    if _is_undone(session, game):
        return True
    if written >= game.turn:
        return False
    if game.table.phase.clock != "move":
        return True
    system = find_system(game.system)
    for turn in game.turns():
        if turn.number >= written:
            then = system.table(game.map, turn.before, game.settings)
            decided = then.due() if seat.role is Role.MASTER else {seat.power} & set(then.due())
            if then.phase.clock == "move" or decided:
                return True
    return False


def _is_undone(session: Session, game: Game) -> bool:
    """Tell whether a reply answers a letter of before a rollback: it told of another position."""
    return session.stale_branch is not None and session.stale_branch != game.branch


def _refuse_stale(session: Session, game: Game, lines: Sequence[Line]) -> None:
    signon = f"SIGNON {seat_facts(game, session.seat)['signon']} yourpassword"
    undone = _is_undone(session, game)
    code = "orders-of-undone-phase" if undone else "orders-of-earlier-phase"
    reason = Reason(code, {"phase": game.phase, "game": game.name})
    again = [signon] if has_password(session.seat) else []
    again += [line.text.strip() for line in lines]
    session.current.complaints.append(
        Complaint(
            ComplaintKind.TOO_LATE, lines[0].number, lines[0].text.strip(), reason,
            suggestions=tuple(again[:40]),
        )
    )


def _refuse_lines(session: Session, lines: Sequence[Line], reason: Reason) -> None:
    """Refuse lines together: one complaint, whose text is the first of them."""
    session.current.complaints.append(
        Complaint(
            ComplaintKind.NOT_ALLOWED, lines[0].number, lines[0].text.strip()[:200],
            Reason(reason.code, {**reason.facts, "count": len(lines)}),
        )
    )


def clear(session: Session, command: Clear) -> None:
    """Drop the orders on file of the open power: all of them, or those of one phase."""
    seat, game = session.seat, session.game
    if seat.role is not Role.PLAYER or not seat.power:
        session.refuse(command, because("needs-power"))
        return
    watch(session, game)
    only = command.phase or session.ahead
    plans = {plan.phase: plan for plan in game.plans(seat.power)}
    if only not in ("", game.phase, *plans):
        session.refuse(command, because("nothing-ahead", phase=only))
        return
    if is_held(game) and only in ("", game.phase):
        session.refuse(command, because("orders-while-held", phase=game.phase))
        return
    gone = [plan for plan in plans.values() if only in ("", plan.phase)]
    for plan in gone:
        game.file_plan(replace(plan, text="", wait=False))
    if only in ("", game.phase):
        for phase in (game.phase, KEPT):
            game.file_orders(phase, seat.power, "")
        session.say(because("orders-cleared", phase=game.phase))
    if gone:
        labels = game.table.in_order(plan.phase for plan in gone)
        session.say(because("plans-cleared", phases=tuple(labels)))
    session.touch(game)


def status(session: Session, command: Status) -> None:
    """Show the open seat; its answer always shows the orders, so only the position is added."""
    if {"template": "position"} not in session.current.infos:
        session.current.infos.append({"template": "position"})
    if session.game.state is GameState.ENDED and session.game.result:
        session.say(reason_from(json.loads(session.game.result)["reason"]))
    if session.is_master and session.game.state is GameState.RUNNING:
        if not session.game.chosen.gm_plays:
            session.current.powers |= session.game.table.due()


def ready(session: Session, command: Ready) -> None:
    """Say that the orders on file are all there will be, or take it back; other units hold."""
    seat, game = session.seat, session.game
    if seat.role is not Role.PLAYER or game.state is not GameState.RUNNING:
        session.refuse(command, because("needs-running-power"))
        return
    if is_held(game):
        session.refuse(command, because("orders-while-held", phase=game.phase))
        return
    # Whoever says READY was there, with orders or without.
    missed = 0 if command.ready else seat.missed
    session.office.games.save_seat(replace(seat, ready=command.ready, missed=missed))
    negotiating = game.clock.negotiates
    if command.ready:
        clock = game.table.phase.clock
        code = f"ready-{clock}" if clock in ("retreat", "adjust") else "ready-orders"
        session.say(because("ready-negotiation" if negotiating else code))
    else:
        session.say(because("unready"))
    session.touch(game)


def set_wait(session: Session, waits: bool) -> None:
    """Ask that a phase is not adjudicated before its deadline, or no longer ask."""
    seat = session.seat
    if session.ahead not in ("", session.game.phase):
        plan_wait(session, waits)
        return
    session.office.games.save_seat(replace(seat, wait=waits))
    session.say(because("wait-on" if waits else "wait-off", phase=session.game.phase))
    session.touch(session.game)
