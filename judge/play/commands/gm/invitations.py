"""INVITE, APPROVE and REFUSE: invitations and pending requests to join.

A pending request includes the hash of a password. After APPROVE the seat is taken without
another mail.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from judge.model.command import Command, CommandForm, Permission, Where, Words, bare_address
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, Role, Seat, SeatState
from judge.play.choices.settingtable import is_address
from judge.play.commands.outreach import cancel, earliest_send_time, send
from judge.play.commands.row import command, reads
from judge.play.commands.seats.observing import admit, turn_away
from judge.play.commands.seats.takeover import give_time, occupy
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.anonymity import may_know
from judge.play.letters.letter_factory import announce, letter_outside, notice_to, start_letter
from judge.play.pending_requests import Invitation, JoinRequest
from judge.play.people.addresses import is_banned
from judge.play.people.admission import (
    allow_return,
    free_sides,
    invitation_of,
    invitations,
    keep_invitations,
    own_settings,
    places_kept,
)
from judge.play.queries import (
    find_power,
    is_open,
    is_present,
    no_such_power,
    player_count,
    player_seats,
    seat_of_power,
    seat_token,
    sides_of,
    vacant_seats,
)

KEPT_FOR = timedelta(days=7)
"""Time for which a seat is reserved for an invited person."""


@command(
    CommandForm("INVITE", "INVITE ann@example.org"),
    CommandForm("UNINVITE", "UNINVITE ann@example.org"), who=Permission.MASTER,
)
class Invite(Command):
    """Reservation of a seat: `INVITE ann@example.org [N]`. UNINVITE withdraws it."""

    address: str
    power: str = ""
    off: bool = False

    @reads("invite")
    @classmethod
    def read(cls, address: str, power: str = "", *, at: Where) -> "Invite":
        """INVITE ann@example.org N."""
        return cls(**at, address=bare_address(address), power=power)

    @reads("uninvite")
    @classmethod
    def read_uninvite(cls, address: str, *, at: Where) -> "Invite":
        """UNINVITE ann@example.org."""
        return cls(**at, address=bare_address(address), off=True)

    def run(self, session: Session) -> None:
        """Reserve a seat and send the line that takes it, or withdraw the invitation."""
        game, address = session.game, self.address.lower()
        if self.off:
            _take_back(session, self, game, address)
            return
        power = _power_named(session, self, game)
        # A reply must not reveal the players. So an invitation to a player goes out like any
        # other, and they can do nothing with it.
        unknown = not may_know(game, session.seat)
        problem = power if isinstance(power, Phrase) else problem_of(
            session, game, address, even_seated=unknown
        )
        if problem:
            session.refuse(self, problem, *_powers_to_name(self, game))
            return
        assert not isinstance(power, Phrase)
        due = earliest_send_time(session, address, _about(game, address))
        if isinstance(due, Phrase):
            session.refuse(self, due)
        else:
            _send(session, game, address, power, due)


def _about(game: Game, address: str) -> str:
    return f"invite {game.id} {address}"


def _take_back(session: Session, command: Invite, game: Game, address: str) -> None:
    if invitation_of(game, address, session.now) is None:
        session.refuse(command, phrase("uninvite-nobody", address=address))
        return
    kept = [each for each in invitations(game, session.now) if each.address != address]
    keep_invitations(game, kept)
    cancel(session, _about(game, address))
    session.done(phrase("uninvited", address=address))


def _power_named(session: Session, command: Invite, game: Game) -> str | Phrase:
    """Return the power of an invitation, or a reason.

    Empty for any power of a forming game.
    """
    side = find_power(game, command.power) if command.power else None
    if command.power and side is None:
        return no_such_power(game, command.power)
    if game.state is GameState.FORMING:
        free = free_sides(game, command.address, session.now)
        if side and side not in free:
            return phrase("power-taken", power=side.name, game=game.name)
        return side.name if side else ""
    vacant = [seat.power for seat in vacant_seats(game)]
    if side is None:
        return vacant[0] if len(vacant) == 1 else phrase("invite-which", game=game.name)
    if side.name not in vacant:
        return phrase("invite-not-vacant", power=side.name, game=game.name)
    return side.name


def _powers_to_name(command: Invite, game: Game) -> list[str]:
    if game.state is GameState.ENDED or command.power:
        return []
    return [f"INVITE {command.address} {seat.power}" for seat in vacant_seats(game)]


def problem_of(
    session: Session, game: Game, address: str, *, even_seated: bool = False
) -> Phrase | None:
    """Return why a game has no seat for an address, or None.

    With *even_seated* it is not checked whether the address has a seat.
    """
    seats = [seat for seat in game.all_seats() if is_present(seat)]
    if not is_open(game):
        return phrase("already-over", game=game.name)
    if not is_address(address):
        return phrase("no-address", text=address)
    if not even_seated and any(
        s.role is Role.PLAYER and s.address.lower() == address for s in seats
    ):
        return phrase("invite-seated", address=address, game=game.name)
    joined = len(player_seats(game)) + places_kept(game, address, session.now)
    if game.state is GameState.FORMING and joined >= len(sides_of(game)):
        return phrase("invite-full", game=game.name)
    return None


def _send(session: Session, game: Game, address: str, power: str, due: datetime) -> None:
    """Reserve a seat and send the line that takes it for *due*."""
    until = due + KEPT_FOR
    others = [each for each in invitations(game, session.now) if each.address != address]
    people = game.dealings.asking
    game.change_requests(asking={who: asked for who, asked in people.items() if who != address})
    allow_return(game, address)
    keep_invitations(game, [*others, Invitation(address, power, until)])
    line = f"JOIN {game.name} yourpassword"
    if game.state is not GameState.FORMING:
        initial = next(side.letter for side in sides_of(game) if side.name == power)
        line = f"TAKEOVER {seat_token(game, initial)} yourpassword"
    letter = letter_outside(
        game, address, phrase("event-seat-kept"), "invite", power=power, line=line, until=until,
    )
    reason = phrase("invited", address=address, power=power or phrase("a-power"), game=game.name)
    send(session, letter, _about(game, address), due, reason)


@command(
    CommandForm("APPROVE", "APPROVE ann@example.org"),
    CommandForm("REFUSE", "REFUSE ann@example.org"), who=Permission.MASTER,
)
class Approve(Command):
    """Decision on a request to play: `APPROVE ann@example.org`, `REFUSE …`."""

    who: str
    off: bool = False

    @reads("approve")
    @classmethod
    def read(cls, typed: Words, *, off: bool = False, at: Where) -> tuple[Command, ...]:
        """APPROVE ann@example.org."""
        return tuple(cls(**at, who=bare_address(who), off=off) for who in typed[:20])

    @reads("disapprove")
    @classmethod
    def read_disapprove(cls, typed: Words, *, at: Where) -> tuple[Command, ...]:
        """REFUSE ann@example.org."""
        return cls.read(typed, off=True, at=at)

    def run(self, session: Session) -> None:
        """Admit or refuse a person who asked to play. They get a letter either way."""
        game, who = session.game, self.who.lower()
        if who in game.dealings.watchers:
            return (turn_away if self.off else admit)(session, game, who)
        people = game.dealings.asking
        if who not in people:
            side = find_power(game, self.who)
            wishing = [each for each, asked in people.items() if side and asked.power == side.name]
            who = wishing[0] if len(wishing) == 1 else who
        if who not in people:
            lines = [f"{'REFUSE' if self.off else 'APPROVE'} {each}"
                     for each in (*people, *game.dealings.watchers)]
            session.refuse(self, phrase("approve-nobody", who=self.who), *lines)
        elif self.off:
            _turn_down(session, game, who)
        else:
            _approve(session, self, game, who, people[who])


def _approve(session: Session, command: Approve, game: Game, who: str, asked: JoinRequest) -> None:
    """Give a person the seat that they asked for, if it is still free."""
    vacant = [seat.power for seat in vacant_seats(game)]
    if game.state is not GameState.FORMING and not asked.power and len(vacant) == 1:
        asked = asked._replace(power=vacant[0])
    problem = _problem(session, game, who, asked.power)
    if problem:
        session.refuse(command, problem)
        return
    if game.state is GameState.FORMING:
        _seat(session, game, who, asked)
    else:
        _hand_over(session, game, who, asked)
    session.done(phrase("approved", address=who))


def _problem(session: Session, game: Game, who: str, power: str) -> Phrase | None:
    free = [seat.power for seat in vacant_seats(game)]
    if game.state is GameState.FORMING:
        free = [side.name for side in free_sides(game, who, session.now)]
    elif not power:
        return phrase("approve-which", address=who, game=game.name)
    if power and power not in free:
        return phrase("power-taken", power=power, game=game.name)
    if is_banned(session.context, who):
        return phrase("approve-banned", address=who)
    return problem_of(session, game, who)


def _seat(session: Session, game: Game, who: str, asked: JoinRequest) -> None:
    """Give a person a place in a game that has not started."""
    context = session.context
    _forget(game, who)
    seat = context.games.add_seat(
        Seat(
            NO_ID, game.id, Role.PLAYER, SeatState.WAITING, power=asked.power, address=who,
            password=asked.password, preference=asked.preference,
            settings=own_settings(context, who), since=session.now,
        )
    )
    count, of = len(player_seats(game)), player_count(game)
    first = phrase("approved-joined", game=game.name, count=count, of=of)
    powers = tuple(f"{side.letter} {side.name}" for side in sides_of(game))
    wishes = phrase("approved-wishes", powers=powers)
    what = phrase("approved-power", power=asked.power) if asked.power else wishes
    told = [first, what, *_how(asked)]
    session.queue(notice_to(context.games.get(game.id), seat, told, LetterKind.NOTICE))
    session.mark_changed(game)


def _hand_over(session: Session, game: Game, who: str, asked: JoinRequest) -> None:
    """Give a person a vacant power of a running game."""
    context = session.context
    seat = seat_of_power(game, asked.power)
    assert seat is not None
    held = occupy(session, game, replace(seat, address=who, password=asked.password))
    session.mark_changed(game)
    give_time(session, context.games.get(game.id), held.power)
    game = context.games.get(game.id)
    first = phrase("approved-taken", power=held.power, game=game.name)
    news = phrase("power-taken-over", power=held.power, game=game.name)
    session.queue(
        notice_to(game, held, [first, *_how(asked)], LetterKind.NOTICE), start_letter(game, held),
        *announce(game, news, session.now, but=(held.id, session.seat.id)),
    )


def _forget(game: Game, who: str) -> None:
    people = game.dealings.asking
    game.change_requests(asking={each: asked for each, asked in people.items() if each != who})


def _how(asked: JoinRequest) -> list[Phrase]:
    """Return the report on which password opens the seat."""
    return [phrase("approved-password" if asked.password else "approved-no-password")]


def _turn_down(session: Session, game: Game, who: str) -> None:
    _forget(game, who)
    session.queue(letter_outside(game, who, phrase("event-no-seat"), "turned-down"))
    session.done(phrase("turned-down", address=who))
