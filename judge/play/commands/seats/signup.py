"""SIGNON, JOIN and CONFIRM: commands that open, take and confirm seats."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from math import ceil

from judge.board.bundle import name_in_key
from judge.games import match_maps
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
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.model.seat_commands import SignOff
from judge.play.choices.setting_lists import read_several, redact_unknown, redact_words
from judge.play.choices.settings import is_in_force
from judge.play.clocks.game_clock import find_confirmed_seats
from judge.play.commands.confirmation import awaits, keep_sign_on
from judge.play.commands.row import DECLARED, CommandRow, command, reads
from judge.play.commands.session import ReplyDraft, Session
from judge.play.game import Game
from judge.play.letters.letter_factory import notice_to, present_seats
from judge.play.passwords import is_placeholder
from judge.play.pending_requests import JoinRequest
from judge.play.people import signon_throttle
from judge.play.people.addresses import is_banned
from judge.play.people.admission import (
    entry_problem,
    free_sides,
    invitation_of,
    opened_by,
    own_settings,
    password_problem,
    places_kept,
    requested_power,
    seats_named,
    seats_problem,
    settle,
)
from judge.play.people.password_prehash import PasswordPrehasher, SeatEntry
from judge.play.queries import (
    find_power,
    is_present,
    near_powers,
    no_such_power,
    owner_of,
    player_count,
    player_seats,
    seat_token,
    sides_of,
    system_missing,
    takeover_line,
    vacant_seats,
)


def ask_masters_if_needed(
    session: Session, game: Game, password: str, power: str, preference: str = ""
) -> bool:
    """Ask the masters about a newcomer, if the game needs their approval.

    Returns False, without any effect, if no approval is needed. Otherwise lines are ignored
    until the next sign-on. A repeated request is reported to its sender and not to the masters.
    The first password counts, so that no other sender can replace it.
    """
    address = session.mail.sender.lower()
    if not game.chosen.approval or invitation_of(game, address, session.now):
        return False
    people = game.dealings.asking
    before = people.get(address)
    if before is None or before.power != power:
        kept = before.password if before else ""
        asked = JoinRequest(power, kept or hash_password(session, password), preference)
        game.change_requests(asking={**people, address: asked})
        _tell_masters(session, game, address, power)
    session.close(shut=True)
    session.done(phrase("entry-asked", game=game.name))
    return True


def _tell_masters(session: Session, game: Game, address: str, power: str) -> None:
    figures = session.context.register.figures(*session.context.aliases.addresses_of(address))
    seats = figures.started + figures.took_over
    reason = phrase(
        "newcomer-asks" if seats else "newcomer-asks-first",
        address=address,
        power=requested_power(game, power) or "a power",
        game=game.name,
        share=figures.on_time_share,
        due=figures.due,
        seats=seats,
        left=figures.lost + figures.resigned,
    )
    ask_masters(session, game, reason, address)


def ask_masters(session: Session, game: Game, asks: Phrase, address: str) -> None:
    """Ask the masters about a person, with the lines that admit or refuse them."""
    lines = phrase("newcomer-lines", approve=f"APPROVE {address}", refuse=f"REFUSE {address}")
    session.queue(*(
        notice_to(game, seat, [asks, lines], LetterKind.NOTICE)
        for seat in present_seats(game)
        if seat.role is Role.MASTER
    ))


@command(CommandForm("CONFIRM", "CONFIRM"))
class Confirm(Command):
    """Confirmation that the player is ready to start: `CONFIRM`."""

    def run(self, session: Session) -> None:
        """Record that the player of the open seat is ready."""
        seat, game = session.seat, session.game
        until = game.clock.muster_until
        if game.state is not GameState.FORMING or until is None or seat.role is not Role.PLAYER:
            session.refuse(self, phrase("confirm-nothing", game=game.name))
            return
        here = find_confirmed_seats(game) | {seat.id}
        game.change(clock=game.clock.with_muster(until, tuple(sorted(here))))
        session.mark_changed(game)
        seats = player_seats(game)
        missing = sum(is_present(each) and each.id not in here for each in seats)
        session.done(phrase("confirmed", game=game.name, missing=missing))


def tell_owner(session: Session, lock: str, seat: Seat) -> None:
    """Warn the address of a seat, at most once a day, of many wrong passwords there."""
    people, now = session.context.people, session.now
    if signon_throttle.comes_from(session.context, session.mail, seat):
        code, most = "guesses-in-your-name", signon_throttle.MAX_OWN_FAILURES
        many = signon_throttle.failures_in_own_name(session.context, lock, session.mail, now).many
    else:
        code, most = "guesses-from-elsewhere", signon_throttle.MAX_AT_SEAT
        many = people.failed_sign_ons(now - signon_throttle.HOUR, seat=lock).many
    if many < most or not seat.address:
        return
    if people.ask_once(f"{code} {seat.id}", now, now - timedelta(days=1)):
        game = session.context.games.get(seat.game)
        reason = phrase(code, many=most, game=game.name)
        session.queue(notice_to(game, seat, [reason], LetterKind.NOTICE))
        return


@command(
    CommandForm(
        "SIGNON, SIGNIN, SIGN ON, SIGN IN, LOGIN, LOGON, HELLO", "SIGNON Nmarco password",
        EchoPolicy.SEAT,
    ),
    rule="sign_on",
    who=Permission.ANYBODY,
    opens=True,
    shuts=True,
    waits=ConfirmationPolicy.AFTER,
    log=AuditDetail.NOTHING,
    as_power=True,
)
class SignOn(SeatEntry):
    """Sign-on to a seat by password: `SIGNON Nmarco pw`, `SIGNON Mmarco pw`.

    *who* is a power letter or name, "master" or "observer", in lower case. A single letter is
    given as it is ("n", "m", "o"). `SIGNON india@marco pw` is another form.
    """

    who: str
    behind: tuple[str, ...] = ()
    """Words after the password.

    nJudge has the map there. Any other word may be part of a secret.
    """

    def seat_change(self) -> SeatChange:
        """Return the change of the open seat."""
        return SeatChange(self.game, is_masters=self.who in MASTER_WORDS)

    def prepare(self, work: PasswordPrehasher) -> None:
        """Check the password in advance, if it will be needed."""
        work.sign_on(self.game, self.who, self.password)

    def seat_tried(self) -> tuple[str, str]:
        """Return the seat for which the password is checked."""
        return self.who, self.game.lower()

    @reads()
    @classmethod
    def read(cls, seat: tuple[str, str], password: str, *behind: str, at: Where) -> "SignOn":
        """SIGNON Nmarco pw, SIGNON Nmarco pw youngstown."""
        return cls(
            **at, who=seat[0], game=seat[1], password=password,
            behind=tuple(word.lower() for word in behind),
        )

    def run(self, session: Session) -> None:
        """Open a seat by its password.

        A wrong seat and a wrong password get the same reply.
        """
        context, mail = session.context, session.mail
        if context.games.find(self.game.lower()) is None and awaits(session, self.game):
            keep_sign_on(session, self, self.game)
            return
        game = find_game(session, self, self.game)
        if game is None:
            return
        if self.behind and words_beyond(game, self.behind):
            # The words may be a part of a password, which no reply shows.
            line = f"SIGNON {seat_token(game, self.who.upper())} password"
            refused_entry(session, self, phrase("password-of-several-words", word="SIGNON"), line)
            return
        seats = seats_named(game, self.who, mail.sender)
        lock = signon_throttle.lock_of(game, self.who)
        _open(session, self, lock, seats)


def _open(session: Session, command: SeatEntry, lock: str, seats: Sequence[Seat]) -> None:
    """Open the seat that the password fits, or count a wrong one under *lock*.

    In a reply that has opened the seat itself, a placeholder of the judge's letters instead of
    a password is no attempt and is ignored.
    """
    context, mail = session.context, session.mail
    rest = signon_throttle.required_delay(
        context, lock, seats, mail, command.password, session.now,
        session.wrong_passwords.get(lock, 0),
    )
    if rest:
        minutes = ceil(rest.total_seconds() / 60)
        own = bool(seats) and is_from(session, seats[0])
        code = "signon-rest-own" if own else "signon-rest"
        refused_entry(session, command, phrase(code, minutes=minutes))
    elif (seat := opened_by(context, seats, command.password)) and not _is_banned(session, seat):
        context.people.clear_failures(lock, mail.sender or signon_throttle.NO_ADDRESS)
        game = context.games.get(seat.game)
        if game.name in session.overtaken:
            refused_entry(session, command, phrase("mail-overtaken", game=game.name))
        else:
            session.open(seat)
            session.mark_proven(password=True)
            # SIGNON ?marco is a Join too, and needs no report.
            if isinstance(command, Join) and not command.text.upper().startswith("SIGNON"):
                session.done(phrase("joined-already", game=game.name))
    elif is_placeholder(command.password) and _is_replying(session, seats):
        session.set_phase("")
        session.done(phrase("signon-passed-over", password=command.password))
    else:
        context.people.note_wrong(lock, mail.sender or signon_throttle.NO_ADDRESS, session.now)
        if seats:
            tell_owner(session, lock, seats[0])
        session.count_wrong_password(lock)
        if isinstance(command, SignOn) and awaits(session, command.game):
            keep_sign_on(session, command, command.game)
            return
        if isinstance(command, Join) and seats and not is_placeholder(command.password):
            game = context.games.get(seats[0].game)
            reason = phrase("joined-already-otherwise", game=game.name)
            refused_entry(session, command, reason, f"RESET PASSWORD ?{game.name}")
            return
        refused_entry(session, command, _explain_failed_sign_on(session, command))


def _is_replying(session: Session, seats: Sequence[Seat]) -> bool:
    """Return whether a reply opened one of these seats, which is still open."""
    return session.current.replied and session.current.seat in {seat.id for seat in seats}


def _explain_failed_sign_on(session: Session, command: SeatEntry) -> Phrase:
    """Return the reason for a failed sign-on.

    It contains public facts of the game and of the judge's letters, and nothing about seats and
    passwords.
    """
    if is_placeholder(command.password):
        return phrase("signon-placeholder", password=command.password)
    game = session.context.games.find(command.game.lower())
    who = command.who if isinstance(command, SignOn) else ""
    if game and (others := _powers_with_initial(game, who)):
        return others
    if game is None or len(who) < 3 or who.casefold() in ("master", "observer"):
        return phrase("signon-failed")
    near = near_powers(game, who)
    if find_power(game, who) or not near:
        return phrase("signon-failed")
    lines = tuple(f"{name.lower()}@{game.name}" for name in near)
    return phrase("signon-no-power", game=game.name, who=who, near=lines)


def _powers_with_initial(game: Game, letter: str) -> Phrase | None:
    """Return the powers that begin with a letter which is not their sign-on letter.

    India, for example, is N. None if no power does.
    """
    low = letter.casefold()
    sides = [
        side for side in sides_of(game)
        if len(low) == 1 and side.name.casefold().startswith(low) and side.letter.casefold() != low
    ]
    if not sides:
        return None
    lines = tuple(f"SIGNON {seat_token(game, side.letter)} yourpassword" for side in sides)
    return phrase(
        "signon-other-letter", game=game.name, powers=tuple(side.name for side in sides),
        lines=lines,
    )


def _is_banned(session: Session, seat: Seat) -> bool:
    """Return whether the seat is a banned person's, but not the sender's address.

    The seat's player or its sitter's player is banned, and the sender writes from an address
    that was not known to be theirs. A sender who is banned under their own address keeps the
    rights that the ban leaves.
    """
    context, sender = session.context, session.mail.sender
    # A ban of one address applies to all aliases of the person.
    others = [
        x for x in (seat.address, owner_of(seat)) if not context.aliases.is_same_person(x, sender)
    ]
    return any(is_banned(context, one) for one in others) and not is_banned(context, sender)


def refused_entry(session: Session, command: Command, reason: Phrase, *lines: str) -> None:
    """Refuse an entry and ignore the lines up to the next sign-on."""
    session.close(shut=True)
    session.refuse(command, reason, *lines)


def find_game(session: Session, command: Command, name: str, *, opens: bool = True) -> Game | None:
    """Return a game by name, or refuse the command and return None.

    The reason names similar games. With *opens* False the open seat stays open, because the
    lines that follow are for it, and the corrected line is suggested for each similar name.
    """
    low = name.lower()
    game = session.context.games.find(low)
    if game is not None:
        missing = opens and system_missing(game)
        if not missing:
            return game
        refused_entry(session, command, missing)
        return None
    near = tuple(difflib.get_close_matches(low, session.context.games.names(), 3, 0.5))
    reason = phrase("no-such-game", game=name)
    if near:
        reason = phrase("no-such-game-near", game=name, near=near)
    if opens:
        refused_entry(session, command, reason)
        return None
    wrong = re.compile(rf"(?<!\S){re.escape(name)}(?!\S)", re.IGNORECASE)
    lines = [wrong.sub(each, command.text, count=1) for each in near]
    session.refuse(command, reason, *lines)
    return None


def has_seat(session: Session, name: str, *roles: Role) -> bool:
    """Return whether the sender has a seat of these roles in a game."""
    game = session.context.games.find(name.lower())
    return game is not None and any(
        is_present(seat) and seat.role in roles and is_from(session, seat)
        for seat in game.all_seats()
    )


def is_from(session: Session, seat: Seat) -> bool:
    """Return whether the mail came from the address registered for a seat."""
    return signon_throttle.comes_from(session.context, session.mail, seat)


@command(
    CommandForm("JOIN", "JOIN marco password", EchoPolicy.SEAT), who=Permission.ANYBODY, opens=True,
    shuts=True, registers="?", waits=ConfirmationPolicy.SEATED, log=AuditDetail.NOTHING,
    as_power=True,
)
class Join(SeatEntry):
    """Entry into a game: `JOIN marco pw`, `SIGNON ?marco pw`.

    *power* is the one requested. The game is empty for `SIGNON ? pw` and `SIGNON ? pw
    youngstown`, which name the next forming game.
    """

    power: str = ""
    again: bool = False
    """True for a second power of the same person: `JOIN marco pw AGAIN`."""
    variant: tuple[str, ...] = ()

    def seat_change(self) -> SeatChange:
        """Return the change of the open seat."""
        return SeatChange(self.game)

    def prepare(self, work: PasswordPrehasher) -> None:
        """Check or hash the password in advance, if it will be needed."""
        work.join(self.game, self.password, again=self.again)

    def seat_tried(self) -> tuple[str, str] | None:
        """Return the sender's own seat, if one may wait for the start."""
        return ("?", self.game.lower()) if self.game and not self.again else None

    def is_vouched(self, session: Session) -> bool:
        """Return whether the command needs no confirmation: it opens an existing seat."""
        return not self.again and has_seat(session, self.game, Role.PLAYER)

    @reads("join")
    @classmethod
    def read(cls, game: str, password: str, *rest: str | Words, at: Where) -> "Join":
        """JOIN marco pw, SIGNON ?marco pw, SIGNON ? pw."""
        power, _, name = game.lower().rpartition("@")
        variant = next((part for part in rest if isinstance(part, tuple)), ())
        return cls(
            **at, game=name.lstrip("?"), password=password, power=power,
            again=any(isinstance(part, str) for part in rest), variant=plain_words(variant),
        )

    @reads("join_as")
    @classmethod
    def read_power(cls, game: str, power: str, password: str, *, at: Where) -> "Join":
        """JOIN marco as France with password pw."""
        return replace(cls.read(game, password, at=at), power=power.casefold())

    def run(self, session: Session) -> None:
        """Join a forming game, or open the waiting seat of the same address again."""
        given = redact_words(self, self.variant)
        game = _game_to_join(session, given)
        if game is None:
            return
        seats = [s for s in player_seats(game) if is_present(s)]
        mine = [seat for seat in seats if is_from(session, seat)]
        if mine and not self.again:
            _open(session, given, signon_throttle.waiting_lock(game, session.mail.sender), mine)
            return
        problem = _joining_problem(session, given, game)
        if problem and problem.code == "join-more-words":
            refused_entry(session, given, problem, f"JOIN {game.name} yourpassword")
            return
        if problem:
            refused_entry(session, given, problem, *takeover_lines(game))
            return
        side = find_power(game, self.power) if self.power else None
        preference = side.letter if side else ""
        power = _power_chosen(session, given, game)
        if ask_masters_if_needed(session, game, self.password, power, preference):
            return
        seat = add_seat(session, game, self.password, Role.PLAYER, SeatState.WAITING)
        session.context.games.save_seat(replace(seat, preference=preference, power=power))
        settle(game, session.mail.sender)
        settled_in(session, seat)
        session.mark_changed(game)
        of = player_count(game)
        session.done(phrase("joined", game=game.name, count=len(seats) + 1, of=of))


