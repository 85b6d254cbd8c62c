"""Order pages of games: `judge board`, and a page of the public archive."""

from pathlib import Path

from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import use_application
from judge.drawing.layout import ProvinceDrawing
from judge.errors import JudgeError
from judge.games.capabilities import DrawableTable, OrderPage
from judge.games.painting import picture_of
from judge.games.system import Viewer, ViewerRole
from judge.model.letter import PictureRequest
from judge.model.record import GameState
from judge.play.game import Game
from judge.play.queries import awaits_release, seat_token, sides_of
from judge.site.order_page import OrderPageFacts, render_order_page

ORDER_PAGE = "order.html"
"""Name of the page in the folder of its game."""


def write_board(config: Config, clock: Clock, name: str, path: Path) -> str:
    """Write the order page of a game to a file. Return a summary.

    Raises:
        StoreError: there is no database, or it cannot be used.
        JudgeError: there is no such game, or it has no page.
        OSError: the file cannot be written.
    """
    with use_application(config, clock) as application:
        with application.store.transaction(), application.context.unit_of_work() as context:
            game = context.games.find(name.lower())
            if game is None:
                raise JudgeError(f"there is no game {name!r}")
            if fault := no_page_reason(game):
                raise JudgeError(f"{game.name} has no order page: {fault}")
            facts, sketch = order_page_facts(game), public_sketch(game)
    page = draw_order_page(facts, sketch)
    path.write_bytes(page)
    return f"{facts.game}, {facts.values['phase']}: {len(page)} bytes"


def no_page_reason(game: Game) -> str:
    """Return the reason why a game has no order page now, or an empty string."""
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        return "it is not running"
    if not isinstance(game.table, OrderPage):
        return "its orders cannot be chosen on a board"
    if game.table.has_hidden_information:
        return "its players see different parts of the board"
    return "its last results are not released" if awaits_release(game) else ""


def order_page_facts(game: Game) -> OrderPageFacts:
    """Return the facts of a game's page. None of them belongs to a person."""
    table, policy = game.table, game.context.policy
    assert isinstance(table, OrderPage)
    sides = sides_of(game)
    return OrderPageFacts(
        system=game.system,
        judge=policy.judge,
        address=policy.address,
        game=game.name,
        signons={side.letter: seat_token(game, side.letter) for side in sides},
        titles=(table.phase.turn, table.phase.title),
        powers=tuple(side.name for side in sides),
        deadline=game.deadline if game.state is GameState.RUNNING else None,
        values=table.order_page(),
    )


def public_sketch(game: Game) -> PictureRequest:
    """Return the picture request of the board as anyone may see it."""
    assert isinstance(game.table, DrawableTable)
    sketch = game.table.sketch(Viewer(ViewerRole.OBSERVER))
    return PictureRequest(game.system, sketch, game.name)


def draw_order_page(facts: OrderPageFacts, sketch: PictureRequest) -> bytes:
    """Draw the board of a page, and return the page."""
    drawing = picture_of(sketch)
    assert isinstance(drawing, ProvinceDrawing)
    return render_order_page(facts, drawing)
