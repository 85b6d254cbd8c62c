"""DUMMY and REVIVE: powers without a player on purpose.

A dummy holds or defends itself, disbands as required and builds nothing. No phase waits for it
and no player can take it over. Orders that its master gives it count.
"""

from dataclasses import replace

from judge.games.capabilities import CivilDisorder
from judge.model.command import Command, CommandForm, Permission, Where, bare_address
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, Role, Seat, SeatState
from judge.model.seat_settings import DEFAULT_SETTINGS
from judge.play.choices.capabilities import capability_refusal
from judge.play.choices.settingtable import is_address
from judge.play.clocks.phases import vacancy, vacate
from judge.play.commands.gm.invitations import Invite
from judge.play.commands.gm.running import announce_reason
from judge.play.commands.row import command, reads
from judge.play.commands.seats.leaving import tell_ejected
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.anonymity import may_know
from judge.play.letters.letter_factory import notice_to, start_letter
from judge.play.pending_requests import as_dummy
from judge.play.people.addresses import is_banned
from judge.play.people.admission import allow_return, own_settings, seats_problem
from judge.play.queries import (
    find_power,
    is_dummy,
    is_open,
    is_present,
    no_such_power,
    player_seats,
    seat_of_power,
    sides_of,
)


@command(CommandForm("DUMMY", "DUMMY power"), who=Permission.MASTER)
class Dummy(Command):
    """Command that makes a power a dummy: `DUMMY N`, `DUMMY N SUPPORT`."""

    who: str
    stance: str = ""
    """"hold", "support", or empty for the game's rule for powers without a player."""

    @reads("dummy")
    @classmethod
    def read(cls, who: str, stance: str = "", *, at: Where) -> "Dummy":
        """DUMMY N, DUMMY N SUPPORT."""
        return cls(**at, who=who.rstrip(".!"), stance=stance.lower())

    def run(self, session: Session) -> None:
        """Make a power a dummy. Its player, if it has one, loses it."""
        game = session.game
        seat = _seat_meant(session, self.who, game)
        if isinstance(seat, Phrase):
            session.refuse(self, seat)
            return
        if self.stance == "support" and (problem := capability_refusal(game, CivilDisorder)):
            session.refuse(self, problem)
            return
        if is_dummy(seat) and seat.settings.dummy == self.stance and seat.id:
            session.refuse(self, phrase("dummy-already", power=seat.power))
            return
        context = session.context
        if game.state is GameState.FORMING:
            if not seat.id and not _has_room(game):
                session.refuse(self, phrase("dummy-too-many", game=game.name))
                return
            seat = seat if seat.id else context.games.add_seat(seat)
        elif is_present(seat):
            tell_ejected(session, game, seat)
            seat = vacate(game, seat, session.now)
        context.games.save_seat(as_dummy(seat, self.stance))
        code = {"hold": "dummy-holds", "support": "dummy-supports"}.get(self.stance, "dummy-now")
        announce_reason(session, game, phrase(code, power=seat.power, game=game.name))
        session.mark_changed(game)


def _has_room(game: Game) -> bool:
    """Return whether a forming game can have one dummy more and still two players."""
    seats, sides = player_seats(game), sides_of(game)
    return len(seats) < len(sides) and sum(map(is_dummy, seats)) < len(sides) - 2


def _seat_meant(session: Session, who: str, game: Game) -> Seat | Phrase:
    """Return the seat of the named power, or a reason.

    Before the start it may be a new seat that is not yet stored.
    """
    side = find_power(game, who)
    if not is_open(game):
        return phrase("already-over", game=game.name)
    if side is None:
        return no_such_power(game, who)
    seat = seat_of_power(game, side.name)
    if game.state is not GameState.FORMING:
        assert seat is not None
        return seat
    if seat is None:
        return Seat(
            NO_ID, game.id, Role.PLAYER, SeatState.VACANT, power=side.name, since=session.now
        )
    if not is_present(seat):
        return seat
    return phrase("power-taken", power=side.name, game=game.name)