def _game_to_join(session: Session, command: Join) -> Game | None:
    """Return the game to join, by name or else the fullest forming one.

    Without such a game, refuse the command and return None.
    """
    if command.game:
        return find_game(session, command, command.game)
    forming = [game for game in session.context.games.list_forming() if game.chosen.listed]
    fitting = [game for game in forming if not words_beyond(game, command.variant)]
    if forming and not fitting:
        told = phrase("no-forming-game-so", words=redact_unknown(command.variant))
        refused_entry(session, command, told, "LIST")
        return None
    if not forming:
        refused_entry(session, command, phrase("no-forming-game"))
        return None
    forming = fitting
    return min(forming, key=lambda game: (-len(player_seats(game)), game.created))


def words_beyond(game: Game, words: Sequence[str]) -> set[str]:
    """Return the words that name neither the game's map nor a setting in force.

    In nJudge a player who joins names the map and its options, as a proof of knowing them.
    """
    meant, own = match_maps(words), name_in_key(game.map)
    more = [word for word in words if word not in {*meant.words, game.system, own}]
    if {*map(name_in_key, meant.maps)} - {own}:
        return set(words)
    wishes = read_several(more, game)
    if all(is_in_force(game, change) for change in wishes.changes):
        return set(wishes.unknown)
    return set(more)


