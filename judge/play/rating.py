"""Finishes, ratings and figures of finished games.

Only games that ended with at least one winner count. Cancelled games do not, nor do those with
fewer than two players.

The skill rating uses the model of Bradley and Terry in Weng and Lin's form, game after game.
Every two people of a game are compared. (The model of Plackett and Luce, for one, gives those
who share the first rank less than those ranked after them.)

Only the order of a game's players counts: first those who won or share the draw, then the
survivors, then the eliminated, last those who left. The score does not count. The points are a
cautious estimate that the skill exceeds almost certainly (three standard deviations below the
mean). They begin at 1000.

Games in which the players stay anonymous are not rated, since comparing the list before and
after such a game would reveal its winner. Neither are those of `SET UNRATED`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from judge.board.bundle import name_in_key
from judge.games import find_map, find_system, is_playable, title_of
from judge.games.capabilities import YearlyHistory
from judge.games.system import PowerInfo
from judge.model.person import Finish, Finished, PowerFinish, Rating, ResultTally
from judge.model.record import Role, SeatState, Turn
from judge.play.game import Context, Game, options_of
from judge.play.letters.anonymity import is_gunboat
from judge.play.queries import owner_of, sides_of

Ends = Sequence[tuple[Finish, int]]
"""Finishes, each with the score at that time."""
_STAYED = (SeatState.OCCUPIED, SeatState.LEFT)
"""A seat with a power has the state LEFT only once its game is over."""


def finished_games(context: Context) -> tuple[Finished, ...]:
    """Return the finishes of the judge's games, in the order the games ended.

    Finishes that are not stored yet, or were stored for an earlier ending, are computed and
    stored. A game whose system is not installed is left out until it is.
    """
    kept = context.finishes.load_finishes()
    ended = context.finishes.find_ended()
    found = []
    for game, at in ended.items():
        if game not in kept or kept[game][0] != at:
            record = context.games.get(game)
            if not is_playable(record.system, record.map):
                continue
            kept[game] = at, keep_finish(record)
        if (finished := kept[game][1]) is not None:
            found.append(finished)
    return tuple(found)


def keep_finish(game: Game) -> Finished | None:
    """Compute and store the finishes of a game that is over."""
    assert game.ended is not None
    finished = compute_finish(game)
    game.context.finishes.save_finish(game.id, game.ended, finished)
    return finished


def compute_finish(game: Game) -> Finished | None:
    """Return the finishes of a game that is over, or None if it does not count.

    They are computed from the game's records alone.
    """
    winners = json.loads(game.result)["winners"] if game.result else []
    if not winners or game.ended is None or game.chosen.fork_of:
        return None
    turns = game.turns()
    system = find_system(game.system)
    told = [(turn.phase, turn.after) for turn in turns]
    years = (
        system.years(game.map, options_of(game), told) if isinstance(system, YearlyHistory) else ()
    )
    left = _find_departed(game, turns)
    players = _players(game)
    alive, last = game.table.powers_alive(), years[-1][1] if years else {}
    scores = tuple(
        PowerFinish(
            side.name,
            _finish(side.name, winners, alive),
            last.get(side.name, 0),
            players.get(side.name, ""),
            tuple(left.get(side.name, ())),
        )
        for side in sides_of(game)
    )
    powers = [score.power for score in scores]
    counts = tuple((year, tuple(owned.get(p, 0) for p in powers)) for year, owned in years)
    finished = Finished(
        game.id, game.map, game.system, game.ended, is_gunboat(game),
        game.chosen.rated and not is_gunboat(game), scores, counts,
    )
    return finished if len(finished.people) > 1 else None


def _finish(power: str, winners: Sequence[str], alive: Sequence[str]) -> Finish:
    if power in winners:
        return Finish.WON if len(winners) == 1 else Finish.SHARED
    return Finish.SURVIVED if power in alive else Finish.OUT


def _players(game: Game) -> dict[str, str]:
    """Return the final player of each power: the player, not their sitter."""
    return {
        seat.power: (owner_of(seat) or seat.address).lower()
        for seat in game.all_seats()
        if seat.role is Role.PLAYER and seat.power and seat.state in _STAYED and seat.address
    }


def _find_departed(game: Game, turns: Sequence[Turn]) -> dict[str, list[str]]:
    """Return those who resigned or lost each power while it was still in the game."""
    before = {turn.phase: turn.before for turn in turns}
    system, found = find_system(game.system), dict[str, list[str]]()
    for phase, power, address in game.context.register.list_departures(game.id):
        position = before.get(phase, game.position)
        if power in system.table(game.map, position, options_of(game)).powers_alive():
            if address not in found.setdefault(power, []):
                found[power].append(address)
    return found


def finishes_of(
    games: Iterable[Finished], heads: Mapping[str, str]
) -> Iterable[tuple[Finished, dict[str, list[tuple[str, Finish, int]]]]]:
    """Yield each game with its people's results: person → (power, finish, points).

    `heads` maps each address of a person with several to their main one. A person who left a
    power and has it at the end did not leave it.
    """
    for game in games:
        found: dict[str, list[tuple[str, Finish, int]]] = {}
        for score in game.scores:
            player = heads.get(score.player, score.player)
            if player:
                end = (score.power, score.finish, score.points)
                found.setdefault(player, []).append(end)
            for who in dict.fromkeys(heads.get(each, each) for each in score.left):
                if who != player:
                    found.setdefault(who, []).append((score.power, Finish.LEFT, 0))
        yield game, found


def best(ends: Iterable[tuple[str, Finish, int]]) -> tuple[Finish, int]:
    """Return the best result of a person who had several powers in one game.

    >>> best([("France", Finish.OUT, 0), ("Italy", Finish.SHARED, 9)])
    (<Finish.SHARED: 'shared'>, 9)
    """
    order = list(Finish)
    _, finish, points = min(ends, key=lambda end: (order.index(end[1]), -end[2]))
    return finish, points


def count_finishes(ends: Ends) -> ResultTally:
    """Count the finishes of games.

    >>> count_finishes([(Finish.WON, 18), (Finish.LEFT, 0)])
    ResultTally(games=2, won=1, shared=0, survived=0, out=0, left=1, points=18)
    """
    many = {finish.value: sum(end[0] is finish for end in ends) for finish in Finish}
    return ResultTally(games=len(ends), points=sum(points for _, points in ends), **many)


BEGINNING, SCALE = 1000, 20
Round = tuple[tuple[str, int], ...]
"""One game: its people, each with a rank. 0 is first, and equal ranks are ties."""
_RANKS = {
    Finish.WON: 0, Finish.SHARED: 0, Finish.SURVIVED: 1, Finish.OUT: 2, Finish.LEFT: 3,
}


def skills(games: Iterable[Finished], heads: Mapping[str, str]) -> Mapping[str, Rating]:
    """Return each person's skill after some games, in the order in which they ended."""
    rounds = []
    for game, people in finishes_of(games, heads):
        if game.rated and len(people) > 1:
            ranks = ((who, _RANKS[best(ends)[0]]) for who, ends in people.items())
            rounds.append(tuple(ranks))
    return compute_ratings(tuple(rounds))


