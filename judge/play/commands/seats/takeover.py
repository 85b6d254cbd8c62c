"""TAKEOVER of a vacant power or a mastership, with STANDBY and time for orders."""

from dataclasses import replace
from datetime import datetime, timedelta

from judge.games import map_names, near_maps
from judge.games.capabilities import OrderCompletion
from judge.model.command import (
    MASTER_WORDS,
    AuditDetail,
    Command,
    CommandForm,
    ConfirmationPolicy,
    EchoPolicy,
    Permission,
    SeatChange,
    Where,
    Words,
    plain_words,
)
from judge.model.letter import LetterKind
from judge.model.person import ConductKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.play.choices.setting_lists import redact_words
from judge.play.choices.settings import schedule_of
from judge.play.choices.terms import describe_span
from judge.play.clocks.deadlines import describe_time_changes, move_deadline
from judge.play.commands.row import command, reads
from judge.play.commands.seats.signup import (
    add_seat,
    ask_masters_if_needed,
    find_game,
    hash_password,
    is_from,
    refused_entry,
    settled_in,
    takeover_lines,
)
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.gm.masters import MAX, demote_master, make_master, masters_of, playing_problem
from judge.play.letters.letter_factory import notice_to, start_letter
from judge.play.people.admission import (
    entry_problem,
    invitations,
    own_settings,
    password_problem,
    record_conduct,
    seats_problem,
    settle,
)
from judge.play.people.password_prehash import PasswordPrehasher, SeatEntry
from judge.play.people.sitting import ANY
from judge.play.queries import (
    awaits_release,
    find_power,
    is_offered,
    is_open,
    is_present,
    near_powers,
    no_such_power,
    seat_of_power,
)


@command(
    CommandForm("STANDBY, STAND BY", "STANDBY youngstown"), who=Permission.ANYBODY,
    waits=ConfirmationPolicy.PERSON, log=AuditDetail.NOTHING, personal=True,
)
class StandBy(Command):
    """Standby list: `STANDBY`, `STANDBY youngstown`, `SET NO STANDBY`.

    *maps* is empty for all maps.
    """

    maps: tuple[str, ...] = ()
    off: bool = False

    @reads("standby")
    @classmethod
    def read(cls, typed: Words, *, at: Where) -> "StandBy":
        """STANDBY youngstown."""
        maps = tuple(word.lower().strip(",.") for word in typed)
        return cls(**at, maps=tuple(word for word in maps if word))

    @reads("standby_off")
    @classmethod
    def read_standby_off(cls, *, at: Where) -> "StandBy":
        """SET NO STANDBY."""
        return cls(**at, off=True)

    def run(self, session: Session) -> None:
        """Add the sender to the standby list, for some maps or all, or remove them."""
        register = session.context.register
        person = register.person(session.person)
        unknown = tuple(word for word in self.maps if word not in map_names())
        if unknown:
            known = near_maps(unknown)
            lines = [f"STANDBY {name}" for name in known]
            session.refuse(self, phrase("standby-map", words=unknown), *lines)
            return
        maps = () if self.off else tuple(sorted(set(self.maps))) or (ANY,)
        register.save(replace(person, standby=maps))
        if self.off:
            session.done(phrase("standby-off"))
        elif maps == (ANY,):
            session.done(phrase("standby-all"))
        else:
            session.done(phrase("standby-on", maps=maps))


def _make_time(game: Game, power: str, now: datetime) -> None:
    """Give the new player of a power time for the first orders.

    A game that waited for players (NMR WAIT) goes on when the last of their powers is taken.
    """
    table = game.table
    schedule, clock = schedule_of(game.chosen, game.context.policy.shortest), table.phase.clock
    hours = timedelta(hours=game.chosen.takeover_time)
    since = game.clock.paused or now
    if game.deadline is None:
        left = tuple(other for other in game.clock.waits_for if other != power)
        game.change(clock=replace(game.clock, waits_for=left))
        if left:
            return
        deadline = schedule.next_allowed(clock, since + hours) if hours else None
        move_deadline(game, deadline or schedule.deadline(clock, since), now)
    elif hours and power in table.powers_due() and game.deadline < since + hours:
        move_deadline(game, schedule.next_allowed(clock, since + hours), now)


