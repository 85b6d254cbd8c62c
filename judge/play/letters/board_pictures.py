"""Boards in letters, as pictures or in words, as each reader wants them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from judge.board.bundle import name_in_key
from judge.drawing.chart import Chart, chart_source
from judge.games import find_system, title_of
from judge.games.capabilities import (
    DrawableSystem,
    DrawableTable,
    PastOverlay,
    PhoneView,
    TextBoard,
)
from judge.games.letter_facts import Places
from judge.games.system import GameSystem, PlayedTurn, Table, Viewer, ViewerRole
from judge.model.letter import Letter, LetterPicture, PictureFormat, PictureRequest
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Seat
from judge.model.replace import replace
from judge.play.game import Context, Game, options_of

MAX_PICTURES = 4
"""Maximum number of pictures in one reply."""
_SCHEMATIC = "shows-schematic"
TEXT, OFF = "text", "off"
"""Values of SET MAP other than the forms of pictures."""


class BoardView(NamedTuple):
    """Board in a letter: pictures, or the facts of a board in words, or neither."""

    pictures: tuple[LetterPicture, ...] = ()
    board: Places | None = None

    @property
    def facts(self) -> dict[str, object]:
        """Facts of it for the text of the letter."""
        shows = [picture.shows for picture in self.pictures]
        # The note on boards without shapes is for all pictures before it too.
        shows[:-1] = [
            plain if isinstance(each, Phrase) and each.code == _SCHEMATIC
            and isinstance(plain := each.facts["shows"], Phrase) else each for each in shows[:-1]
        ]
        return {"shows": shows, "board": self.board}

    def then(self, other: "BoardView") -> "BoardView":
        """Return this view followed by another one."""
        return BoardView((*self.pictures, *other.pictures), self.board or other.board)

    @property
    def is_empty(self) -> bool:
        """True without pictures and without a board in words."""
        return not self.pictures and self.board is None


def board_format_of(context: Context, seat: Seat | None) -> str:
    """Return how a reader wants boards: their SET MAP, else the operator's choice."""
    own = seat.settings.map if seat else None
    return context.policy.maps if own is None else own


def opening_view(system: GameSystem, map_name: str, table: Table, wish: str) -> BoardView:
    """Return the board of a map at the opening, as an observer sees it."""
    reader = Viewer(ViewerRole.OBSERVER)
    if wish in (TEXT, OFF):
        return BoardView(board=table.places(reader) if isinstance(table, TextBoard) else None)
    if not isinstance(table, DrawableTable):
        return BoardView()
    shows = _describe(system, map_name, phrase("shows-map", title=title_of(map_name)))
    name = name_in_key(map_name)
    sketch = _make_request(system, table.sketch(reader), name, wish)
    return BoardView((LetterPicture(sketch, f"{name}-map", shows),))


def front_view(game: Game, reader: Viewer, wish: str, turn: PlayedTurn | None = None) -> BoardView:
    """Return the part of the board around a player's units now, for a phone.

    Observers and the master get the board in parts, from systems whose boards are too large.
    `turn` is the phase that was played last, whose failed moves it hints at.
    """
    system = find_system(game.system)
    if not (
        isinstance(system, PhoneView)
        and wish in (PictureFormat.PNG.value, PictureFormat.SMALL.value)
    ):
        return BoardView()
    is_player = reader.quality is ViewerRole.POWER
    if not (is_player or system.fronts_for_all) or game.state is not GameState.RUNNING:
        return BoardView()
    sketch = system.sketch_front(game.table, turn, reader)
    shows = phrase("shows-front" if is_player else "shows-parts", phase=game.phase)
    return _make_view(game, reader, sketch, PictureFormat.FRONT.value, f"{game.phase}-front", shows)


def standing_view(game: Game, reader: Viewer, wish: str) -> BoardView:
    """Return the present board."""
    if wish == OFF:
        return BoardView()
    table = game.table
    if wish == TEXT:
        return BoardView(board=table.places(reader) if isinstance(table, TextBoard) else None)
    sketch = table.sketch(reader) if isinstance(table, DrawableTable) else ""
    shows = phrase("shows-board", phase=game.phase)
    return _make_view(game, reader, sketch, wish, game.phase, shows)


def turn_view(game: Game, reader: Viewer, wish: str, played: str, turn: PlayedTurn) -> BoardView:
    """Return the orders of a phase that was played, with their outcomes.

    In words, only the present board is returned, as the results list the orders anyway.
    """
    if wish in (TEXT, OFF):
        return standing_view(game, reader, wish)
    name, shows = f"{played}-orders", phrase("shows-turn", phase=played)
    return _make_view(game, reader, turn.sketch(reader), wish, name, shows, played)


