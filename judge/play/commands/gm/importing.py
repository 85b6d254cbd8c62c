"""IMPORT: a copy of a game that is over or, for the operator, a game from a text.

The copy belongs to its master: no list shows it, a power can only be taken with the word that
the master gives, and it counts in no record or rating.
"""

from dataclasses import replace
from datetime import timedelta

from judge.dice import new_seed
from judge.errors import JudgeError
from judge.model.command import (
    AuditDetail,
    BlockCommand,
    BlockForm,
    CommandForm,
    ConfirmationPolicy,
    Permission,
    SeatChange,
    Where,
    Words,
)
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, Role, Seat, SeatState
from judge.play.archive.gamefile import Archived, archive_of
from judge.play.archive.importing import import_game, make
from judge.play.archive.orderlists import read_game_file
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.people.admission import name_problem, own_settings

MAX_COPIES = 5
"""Copies that one master may make within `COPIES_INTERVAL`.

Each takes as much space as a game that was played.
"""
COPIES_INTERVAL = timedelta(days=30)


@command(
    CommandForm(
        "IMPORT", "IMPORT trial marco",
        # Without such a line below it, the command has no block and makes a copy.
        block=BlockForm("ENDIMPORT", r"end\s*import", first=r"\s*((game|map)\s+\S|\{)"),
    ),
    who=Permission.ANYBODY,
    rule="bring_in",
    waits=ConfirmationPolicy.SEATED,
    log=AuditDetail.NOTHING,
    makes=True,
)
class Import(BlockCommand):
    """Command that copies a game: `IMPORT trial marco`.

    With a block it makes the game that the block describes.
    """

    name: str
    """Name of the new game."""
    game: str = ""
    """Name of the game to copy, or empty for that of the open seat."""

    def seat_change(self) -> SeatChange | None:
        """Return the seat of the copy's master, or None for a game from a text."""
        return SeatChange(self.game, is_masters=True, name=self.name) if self.game else None

    @reads("bring_in")
    @classmethod
    def read(cls, typed: Words, source: Words = (), *, at: Where) -> "Import":
        """IMPORT trial, IMPORT trial marco, IMPORT trial FROM marco.

        `lines` is set later, to the lines of the block.
        """
        name, *game = [word.strip(".,!?").lower() for word in (*typed, *source)]
        return cls(**at, name=name, game=" ".join(game))

    def run(self, session: Session) -> None:
        """Make a game from a text (operator), or a copy of a game that is over (master)."""
        problem = name_problem(session.context, self.name)
        if problem:
            session.refuse(self, problem)
        elif self.lines:
            _import_text(session, self)
        else:
            _copy_game(session, self)


def _is_operator(session: Session) -> bool:
    return session.context.policy.is_operator(session.mail.sender)


def _import_text(session: Session, command: Import) -> None:
    """Import the game of a block, as `judge import` does.

    A forged From line cannot do this, because the operator has confirmed the command.
    """
    if not _is_operator(session):
        session.refuse(command, phrase("import-keeper-only"))
        return
    text = "\n".join(line.text for line in command.lines)
    keeper, now = session.context.policy.keeper, session.now
    try:
        archived = read_game_file(text, now)
        game, letters = import_game(
            session.context, archived, command.name, keeper, now, force=False
        )
    except JudgeError as fault:
        session.refuse(command, phrase("import-refused", why=str(fault)))
        return
    session.queue(*letters)
    session.done(phrase("game-imported", game=game.name, phase=game.phase))


def _copy_game(session: Session, command: Import) -> None:
    """Make a copy of a game that is over, with its master's password."""
    source = _find_source(session, command)
    problem = source if isinstance(source, Phrase) else _find_copy_problem(session)
    if problem:
        session.refuse(command, problem)
        return
    assert isinstance(source, Game)
    word = new_seed()[:6].hex()
    given = archive_of(source.record, source.turns(), source.events())
    own = {"listed": False, "rated": False, "private": word, "copy_of": source.name}
    settings = {**given.game.settings, **own}
    archived = Archived(replace(given.game, settings=settings), given.turns, given.events)
    news = phrase("game-copied", game=command.name, source=source.name)
    mine, context = session.seat, session.context
    master = Seat(
        NO_ID, NO_ID, Role.MASTER, SeatState.OCCUPIED, address=mine.address,
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


def _find_source(session: Session, command: Import) -> Game | Phrase:
    """Return the game to copy: the one named, else that of the open seat.

    If it cannot be copied, the reason is returned.
    """
    if not session.is_signed_on or session.seat.role is not Role.MASTER:
        return phrase("import-needs-master", name=command.name)
    game = session.context.games.find(command.game) if command.game else session.game
    if game is None:
        return phrase("no-such-game", game=command.game)
    if game.state is not GameState.ENDED:
        return phrase("import-not-over", game=game.name)
    return game


def _find_copy_problem(session: Session) -> Phrase | None:
    """Return why the master whose seat is open cannot make a copy, or None."""
    context, seat = session.context, session.seat
    if context.policy.create == "keeper" and not _is_operator(session):
        return phrase("create-keeper-only")
    mine = {each.game for each in context.games.seats_at(seat.address) if each.role is Role.MASTER}
    recent = [
        game for number in mine
        if (game := context.games.get(number)).chosen.copy_of
        and game.created > session.now - COPIES_INTERVAL
    ]
    if len(recent) >= MAX_COPIES:
        return phrase("import-too-many", most=MAX_COPIES, days=COPIES_INTERVAL.days)
    return None
