"""Order pages of games: `judge board`, and a page of the public archive."""

from pathlib import Path

from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import use_application
from judge.errors import JudgeError
from judge.play.letters.order_pages import (
    draw_order_page,
    no_page_reason,
    order_page_facts,
    public_sketch,
)

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
