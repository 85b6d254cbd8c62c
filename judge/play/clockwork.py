"""What the clock does to a game: early adjudication, reminders, lateness, grace, NMR.

`attend` is called by the resolver for each game that is due and does whatever is due by then;
it may be called at any time and any number of times. It also sets `due`, the next instant at
which the game must be looked at, so that games at rest cost nothing.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from judge.games.system import Table
from judge.play.office import Office, player_seats, table_of
from judge.play.phases import adjudicate, vacancy, vacate
from judge.play.settings import schedule_of, setting
from judge.play.telling import announce, instant_mark, letter_to, owed_facts
from judge.words.letter import Kind, Letter
from judge.words.reason import because
from judge.words.record import GameRecord, GameState, Seat, SeatState

MOST_STEPS = 50
"""Phases one call may play; a clock that needs more is broken."""


def attend(office: Office, game_id: int, now: datetime) -> list[Letter]:
    """Do everything that is due in a game by an instant, and set when to look again."""
    letters: list[Letter] = []
    for _ in range(MOST_STEPS):
        game = office.games.get(game_id)
        if game.state is not GameState.RUNNING:
            if game.due is not None:
                office.games.save(replace(game, due=None))
            return letters
        step = _next_step(office, game, now)
        if step is None:
            office.games.save(replace(game, due=next_look(game)))
            return letters
        letters += step
        reconsider(office, game_id, now)
    return letters


def _next_step(office: Office, game: GameRecord, now: datetime) -> list[Letter] | None:
    """Do the one next thing that is due; None when nothing is."""
    writing_from = instant_mark(game, "writing_from")
    early = instant_mark(game, "early")
    deadline, grace = game.deadline, game.grace_until
    if writing_from and now >= writing_from:
        return begin_writing(office, game, writing_from)
    if early and now >= early:
        return adjudicate(office, game, now)[1]
    if deadline is None:
        return None
    if now >= deadline:
        late = owing(office, game, table_of(game))
        if not late:
            return adjudicate(office, game, now)[1]
        if grace is None or now >= grace:
            return _no_moves_received(office, game, late, now)
        return None if "late" in game.marks else _tell_lateness(office, game, late, now)
    if _reminder_at(game) is not None and now >= (_reminder_at(game) or now):
        return _remind(office, game)
    return None


def next_look(game: GameRecord) -> datetime | None:
    """Return the next instant at which something can be due in a running game."""
    instants = [
        instant_mark(game, "writing_from"),
        instant_mark(game, "early"),
        _reminder_at(game),
        game.grace_until if "late" in game.marks else game.deadline,
    ]
    return min((instant for instant in instants if instant), default=None)


def owing(office: Office, game: GameRecord, table: Table) -> list[Seat]:
    """Return the held seats that must still order: nobody is late who has nothing to decide."""
    due = table.due()
    sheets = office.games.orders(game.id, game.phase)
    return [
        seat
        for seat in player_seats(office, game)
        if seat.state is SeatState.HELD
        and seat.power in due
        and not seat.ready
        and table.missing(seat.power, sheets.get(seat.power, ""))
    ]


def reconsider(office: Office, game_id: int, now: datetime) -> None:
    """Set or drop early adjudication after orders, READY, WAIT or seats changed.

    A phase ends early when every held seat that owed orders has them in and nobody asked to
    wait; a game in which no held seat owes anything waits for its deadline.
    """
    game = office.games.get(game_id)
    if game.state is not GameState.RUNNING:
        return
    table = table_of(game)
    alive = table.alive()
    seats = player_seats(office, game)
    held = [seat for seat in seats if seat.state is SeatState.HELD and seat.power in alive]
    marks = {key: value for key, value in game.marks.items() if key != "early"}
    if "writing_from" in marks:
        if held and all(seat.ready for seat in held):
            marks["writing_from"] = now.isoformat()
    elif (
        any(seat.power in table.due() for seat in held)
        and not owing(office, game, table)
        and ("late" in marks or not any(seat.wait for seat in held))
    ):
        early = schedule_of(game).early_at(table.phase.clock, game.opened or now, now)
        early = max(early, instant_mark(game, "not_before") or early)
        # What was on file in time is not put off again by the clock of early adjudication.
        marks["early"] = str(game.marks.get("early") or early.isoformat())
    game = replace(game, marks=marks)
    office.games.save(replace(game, due=next_look(game)))


def begin_writing(office: Office, game: GameRecord, now: datetime) -> list[Letter]:
    """End negotiation: from now on orders are written and no press goes out but with the master."""
    for seat in player_seats(office, game):
        if seat.ready:
            office.games.save_seat(replace(seat, ready=False))
    planned = instant_mark(game, "begun") or now
    deadline = game.deadline
    if deadline and now < planned:
        # Negotiation ended early: order writing takes as long as it would have.
        deadline -= planned - now
    marks = {key: value for key, value in game.marks.items() if key != "writing_from"}
    marks["begun"] = now.isoformat()
    marks["writing"] = True
    clock = table_of(game).phase.clock
    game = replace(
        game,
        marks=marks,
        deadline=deadline,
        grace_until=schedule_of(game).grace_end(clock, deadline) if deadline else None,
    )
    office.games.save(game)
    letters = announce(office, game, because("writing-begins", phase=game.phase), now)
    reconsider(office, game.id, now)
    return letters


def _reminder_at(game: GameRecord) -> datetime | None:
    """Return when to remind those who owe orders; None once it was done or is switched off."""
    begun = instant_mark(game, "begun")
    if game.deadline is None or begun is None or "reminded" in game.marks or "late" in game.marks:
        return None
    schedule = schedule_of(game)
    return schedule.reminder_at(begun, game.deadline) if schedule.reminder else None


def _remind(office: Office, game: GameRecord) -> list[Letter]:
    game = replace(game, marks={**game.marks, "reminded": True})
    office.games.save(game)
    return [
        _owed_letter(office, game, seat, Kind.REMINDER, "reminder")
        for seat in owing(office, game, table_of(game))
    ]


def _tell_lateness(
    office: Office, game: GameRecord, late: list[Seat], now: datetime
) -> list[Letter]:
    """Tell the late what they owe and until when, and everybody else that they are late."""
    game = replace(game, marks={**game.marks, "late": [seat.power for seat in late]})
    office.games.save(game)
    reason = because("powers-late", powers=tuple(seat.power for seat in late), phase=game.phase)
    letters = [_owed_letter(office, game, seat, Kind.REMINDER, "late") for seat in late]
    return letters + announce(office, game, reason, now, but=[seat.id for seat in late])


def _owed_letter(
    office: Office, game: GameRecord, seat: Seat, kind: Kind, template: str
) -> Letter:
    sheet = office.games.orders(game.id, game.phase).get(seat.power, "")
    facts = {
        "owed": owed_facts(office, game, seat),
        "sheet": table_of(game).show_sheet(seat.power, sheet),
        "policy": str(setting(game, "nmr")),
        "missed": seat.missed,
    }
    event = "orders are late" if template == "late" else "reminder"
    return letter_to(office, game, seat, kind, template, facts, event)


def _no_moves_received(
    office: Office, game: GameRecord, late: list[Seat], now: datetime
) -> list[Letter]:
    """End the grace: apply the game's NMR policy to those without any order, then adjudicate.

    Orders for some units only are late but no NMR. Under `wait` the game stands still until
    somebody takes the power over or the master says PROCESS.
    """
    policy = str(setting(game, "nmr"))
    sheets = office.games.orders(game.id, game.phase)
    letters: list[Letter] = []
    emptied = False
    for seat in late:
        if sheets.get(seat.power):
            continue
        missed = seat.missed + 1
        office.games.save_seat(replace(seat, missed=missed))
        if policy == "hold" and missed < 2:
            reason = because("power-nmr", power=seat.power, phase=game.phase)
            letters += announce(office, game, reason, now)
            continue
        emptied = True
        reason = because("lost-seat", power=seat.power, game=game.name)
        facts = {"reasons": [reason], "owed": {"due": False, "missing": ()}}
        letters.append(letter_to(office, game, seat, Kind.NOTICE, "notice", facts, "notice"))
        vacate(office, game, seat, now)
        letters += announce(office, game, vacancy(game, seat.power), now, kind=Kind.VACANCY)
    if policy == "wait" and emptied:
        office.games.save(replace(game, deadline=None, grace_until=None))
        return letters + announce(office, game, because("game-waits", game=game.name), now)
    return letters + adjudicate(office, game, now)[1]


def after_outage(office: Office, game_id: int, since: datetime, now: datetime) -> list[Letter]:
    """Move a deadline that passed in an outage to at least the operator's grace from now."""
    game = office.games.get(game_id)
    last = game.grace_until if "late" in game.marks else game.deadline
    if game.state is not GameState.RUNNING or last is None or not since <= last <= now:
        return []
    game = moved_deadline(game, now + office.policy.outage_grace)
    office.games.save(replace(game, due=next_look(game)))
    return announce(office, game, because("outage", game=game.name), now)


def moved_deadline(game: GameRecord, deadline: datetime) -> GameRecord:
    """Return a game with the deadline of its present phase elsewhere; the grace moves along."""
    clock = table_of(game).phase.clock
    marks = {k: v for k, v in game.marks.items() if k not in ("late", "reminded")}
    grace = schedule_of(game).grace_end(clock, deadline)
    return replace(game, deadline=deadline, grace_until=grace, marks=marks)


def push(game: GameRecord, span: timedelta) -> GameRecord:
    """Shift every instant of a game's present phase by a span (a pause that has ended)."""
    def later(instant: datetime | None) -> datetime | None:
        return instant + span if instant else None

    marks = dict(game.marks)
    for name in ("begun", "writing_from", "early", "not_before"):
        instant = instant_mark(game, name)
        if instant:
            marks[name] = (instant + span).isoformat()
    return replace(
        game,
        deadline=later(game.deadline),
        grace_until=later(game.grace_until),
        opened=later(game.opened),
        marks=marks,
    )
