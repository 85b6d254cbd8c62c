"""OBSERVE and MONITOR, and masters who approve of observers."""

from dataclasses import replace

from judge.play.commands.seats.signup import add_seat, find_game, is_from, refuse_entry, settle_in
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.telling import notice_to, present_seats, start_letter
from judge.play.office import is_open, is_present
from judge.play.people.eligibility import is_barred
from judge.play.people.signup import is_watching, own_settings, password_problem
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role, Seat, SeatState
from judge.words.seats import Observe

MOST_ASKING = 20
"""People who may ask to observe before the master answers."""


def observe(session: Session, command: Observe) -> None:
    """Subscribe to a game: with press, or to results only; again changes which.

    A From line alone opens no seat that is there already, and changes nothing of it.
    """
    game = find_game(session, command, command.game)
    if game is None:
        return
    if not is_open(game):
        refuse_entry(session, command, because("observe-over", game=game.name))
        return
    role = Role.MONITOR if command.results_only else Role.OBSERVER
    seats = [s for s in game.all_seats() if is_present(s)]
    watching = [seat for seat in seats if is_watching(seat)]
    own = next((seat for seat in watching if is_from(session, seat)), None)
    if session.current.proven and session.current.seat in {seat.id for seat in watching}:
        session.office.games.save_seat(replace(session.seat, role=role))
        session.say(_observing(game, role))
        return
    if own is not None:
        session.close()
        word = "MONITOR" if role is Role.MONITOR else "OBSERVE"
        session.say(because("observing-already", game=game.name, line=f"{word} {game.name}"))
        return
    problem = password_problem(command.password) if command.password else None
    if any(seat.role is Role.PLAYER and is_from(session, seat) for seat in seats):
        problem = because("observe-player", game=game.name)
    most = session.office.policy.observers
    if len(watching) >= most:
        problem = because("observe-full", game=game.name, most=most)
    problem = problem or _not_admitted(session, game, role)
    if problem:
        refuse_entry(session, command, problem)
        return
    seat = add_seat(session, game, command.password, role, SeatState.HELD)
    settle_in(session, seat)
    session.say(_observing(game, role))
    if game.state in (GameState.RUNNING, GameState.PAUSED):
        session.letters.append(start_letter(game, seat))


def _observing(game: Game, role: Role) -> Reason:
    """Say what comes to whoever watches: press only where observers read it."""
    silent = role is Role.OBSERVER and game.chosen.observer_press == "none"
    return because("observing-silently" if silent else f"observing-{role.value}", game=game.name)


def _not_admitted(session: Session, game: Game, role: Role) -> Reason | None:
    """Return why somebody may not watch; where the master decides, have him asked."""
    wanted, address = game.chosen.observers, session.mail.sender.lower()
    if is_barred(game, address):
        return because("entry-barred", game=game.name)
    if wanted == "none":
        return because("observe-nobody", game=game.name)
    if wanted != "approval":
        return None
    people = game.dealings.watchers
    if address not in people and len(people) < MOST_ASKING:
        game.deal(watchers={**people, address: role})
        asks = because("watcher-asks", address=address, game=game.name)
        lines = because("newcomer-lines", approve=f"APPROVE {address}", refuse=f"REFUSE {address}")
        session.letters += [
            notice_to(game, seat, [asks, lines], Kind.NOTICE)
            for seat in present_seats(game)
            if seat.role is Role.MASTER
        ]
    return because("observe-asked", game=game.name)


def admit(session: Session, game: Game, address: str) -> None:
    """Seat somebody who asked to watch; he gets a letter."""
    role = game.dealings.watchers[address]
    _forget(game, address)
    office = session.office
    seat = office.games.add_seat(
        Seat(
            0, game.id, role, SeatState.HELD, address=address,
            settings=own_settings(office, address), since=session.now,
        )
    )
    reason = _observing(game, role)
    session.letters.append(notice_to(game, seat, [reason], Kind.NOTICE))
    if game.state in (GameState.RUNNING, GameState.PAUSED):
        session.letters.append(start_letter(game, seat))
    session.say(because("watcher-admitted", address=address))


def turn_away(session: Session, game: Game, address: str) -> None:
    """Forget that somebody asked to watch; he hears nothing more."""
    _forget(game, address)
    session.say(because("watcher-turned-away", address=address))


def _forget(game: Game, address: str) -> None:
    """Forget that somebody asked."""
    people = game.dealings.watchers
    game.deal(watchers={who: role for who, role in people.items() if who != address})
