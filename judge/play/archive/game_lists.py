"""Indexes of the archive: by map, power and year, open seats, and figures.

All of it can be requested by anyone by mail (LIST, STATISTICS), and contains no people.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from judge.board.bundle import name_in_key
from judge.model.phrase import Phrase
from judge.model.record import GameState, GameSummary
from judge.play.choices.terms import clock_terms
from judge.play.game import Context, Game
from judge.play.queries import (
    is_bot,
    is_present,
    map_title,
    player_count,
    player_seats,
    takeover_line,
    vacant_seats,
)
from judge.play.rating import finished_games, map_facts

MAX_LOOKED_AT = 100


class Opening(NamedTuple):
    """A game that looks for players."""

    name: str
    variant: str
    comment: str
    vacant: tuple[str, ...]
    """Powers without a player, empty before the start."""
    bots: tuple[str, ...]
    """Powers that bots play and anyone may take over."""
    players: int
    powers: int
    lines: tuple[str, ...]
    """Lines by which a person enters the game."""
    since: datetime
    clock: tuple[Phrase, ...] = ()
    """Sentences on the duration of its phases."""
    system: str = ""


class Shelf(NamedTuple):
    """Games with a common property, with the name of their page."""

    slug: str
    title: str
    games: tuple[GameSummary, ...]


def openings(context: Context) -> list[Opening]:
    """Return the games that look for players, as in LIST, the newest call first."""
    found = [_opening(game) for game in context.games.list_open(MAX_LOOKED_AT) if _may_join(game)]
    return sorted(filter(None, found), key=lambda one: (one.since, one.name), reverse=True)


def _may_join(game: Game) -> bool:
    return game.chosen.listed and not game.chosen.private


def _opening(game: Game) -> Opening | None:
    forming, seats = game.state is GameState.FORMING, player_seats(game)
    players = sum(map(is_present, seats))
    vacant = vacant_seats(game)
    lines = tuple(takeover_line(game, seat.power, "newpassword") for seat in vacant)
    if forming and players < player_count(game):
        lines = (f"JOIN {game.name} newpassword",)
    if not lines:
        return None
    since = max([game.created, *(seat.since for seat in vacant if seat.since)])
    bots = tuple(seat.power for seat in vacant if is_bot(game, seat))
    powers = tuple(seat.power for seat in vacant if seat.power not in bots)
    told = game.name, map_title(game), game.chosen.comment
    return Opening(
        *told, powers, bots, players, player_count(game), lines, since, clock_terms(game),
        game.system,
    )


def shelves(games: Iterable[GameSummary]) -> Mapping[str, Sequence[Shelf]]:
    """Return games that are over by map, by power that won or shared, and by year."""
    over = [game for game in games if game.ended]
    return {
        "map": _make_shelves("map", ((game.variant, game) for game in over)),
        "power": _make_shelves("power", ((power, game) for game in over for power in game.winners)),
        "year": _make_shelves(
            "year", ((str(game.ended.year), game) for game in over if game.ended)
        ),
    }


def _make_shelves(kind: str, pairs: Iterable[tuple[str, GameSummary]]) -> list[Shelf]:
    found: dict[str, list[GameSummary]] = {}
    for title, game in pairs:
        found.setdefault(title, []).append(game)
    made: list[Shelf] = []
    for title, games in sorted(found.items()):
        slug = re.sub(r"[^a-z0-9]+", "-", f"{kind} {title}".lower()).strip("-")
        if any(one.slug == slug for one in made):
            slug += f"-{len(made)}"
        made.append(Shelf(slug, title, tuple(games)))
    return made


def figures(context: Context) -> list[dict[str, object]]:
    """Return the figures of the powers of each map in all games that are over.

    They are those of STATISTICS.
    """
    games = finished_games(context)
    by_map: dict[str, list[int]] = {}
    for at, game in enumerate(games):
        by_map.setdefault(name_in_key(game.map), []).append(at)
    return [map_facts([games[at] for at in found]) for _, found in sorted(by_map.items())]