def give_time(session: Session, game: Game, power: str) -> None:
    """Move the deadline for the new player of a power and announce it.

    A phase whose result awaits its release is left as it is.
    """
    if awaits_release(game):
        return
    before = game.record
    _make_time(game, power, session.now)
    if game.deadline is None or game.deadline == before.deadline:
        return
    if game.state is GameState.PAUSED:
        left = game.deadline - (game.clock.paused or session.now)
        hours = describe_span(left / timedelta(hours=1))
        news: tuple[Phrase, ...] = (phrase("time-for-newcomer", game=game.name, span=hours),)
    else:
        news = describe_time_changes("deadline-for-newcomer", before, game)
    session.announce_to_all(game, news)


@command(
    CommandForm("TAKEOVER, TAKE OVER", "TAKEOVER Nmarco password", EchoPolicy.SEAT),
    who=Permission.ANYBODY, opens=True, shuts=True, registers="who",
    waits=ConfirmationPolicy.SEATED, log=AuditDetail.NOTHING, as_power=True,
)
class Takeover(SeatEntry):
    """Takeover of a vacant power: `TAKEOVER Nmarco pw`, `TAKEOVER india@marco pw`.

    *words* after the password are the word of a game by invitation.
    """

    who: str
    words: tuple[str, ...] = ()

    @property
    def is_mastership(self) -> bool:
        """True if the command names a mastership, not a power."""
        return self.who.casefold() in MASTER_WORDS

    def seat_change(self) -> SeatChange:
        """Return the change of the open seat."""
        return SeatChange(self.game, is_masters=self.who in MASTER_WORDS)

    def prepare(self, work: PasswordPrehasher) -> None:
        """Hash the password in advance, if it will be needed."""
        work.take_over(self.game, self.who, self.password)

    def is_vouched(self, session: Session) -> bool:
        """Return whether the command needs no confirmation.

        That is so for a mastership, if the open seat is proved or the command has the word of
        the letter that asked.
        """
        if not self.is_mastership:
            return False
        game = session.context.games.find(self.game.lower())
        offer = game.dealings.asked_masters.get(session.mail.sender.lower()) if game else None
        return session.current.proven or offer is not None and offer.word in self.words

    @reads()
    @classmethod
    def read(cls, seat: tuple[str, str], password: str, typed: Words, *, at: Where) -> "Takeover":
        """TAKEOVER Nmarco pw."""
        (who, game), words = seat, plain_words(typed)
        return cls(**at, who=who, game=game, password=password, words=words)

    def run(self, session: Session) -> None:
        """Take a vacant power or, with M instead of a power, the mastership offered."""
        given = self if self.is_mastership else redact_words(self, self.words)
        game = find_game(session, given, self.game)
        if game is None:
            return
        if not self.is_mastership:
            _take_power(session, given, game)
        elif _is_asked_to_master(session, self, game):
            _join_masters(session, self, game)
        elif game.dealings.master_offered and is_open(game):
            _succeed(session, self, game)
        else:
            refused_entry(session, self, phrase("mastership-not-offered", game=game.name))


def _take_power(session: Session, command: Takeover, game: Game) -> None:
    """Take a vacant power. The password in the command becomes that of its seat."""
    side = find_power(game, command.who)
    seat = seat_of_power(game, side.name) if side else None
    if side is None or seat is None or not is_offered(seat) or not is_open(game):
        # LIST shows whether a power is occupied, unknown or not yet in play. This reply does not.
        lines = takeover_lines(game)
        reason = phrase("takeover-not-vacant", game=game.name)
        if side is None and near_powers(game, command.who):
            reason, lines = no_such_power(game, command.who), []
        refused_entry(session, command, reason, *lines)
        return
    problem = _problem(session, command, game, side.name)
    if problem:
        refused_entry(session, command, problem)
        return
    if ask_masters_if_needed(session, game, command.password, side.name):
        return
    context, sender = session.context, session.mail.sender
    password = hash_password(session, command.password)
    held = occupy(session, game, replace(seat, address=sender, password=password))
    session.mark_changed(game)
    settled_in(session, held)
    session.done(phrase("taken-over", power=seat.power, game=game.name))
    news = phrase("power-taken-over", power=seat.power, game=game.name)
    session.announce(game, news)
    give_time(session, context.games.get(game.id), held.power)
    session.queue(start_letter(context.games.get(game.id), held))