def preview_view(game: Game, reader: Viewer, wish: str, turn: PlayedTurn) -> BoardView:
    """Return the outcome of a preview."""
    system = find_system(game.system)
    if wish in (TEXT, OFF) or not isinstance(system, DrawableSystem):
        return BoardView()
    sketch, shows = turn.sketch(reader, tried=True), phrase("shows-preview", phase=game.phase)
    return _make_view(game, reader, sketch, wish, f"{game.phase}-preview", shows)


def orders_view(game: Game, reader: Viewer, wish: str, sheets: Mapping[str, str]) -> BoardView:
    """Return a picture of these orders on file, without any others."""
    table = game.table
    if wish in (TEXT, OFF) or not isinstance(table, DrawableTable):
        return BoardView()
    sketch, shows = table.sketch_orders(sheets, reader), phrase("shows-orders", phase=game.phase)
    return _make_view(game, reader, sketch, wish, f"{game.phase}-on-file", shows)


def chart_view(game: Game, chart: Chart | None) -> BoardView:
    """Return the chart of a game's score."""
    if chart is None:
        return BoardView()
    sketch = PictureRequest(game.system, chart_source(chart), game.name, PictureFormat.CHART)
    return BoardView((LetterPicture(sketch, f"{game.name}-chart", phrase("shows-chart")),))


def add_past_overlay(game: Game, sketch: str, reader: Viewer, before: str = "") -> str:
    """Return a sketch with the marks that earlier phases left on the board.

    `before` is the phase shown, if it is one that was played.
    """
    system = find_system(game.system)
    if not sketch or not isinstance(system, PastOverlay):
        return sketch
    past: list[str] = []
    for turn in game.turns():
        if turn.phase == before:
            break
        past.append(turn.before)
    return system.with_past(game.map, options_of(game), sketch, past, reader)


def _make_view(
    game: Game, reader: Viewer, source: str, wish: str, name: str, shows: Phrase, before: str = ""
) -> BoardView:
    source = add_past_overlay(game, source, reader, before)
    if not source:
        return BoardView()
    system = find_system(game.system)
    sketch = _make_request(system, source, game.name, wish)
    shown = _describe(system, game.map, shows)
    return BoardView((LetterPicture(sketch, f"{game.name}-{name}", shown),))


def _describe(system: GameSystem, map_name: str, shows: Phrase) -> Phrase:
    """Return what a picture shows, with a note if the map has no shapes."""
    if isinstance(system, DrawableSystem) and system.is_schematic(map_name):
        return phrase(_SCHEMATIC, shows=shows)
    return shows


def _make_request(system: GameSystem, source: str, title: str, wish: str) -> PictureRequest:
    form = PictureFormat(wish)
    if form is PictureFormat.SMALL and not isinstance(system, PhoneView):
        form = PictureFormat.PNG
    return PictureRequest(system.name, source, title, form)


def view_with_front(front: BoardView, whole: BoardView, *, only_files: bool = False) -> BoardView:
    """Return a player's part of the board and the whole, maybe as an attached file.

    With *only_files*, leave out the part if the whole is not such a file.
    """
    systems = [find_system(picture.sketch.system) for picture in front.pictures]
    if any(isinstance(system, PhoneView) and system.attaches_whole for system in systems):
        files = tuple(replace(picture, is_file=True) for picture in whole.pictures)
        return front.then(whole._replace(pictures=files))
    return whole if only_files else front.then(whole)


def illustrate_letter(letter: Letter, view: BoardView) -> Letter:
    """Return a letter with the pictures and the facts of a view of the board."""
    return replace(
        letter,
        facts={**letter.facts, "map": view.facts},
        pictures=distinct((*letter.pictures, *view.pictures)),
    )


def distinct(pictures: Iterable[LetterPicture]) -> tuple[LetterPicture, ...]:
    """Return pictures without duplicates, each under a name of its own."""
    found = {each.sketch.key: each for each in pictures}
    names: Counter[str] = Counter()
    named = []
    for each in found.values():
        names[each.name] += 1
        number = names[each.name]
        named.append(each if number == 1 else replace(each, name=f"{each.name}-{number}"))
    return tuple(named)


MAX_TO_PERSON = 20
"""Maximum number of pictures an hour to a signed-on person, at all their seats."""
