"""Public views of games: the archive, and HISTORY.

They include games that LIST shows and that need no word to join. An open game is shown as an
observer sees it, and not at all if viewers see different things, if the master decides who
observes, or before it has begun. People are never shown, neither by name nor by address.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby, zip_longest

from judge.drawing.chart import chart_source
from judge.errors import DataError
from judge.games import find_system, is_playable
from judge.games.capabilities import DrawableTable, YearlyHistory
from judge.games.system import GameSystem, Table, Viewer
from judge.model.letter import LetterKind, PictureFormat, PictureRequest
from judge.model.record import (
    Event,
    GameState,
    GameSummary,
    PageBoard,
    PhasePage,
    PublicGame,
    Seat,
    Turn,
    YearPage,
)
from judge.play.game import Context, Game, options_at, table_before
from judge.play.game_story import Points, chart_of, describe_year, how_it_went, score_of
from judge.play.gm.masters import KIND as ACT
from judge.play.letters.board_pictures import add_past_overlay
from judge.play.letters.kept_phrases import load_phrase
from judge.play.post_game import STATEMENT
from judge.play.press import DIARY, may_read, read_sent, view
from judge.play.queries import (
    bots_in,
    is_open,
    is_shown,
    map_title,
    reader_of,
    sides_of,
    title_of,
)

_AFTER_ALL = 1 << 62


def entries_for(
    game: Game, seat: Seat | None, has: Callable[[str, datetime], bool]
) -> list[dict[str, object]]:
    """Return results, notices and press in order of time, as a seat may see them.

    Events at the same instant in the same phase come before its results.
    """
    reader = reader_of(game, seat)
    system, turns = find_system(game.system), game.turns()
    places = {turn.phase: at for at, turn in enumerate(turns)}
    found: list[tuple[tuple[datetime, int, int], dict[str, object]]] = []
    for number, event in enumerate(game.events()):
        entry = event_entry(game, seat, event) if has(event.phase, event.at) else None
        if entry is not None:
            place = places.get(event.phase, len(turns))
            found.append(((event.at, place, number), {"letter": event.kind, **entry}))
    for at, turn in enumerate(turns):
        if has(turn.phase, turn.at):
            results = system.turn(game.map, turn.outcome).results(reader)
            entry = {"at": turn.at, "kind": "results", "letter": "results", "results": results}
            found.append(((turn.at, at, _AFTER_ALL), entry))
    return [entry for _, entry in sorted(found, key=lambda each: each[0])]


def event_entry(game: Game, seat: Seat | None, event: Event) -> dict[str, object] | None:
    """Return an event as this reader may see it, or None if they may not."""
    if event.kind == LetterKind.PRESS.value:
        data = json.loads(event.text)
        if "about" in data:
            news = {"letter": LetterKind.NOTICE.value, "about": data["about"], "body": data["body"]}
            return {"at": event.at, "kind": "official", **news}
        sent = read_sent(event.text)
        if not may_read(game, seat, event, sent):
            return None
        return {"at": event.at, "kind": "press", "press": view(game, seat, sent)}
    if event.readers and not (seat and title_of(seat) in event.readers):
        return None
    data = json.loads(event.text)
    if event.kind == "log" and data.get("told"):
        # Another event reports this act of a master.
        return None
    if event.kind in (DIARY, STATEMENT):
        return {"at": event.at, "kind": event.kind, "phase": event.phase, **data}
    if "code" in data:
        kind = "end" if event.kind == LetterKind.END.value else "notice"
        return {"at": event.at, "kind": kind, "reason": load_phrase(data, game.system)}
    return {"at": event.at, "kind": event.kind}


HIDDEN = "(an address)"
_ADDRESS = re.compile(r"[^\s\"'\\<>(),;:@]+@[^\s\"'\\<>(),;:@]+")
_TOKEN = re.compile(r"(?<![a-z0-9])[a-z2-7]{37}(?![a-z0-9])", re.IGNORECASE)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_SHOWN = ("press", DIARY, STATEMENT, "notice", "end", "start")


def hidden(context: Context, text: str) -> str:
    """Return a text without reply tokens and words that look like addresses."""
    text = _ADDRESS.sub(HIDDEN, text)

    def mask_token(found: re.Match[str]) -> str:
        return "***" if context.tokens.read(found[0].lower()) else found[0]

    return _TOKEN.sub(mask_token, text)


def find_shown(context: Context, name: str) -> GameSummary | None:
    """Return the headline of a game by name, or None if it is not shown.

    Raises:
        DataError: its system is not installed.
    """
    game = context.games.find(name)
    if game is not None and not is_playable(game.system, game.map):
        raise DataError(f"its game system {game.system!r} is not here")
    return headline(game) if game is not None and is_shown(game) else None


def sort_games(games: Iterable[GameSummary]) -> list[GameSummary]:
    """Return games in list order: open ones by name, then others, last first."""
    found = sorted(games, key=lambda game: game.name)
    going = [game for game in found if game.state != GameState.ENDED.value]
    over = [game for game in found if game.state == GameState.ENDED.value]
    over.sort(key=lambda game: (game.ended or game.started or _LONG_AGO, game.id), reverse=True)
    return [*going, *over]


def headline(game: Game) -> GameSummary:
    """Return a game as a list shows it."""
    result = json.loads(game.result) if game.result else {}
    told = result.get("reason")
    return GameSummary(
        id=game.id,
        name=game.name,
        system=game.system,
        variant=map_title(game),
        state=game.state.value,
        phase=game.phase,
        started=game.started,
        ended=game.ended,
        deadline=game.deadline if game.state is GameState.RUNNING else None,
        ending=load_phrase(told, game.system) if told else None,
        comment=game.chosen.comment,
        stamp="" if is_open(game) else _stamp(game),
        winners=tuple(result.get("winners", ())),
    )


def _stamp(game: Game) -> str:
    told = f"{game.record!r} {game.last_event()}"
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def showcase(game: Game) -> PublicGame:
    """Return a game as a person without a seat may see it now."""
    system, reader = find_system(game.system), reader_of(game, None)
    turns = game.turns()
    played = {turn.phase for turn in turns}
    entries = _entries(game)
    leaves = tuple(
        _leaf(game, system, reader, (turn, following), entries)
        for turn, following in zip_longest(turns, (turn.phase for turn in turns[1:]))
    )
    told, goal = score_of(game)
    chart = chart_of(game, told, goal)
    return PublicGame(
        headline=headline(game),
        board=_board(game, _sketch(game.table, reader), reader, "", f"The board in {game.phase}"),
        leaves=leaves,
        powers=tuple((side.name, side.letter) for side in sides_of(game)),
        bots=bots_in(game),
        years=told.years,
        chapters=_chapters(system, game.map, leaves, told),
        story=how_it_went(game, told) if game.state is GameState.ENDED else (),
        chart=PictureRequest(game.system, chart_source(chart), game.name, PictureFormat.CHART)
        if chart
        else None,
        pending=tuple(
            entry for phase, found in entries.items() if phase not in played for entry in found
        ),
    )


def _chapters(
    system: GameSystem, map_name: str, leaves: Sequence[PhasePage], told: Points
) -> tuple[YearPage, ...]:
    """Return the phases by year, or by turn if a system has no years."""
    if not isinstance(system, YearlyHistory):
        turns = groupby(leaves, key=lambda leaf: leaf.turn)
        return tuple(YearPage(turn, None, tuple(found)) for turn, found in turns)
    chapters = []
    for year, found in groupby(leaves, key=lambda leaf: system.year_of(map_name, leaf.phase)):
        group = tuple(found)
        rows = [at for at, row in enumerate(told.years) if at and row.year == year] or [
            at for at, row in enumerate(told.years) if at and row.year.startswith(year)
        ]
        says = describe_year(told, rows[-1], group[-1].turn) if rows else None
        chapters.append(YearPage(year.strip("."), says, group))
    return tuple(chapters)


def _sketch(table: Table, reader: Viewer) -> str:
    return table.sketch(reader) if isinstance(table, DrawableTable) else ""


def _board(game: Game, source: str, reader: Viewer, before: str, caption: str) -> PageBoard | None:
    source = add_past_overlay(game, source, reader, before)
    if not source:
        return None
    return PageBoard(PictureRequest(game.system, source, game.name, PictureFormat.SVG), caption)


def _leaf(
    game: Game, system: GameSystem, reader: Viewer, pair: tuple[Turn, str | None],
    entries: Mapping[str, Sequence[Mapping[str, object]]],
) -> PhasePage:
    turn, following = pair
    phase = table_before(game, turn).phase
    after = system.table(game.map, turn.after, options_at(game, turn))
    played = system.turn(game.map, turn.outcome)
    caption = f"The board afterwards, in {after.phase.label}"
    boards = (
        _board(game, played.sketch(reader), reader, turn.phase, "The orders"),
        _board(game, _sketch(after, reader), reader, following or "", caption),
    )
    return PhasePage(
        phase=turn.phase,
        turn=phase.turn,
        title=phase.title,
        boards=tuple(board for board in boards if board),
        results=played.results(reader),
        entries=tuple(entries.get(turn.phase, ())),
    )


def _entries(game: Game) -> dict[str, list[Mapping[str, object]]]:
    """Return events by phase, as HISTORY shows them to a person without a seat."""
    found: dict[str, list[Mapping[str, object]]] = {}
    for event in game.events():
        entry = event_entry(game, None, event) if event.kind != ACT else None
        if entry is not None and entry["kind"] in _SHOWN:
            found.setdefault(event.phase, []).append(entry)
    return found
