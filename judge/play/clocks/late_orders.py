"""Late players: reminders, notices, grace periods and the NMR policy."""

from dataclasses import replace
from datetime import datetime, timedelta

from judge.games import find_system
from judge.model.letter import Letter, LetterKind
from judge.model.person import ConductKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Seat
from judge.play.choices.early import missing_orders
from judge.play.choices.settings import schedule_of
from judge.play.clocks.excuses import offer_excuse
from judge.play.clocks.phases import finish_phase, vacancy, vacate
from judge.play.future_orders import sheet_facts
from judge.play.game import Game
from judge.play.letters.anonymity import hides_late_names, knowing_masters, masters_know
from judge.play.letters.letter_factory import (
    announce,
    letter_to,
    notice_to,
    owed_facts,
)
from judge.play.people.admission import record_conduct
from judge.play.people.sitting import adverts
from judge.play.queries import (
    code_or_default,
    is_main_phase,
    owner_of,
    private_code,
)

SECOND_GRACE = timedelta(hours=24)
"""Minimum time that the first phase's protection adds."""


def next_reminder(game: Game) -> datetime | None:
    """Return the next time to remind players with missing orders, or None."""
    begun, done = game.clock.begun, game.clock.reminded
    if game.deadline is None or begun is None or game.clock.late:
        return None
    instants = schedule_of(game.chosen).remind_at(begun, game.deadline)
    return next((x for x in instants if done is None or x > done), None)


def remind(game: Game, now: datetime) -> list[Letter]:
    """Remind players with missing orders, once for all reminders due by now."""
    game.change(clock=replace(game.clock, reminded=now))
    return [_owed_letter(game, seat, "reminder") for seat in missing_orders(game, game.table)]


def tell_lateness(game: Game, late: list[Seat], now: datetime) -> list[Letter]:
    """Notify late players of missing orders, and all others of their lateness.

    If letters give only the number of late players, the master still gets the names.
    """
    game.change(clock=replace(game.clock, late=tuple(seat.power for seat in late)))
    return _tell_of(game, late, "powers-late", now)


def _tell_of(game: Game, late: list[Seat], code: str, now: datetime) -> list[Letter]:
    """Notify late players, and give the others their names or only their number."""
    letters = [_owed_letter(game, seat, "late") for seat in late]
    told = [seat.id for seat in late]
    reason = phrase(code, powers=tuple(seat.power for seat in late), phase=game.phase)
    if hides_late_names(game):
        for master in knowing_masters(game):
            letters.append(notice_to(game, master, [reason], LetterKind.NOTICE))
            told.append(master.id)
        reason = phrase(f"{code}-count", count=len(late), phase=game.phase)
    return letters + announce(game, reason, now, but=told)


def _owed_letter(game: Game, seat: Seat, template: str) -> Letter:
    clock = game.table.phase.clock
    facts = {
        "owed": owed_facts(game, seat),
        "sheet": sheet_facts(game, seat.power),
        "policy": _policy(game),
        "missed": seat.missed + _new_misses(game, seat) - 1,
        "misses": find_system(game.system).misses,
        "rest": phrase(code_or_default(game, f"late-rest-{clock}", "late-rest")),
        "other": phrase(code_or_default(game, f"late-other-{clock}", "late-other")),
        "excuse": offer_excuse(game, seat),
        "sent": bool(game.orders(game.phase).get(seat.power)),
    }
    event = phrase("event-orders-are-late" if template == "late" else "event-reminder")
    return letter_to(game, seat, LetterKind.REMINDER, template, facts, event)


def nmr_warning_time(game: Game) -> datetime | None:
    """Return when to warn the master of an NMR.

    It is when a quarter of the grace period is left.
    """
    if game.deadline is None or game.grace_until is None:
        return None
    if not game.clock.late or game.clock.alerted:
        return None
    return game.grace_until - (game.grace_until - game.deadline) / 4


def warn_of_nmr(game: Game) -> list[Letter]:
    """Warn the master of players who sent no orders, while there is time to ask them.

    HISTORY does not store it, as the letter contains addresses.
    """
    game.change(clock=replace(game.clock, alerted=True))
    silent = _silent(game, missing_orders(game, game.table))
    if not silent:
        return []
    powers = tuple(f"{seat.power} ({seat.address})" for seat in silent)
    code = "nmr-near-hold" if _policy(game) == "hold" else "nmr-near-vacant"
    misses = find_system(game.system).misses
    then = phrase(code, send="SET GRACE +24h", misses=misses)
    reasons = [phrase("nmr-near", powers=powers, phase=game.phase), then]
    return [
        notice_to(game, master, reasons, LetterKind.REMINDER)
        for master in knowing_masters(game)
    ]


def _silent(game: Game, late: list[Seat]) -> list[Seat]:
    """Return the late seats without any order. Partial orders are late but no NMR."""
    sheets = game.orders(game.phase)
    return [seat for seat in late if not sheets.get(seat.power)]


