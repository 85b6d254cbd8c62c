"""APPROVE and REFUSE: the master's word on those who asked to play, or to watch.

Whoever asked has given a password with it, of which its hash is kept: with the master's yes the
seat is taken, and nothing more has to be sent.
"""

from dataclasses import replace

from judge.play.commands.mastering.inviting import problem_of, vacant_powers
from judge.play.commands.outcome import Outcome, posted, refused, said, touched
from judge.play.commands.seats.newcomers import give_time
from judge.play.commands.seats.observing import admit, turn_away
from judge.play.commands.seats.succeeding import occupy
from judge.play.commands.session import Session
from judge.play.dealings import Asked
from judge.play.game import Game
from judge.play.letters.telling import announce, letter_outside, notice_to, start_letter
from judge.play.office import find_side, places, player_seats, seat_of_power, sides_of
from judge.play.people.bans import is_banned
from judge.play.people.entry import free_sides
from judge.play.people.signup import own_settings
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role, Seat, SeatState
from judge.words.seats import Approve


def approve(session: Session, command: Approve) -> Outcome:
    """Let somebody in who asked to play, or not; he gets a letter either way."""
    game, who = session.game, command.who.lower()
    if who in game.dealings.watchers:
        return (turn_away if command.off else admit)(session, game, who)
    people = game.dealings.asking
    if who not in people:
        side = find_side(game, command.who)
        wishing = [each for each, asked in people.items() if side and asked.power == side.name]
        who = wishing[0] if len(wishing) == 1 else who
    if who not in people:
        lines = [f"{'REFUSE' if command.off else 'APPROVE'} {each}"
                 for each in (*people, *game.dealings.watchers)]
        return refused(command, because("approve-nobody", who=command.who), *lines)
    elif command.off:
        return _turn_down(session, game, who)
    else:
        return _approve(session, command, game, who, people[who])


def _approve(
    session: Session, command: Approve, game: Game, who: str, asked: Asked
) -> Outcome:
    """Give somebody the seat he asked for, if it can still be had."""
    vacant = vacant_powers(session, game)
    if game.state is not GameState.FORMING and not asked.power and len(vacant) == 1:
        asked = asked._replace(power=vacant[0])
    problem = _problem(session, game, who, asked.power)
    if problem:
        return refused(command, problem)
    if game.state is GameState.FORMING:
        did = _seat(session, game, who, asked)
    else:
        did = _hand_over(session, game, who, asked)
    return did + said(because("approved", address=who))


def _problem(session: Session, game: Game, who: str, power: str) -> Reason | None:
    free = vacant_powers(session, game)
    if game.state is GameState.FORMING:
        free = [side.name for side in free_sides(game, who, session.now)]
    elif not power:
        return because("approve-which", address=who, game=game.name)
    if power and power not in free:
        return because("power-taken", power=power, game=game.name)
    if is_banned(session.office, who):
        return because("approve-banned", address=who)
    return problem_of(session, game, who)


def _seat(session: Session, game: Game, who: str, asked: Asked) -> Outcome:
    """Give somebody a place in a game that has not begun."""
    office = session.office
    _forget(game, who)
    seat = office.games.add_seat(
        Seat(
            0, game.id, Role.PLAYER, SeatState.WAITING, power=asked.power, address=who,
            password=asked.password, preference=asked.preference,
            settings=own_settings(office, who), since=session.now,
        )
    )
    count, of = len(player_seats(game)), places(game)
    first = because("approved-joined", game=game.name, count=count, of=of)
    powers = tuple(f"{side.letter} {side.name}" for side in sides_of(game))
    wishes = because("approved-wishes", powers=powers)
    what = because("approved-power", power=asked.power) if asked.power else wishes
    told = [first, what, *_how(asked)]
    return posted(notice_to(office.games.get(game.id), seat, told, Kind.NOTICE)) + touched(game)


def _hand_over(session: Session, game: Game, who: str, asked: Asked) -> Outcome:
    """Give somebody a vacant power of a game that goes on."""
    office = session.office
    seat = seat_of_power(game, asked.power)
    assert seat is not None
    held = occupy(session, game, replace(seat, address=who, password=asked.password))
    did = touched(game) + give_time(session, office.games.get(game.id), held.power)
    game = office.games.get(game.id)
    first = because("approved-taken", power=held.power, game=game.name)
    news = because("power-taken-over", power=held.power, game=game.name)
    return did + posted(
        notice_to(game, held, [first, *_how(asked)], Kind.NOTICE),
        start_letter(game, held),
        *announce(game, news, session.now, but=(held.id, session.seat.id)),
    )


def _forget(game: Game, who: str) -> None:
    """Forget that somebody asked."""
    people = game.dealings.asking
    game.deal(asking={each: asked for each, asked in people.items() if each != who})


def _how(asked: Asked) -> list[Reason]:
    """Say which password opens the seat."""
    return [because("approved-password" if asked.password else "approved-no-password")]


def _turn_down(session: Session, game: Game, who: str) -> Outcome:
    _forget(game, who)
    did = posted(letter_outside(game, who, "no seat this time", "turned-down"))
    return did + said(because("turned-down", address=who))
