"""Order pages of games, and copies attached to letters.

A page is the same for all readers of its game, as all of it is public to them.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from judge.drawing.layout import ProvinceDrawing
from judge.games import find_system
from judge.games.capabilities import DrawableSystem, DrawableTable, OrderPage, with_capability
from judge.games.system import Viewer, ViewerRole
from judge.model.letter import Enclosure, Letter, LetterKind, PictureRequest
from judge.model.record import GameState
from judge.model.replace import replace
from judge.play.game import Context, Game
from judge.play.queries import awaits_release, seat_token, sides_of
from judge.site.order_page import OrderPageFacts, render_order_page

MAX_ATTACHED_OCTETS = 350_000
"""Size of the largest page that a letter carries."""
_CARRIERS = (LetterKind.START, LetterKind.RESULTS, LetterKind.REMINDER)
"""Kinds of letters that carry the page if orders are due."""
_TURNED = "turned"
"""Template of letters about a rollback, which carry it too."""


def no_page_reason(game: Game) -> str:
    """Return the reason why a game has no order page now, or an empty string."""
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        return "it is not running"
    if not isinstance(game.table, OrderPage):
        return "its orders cannot be chosen on a board"
    if game.table.has_hidden_information:
        return "its players see different parts of the board"
    return "its last results are not released" if awaits_release(game) else ""


def order_page_facts(game: Game, language: str = "") -> OrderPageFacts:
    """Return the facts of a game's page.

    None of them belongs to a person, except a known language.
    """
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
        language=language,
    )


def public_sketch(game: Game) -> PictureRequest:
    """Return the picture request of the board as anyone may see it."""
    assert isinstance(game.table, DrawableTable)
    sketch = game.table.sketch(Viewer(ViewerRole.OBSERVER))
    return PictureRequest(game.system, sketch, game.name)


def draw_order_page(
    facts: OrderPageFacts, sketch: PictureRequest, *, is_coarse: bool = False
) -> bytes:
    """Draw the board of a page, and return the page."""
    system = with_capability(find_system(sketch.system), DrawableSystem)
    drawing = system.picture(sketch.source, sketch.title)
    assert isinstance(drawing, ProvinceDrawing)
    return render_order_page(facts, drawing, is_coarse=is_coarse)


def with_order_pages(context: Context, letters: Iterable[Letter]) -> list[Letter]:
    """Return letters with the order page attached for the seats that chose it.

    The page of a game is drawn once in each language, and only if one of the letters carries it.
    """
    pages: dict[tuple[int, str], bytes | None] = {}
    found = []
    for letter in letters:
        if game := _game_of_page(context, letter):
            key = game.id, _language_of(context, letter)
            if key not in pages:
                pages[key] = _attached_page(game, key[1])
            letter = _attach(letter, game, pages[key])
        found.append(letter)
    return found


def _game_of_page(context: Context, letter: Letter) -> Game | None:
    """Return the game whose page a letter carries, or None."""
    is_carrier = letter.kind in _CARRIERS or letter.template == _TURNED
    if not is_carrier or not letter.facts.get("sheet"):
        return None
    seat = context.games.seat(letter.seat) if letter.seat else None
    if seat is None or not seat.power or seat.settings.board != "attached":
        return None
    game = context.games.get(seat.game)
    return game if letter.phase == game.phase and not no_page_reason(game) else None


def _language_of(context: Context, letter: Letter) -> str:
    """Return the language that the reader of a letter has chosen, or ""."""
    seat = context.games.seat(letter.seat)
    return seat and seat.settings.language or context.register.person(letter.to).language


def _attached_page(game: Game, language: str) -> bytes | None:
    """Return the page of a game with simpler outlines, or None if it is too large."""
    page = draw_order_page(order_page_facts(game, language), public_sketch(game), is_coarse=True)
    return page if len(page) <= MAX_ATTACHED_OCTETS else None


def _attach(letter: Letter, game: Game, page: bytes | None) -> Letter:
    """Return a letter with a page, or with a sentence that the page is too large."""
    seat: Mapping[str, Any] = letter.facts["seat"]  # type: ignore[assignment]
    if page is None:
        return replace(letter, facts={**letter.facts, "seat": {**seat, "page_too_large": True}})
    name = f"{game.name}-{game.phase}.html"
    file = Enclosure(name, "text/html; charset=utf-8", page.decode("utf-8"))
    facts = {**letter.facts, "seat": {**seat, "attached_page": name}}
    return replace(letter, facts=facts, files=(*letter.files, file))