def _power_chosen(session: Session, command: Join, game: Game) -> str:
    """Return the power that a joining player gets at once, or an empty string.

    It comes from the invitation, or from the request if the game lets players choose.
    """
    invitation = invitation_of(game, session.mail.sender, session.now)
    if invitation and invitation.power:
        return invitation.power
    side = find_power(game, command.power) if command.power else None
    return side.name if side and game.chosen.power_choice else ""


def _joining_problem(session: Session, command: Join, game: Game) -> Phrase | None:
    """Return why the sender cannot join, or None."""
    sender, now = session.mail.sender, session.now
    seats = game.all_seats()
    if game.state is not GameState.FORMING:
        return phrase("join-not-forming", game=game.name, state=game.state.value)
    if len(player_seats(game)) + places_kept(game, sender, now) >= len(sides_of(game)):
        return phrase("join-full", game=game.name)
    if command.power and not find_power(game, command.power):
        return no_such_power(game, command.power)
    power = _power_chosen(session, command, game)
    free = [side.name for side in free_sides(game, sender, now)]
    if power and power not in free:
        return phrase("power-taken-others-free", power=power, free=tuple(free))
    if command.again and (problem := seats_problem(game, sender)):
        return problem
    words = words_beyond(game, command.variant)
    if words and not game.chosen.private:
        said_more = [word for word in command.variant if word in words]
        other = match_maps(said_more).maps or read_several(said_more, game).changes
        return phrase(
            "join-other-variant" if other else "join-more-words", game=game.name,
            variant=name_in_key(game.map),
        )
    problem = entry_problem(game, sender, words, now)
    if problem:
        return problem
    masters = [s for s in seats if s.role is Role.MASTER and is_from(session, s)]
    if masters and not game.chosen.gm_plays:
        return phrase("master-may-not-play", game=game.name)
    return password_problem(command.password)