@lru_cache(maxsize=2)
def compute_ratings(rounds: tuple[Round, ...]) -> Mapping[str, Rating]:
    """Return each person's skill after rounds.

    The last results are cached, as few rounds are new.

    >>> compute_ratings(((("ann", 0), ("bob", 1)),))["ann"].points > 1000
    True
    """
    model = BradleyTerryFull()
    ratings: dict[str, BradleyTerryFullRating] = {}
    games: dict[str, int] = {}
    for each in rounds:
        people = [who for who, _ in each]
        teams = [[ratings.get(who) or model.rating()] for who in people]
        after = model.rate(teams, ranks=[float(rank) for _, rank in each])
        for who, (rating,) in zip(people, after, strict=True):
            ratings[who] = rating
            games[who] = games.get(who, 0) + 1
    return {
        who: Rating(BEGINNING + round(SCALE * rating.ordinal()), games[who])
        for who, rating in ratings.items()
    }


class Rated(NamedTuple):
    """A player in the rating list. Equal points have equal ranks."""

    rank: int
    name: str
    skill: Rating


class PlayerRecord(NamedTuple):
    """Finishes of a person's games, in total and by power."""

    skill: Rating | None
    games: ResultTally
    powers: Sequence[tuple[str, ResultTally, str]]


def rank_players(
    context: Context, known: Mapping[str, Rating], heads: Mapping[str, str]
) -> list[Rated]:
    """Return the rated people who registered a name, by points and then by name."""
    names = names_of(context, heads)
    shown = [(names[head], skill) for head, skill in known.items() if head in names]
    shown.sort(key=lambda row: (-row[1].points, row[0].casefold(), row[0], row[1].games))
    points = [skill.points for _, skill in shown]
    return [Rated(points.index(skill.points) + 1, name, skill) for name, skill in shown]


