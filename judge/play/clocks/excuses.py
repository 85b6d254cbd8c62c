"""Excused delays, which postpone a deadline for a player who would be late.

SET EXCUSES gives each player a number of them in a game. EXCUSE uses one before the deadline.
With SET AUTO EXCUSES the deadline uses one of each player who would be late. They are stored
with the conduct records (`ConductKind.EXCUSED`), so that a phase that is rolled back restores its
excuses, and they do not count for a person's reliability. A player who takes over a power
starts with all of them.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.model.letter import Letter, LetterKind
from judge.model.person import ConductKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.play.choices.early import missing_orders
from judge.play.choices.settings import schedule_of
from judge.play.choices.terms import describe_span
from judge.play.clocks.deadlines import also_moved, move_deadline
from judge.play.game import Game
from judge.play.letters.anonymity import hides_late_names, knowing_masters
from judge.play.letters.letter_factory import announce, notice_to
from judge.play.people.admission import record_conduct
from judge.play.queries import awaits_release, occupied_seats


def count_taken(game: Game, seat: Seat) -> int:
    """Return how many excuses a seat's player has used in the game."""
    return len(_phases(game, seat))


def count_left(game: Game, seat: Seat) -> int:
    """Return how many excuses a seat's player still has."""
    return max(0, game.chosen.excuses - count_taken(game, seat))


def _phases(game: Game, seat: Seat) -> list[str]:
    """Return the phases for which a seat's present player was excused."""
    return [
        phase for phase, power, at in game.context.register.list_excused(game.id)
        if power == seat.power and (seat.since is None or at >= seat.since)
    ]


def taken_by_power(game: Game) -> list[tuple[str, int]]:
    """Return the powers with used excuses and their numbers, if these are public."""
    if not game.chosen.excuses or hides_late_names(game) or game.state is GameState.FORMING:
        return []
    counts = ((seat.power, count_taken(game, seat)) for seat in occupied_seats(game))
    return [(power, count) for power, count in counts if count]


def can_take_excuse(game: Game, seat: Seat) -> bool:
    """Return whether a seat is a player's in a running or paused game."""
    return seat.role is Role.PLAYER and game.state in (GameState.RUNNING, GameState.PAUSED)


def offer_excuse(game: Game, seat: Seat) -> Phrase | None:
    """Return an offer of an excuse to a player with missing orders, or None."""
    if excuse_refusal(game, seat) is not None:
        return None
    span = describe_span(game.chosen.excuse_time)
    return phrase("excuse-offered", span=span, left=count_left(game, seat))


def excuse_refusal(game: Game, seat: Seat) -> Phrase | None:
    """Return why a seat cannot postpone the present deadline, or None."""
    if not game.chosen.excuses:
        return phrase("excuse-none", game=game.name)
    if seat.role is not Role.PLAYER:
        return phrase("excuse-players")
    if game.state is not GameState.RUNNING:
        return phrase("not-running", game=game.name, state=game.state.value)
    if awaits_release(game):
        return phrase("orders-while-held", phase=game.phase)
    if game.deadline is None:
        return phrase("excuse-waiting", game=game.name)
    if seat.power not in [each.power for each in missing_orders(game, game.table)]:
        return phrase("excuse-nothing-owed", phase=game.phase)
    if game.clock.late:
        return phrase("excuse-too-late", phase=game.phase)
    if game.phase in _phases(game, seat):
        return phrase("excuse-once", phase=game.phase, deadline=game.deadline.isoformat())
    if not count_left(game, seat):
        return phrase("excuse-used", count=game.chosen.excuses, game=game.name)
    return None


def excuse(game: Game, seats: Sequence[Seat], now: datetime) -> None:
    """Postpone the deadline for some players, and use one excuse of each."""
    assert game.deadline is not None
    clock, was = game.table.phase.clock, game.deadline
    later = max(was, now) + timedelta(hours=game.chosen.excuse_time)
    record_conduct(game, seats, ConductKind.EXCUSED, now)
    move_deadline(game, schedule_of(game.chosen).next_allowed(clock, later), now)


def excuse_phrase(game: Game, seats: Sequence[Seat], was: datetime, *, known: bool) -> Phrase:
    """Describe the postponed deadline.

    With `known`, name the excused powers and the excuses they have left.
    """
    assert game.deadline is not None
    facts = {
        "phase": game.phase, "game": game.name, "was": was.isoformat(),
        "now": game.deadline.isoformat(),
    }
    if not known:
        return phrase("excused-somebody", **facts)
    rest = tuple(
        phrase("excuses-left", power=each.power, left=count_left(game, each)) for each in seats
    )
    powers = tuple(each.power for each in seats)
    return phrase("excused", powers=powers, count=len(powers), rest=rest, **facts)


def excuse_late(game: Game, late: Sequence[Seat], now: datetime) -> list[Letter]:
    """Use excuses of players who would be late, under SET AUTO EXCUSES.

    Return the letters to all. The list is empty if no player can be excused.
    """
    if not game.chosen.auto_excuses or game.deadline is None:
        return []
    seats = [seat for seat in late if excuse_refusal(game, seat) is None]
    if not seats:
        return []
    was, before = game.deadline, game.record
    excuse(game, seats, now)
    more = also_moved(before, game)
    known = not hides_late_names(game)
    knowing: list[Letter] = []
    for seat in () if known else seats_that_may_know(game, seats):
        own = [seat] if seat.role is Role.PLAYER else seats
        news = excuse_phrase(game, own, was, known=True)
        knowing.append(notice_to(game, seat, [news, *more], LetterKind.NOTICE))
    public = excuse_phrase(game, seats, was, known=known)
    return knowing + announce(game, public, now, more=more, but=[letter.seat for letter in knowing])


def seats_that_may_know(game: Game, seats: Sequence[Seat]) -> list[Seat]:
    """Return the seats that get the names: those excused, and masters who may know."""
    return [*seats, *knowing_masters(game)]
