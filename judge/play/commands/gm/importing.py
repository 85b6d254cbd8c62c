"""IMPORT: a game that is over once more, to try things out in; for the keeper, a game from a text.

The copy of a game is its master's own: no list shows it, nobody takes a power of it without the
word he gives, and it counts for nobody.
"""

from dataclasses import replace
from datetime import timedelta

from judge.dice import fresh_seed
from judge.errors import JudgeError
from judge.model.command import (
    BlockCommand,
    BlockForm,
    Form,
    Log,
    SeatChange,
    Waits,
    Where,
    Who,
    Words,
)
from judge.model.phrase import Phrase, phrase
from judge.model.record import UNSTORED, GameState, Role, Seat, SeatState
from judge.play.archive.gamefile import Archived, archive_of
from judge.play.archive.importing import bring_in, make
from judge.play.archive.orderlists import read_game_file
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.people.admission import name_problem, own_settings

MOST_COPIES = 5
"""Copies one master makes within `A_WHILE`: each takes as much room as a game played."""
A_WHILE = timedelta(days=30)


@command(
    Form(
        "IMPORT", "IMPORT trial marco",
        # Before anything else than the text of a game it asks for a copy.
        block=BlockForm("ENDIMPORT", r"end\s*import", first=r"\s*((game|map)\s+\S|\{)"),
    ),
    who=Who.ANYBODY,
    rule="bring_in",
    waits=Waits.SEATED,
    log=Log.NOTHING,
    makes=True,
)
class Import(BlockCommand):
    """`IMPORT trial marco`: a game that is over once more, to play with; or a block with one."""

    name: str
    """What the new game is called."""
    game: str = ""

    def seat_change(self) -> SeatChange | None:
        """Return the seat of the copy's master; a whole game opens none."""
        return SeatChange(self.game, is_masters=True, name=self.name) if self.game else None

    @reads("bring_in")
    @classmethod
    def read(cls, typed: Words, source: Words = (), *, at: Where) -> "Import":
        """IMPORT trial, IMPORT trial marco, IMPORT trial FROM marco; the lines come from the block.
        """
        name, *game = [word.strip(".,!?").lower() for word in (*typed, *source)]
        return cls(**at, name=name, game=" ".join(game))

    def run(self, session: Session) -> None:
        """Make a game of a text (the keeper), or a copy of one that is over (its master)."""
        problem = name_problem(session.context, self.name)
        if problem:
            session.refuse(self, problem)
        elif self.lines:
            _from_text(session, self)
        else:
            _copy(session, self)


def _is_keeper(session: Session) -> bool:
    return session.context.policy.is_keeper(session.mail.sender)


def _from_text(session: Session, command: Import) -> None:
    """Bring in the game of a block, as `judge import` does.

    Whoever only writes in the keeper's name gains nothing: it waited for his yes.
    """
    if not _is_keeper(session):
        session.refuse(command, phrase("import-keeper-only"))
        return
    text = "\n".join(line.text for line in command.lines)
    keeper, now = session.context.policy.keeper, session.now
    try:
        archived = read_game_file(text, now)
        game, letters = bring_in(session.context, archived, command.name, keeper, now, force=False)
    except JudgeError as fault:
        session.refuse(command, phrase("import-refused", why=str(fault)))
        return
    session.queue(*letters)
    session.done(phrase("game-imported", game=game.name, phase=game.phase))


def _copy(session: Session, command: Import) -> None:
    """Make a copy of a game that is over, with its master's password."""
    source = _source(session, command)
    problem = source if isinstance(source, Phrase) else _problem(session)
    if problem:
        session.refuse(command, problem)
        return
    assert isinstance(source, Game)
    word = fresh_seed()[:6].hex()
    given = archive_of(source.record, source.turns(), source.events())
    own = {"listed": False, "rated": False, "private": word, "copy_of": source.name}
    settings = {**given.game.settings, **own}
    archived = Archived(replace(given.game, settings=settings), given.turns, given.events)
    news = phrase("game-copied", game=command.name, source=source.name)
    mine, context = session.seat, session.context
    master = Seat(
        UNSTORED, UNSTORED, Role.MASTER, SeatState.HELD, address=mine.address,
        password=mine.password, settings=own_settings(context, mine.address),
    )
    try:
        game, seat, _ = make(session.context, archived, command.name, master, news, session.now)
    except JudgeError as fault:
        session.refuse(command, phrase("import-refused", why=str(fault)))
        return
    turns = archived.turns
    back = f"ROLLBACK {turns[len(turns) // 2].phase}" if turns else "HISTORY"
    session.open(seat)
    session.done(news, phrase("game-copied-how", game=game.name, send=back))


def _source(session: Session, command: Import) -> Game | Phrase:
    """Return the game to copy: the one named, else that of the open seat."""
    if not session.is_signed_on or session.seat.role is not Role.MASTER:
        return phrase("import-needs-master", name=command.name)
    game = session.context.games.find(command.game) if command.game else session.game
    if game is None:
        return phrase("no-such-game", game=command.game)
    if game.state is not GameState.ENDED:
        return phrase("import-not-over", game=game.name)
    return game


def _problem(session: Session) -> Phrase | None:
    """Return why the master whose seat is open makes no copy, or None."""
    context, seat = session.context, session.seat
    if context.policy.create == "keeper" and not _is_keeper(session):
        return phrase("create-keeper-only")
    mine = {each.game for each in context.games.seats_at(seat.address) if each.role is Role.MASTER}
    recent = [
        game for number in mine
        if (game := context.games.get(number)).chosen.copy_of
        and game.created > session.now - A_WHILE
    ]
    if len(recent) >= MOST_COPIES:
        return phrase("import-too-many", most=MOST_COPIES, days=A_WHILE.days)
    return None
