"""Clock of a game: muster, reminders, deadlines and grace periods.

`advance_clock` is called by the resolver for each game that is due and does everything due by then.
It may be called at any time and any number of times. It also sets `due`, the next instant at which
the game must be checked, so that idle games cost nothing.

The muster is a confirmation round before the start. A complete game with `SET MUSTER 48` asks
every player to CONFIRM within 48 hours. When all have, it begins. Players who have not by then
lose their place, and the game looks for players again.

A clock stops while its game is paused, and while the game's system is not installed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.board.bundle import is_key, name_in_key
from judge.games import is_installed, is_playable
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import GameState, Seat, SeatState
from judge.model.replace import replace
from judge.play.choices.early import (
    early_delay,
    is_left_to_vacant,
    missing_final_word,
    missing_orders,
)
from judge.play.choices.settings import schedule_of
from judge.play.clocks.deadlines import (
    avoid_absences,
    describe_time_changes,
    move_deadline,
    pause_clock,
    put_times,
    resume_clock,
    times_of,
)
from judge.play.clocks.excuses import excuse_late
from judge.play.clocks.late_orders import (
    apply_nmr_policy,
    next_reminder,
    nmr_warning_time,
    remind,
    tell_lateness,
    warn_of_nmr,
)
from judge.play.clocks.phases import finish_phase, next_master_reminder, remind_master, start_game
from judge.play.clocks.results import join_results
from judge.play.future_orders import missing_proxy_orders
from judge.play.game import Game
from judge.play.letters.letter_factory import announce, letter_to, notice_to, record_in_history
from judge.play.people.sitting import end_sittings, next_return
from judge.play.post_game import end_talk
from judge.play.queries import (
    awaits_release,
    is_frozen,
    is_present,
    occupied_seats,
    player_seats,
    present_masters,
    private_code,
    sides_of,
)
from judge.play.unsettled import has_open_lines


def update_forming_game(game: Game, now: datetime) -> list[Letter]:
    """Update a forming game after a change: muster its players, or begin."""
    if not is_playable(game.system, game.map):
        return []
    seats = player_seats(game)
    mustering = game.clock.muster_until is not None
    if len(seats) < len(sides_of(game)):
        if mustering:
            _unmuster(game)
        return []
    if game.chosen.manual_start:
        return []
    hours = game.chosen.muster
    seats = [seat for seat in seats if is_present(seat)]
    # A player who has just joined need not confirm.
    here = (
        find_confirmed_seats(game)
        if mustering
        else {seat.id for seat in seats if seat.since == now}
    )
    if not hours or all(seat.id in here for seat in seats):
        return start_game(game, now)
    return [] if mustering else _start_muster(game, seats, now + timedelta(hours=hours), here)


def find_confirmed_seats(game: Game) -> set[int]:
    """Return the ids of the seats that have confirmed."""
    return set(game.clock.confirmed or ())


def _start_muster(
    game: Game, seats: Sequence[Seat], until: datetime, here: set[int]
) -> list[Letter]:
    """Ask all players to confirm, except those who already have."""
    game.change(clock=game.clock.with_muster(until, tuple(sorted(here))), due=until)
    return [
        letter_to(
            game, seat, LetterKind.NOTICE, "muster", {"until": until},
            phrase("event-please-confirm"),
        )
        for seat in seats
        if seat.id not in here
    ]


def _unmuster(game: Game) -> None:
    game.change(clock=replace(game.clock, muster_until=None, confirmed=None), due=None)


def end_muster(game: Game, now: datetime) -> list[Letter]:
    """Free the places of players who did not confirm in time, and announce it."""
    until = game.clock.muster_until
    if until is None or now < until:
        game.change(due=until)
        return []
    here = find_confirmed_seats(game)
    absent = [s for s in player_seats(game) if is_present(s) and s.id not in here]
    _unmuster(game)
    letters = []
    for seat in absent:
        code = private_code(game, "muster-missed", "muster-missed-private")
        lost = phrase(code, game=game.name)
        letters.append(notice_to(game, seat, [lost], LetterKind.NOTICE))
        game.save_seat(replace(seat, state=SeatState.LEFT, epoch=seat.epoch + 1))
    reason = phrase("muster-failed", game=game.name, count=len(absent))
    return letters + announce(game, reason, now)


MAX_STEPS = 50
"""Maximum number of steps in one call. A clock that needs more is broken."""


def advance_clock(game: Game, now: datetime) -> list[Letter]:
    """Do everything due in a game by an instant, and set its next check."""
    return join_results(game, _attend(game, now))


def _attend(game: Game, now: datetime) -> list[Letter]:
    letters: list[Letter] = []
    for _ in range(MAX_STEPS):
        if game.state is GameState.FORMING:
            return end_muster(game, now)
        if game.state is GameState.ENDED:
            return letters + end_talk(game, now)
        if game.state is not GameState.RUNNING:
            if game.due != game.clock.paused_until:
                game.change(due=game.clock.paused_until)
            return letters
        step = _next_step(game, now)
        if step is None:
            game.change(due=next_wakeup(game))
            return letters
        letters += step
        update_early_deadline(game, now)
    return letters


def _next_step(game: Game, now: datetime) -> list[Letter] | None:
    """Do the next thing that is due, or return None if no step is due."""
    writing_from = game.clock.writing_from
    early = game.clock.early
    deadline, grace = game.deadline, game.grace_until
    if _is_past(next_return(game), now):
        return end_sittings(game, now)
    if awaits_release(game):
        return remind_master(game, now) if _is_past(next_master_reminder(game), now) else None
    if writing_from and now >= writing_from:
        return begin_writing(game, writing_from)
    if early and now >= early:
        return finish_phase(game, now)
    if deadline is None:
        return None
    if now >= deadline:
        late = missing_orders(game, game.table)
        if not late and early and grace and now < grace and game.clock.late:
            # The early-deadline delay also applies to the last late player.
            return None
        if not late:
            return finish_phase(game, now)
        if not game.clock.late and (letters := excuse_late(game, late, now)):
            return letters
        if grace is None or now >= grace:
            return apply_nmr_policy(game, late, now)
        if not game.clock.late:
            return tell_lateness(game, late, now)
        return warn_of_nmr(game) if _is_past(nmr_warning_time(game), now) else None
    return remind(game, now) if _is_past(next_reminder(game), now) else None


def _is_past(instant: datetime | None, now: datetime) -> bool:
    return instant is not None and now >= instant


def next_wakeup(game: Game) -> datetime | None:
    """Return the next instant at which a running game can have a step due."""
    if awaits_release(game):
        return min(filter(None, (next_master_reminder(game), next_return(game))), default=None)
    instants = [
        game.clock.writing_from, game.clock.early, next_reminder(game), nmr_warning_time(game),
        next_return(game), game.grace_until if game.clock.late else game.deadline,
    ]
    return min((instant for instant in instants if instant), default=None)


def update_early_deadline(game: Game, now: datetime) -> None:
    """Set or drop the early deadline after orders, READY, WAIT or seats changed.

    A phase ends early when every occupied seat with orders due has them in, also those for
    units granted to it, and no player asked to wait. A game without an occupied seat waits for
    its deadline. A game that waits for a player has no early deadline.
    """
    if game.state is not GameState.RUNNING or awaits_release(game):
        return
    table = game.table
    held = occupied_seats(game, table.powers_alive())
    clock = replace(game.clock, early=None)
    if clock.negotiates:
        all_ready = bool(held) and all(seat.ready for seat in held)
        # If a READY is withdrawn in time, negotiation ends as planned.
        clock = replace(clock, writing_from=now if all_ready else clock.begun or clock.writing_from)
    elif (
        not clock.waits_for
        and (occupied_seats(game, table.powers_due()) or is_left_to_vacant(game, table))
        and not missing_orders(game, table)
        and not missing_final_word(game, table)
        and not missing_proxy_orders(game, table)
        and not has_open_lines(game, (seat for seat in held if seat.power in table.powers_due()))
        and (clock.late or not any(seat.wait for seat in held))
        and (clock.late or not game.chosen.always_wait)
    ):
        floor = schedule_of(game.chosen).earliest(table.phase.clock, game.opened or now)
        early = max(now + early_delay(game, table), floor)
        early = max(early, clock.not_before or early)
        # If the early deadline is already set, it is not postponed.
        clock = replace(clock, early=game.clock.early or early)
    game.change(clock=clock)
    game.change(due=next_wakeup(game))


def begin_writing(game: Game, now: datetime) -> list[Letter]:
    """End negotiation and begin order writing.

    From now on press goes only to and from the master.
    """
    for seat in player_seats(game):
        if seat.ready:
            game.save_seat(replace(seat, ready=False))
    before, planned = game.record, game.clock.begun or now
    times = times_of(game)
    if times.deadline and now < planned:
        # Negotiation ended early, so order writing keeps its planned length.
        earlier = times.deadline - (planned - now)
        deadline, why = avoid_absences(game, game.table, earlier, now)
        game.change(clock=replace(game.clock, put_off=why or game.clock.put_off or ""))
        put_times(game, times._replace(deadline=deadline), "negotiation_end", now)
    game.change(clock=replace(game.clock, begun=now, writing_from=None, writing=True))
    begins = phrase("writing-begins", phase=game.phase)
    news = describe_time_changes("writing-begins-moved", before, game, begins)
    letters = announce(game, news[0], now, more=news[1:])
    update_early_deadline(game, now)
    return letters


def is_missed_in(game: Game, since: datetime, until: datetime) -> bool:
    """Return whether the last deadline of a running game passed in a span of time."""
    last = game.grace_until if game.clock.late else game.deadline
    return game.state is GameState.RUNNING and last is not None and since <= last <= until


def after_outage(game: Game, since: datetime, now: datetime) -> list[Letter]:
    """Move a deadline that passed in an outage to at least `outage_grace` from now."""
    if not is_missed_in(game, since, now) or awaits_release(game):
        return []
    before = game.record
    move_deadline(game, now + game.context.policy.outage_grace, now)
    game.change(due=next_wakeup(game))
    news = describe_time_changes("outage", before, game)
    return announce(game, news[0], now, more=news[1:])


BY_FREEZE = "freeze"
"""Cause of a pause: the orders of the game are frozen."""
BY_SYSTEM = "system"
"""Cause of a pause: the system of the game is not installed."""


def end_pause(game: Game, now: datetime) -> list[Letter]:
    """Resume a game whose pause is over, with the time that was left.

    Return the announcements. If its orders are frozen or its system is missing, it stays paused
    for that cause.
    """
    until = game.clock.paused_until
    if game.state is not GameState.PAUSED or until is None or now < until:
        return []
    if is_frozen(game) or not is_playable(game.system, game.map):
        since = game.clock.paused or now
        pause_clock(game, since, by=BY_FREEZE if is_frozen(game) else BY_SYSTEM)
        return []
    before = game.record
    resume_clock(game, now)
    update_early_deadline(game, now)
    news = describe_time_changes("pause-over", before, game, phrase("pause-over", game=game.name))
    return announce(game, news[0], now, more=news[1:])


def stop_or_go_on(game: Game, now: datetime) -> list[Letter]:
    """Pause a game whose system or map is missing, or resume it once both are back.

    Return the letters: about a pause to its masters, about the end of it to all.
    """
    here = is_playable(game.system, game.map)
    facts = {"game": game.name, "system": game.system, "map": name_in_key(game.map)}
    if game.state is GameState.RUNNING and not here:
        pause_clock(game, now, by=BY_SYSTEM)
        news = phrase("map-missing" if is_installed(game.system) else "system-missing", **facts)
        record_in_history(game, news, now)
        return [notice_to(game, seat, [news], LetterKind.NOTICE) for seat in present_masters(game)]
    if game.state is GameState.PAUSED and game.clock.paused_by == BY_SYSTEM and here:
        before = game.record
        resume_clock(game, now)
        game.change(due=next_wakeup(game))
        moved = describe_time_changes("deadline-now", before, game)
        back = phrase("map-back" if is_key(game.map) else "system-back", **facts)
        letters = announce(game, back, now, more=moved)
        update_early_deadline(game, now)
        return letters
    return []
