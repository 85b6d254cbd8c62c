"""Votes: a draw of all survivors, and other times by consent of all."""

from judge.games.system import Ending
from judge.play.choosing import apply_changes
from judge.play.office import Office, player_seats, table_of
from judge.play.phases import end_game, ending_letters
from judge.play.session import Session
from judge.play.settings import Scope, interpret
from judge.words.command import Unvote, Vote
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import Ballot, GameRecord, GameState, Role, Seat, SeatState

MATTERS = ("draw", "clock")


def vote(session: Session, command: Vote) -> None:
    """Vote for a draw of all survivors, or for other times; it counts until taken back."""
    seat, game = session.seat, session.game
    problem = _problem(session, command, game)
    if problem:
        session.refuse(command, problem)
        return
    choice = "yes" if command.matter == "draw" else " ".join(command.words).upper()
    session.office.games.cast(Ballot(game.id, seat.id, command.matter, choice))
    voters = _voters(session.office, game)
    cast = [
        ballot
        for ballot in session.office.games.ballots(game.id)
        if ballot.matter == command.matter and ballot.choice == choice
    ]
    agreed = {ballot.seat for ballot in cast} >= {voter.id for voter in voters}
    session.say(because(f"voted-{command.matter}", choice=choice, count=len(cast), of=len(voters)))
    if agreed and command.matter == "draw":
        _draw(session, game, voters)
    elif agreed:
        _new_times(session, game, command)
    elif len(cast) == 1:
        reason = because(f"vote-{command.matter}-called", game=game.name, choice=choice)
        session.announce(game, reason, Kind.VOTE)


def _voters(office: Office, game: GameRecord) -> list[Seat]:
    """Return the seats that must agree: those held, of powers still alive.

    Powers in civil disorder do not block.
    """
    alive = table_of(game).alive()
    seats = player_seats(office, game)
    return [s for s in seats if s.state is SeatState.HELD and s.power in alive]


def _problem(session: Session, command: Vote, game: GameRecord) -> Reason | None:
    seat = session.seat
    if command.matter not in MATTERS:
        return because("vote-unknown", matter=command.matter.upper())
    if seat.role is not Role.PLAYER or game.state is not GameState.RUNNING:
        return because("needs-running-power")
    if seat.power not in table_of(game).alive():
        return because("vote-eliminated")
    if command.matter == "clock":
        changes = interpret(command.words, False, game, Role.MASTER)
        if isinstance(changes, Reason):
            return changes
        allowed = ("move.", "retreat.", "adjust.", "negotiation", "first_negotiation", "cron")
        for change in changes:
            row = change.setting
            if row.scope is not Scope.GAME or not row.name.startswith(allowed):
                return because("vote-clock-only")
    return None


def _draw(session: Session, game: GameRecord, voters: list[Seat]) -> None:
    alive = table_of(game).alive()
    ending = Ending(alive, because("draw-agreed", powers=alive))
    game = end_game(session.office, game, ending, session.now)
    session.letters += ending_letters(session.office, game, ending)


def _new_times(session: Session, game: GameRecord, command: Vote) -> None:
    changes = interpret(command.words, False, game, Role.MASTER)
    assert not isinstance(changes, Reason)
    apply_changes(session, game, changes)
    session.office.games.drop_ballots(game.id, "clock")


def unvote(session: Session, command: Unvote) -> None:
    """Take votes back: those in one matter, or all."""
    seat, game = session.seat, session.game
    session.office.games.withdraw(game.id, seat.id, command.matter)
    session.say(because("unvoted", matter=command.matter.upper() or "ALL"))


def standing_votes(office: Office, game: GameRecord, seat: Seat) -> list[dict[str, object]]:
    """Return a seat's own votes that stand, for its receipts."""
    return [
        {"matter": ballot.matter, "choice": ballot.choice}
        for ballot in office.games.ballots(game.id)
        if ballot.seat == seat.id
    ]
