"""TAKEOVER of a vacant power, and how somebody is seated on one."""

from dataclasses import replace

from judge.play.commands.outcome import Outcome, announced, posted, said, touched
from judge.play.commands.seats.entry import must_ask
from judge.play.commands.seats.newcomers import give_time
from judge.play.commands.seats.signup import (
    find_game,
    hashed,
    is_from,
    refused_entry,
    settled_in,
    takeover_lines,
)
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.telling import start_letter
from judge.play.office import (
    find_side,
    is_offered,
    is_open,
    is_present,
    near_powers,
    no_such_power,
    seat_of_power,
)
from judge.play.people.conduct import note
from judge.play.people.eligibility import seats_problem
from judge.play.people.entry import entry_problem, invitations, settle
from judge.play.people.signup import own_settings, password_problem
from judge.words.person import Deed
from judge.words.reason import Reason, because
from judge.words.record import Role, Seat, SeatState
from judge.words.seats import Takeover


def takeover(session: Session, command: Takeover) -> Outcome:
    """Take a vacant power; the password given becomes its own."""
    game = find_game(session, command, command.game)
    if isinstance(game, Outcome):
        return game
    side = find_side(game, command.who)
    seat = seat_of_power(game, side.name) if side else None
    if side is None or seat is None or not is_offered(seat) or not is_open(game):
        # Whether the power is held, unknown or the game not begun is told by LIST, not here.
        lines = takeover_lines(session, game)
        reason = because("takeover-not-vacant", game=game.name)
        if side is None and near_powers(game, command.who):
            reason, lines = no_such_power(game, command.who), []
        return refused_entry(command, reason, *lines)
    problem = _problem(session, command, game, side.name)
    if problem:
        return refused_entry(command, problem)
    if asked := must_ask(session, game, command.password, side.name):
        return asked
    office, sender = session.office, session.mail.sender
    password = hashed(session, command.password)
    held = occupy(session, game, replace(seat, address=sender, password=password))
    did = touched(game) + settled_in(held)
    did += said(because("taken-over", power=seat.power, game=game.name))
    news = because("power-taken-over", power=seat.power, game=game.name)
    did += announced(session, game, news)
    did += give_time(session, office.games.get(game.id), held.power)
    return did + posted(start_letter(office.games.get(game.id), held))


def occupy(session: Session, game: Game, seat: Seat) -> Seat:
    """Seat somebody on a vacant power: `seat` has his address and password; return it as held."""
    office = session.office
    held = replace(
        seat,
        state=SeatState.HELD,
        epoch=seat.epoch + 1,
        settings=own_settings(office, seat.address),
        since=session.now,
    )
    office.games.save_seat(held)
    settle(game, seat.address)
    note(game, [held], Deed.TOOK_OVER, session.now)
    return held


def _problem(
    session: Session, command: Takeover, game: Game, power: str
) -> Reason | None:
    sender, now = session.mail.sender, session.now
    kept = [each.address for each in invitations(game, now) if each.power == power]
    if kept and sender.lower() not in kept:
        return because("takeover-kept", power=power)
    seated = [s for s in game.all_seats() if is_present(s)]
    masters = [s for s in seated if s.role is Role.MASTER and is_from(session, s)]
    if masters and not game.chosen.gm_plays:
        return because("master-may-not-play", game=game.name)
    if problem := seats_problem(game, sender, power):
        return problem
    if command.words and not game.chosen.private:
        return because("takeover-words")
    problem = entry_problem(game, sender, command.words, now)
    return problem or password_problem(command.password)
