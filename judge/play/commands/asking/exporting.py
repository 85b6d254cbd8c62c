"""EXPORT: a whole game as a file that goes with the answer, for people or for programs."""

from datetime import timedelta

from judge.errors import JudgeError
from judge.play.archive.archived import archive_of, write_archive
from judge.play.archive.orderlists import order_list
from judge.play.commands.asking.inquiries import game_asked
from judge.play.commands.outcome import Outcome, heard, refused, shown
from judge.play.commands.session import Answer, Session
from judge.play.game import Game
from judge.words.letter import Enclosure, Kind
from judge.words.mastering import Export
from judge.words.reason import because
from judge.words.record import GameState

MOST_FILES = 3
"""Games that one answer takes along."""
_DAY = timedelta(days=1)


def export(session: Session, command: Export) -> Outcome:
    """Send what everybody may know of a game as JSON, or its orders as a list.

    In a game that hides positions it is for all once it is over, and before that for nobody:
    it would tell every position.
    """
    game = game_asked(session, command, command.game)
    if isinstance(game, Outcome):
        return game
    if game.turn == 0:
        return refused(command, because("export-not-begun", game=game.name))
    elif game.table.hides and game.state is not GameState.ENDED:
        return refused(command, because("export-blind", game=game.name))
    elif len(session.current.files) >= MOST_FILES:
        return refused(command, because("export-too-many", limit=MOST_FILES))
    else:
        return _enclose(session, command, game)


def _enclose(session: Session, command: Export, game: Game) -> Outcome:
    orders = command.orders
    archived = archive_of(game.record, game.turns(), game.events())
    name = f"{game.name}-{game.phase}"
    if orders:
        try:
            text = order_list(archived)
        except JudgeError:
            return refused(command, because("export-no-list", game=game.name))
        file = Enclosure(f"{name}-orders.txt", "text/plain; charset=utf-8", text)
    else:
        file = Enclosure(f"{name}.json", "application/json", write_archive(archived))
    # A word that asks is short, and a From line easily forged: nobody is to be flooded through us.
    people, octets = session.office.people, len(file.text.encode())
    most = session.office.policy.export_volume
    if people.served(session.mail.sender, session.now - _DAY) + octets > most:
        return refused(command, because("export-too-much", limit=max(most // 1024, 1)))
    people.serve(session.mail.sender, octets, session.now)
    told = shown(Kind.INFO, "export", name=game.name, file=file.name, orders=orders)
    return heard(Answer(files=(file,))) + told
