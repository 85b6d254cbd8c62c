"""FORK: a private board from a position of a game, to try orders.

The board is a game before its start, from the public position. START lets its maker order for
all powers. START WITH BOTS gives the maker one power and bots the others. Orders, press,
history, people and other passwords are not copied. No list shows the board, joining needs its
word, and it counts in no record or rating.
"""

from dataclasses import replace
from datetime import timedelta

from judge.dice import new_seed
from judge.games import find_system
from judge.games.capabilities import PositionSetup
from judge.model.command import AuditDetail, Command, CommandForm, EchoPolicy, Where, Words
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameRecord, GameState, Role, Seat, SeatState, Turn
from judge.play.choices.capabilities import capability_refusal
from judge.play.commands.asking.inquiries import find_asked_game
from judge.play.commands.asking.maps import game_and_phase, turn_called
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.game import Game, options_of
from judge.play.people.admission import masters_games, own_settings
from judge.play.people.power_allocation import parse_preferences
from judge.play.queries import is_open, owner_of, sides_of

MAX_FORKS = 20
"""Boards that one person may make within `FORKS_INTERVAL`."""
FORKS_INTERVAL = timedelta(days=30)
HOURS = 30 * 24.0
"""Hours of a phase of a board without completed orders."""


@command(
    CommandForm("FORK", "FORK marco S1901M", EchoPolicy.ALL), log=AuditDetail.NOTHING, makes=True
)
class Fork(Command):
    """Private board from a position: `FORK marco S1905M`.

    Empty parts are the open seat's game and its present phase.
    """

    game: str = ""
    phase: str = ""

    @reads("fork")
    @classmethod
    def read(cls, typed: Words, *, at: Where) -> "Fork":
        """FORK marco S1905M, FORK S1905M, FORK."""
        words = [word.strip(".,!?") for word in typed]
        return cls(**at, game="".join(words[:1]).lower(), phase=" ".join(words[1:]))

    def run(self, session: Session) -> None:
        """Make a private board from a position of a game."""
        name, words = game_and_phase(session, self.game, self.phase)
        source = find_asked_game(session, self, name)
        if source is None:
            return
        if problem := _problem(session, source):
            session.refuse(self, problem)
            return
        turn = turn_called(source, words) if words else _last(source)
        if turn is None and words and find_system(source.system).find_phase(words) != source.phase:
            session.refuse(self, *_no_such_phase(source, words))
            return
        options = options_of(source) if turn is None or turn.options is None else turn.options
        position = source.position if turn is None else turn.before
        system = find_system(source.system)
        table = system.table(source.map, position, options)
        if table.has_hidden_information and is_open(source):
            session.refuse(self, phrase("fork-hidden", game=source.name))
            return
        own = _own_settings(source)
        made = session.context.games.add(GameRecord(
            NO_ID, _free_name(session, source.name), source.system, source.map,
            GameState.FORMING, table.phase.label, 0, position,
            {**options, **own}, new_seed(), session.now,
        ))
        assert made is not None
        seat = _maker(session, made, table.powers_alive())
        session.context.bans.record_activity(seat.id, session.now)
        facts = {"game": made.name, "source": source.name, "phase": made.phase}
        session.open(seat)
        session.done(phrase("forked", **facts), phrase("forked-how", game=made.name))


def _own_settings(source: Game) -> dict[str, object]:
    """Return the settings of a board: for one person, with long phases.

    It is set as gunboat, so that no one who asks for it learns whose it is. That may be a
    player of a gunboat game.
    """
    kinds = find_system(source.system).clocks
    return {
        "listed": False, "rated": False, "private": new_seed()[:6].hex(), "gunboat": True,
        "manual_start": True, "set_up": True, "fork_of": source.name, "reminder": "0%",
        **{f"{kind.name}.next": HOURS for kind in kinds},
    }


def _maker(session: Session, made: Game, alive: tuple[str, ...]) -> Seat:
    """Make the maker's seat on a board, with their own password.

    The maker prefers their own power if it is still in play, else any remaining power.
    """
    mine, context = session.seat, session.context
    seat = context.games.add_seat(Seat(
        NO_ID, made.id, Role.MASTER, SeatState.OCCUPIED, address=mine.address,
        password="" if owner_of(mine) else mine.password, since=session.now,
        settings=own_settings(context, mine.address),
    ))
    letters = {side.name: side.letter for side in sides_of(made)}
    wanted = [mine.power] if mine.power in alive else [name for name in letters if name in alive]
    wishes, _ = parse_preferences(" ".join(letters[name] for name in wanted), made)
    if isinstance(wishes, Phrase) or len(alive) == len(letters) and len(wanted) > 1:
        return seat
    seat = replace(seat, preference=wishes)
    context.games.save_seat(seat)
    return seat


def _problem(session: Session, source: Game) -> Phrase | None:
    """Return why the sender cannot make a board of a game from any position, or None."""
    context, seat, policy = session.context, session.seat, session.context.policy
    if problem := capability_refusal(source, PositionSetup):
        return problem
    if source.chosen.private and seat.game != source.id:
        return phrase("fork-private", game=source.name)
    if source.state is GameState.FORMING:
        return phrase("fork-forming", game=source.name, map=source.map)
    if source.table.has_hidden_information and is_open(source):
        return phrase("fork-hidden", game=source.name)
    if policy.is_operator(seat.address):
        return None
    if masters_games(context, seat.address) >= policy.open_games:
        return phrase("create-too-many", most=policy.open_games)
    if policy.create == "keeper":
        return phrase("create-keeper-only")
    mine = {each.game for each in context.games.seats_at(seat.address) if each.role is Role.MASTER}
    since = session.now - FORKS_INTERVAL
    recent = [game for game in map(context.games.get, mine)
              if game.chosen.fork_of and game.created > since]
    if len(recent) >= MAX_FORKS:
        return phrase("fork-too-many", most=MAX_FORKS, days=FORKS_INTERVAL.days)
    return None


def _last(source: Game) -> Turn | None:
    """Return the last turn of a game that is over, or None."""
    return None if is_open(source) or not source.turns() else source.turns()[-1]


def _no_such_phase(source: Game, words: str) -> tuple[Phrase, str]:
    """Return why a phase has no position, and a line that works."""
    label = find_system(source.system).find_phase(words)
    line = f"FORK {source.name} {source.phase}"
    if label:
        return phrase("fork-not-played", phase=label, game=source.name), line
    return phrase("fork-no-phase", words=words.upper()[:40], game=source.name), line


def _free_name(session: Session, name: str) -> str:
    """Return a free name for a board: that of its game with a number."""
    games = session.context.games
    found = (f"{name[:8 - len(str(n)) - 1]}x{n}" for n in range(1, 1_000_000))
    return next(each for each in found if games.find(each) is None)
