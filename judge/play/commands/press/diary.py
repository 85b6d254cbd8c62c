"""Diaries: private notes of a player, published after the end of the game."""

import json

from judge.model.command import (
    AuditDetail,
    BlockForm,
    Command,
    CommandForm,
    EchoPolicy,
    TextCommand,
    Typed,
    Where,
)
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, PendingText, PendingTextKind, Role
from judge.play.commands.press.press import note_written, refuse_hidden_sign_on, text_problem
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.letters.letter_factory import game_facts
from judge.play.queries import is_open, owner_of

MAX_NOTES = 200
"""Maximum number of notes in one diary."""


@command(
    CommandForm(
        "DIARY", "DIARY LIST", EchoPolicy.ALL,
        BlockForm(
            "ENDPRESS", r"end\s*(press|diary)", head=r"diary(?!\s+(list|read|delete)\b).*",
        ),
    ),
    log=AuditDetail.NOTHING,
)
class WriteDiary(TextCommand):
    """Private note, published when the game is over: `DIARY … ENDPRESS`."""

    def run(self, session: Session) -> None:
        """Store a note under the next number."""
        if refuse_hidden_sign_on(session, self, self.names):
            return
        problem = _problem(session) or text_problem(session, self.body)
        if not problem and len(_own(session)) >= MAX_NOTES:
            problem = phrase("diary-full", most=MAX_NOTES)
        if problem:
            session.refuse(self, problem)
            return
        seat, game = session.seat, session.game
        text = json.dumps(self.body, ensure_ascii=False)
        session.context.pending_press.keep(
            PendingText(
                NO_ID, game.id, seat.id, PendingTextKind.DIARY, game.phase, session.now, text
            )
        )
        note_written(session, self.body)
        session.done(phrase("diary-kept", number=len(_own(session))))


def _problem(session: Session) -> Phrase | None:
    """Return why the open seat has no diary, or None.

    A sitter does not see the diary of the player.
    """
    seat, game = session.seat, session.game
    if not is_open(game):
        return phrase("diary-after-end", game=game.name)
    if seat.role not in (Role.MASTER, Role.PLAYER):
        return phrase("diary-for-players")
    if game.state is GameState.FORMING:
        return phrase("diary-before-start")
    return phrase("diary-not-sitters", power=seat.power) if owner_of(seat) else None


def _own(session: Session) -> list[PendingText]:
    """Return the notes of the open seat's present player, not of an earlier one."""
    seat = session.seat
    kept = session.context.pending_press.list_texts(session.game.id, PendingTextKind.DIARY)
    return [p for p in kept if p.seat == seat.id and (seat.since is None or p.at >= seat.since)]


@command(rule="list_diary", log=AuditDetail.NOTHING)
class ListDiary(Command):
    """First lines of all notes: `DIARY LIST`."""

    def run(self, session: Session) -> None:
        """Show the number and first line of every note."""
        problem = _problem(session)
        if problem:
            session.refuse(self, problem)
            return
        _show_notes(session, [(n, paper) for n, paper in enumerate(_own(session), 1)], whole=False)


@command(log=AuditDetail.NOTHING)
class ReadDiary(Command):
    """Text of a note: `DIARY READ 3`."""

    number: int

    @reads("read_diary")
    @classmethod
    def read(cls, number: Typed, *, at: Where) -> "ReadDiary":
        """DIARY READ 3."""
        return cls(**at, number=int(number))

    def run(self, session: Session) -> None:
        """Show one note."""
        paper = _find_note(session, self.number)
        if isinstance(paper, Phrase):
            session.refuse(self, paper)
            return
        _show_notes(session, [(self.number, paper)], whole=True)


@command(log=AuditDetail.NOTHING)
class DeleteDiary(Command):
    """Removal of a note: `DIARY DELETE 3`."""

    number: int

    @reads("delete_diary")
    @classmethod
    def read(cls, number: Typed, *, at: Where) -> "DeleteDiary":
        """DIARY DELETE 3."""
        return cls(**at, number=int(number))

    def run(self, session: Session) -> None:
        """Delete one note. The notes after it get new numbers."""
        paper = _find_note(session, self.number)
        if isinstance(paper, Phrase):
            session.refuse(self, paper)
            return
        session.context.pending_press.drop(paper)
        session.done(phrase("diary-deleted", number=self.number))


def _find_note(session: Session, number: int) -> PendingText | Phrase:
    """Return the note with a number, or a reason."""
    if problem := _problem(session):
        return problem
    own = _own(session)
    if not 1 <= number <= len(own):
        return phrase("diary-no-note", number=number, count=len(own))
    return own[number - 1]


def _show_notes(session: Session, notes: list[tuple[int, PendingText]], *, whole: bool) -> None:
    rows = []
    for number, paper in notes:
        body = json.loads(paper.text)
        first = next((line for line in body if line.strip()), "")
        rows.append({"number": number, "at": paper.at, "phase": paper.phase,
                     "body": body if whole else [first[:72]]})
    game = game_facts(session.game, session.seat)
    session.show(LetterKind.INFO, "diary", game=game, notes=rows, whole=whole)
