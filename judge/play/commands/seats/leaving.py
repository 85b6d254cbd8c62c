"""Going: ejected, resigned, unsubscribed."""

from dataclasses import replace

from judge.play.clocks.phases import vacancy, vacate
from judge.play.commands.mastering.masters import resign_mastership
from judge.play.commands.mastering.running import tell_all
from judge.play.commands.seats.standby import stand_by
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.telling import notice_to
from judge.play.office import (
    find_side,
    is_open,
    is_present,
    near_powers,
    no_such_power,
    owner_of,
    seat_of_power,
)
from judge.play.people.conduct import note
from judge.play.people.eligibility import bar
from judge.play.people.sitting import give_back
from judge.play.people.standby import adverts
from judge.words.letter import Kind
from judge.words.mastering import Eject
from judge.words.person import Deed
from judge.words.reason import because
from judge.words.record import Role, Seat, SeatState
from judge.words.seats import Resign, StandBy, Unsubscribe


def eject(session: Session, command: Eject) -> None:
    """Take a power from its player, or drop an observer or waiting player by address."""
    game = session.game
    if not is_open(game):
        session.refuse(command, because("already-over", game=game.name))
        return
    if "@" in command.who:
        _eject_address(session, command, game)
        return
    side = find_side(game, command.who)
    seat = seat_of_power(game, side.name) if side else None
    if side is None and near_powers(game, command.who):
        session.refuse(command, no_such_power(game, command.who))
        return
    if seat is None or not is_present(seat):
        session.refuse(command, because("eject-nobody", who=command.who))
        return
    if seat.state is SeatState.WAITING:
        _eject_address(session, replace(command, who=seat.address), game)
        return
    tell_ejected(session, game, seat)
    tell_all(session, game, because("ejected", power=seat.power, game=game.name))
    _empty(session, game, seat)
    session.say(vacancy(game, seat.power))
    _bar(session, owner_of(seat) or seat.address)


def tell_ejected(session: Session, game: Game, seat: Seat) -> None:
    """Tell whoever loses a power by its master's word: its player, and who sits in for him."""
    news = because("ejected-you", power=seat.power, game=game.name)
    owner = owner_of(seat)
    seats = [seat, *([replace(seat, address=owner)] if owner else [])]
    session.letters += [
        notice_to(game, each, [news], Kind.NOTICE, parting=True) for each in seats
    ]


def _eject_address(session: Session, command: Eject, game: Game) -> None:
    """Drop every seat of a person that is no power's, whichever of his addresses it has."""
    office, wanted = session.office, command.who.casefold()
    ejected: set[str] = set()
    for seat in game.all_seats():
        leaves = seat.role in (Role.OBSERVER, Role.MONITOR) or seat.state is SeatState.WAITING
        if is_present(seat) and leaves and office.aliases.same(seat.address, wanted):
            waits = seat.state is SeatState.WAITING
            news = because("ejected-before-start" if waits else "ejected-watcher", game=game.name)
            session.letters.append(
                notice_to(game, seat, [news], Kind.NOTICE, parting=True)
            )
            _leave(session, seat)
            ejected.add(seat.address)
    if ejected:
        session.say(because("ejected-address", address=wanted))
        _bar(session, wanted, *sorted(ejected))
    else:
        session.refuse(command, because("eject-nobody", who=command.who))


def _bar(session: Session, *addresses: str) -> None:
    """Keep somebody who was ejected from coming back by himself."""
    bar(session.game, *addresses)
    session.say(because("ejected-barred", game=session.game.name))


def _empty(session: Session, game: Game, seat: Seat) -> None:
    """Make a power's seat vacant and tell everybody how to take it."""
    vacate(game, seat, session.now)
    session.announce(game, vacancy(game, seat.power), Kind.VACANCY)
    session.letters += adverts(game, seat, session.now)
    session.touch(game)


def _leave(session: Session, seat: Seat) -> None:
    if seat.state is SeatState.WAITING:
        session.touch(session.office.games.get(seat.game))
    session.office.bundles.drop(seat.id)
    gone = replace(seat, state=SeatState.LEFT, epoch=seat.epoch + 1)
    session.office.games.save_seat(gone)


def resign(session: Session, command: Resign) -> None:
    """Leave the open seat; a power's seat becomes vacant and everybody hears it.

    What follows in the mail is for no seat any more.
    """
    before = len(session.current.complaints)
    _resign(session, command)
    if len(session.current.complaints) == before:
        session.close(shut=True)


def _resign(session: Session, command: Resign) -> None:
    seat, game = session.seat, session.game
    if seat.role is Role.MASTER:
        if not resign_mastership(session):
            session.refuse(command, because("master-may-not-resign", game=game.name))
        return
    if owner_of(seat):
        session.farewell()
        session.letters += give_back(game, seat, session.now)
        session.say(because("sitter-gave-up", power=seat.power))
        return
    session.farewell()
    session.say(because("you-left", game=game.name))
    if seat.state is SeatState.HELD and seat.power and is_open(game):
        note(game, [seat], Deed.RESIGNED, session.now)
        news = because("resigned", power=seat.power, game=game.name)
        session.announce(game, news)
        _empty(session, game, seat)
    else:
        _leave(session, seat)


def unsubscribe(session: Session, command: Unsubscribe) -> None:
    """Leave as an observer; who stands by, and has no seat open, leaves the standby list."""
    if not session.is_signed_on:
        if not session.office.register.person(session.person).standby:
            session.refuse(command, because("unsubscribe-from-what"))
            return
        off = StandBy(line=command.line, text=command.text, off=True, maps=())
        stand_by(session, off)
        return
    seat = session.seat
    if seat.role not in (Role.OBSERVER, Role.MONITOR):
        session.refuse(command, because("unsubscribe-not-observer"))
        return
    session.farewell()
    session.say(because("you-left", game=session.game.name))
    _leave(session, seat)
    session.close(shut=True)
