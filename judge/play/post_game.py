"""Time after the end of a game, in which its people talk and write statements.

Press stays open for as many days as the game has set (`SET TALK`), and everyone may write to
everyone, even if the game did not allow it before. Statements are stored during that time. They
are mailed to all together, once every player has written one or the time is over, and appear in
HISTORY and on pages. Games that ended before this feature existed have no `due`, and stay
closed.
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import NO_ID, Event, GameState, PendingText, PendingTextKind, Role, Seat
from judge.play.game import Game
from judge.play.letters.letter_factory import letter_to, present_seats
from judge.play.queries import is_present, player_seats, sides_of, title_of

STATEMENT = "statement"
"""Kind of event of a published statement."""


def open_post_game_press(game: Game, now: datetime) -> None:
    """Keep the press of a game that has just ended open for a while.

    A game that never began has no people to talk about it.
    """
    days = game.chosen.talk if game.started else 0
    game.change(due=now + timedelta(days=days) if days else None)


def talk_until(game: Game) -> datetime | None:
    """Return until when the people of a game that is over may talk, or None."""
    return game.due if game.state is GameState.ENDED else None


def may_talk(game: Game, now: datetime) -> bool:
    """Return whether a game is over and its press still open."""
    until = talk_until(game)
    return until is not None and now < until


def keep_statement(game: Game, seat: Seat, body: Sequence[str], now: datetime) -> list[Letter]:
    """Store a player's statement in place of an earlier one.

    Return the letters with all statements if this was the last one missing.
    """
    papers = game.context.pending_press
    for paper in _list_statements(game):
        if paper.seat == seat.id:
            papers.drop(paper)
    text = json.dumps(body, ensure_ascii=False)
    papers.keep(
        PendingText(NO_ID, game.id, seat.id, PendingTextKind.STATEMENT, game.phase, now, text)
    )
    written = {paper.seat for paper in _list_statements(game)}
    players = [each.id for each in player_seats(game) if is_present(each)]
    return _publish_statements(game, now) if players and written.issuperset(players) else []


def end_talk(game: Game, now: datetime) -> list[Letter]:
    """Close the press and mail the statements if the time to talk is over."""
    until = talk_until(game)
    if until is None or now < until:
        return []
    game.change(due=None)
    return _publish_statements(game, now)


def _list_statements(game: Game) -> list[PendingText]:
    return game.context.pending_press.list_texts(game.id, PendingTextKind.STATEMENT)


def _publish_statements(game: Game, now: datetime) -> list[Letter]:
    """Move statements into the history in map order, and mail them to all."""
    order = [side.name for side in sides_of(game)]
    found = []
    for paper in _list_statements(game):
        seat = game.seat(paper.seat)
        if seat is not None:
            title = title_of(seat)
            place = order.index(title) if title in order else len(order)
            found.append((place, paper.id, title, json.loads(paper.text)))
        game.context.pending_press.drop(paper)
    notes = [{"from": title, "body": body} for _, _, title, body in sorted(found)]
    for note in notes:
        text = json.dumps(note, ensure_ascii=False)
        game.add_event(Event(game.id, now, game.phase, STATEMENT, text))
    if not notes:
        return []
    return [
        letter_to(
            game, seat, LetterKind.END, "statements", {"notes": notes, "until": talk_until(game)},
            phrase("event-statements"),
        )
        for seat in present_seats(game)
        if seat.role is not Role.MONITOR
    ]
