"""Press for the next results: kept until then, and read by everybody at once."""

from datetime import datetime

from judge.play.game import Game
from judge.play.office import is_present
from judge.play.pressroom.correspondence import Sent, gets, read_sent, readers_of, view
from judge.words.letter import Kind
from judge.words.paper import PaperKind
from judge.words.record import Event, Seat


def publish_postal(game: Game, now: datetime) -> list[Sent]:
    """Take what waited for the results; HISTORY has it from now on, and not when it was written."""
    found = []
    for paper in game.office.papers.kept(game.id, PaperKind.POSTAL):
        sent = read_sent(paper.text)
        game.add_event(
            Event(game.id, now, paper.phase, Kind.PRESS.value, paper.text,
                  readers_of(game, sent, ()))
        )
        game.office.papers.drop(paper)
        found.append(sent)
    return found


def postal_facts(
    game: Game, seat: Seat, published: list[Sent]
) -> list[dict[str, object]]:
    """Return the press that comes with a seat's results; its writer sees his own again."""
    mine = [sent for sent in published if sent.writer == seat.id or gets(game, seat, sent)]
    return [view(game, seat, sent) for sent in mine] if is_present(seat) else []