def name_silent(game: Game) -> tuple[Phrase, ...]:
    """Return a sentence for a master that names the powers without any order, or ().

    A master who may play learns only how many they are.
    """
    silent = _silent(game, missing_orders(game, game.table))
    if not silent:
        return ()
    if not masters_know(game):
        return (phrase("process-silent-count", count=len(silent), phase=game.phase),)
    powers = tuple(seat.power for seat in silent)
    return (phrase("process-silent", powers=powers, phase=game.phase),)


def _is_protected(game: Game) -> bool:
    """Return whether this is a first movement phase in which no power can be lost."""
    first = game.turn == 1 and is_main_phase(game, game.table)
    return first and game.chosen.first_turn


def _policy(game: Game) -> str:
    return "hold" if _is_protected(game) else game.chosen.nmr


def _new_misses(game: Game, seat: Seat) -> int:
    """Return 1 if silence in this phase counts as a missed turn, else 0.

    A turn of several phases is missed at its last one, if nothing came in the others either.
    """
    system = find_system(game.system)
    if not system.ends_turn(game.phase):
        return 0
    for turn in reversed(game.turns()):
        if system.ends_turn(turn.phase):
            break
        if turn.orders.get(seat.power):
            return 0
    return 1


def apply_nmr_policy(game: Game, late: list[Seat], now: datetime) -> list[Letter]:
    """End the grace period: apply the NMR policy, then adjudicate.

    The policy applies to powers without any order. Under `wait` the game stops until a player
    takes over the power or the master sends PROCESS.
    """
    silent = _silent(game, late)
    if silent and _is_protected(game) and not game.clock.protected:
        return _grant_second_grace(game, silent, now)
    record_conduct(game, silent, ConductKind.MISSED, now)
    policy = _policy(game)
    most = find_system(game.system).misses
    missed = {seat.power: seat.missed + _new_misses(game, seat) for seat in silent}
    emptied = [seat.power for seat in silent if policy != "hold" or missed[seat.power] >= most]
    waits = policy == "wait" and bool(emptied)
    if waits:
        waiting = replace(game.clock, waits_for=tuple(emptied))
        game.change(deadline=None, grace_until=None, clock=waiting)
    letters: list[Letter] = []
    vacancies: dict[str, list[Letter]] = {}
    for seat in silent:
        game.save_seat(replace(seat, missed=missed[seat.power]))
        if seat.power not in emptied:
            clock = game.table.phase.clock
            code = code_or_default(game, f"power-nmr-{clock}", "power-nmr")
            reason = phrase(code, power=seat.power, phase=game.phase)
            letters += _tell_nmr(game, seat, reason, now)
            continue
        letters += _lost(game, seat)
        record_conduct(game, [seat], ConductKind.LOST, now)
        vacate(game, seat, now)
        free = vacancy(game, seat.power)
        vacancies[seat.power] = [
            *announce(game, free, now, kind=LetterKind.VACANCY, parting=not waits),
            *adverts(game, seat, now),
        ]
        letters += vacancies[seat.power]
    if waits:
        ended = announce(game, phrase("game-waits", game=game.name), now)
    else:
        ended = finish_phase(game, now)
    # A power that this phase eliminated is not advertised.
    alive = game.table.powers_alive()
    void = [each for power, found in vacancies.items() if power not in alive for each in found]
    return [*(letter for letter in letters if letter not in void), *ended]


def _lost(game: Game, seat: Seat) -> list[Letter]:
    """Notify the person who loses a seat, and the player whose sitter lost it."""
    back = str(vacancy(game, seat.power).facts["send"])
    code = private_code(game, "lost-seat", "lost-seat-private")
    reason = phrase(code, power=seat.power, game=game.name, send=back)
    letters = [notice_to(game, seat, [reason], LetterKind.NOTICE, parting=True)]
    if owner_of(seat):
        player = replace(seat, address=owner_of(seat))
        code = private_code(game, "lost-seat-by-sitter", "lost-seat-by-sitter-private")
        reason = phrase(code, power=seat.power, game=game.name, send=back)
        letters.append(notice_to(game, player, [reason], LetterKind.NOTICE, parting=True))
    return letters


def _tell_nmr(game: Game, seat: Seat, reason: Phrase, now: datetime) -> list[Letter]:
    """Announce that a power sent no orders.

    With a hidden board only the power and the masters are notified, as in a retreat phase the
    others would learn that the power had to retreat. The phase ends with this, so no orders are
    missing any longer.
    """
    if not game.table.has_hidden_information:
        return announce(game, reason, now, parting=True)
    told = [seat, *knowing_masters(game)]
    return [notice_to(game, each, [reason], LetterKind.NOTICE, parting=True) for each in told]


def _grant_second_grace(game: Game, silent: list[Seat], now: datetime) -> list[Letter]:
    """Give a second grace period in the first phase, as the start letter may be lost."""
    schedule, clock = schedule_of(game.chosen), game.table.phase.clock
    until = max(schedule.grace_end(clock, now), now + SECOND_GRACE)
    given = replace(game.clock, alerted=False, protected=True)
    game.change(grace_until=until, clock=given)
    return _tell_of(game, silent, "first-turn-protected", now)