def takeover_lines(game: Game) -> list[str]:
    """Return the lines that would take a vacant power of a running game."""
    vacant = [] if game.state is GameState.ENDED else vacant_seats(game)
    return [takeover_line(game, seat.power) for seat in vacant]


def add_seat(session: Session, game: Game, password: str, role: Role, state: SeatState) -> Seat:
    """Store a new seat for the sender.

    A seat that this mail has left is used again, so that the mail has one reply.
    """
    games, before = session.context.games, session.left_seat(game)
    seat = Seat(
        before.id if before else 0, game.id, role, state, address=session.mail.sender,
        password=hash_password(session, password), epoch=before.epoch + 1 if before else 1,
        settings=own_settings(session.context, session.mail.sender), since=session.now,
    )
    if before is None:
        return games.add_seat(seat)
    games.save_seat(seat)
    return seat


def hash_password(session: Session, password: str) -> str:
    """Return the stored form of a password, or "" if it may be another person's."""
    if not password or session.is_contested:
        return ""
    return session.context.password_check.hash(password)


def settled_in(session: Session, seat: Seat) -> None:
    """Open a seat that this mail has taken and note that the mail had its password."""
    session.open(seat)
    session.add(ReplyDraft(by_password=bool(seat.password)))


DECLARED.append(CommandRow(
    value=SignOff, run=None, who=Permission.ANYBODY,
    forms=(CommandForm("SIGNOFF, SIGN OFF, LOG OFF, LOGOFF, LOGOUT", "SIGNOFF"),), rule="sign_off",
    log=AuditDetail.NOTHING,
))