def names_of(context: Context, heads: Mapping[str, str]) -> dict[str, str]:
    """Return registered names by main address, but none that could be an address."""
    found: dict[str, str] = {}
    for address, name in context.register.names().items():
        if "@" not in name:
            found.setdefault(heads.get(address, address), name)
    return found


def record_of(context: Context, address: str, *, own: bool) -> PlayerRecord:
    """Return a person's record, with anonymous games only if it is their own."""
    heads = context.aliases.primary_addresses()
    head = heads.get(address.lower(), address.lower())
    games = [game for game in finished_games(context) if own or not game.secret]
    ends: list[tuple[Finish, int]] = []
    powers: dict[tuple[str, str], list[tuple[Finish, int]]] = {}
    for game, people in finishes_of(games, heads):
        if head in people:
            ends.append(best(people[head]))
            for power, finish, points in people[head]:
                powers.setdefault((name_in_key(game.map), power), []).append((finish, points))
    skill = skills(games, heads).get(head)
    maps = {name_in_key(game.map): game.map for game in games}
    rows = [
        (f"{power} ({title_of(maps[name])})", count_finishes(found), _system_of(maps[name]))
        for (name, power), found in powers.items()
    ]
    return PlayerRecord(skill, count_finishes(ends), sorted(rows))


def _system_of(map_name: str) -> str:
    """Return the name of a map's system, or an empty text if none has the map."""
    system = find_map(map_name)
    return system.name if system else ""


def _has_sides(game: Finished, sides: Sequence[PowerInfo]) -> bool:
    return [score.power for score in game.scores] == [side.name for side in sides]


MAX_YEARS = 20
"""Maximum number of years with figures."""


def map_facts(games: Sequence[Finished]) -> dict[str, object]:
    """Return the figures of the powers of one map, from at least one game on it.

    An added map has its powers by the newest game. Games on a version with other powers are left
    out.
    """
    first = games[-1]
    sides = find_system(first.system).powers(first.map, {})
    games = [game for game in games if game.map == first.map or _has_sides(game, sides)]
    rows = []
    for at, side in enumerate(sides):
        ends: Ends = [(game.scores[at].finish, game.scores[at].points) for game in games]
        rows.append((side.letter, side.name, count_finishes(ends)))
    years: dict[str, list[tuple[int, ...]]] = {}
    for game in games:
        for year, counts in game.years:
            years.setdefault(year, []).append(counts)
    return {
        "system": first.system,
        "title": title_of(first.map),
        "games": len(games),
        "rows": rows,
        "letters": [side.letter for side in sides],
        "years": [
            (year, len(counts), [sum(column) / len(counts) for column in zip(*counts)])
            for year, counts in sorted(years.items())[:MAX_YEARS]
        ],
    }