def occupy(session: Session, game: Game, seat: Seat) -> Seat:
    """Give a vacant power a player and return the new seat.

    *seat* has the player's address and password.
    """
    context = session.context
    held = replace(
        seat, state=SeatState.OCCUPIED, epoch=seat.epoch + 1,
        settings=own_settings(context, seat.address), since=session.now,
    )
    context.games.save_seat(held)
    _reopen_orders(game, seat.power)
    settle(game, seat.address)
    record_conduct(game, [held], ConductKind.TOOK_OVER, session.now)
    return held


def _reopen_orders(game: Game, power: str) -> None:
    """Reopen the orders on file of a power, so that a new player may change them."""
    table, sheet = game.table, game.orders(game.phase).get(power, "")
    if sheet and isinstance(table, OrderCompletion):
        game.file_orders(game.phase, power, table.without_final_word(sheet))
    game.change(clock=replace(game.clock, early=None))


def _problem(session: Session, command: Takeover, game: Game, power: str) -> Phrase | None:
    sender, now = session.mail.sender, session.now
    kept = [each.address for each in invitations(game, now) if each.power == power]
    if kept and sender.lower() not in kept:
        return phrase("takeover-kept", power=power)
    seated = [s for s in game.all_seats() if is_present(s)]
    masters = [s for s in seated if s.role is Role.MASTER and is_from(session, s)]
    if masters and not game.chosen.gm_plays:
        return phrase("master-may-not-play", game=game.name)
    if problem := seats_problem(game, sender, power):
        return problem
    if command.words and not game.chosen.private:
        return phrase("takeover-words")
    problem = entry_problem(game, sender, command.words, now)
    return problem or password_problem(command.password)


def _is_asked_to_master(session: Session, command: Takeover, game: Game) -> bool:
    """Return whether the sender was asked to be a master and sends the word for it."""
    offer = game.dealings.asked_masters.get(session.mail.sender.lower())
    if offer is None or not is_open(game):
        return False
    return session.now < offer.until and offer.word in command.words


def _join_masters(session: Session, command: Takeover, game: Game) -> None:
    """Make a person who was asked one more master of the game."""
    problem = password_problem(command.password) or playing_problem(game, session.mail.sender)
    if len(masters_of(game)) >= MAX:
        problem = phrase("promote-most", most=MAX, game=game.name)
    if problem:
        refused_entry(session, command, problem)
        return
    low = session.mail.sender.lower()
    asked = game.dealings.asked_masters
    game.change_requests(asked_masters={who: each for who, each in asked.items() if who != low})
    _seat_master(session, command, game)
    session.announce(game, phrase("promoted", game=game.name))


def _succeed(session: Session, command: Takeover, game: Game) -> None:
    """Make the sender master of a game whose own masters are inactive.

    The first of the game's people who asks gets the mastership. A From line alone is no proof:
    the sender's seat must have been opened by a reply or a password. A player who becomes
    master stays a player, and so gets no additional information.
    """
    context = session.context
    if not session.current.proven or session.current.game != game.id:
        refused_entry(session, command, phrase("mastership-needs-seat", game=game.name))
        return
    problem = password_problem(command.password)
    if problem:
        refused_entry(session, command, problem)
        return
    plays = session.seat.role is Role.PLAYER
    game.change_requests(master_offered=None)
    if plays:
        game.change_settings(gm_plays=True)
    for silent in masters_of(game):
        gone = demote_master(context, silent)
        told = phrase("demoted-you", game=game.name)
        session.queue(notice_to(game, gone, [told], LetterKind.NOTICE))
    if session.seat.role in (Role.OBSERVER, Role.MONITOR):
        gone = replace(session.seat, state=SeatState.LEFT, epoch=session.seat.epoch + 1)
        session.keep_departing_address()
        context.games.save_seat(gone)
    _seat_master(session, command, game, address=session.person)
    session.announce(game, phrase("new-master", game=game.name))
    if plays:
        session.announce(game, phrase("new-master-plays", game=game.name))


def _seat_master(session: Session, command: Takeover, game: Game, address: str = "") -> None:
    """Give the sender a master's seat, open it and send the state of a running game."""
    seat = add_seat(session, game, command.password, Role.MASTER, SeatState.OCCUPIED)
    seat = make_master(game, replace(seat, address=address or seat.address), session.now)
    settled_in(session, seat)
    session.done(phrase("you-are-master", game=game.name))
    if game.state in (GameState.RUNNING, GameState.PAUSED):
        session.queue(start_letter(game, seat))
