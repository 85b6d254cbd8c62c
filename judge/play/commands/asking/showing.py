"""MAP: the board as it stands, or the orders of a phase that was played, for whoever asks."""

from dataclasses import replace

from judge.games import find_system
from judge.play.commands.asking.inquiries import game_asked, own_seat
from judge.play.commands.outcome import Outcome, heard, refused, shown
from judge.play.commands.rationing import rationed
from judge.play.commands.session import Answer, Session
from judge.play.game import Game
from judge.play.letters.illustrating import (
    MOST_PICTURES,
    OFF,
    TEXT,
    standing_view,
    turn_view,
    wish_of,
)
from judge.play.letters.telling import game_facts
from judge.play.office import reader_of
from judge.words.asking import ShowMap
from judge.words.letter import Kind
from judge.words.reason import because
from judge.words.record import Turn


def show_map(session: Session, command: ShowMap) -> Outcome:
    """Show the board of a game, now or in a phase played before."""
    game = game_asked(session, command, command.game)
    if isinstance(game, Outcome):
        return game
    if session.current.asked.count("map") >= MOST_PICTURES:
        return refused(command, because("too-many-maps", limit=MOST_PICTURES))
    turn = _turn(session, game, command.phase)
    if turn is None and command.phase not in ("", game.phase):
        return refused(
            command,
            because("map-not-played", phase=command.phase, game=game.name),
            f"MAP {game.name}",
        )
    wish, more = _wish(session, command, game)
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    if turn:
        view = turn_view(game, reader, wish, turn.phase, turn.outcome)
    else:
        view = standing_view(game, reader, wish)
    if view.is_empty:
        return heard(more) + refused(command, because("map-hidden", game=game.name))
    results = None
    if turn and wish == TEXT:
        results = find_system(game.system).retell(game.map, turn.outcome, reader)
    return heard(replace(more, pictures=tuple(view.pictures))) + shown(
        Kind.INFO, "map", system=game.system, game=game_facts(game, seat), map=view.facts,
        results=results,
    )


def _turn(session: Session, game: Game, phase: str) -> Turn | None:
    """Return a phase that was played, by its label; the last of that name."""
    if not phase:
        return None
    turns = game.turns()
    return next((turn for turn in reversed(turns) if turn.phase == phase.upper()), None)


def _wish(session: Session, command: ShowMap, game: Game) -> tuple[str, Answer]:
    """Return how the board is shown: as the line says, else as its reader wants it in general.

    Who wants none with letters and asks for one all the same gets a picture.
    """
    wish = command.form or wish_of(session.office, own_seat(session, game))
    return rationed(session, session.current, "png" if wish == OFF else wish)