@command(CommandForm("REVIVE", "REVIVE power"), who=Permission.MASTER)
class Revive(Command):
    """Return of a power to a player: `REVIVE N`, `REVIVE N ann@example.org`.

    Without an address its last player gets it.
    """

    who: str
    address: str = ""

    @reads("revive")
    @classmethod
    def read(cls, who: str, address: str = "", *, at: Where) -> "Revive":
        """REVIVE N, REVIVE N ann@example.org."""
        return cls(**at, who=who.rstrip(".!"), address=bare_address(address))

    def run(self, session: Session) -> None:
        """Give a power to its last player or to an invited person, or make it vacant."""
        game, context = session.game, session.context
        seat = _seat_meant(session, self.who, game)
        if isinstance(seat, Phrase):
            session.refuse(self, seat)
            return
        if is_present(seat) or not seat.id:
            session.refuse(self, phrase("revive-has-player", power=seat.power))
            return
        was_dummy = is_dummy(seat)
        last = context.register.last_player(game.id, seat.power)
        wanted = self.address.lower()
        if wanted and not is_address(wanted):
            session.refuse(self, phrase("no-address", text=self.address))
            return
        dummy_seat, back = seat, phrase("dummy-no-more", power=seat.power, game=game.name)
        if was_dummy:
            seat = replace(seat, settings=DEFAULT_SETTINGS)
            context.games.save_seat(seat)
        if game.state is GameState.FORMING:
            context.games.save_seat(replace(seat, state=SeatState.LEFT))
            announce_reason(session, game, back)
        elif last and _is_meant(session, game, last, wanted) and not _is_inside(
            session, game, last, seat.power
        ):
            _give_back(session, game, seat, last)
        elif wanted:
            _invite(session, self, game, dummy_seat, was_dummy)
        elif was_dummy:
            announce_reason(session, game, back)
            session.announce(game, vacancy(game, seat.power), LetterKind.VACANCY)
        else:
            line = f"REVIVE {self.who} ann@example.org"
            session.refuse(self, phrase("revive-nobody", power=seat.power), line)


def _invite(session: Session, command: Revive, game: Game, seat: Seat, was_dummy: bool) -> None:
    """Invite a person to a power. If that is refused, a dummy remains one."""
    asked = Invite(line=command.line, text=command.text, address=command.address, power=command.who)
    refusals = session.refusals
    asked.run(session)
    if was_dummy and session.refusals > refusals:
        session.context.games.save_seat(seat)
    elif was_dummy:
        back = phrase("dummy-no-more", power=seat.power, game=game.name)
        announce_reason(session, game, back)


def _is_meant(session: Session, game: Game, last: str, wanted: str) -> bool:
    """Return whether a power goes back to its last player.

    An address names the last player only for masters who may know them, so that no master can
    find them by a guess.
    """
    return not wanted or wanted == last and may_know(game, session.seat)


def _is_inside(session: Session, game: Game, address: str, power: str) -> bool:
    """Return whether a ban or another seat keeps a person from playing this power."""
    if is_banned(session.context, address):
        return True
    seats = [s for s in game.all_seats() if is_present(s)]
    mine = [s for s in seats if s.address.lower() == address]
    if any(s.role is Role.MASTER for s in mine):
        return not game.chosen.gm_plays
    return seats_problem(game, address, power) is not None


def _give_back(session: Session, game: Game, seat: Seat, address: str) -> None:
    """Give the seat back to its last player.

    A reply to the letter opens it. It has no password.
    """
    context = session.context
    held = replace(
        seat, state=SeatState.OCCUPIED, address=address, epoch=seat.epoch + 1,
        settings=own_settings(context, address), since=session.now,
    )
    context.games.save_seat(held)
    allow_return(game, address)
    told = phrase("revived-you", power=seat.power, game=game.name)
    session.queue(start_letter(game, held), notice_to(game, held, [told], LetterKind.NOTICE))
    announce_reason(session, game, phrase("revived", power=seat.power, game=game.name))
    session.mark_changed(game)
