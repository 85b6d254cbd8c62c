"""Bots: powers played by rule until a person takes them over.

BOT names one, before the start or in a running game. START WITH BOTS starts with the players
who have joined, and bots for the rest. SET ABANDONED BOT gives vacant powers to bots. A bot has
no address, gets no letters, sends no press and has no vote, and no phase waits for it. A person
who takes over its power takes a vacant seat.

START WITH BOTS in a game without players is a game for one: its master plays too.
"""

from dataclasses import replace

from judge.games.capabilities import Bots
from judge.model.command import Command, CommandForm, Permission, Where
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, Role, Seat, SeatState
from judge.model.seat_settings import DEFAULT_SETTINGS, SeatSettings
from judge.play.choices.capabilities import capability_refusal
from judge.play.clocks.game_clock import update_early_deadline
from judge.play.clocks.phases import start_game, vacancy
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.people.admission import own_settings
from judge.play.queries import (
    bots_in,
    find_power,
    is_bot,
    is_dummy,
    is_open,
    is_present,
    no_such_power,
    player_seats,
    seat_of_power,
    sides_of,
)

NAMED, AT_START = "named", "start"
"""Origins of a bot."""


def is_kept_bot(seat: Seat) -> bool:
    """Return whether a bot keeps its power after UNSTART, as its master named it."""
    return seat.settings.bot == NAMED


@command(CommandForm("BOT", "BOT power"), who=Permission.MASTER, needs=Bots)
class Bot(Command):
    """Command that gives a vacant power to a bot: `BOT N`. `BOT N OFF` ends that."""

    who: str
    off: bool = False

    @reads("bot")
    @classmethod
    def read(cls, who: str, off: str = "", *, at: Where) -> "Bot":
        """BOT N, BOT N OFF."""
        return cls(**at, who=who.rstrip(".!"), off=bool(off))

    def run(self, session: Session) -> None:
        """Give a power without a player to a bot, or end that."""
        game = session.game
        problem = _forbidden(game)
        seat = _seat_meant(session, self, game)
        if problem:
            session.refuse(self, problem)
            return
        if isinstance(seat, Phrase):
            session.refuse(self, seat, *_instead(self, seat))
            return
        if self.off:
            _take_back(session, self, game, seat)
            return
        if is_bot(game, seat):
            session.refuse(self, phrase("bot-already", power=seat.power))
            return
        if game.state is GameState.FORMING and not seat.id:
            if len(player_seats(game)) >= len(sides_of(game)):
                session.refuse(self, phrase("bot-too-many", game=game.name))
                return
            seat = session.context.games.add_seat(seat)
        session.context.games.save_seat(
            replace(seat, state=SeatState.VACANT, settings=SeatSettings(bot=NAMED))
        )
        _tell_all(session, game, phrase("bot-plays", power=seat.power, game=game.name))


def _take_back(session: Session, command: Bot, game: Game, seat: Seat) -> None:
    """Remove the bot of a power, which is then free before the start, else vacant."""
    if not is_bot(game, seat) or seat.settings.bot is None:
        session.refuse(command, phrase("bot-none", power=seat.power))
        return
    forms = game.state is GameState.FORMING
    session.context.games.save_seat(
        replace(seat, state=SeatState.LEFT if forms else seat.state, settings=DEFAULT_SETTINGS)
    )
    _tell_all(session, game, phrase("bot-no-more", power=seat.power, game=game.name))
    if not forms:
        session.announce(game, vacancy(game, seat.power), LetterKind.VACANCY)


def _tell_all(session: Session, game: Game, reason: Phrase) -> None:
    session.done(reason)
    session.announce(game, reason)
    session.mark_changed(game)


def _forbidden(game: Game) -> Phrase | None:
    """Return why no bot may play in a game, or None."""
    if problem := capability_refusal(game, Bots):
        return problem
    return None if game.chosen.bots else phrase("bots-forbidden", game=game.name)


def _seat_meant(session: Session, command: Bot, game: Game) -> Seat | Phrase:
    """Return the seat of the named power, or a reason.

    Before the start it may be a new seat that is not yet stored.
    """
    side = find_power(game, command.who)
    if not is_open(game):
        return phrase("already-over", game=game.name)
    if side is None:
        return no_such_power(game, command.who)
    seat = seat_of_power(game, side.name)
    if seat is None:
        return Seat(NO_ID, game.id, Role.PLAYER, SeatState.LEFT, power=side.name, since=session.now)
    if is_dummy(seat):
        return phrase("bot-dummy", power=side.name)
    return phrase("bot-has-player", power=side.name) if is_present(seat) else seat


def _instead(command: Bot, problem: Phrase) -> list[str]:
    """Return the line that makes a power free for a bot."""
    before = {"bot-dummy": "REVIVE", "bot-has-player": "EJECT"}
    return [f"{before[problem.code]} {command.who}"] if problem.code in before else []


def start_with_bots(session: Session, command: Command) -> None:
    """Start the game with its present players, and bots for the other powers."""
    game = session.game
    if problem := _forbidden(game):
        session.refuse(command, problem)
        return
    alone = not any(is_present(seat) for seat in player_seats(game))
    if alone:
        _join(session, game)
    # A win against bots is not rated.
    game.change(settings={**game.settings, "rated": False})
    letters = start_game(game, session.now, SeatSettings(bot=AT_START))
    # Bots alone may decide the first phase.
    update_early_deadline(game, session.now)
    code = "started-alone" if alone else "started-with-bots"
    session.queue(*letters)
    session.done(phrase(code, game=game.name, powers=bots_in(game)))


def _join(session: Session, game: Game) -> None:
    """Make the master a player too, with their own password and wishes."""
    master = session.seat
    game.change_settings(gm_plays=True)
    session.context.games.add_seat(
        Seat(
            NO_ID, game.id, Role.PLAYER, SeatState.WAITING, address=master.address,
            password=master.password, preference=master.preference,
            settings=own_settings(session.context, master.address), since=session.now,
        )
    )
