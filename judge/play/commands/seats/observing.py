"""OBSERVE and MONITOR, with the approval of observers by masters."""

from dataclasses import replace

from judge.model.command import (
    AuditDetail,
    CommandForm,
    ConfirmationPolicy,
    EchoPolicy,
    Permission,
    SeatChange,
    Where,
)
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, Role, Seat, SeatState
from judge.play.commands.confirmation import is_known, is_missing, speaks_for_person
from judge.play.commands.row import command, reads
from judge.play.commands.seats.signup import (
    add_seat,
    ask_masters,
    find_game,
    has_seat,
    is_from,
    refused_entry,
    settled_in,
)
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.letter_factory import notice_to, start_letter
from judge.play.people.admission import is_barred, is_watching, own_settings, password_problem
from judge.play.people.password_prehash import PasswordPrehasher, SeatEntry
from judge.play.queries import is_open, is_present

MAX_ASKING = 20
"""Maximum number of pending requests to observe a game."""


@command(
    CommandForm("OBSERVE", "OBSERVE marco", EchoPolicy.SEAT),
    CommandForm("WATCH", "WATCH marco", EchoPolicy.SEAT),
    CommandForm("MONITOR", "MONITOR marco", EchoPolicy.SEAT),
    who=Permission.ANYBODY,
    opens=True,
    registers="o",
    waits=ConfirmationPolicy.SEATED,
    log=AuditDetail.NOTHING,
    as_power=True,
)
class Observe(SeatEntry):
    """Subscription: OBSERVE and WATCH with press, MONITOR for results only."""

    results_only: bool = False

    def seat_change(self) -> SeatChange:
        """Return the change of the open seat."""
        return SeatChange(self.game)

    def prepare(self, work: PasswordPrehasher) -> None:
        """Hash the password in advance, if it will be needed."""
        work.observe(self.game, self.password)

    def is_vouched(self, session: Session) -> bool:
        """Return whether the command needs no confirmation.

        That is so for a reply without a password, for an observer of the game, and for a known
        address if the game does not exist.
        """
        return (
            not self.password and speaks_for_person(session)
            or has_seat(session, self.game, Role.OBSERVER, Role.MONITOR)
            or _is_watching(session, self.game)
            or is_known(session) and is_missing(session, self.game)
        )

    @reads("observe")
    @classmethod
    def read(
        cls, game: str, password: str = "", *, results_only: bool = False, at: Where
    ) -> "Observe":
        """OBSERVE marco."""
        name = game.lower().rpartition("@")[2]
        return cls(**at, game=name, password=password, results_only=results_only)

    @reads("monitor")
    @classmethod
    def read_monitor(cls, game: str, password: str = "", *, at: Where) -> "Observe":
        """MONITOR marco."""
        return cls.read(game, password, results_only=True, at=at)

    def run(self, session: Session) -> None:
        """Subscribe to a game, or change between OBSERVE and MONITOR.

        A From line alone opens no existing seat and changes nothing of it.
        """
        game = find_game(session, self, self.game)
        if game is None:
            return
        if not is_open(game):
            refused_entry(session, self, phrase("observe-over", game=game.name))
            return
        role = Role.MONITOR if self.results_only else Role.OBSERVER
        seats = [s for s in game.all_seats() if is_present(s)]
        watching = [seat for seat in seats if is_watching(seat)]
        own = next((seat for seat in watching if is_from(session, seat)), None)
        if session.current.proven and session.current.seat in {seat.id for seat in watching}:
            session.context.games.save_seat(replace(session.seat, role=role))
            session.done(_observing(game, role))
            return
        if own is not None:
            word = "MONITOR" if role is Role.MONITOR else "OBSERVE"
            reason = phrase("observing-already", game=game.name, line=f"{word} {game.name}")
            session.close()
            session.done(reason)
            return
        problem = password_problem(self.password) if self.password else None
        if any(seat.role is Role.PLAYER and is_from(session, seat) for seat in seats):
            problem = phrase("observe-player", game=game.name)
        most = session.context.policy.observers
        if len(watching) >= most:
            problem = phrase("observe-full", game=game.name, most=most)
        problem = problem or _not_admitted(session, game)
        if problem:
            refused_entry(session, self, problem)
            return
        if game.chosen.observers == "approval":
            asked = phrase("observe-asked", game=game.name)
            _ask_masters(session, game, role)
            refused_entry(session, self, asked)
            return
        seat = add_seat(session, game, self.password, role, SeatState.OCCUPIED)
        settled_in(session, seat)
        session.done(_observing(game, role))
        if game.state in (GameState.RUNNING, GameState.PAUSED):
            session.queue(start_letter(game, seat))
            return


def _observing(game: Game, role: Role) -> Phrase:
    """Return the effect of a subscription. Press is named only if observers read it."""
    silent = role is Role.OBSERVER and game.chosen.observer_press == "none"
    return phrase("observing-silently" if silent else f"observing-{role.value}", game=game.name)


def _not_admitted(session: Session, game: Game) -> Phrase | None:
    """Return why the sender may not observe, regardless of an approval, or None."""
    if is_barred(game, session.mail.sender.lower()):
        return phrase("entry-barred", game=game.name)
    if game.chosen.observers == "none":
        return phrase("observe-nobody", game=game.name)
    return None


def _ask_masters(session: Session, game: Game, role: Role) -> None:
    """Ask the masters to approve an observer, once for each address."""
    people, address = game.dealings.watchers, session.mail.sender.lower()
    if address in people or len(people) >= MAX_ASKING:
        return
    game.change_requests(watchers={**people, address: role})
    asks = phrase("watcher-asks", address=address, game=game.name)
    ask_masters(session, game, asks, address)


def admit(session: Session, game: Game, address: str) -> None:
    """Give a pending observer a seat and inform them."""
    role = game.dealings.watchers[address]
    _forget(game, address)
    context = session.context
    seat = context.games.add_seat(
        Seat(
            NO_ID, game.id, role, SeatState.OCCUPIED, address=address,
            settings=own_settings(context, address), since=session.now,
        )
    )
    reason = _observing(game, role)
    session.queue(notice_to(game, seat, [reason], LetterKind.NOTICE))
    if game.state in (GameState.RUNNING, GameState.PAUSED):
        session.queue(start_letter(game, seat))
    session.done(phrase("watcher-admitted", address=address))


def turn_away(session: Session, game: Game, address: str) -> None:
    """Drop a pending request to observe. The person is not informed."""
    _forget(game, address)
    session.done(phrase("watcher-turned-away", address=address))


def _forget(game: Game, address: str) -> None:
    people = game.dealings.watchers
    game.change_requests(watchers={who: role for who, role in people.items() if who != address})


def _is_watching(session: Session, game: str) -> bool:
    """Return whether an observer's seat in the game is open by proof."""
    if not session.current.proven or session.game.name != game.lower():
        return False
    return is_watching(session.seat)
