"""How games ended, worked out from their records: positions, seats, and who left.

Counted are games that are over with a winner or winners. One that was called off counts for nobody;
neither does one in which fewer than two people played.
"""

import json
from collections.abc import Iterable, Mapping, Sequence

from judge.games import find_system
from judge.play.game import Game, Office, options_of
from judge.play.letters.disguise import is_gunboat
from judge.play.office import owner_of, sides_of
from judge.words.figures import Finish, Finished, Score, Tally
from judge.words.record import Role, SeatState, Turn

Ends = Sequence[tuple[Finish, int]]
"""Finishes, each with the centres owned then."""
_STAYED = (SeatState.HELD, SeatState.LEFT)
"""A seat with a power is left only once its game is over."""


def finished_games(office: Office) -> tuple[Finished, ...]:
    """Return how the games of this judge ended, those that ended first before the others.

    What is not kept yet, or was kept of another ending, is worked out and kept.
    """
    kept = office.finishes.kept()
    ended = office.finishes.ended()
    found = []
    for game, at in ended.items():
        if game not in kept or kept[game][0] != at:
            kept[game] = at, keep_finish(office.games.get(game))
        if (finished := kept[game][1]) is not None:
            found.append(finished)
    return tuple(found)


def keep_finish(game: Game) -> Finished | None:
    """Work out how a game that is over ended, and keep it."""
    assert game.ended is not None
    finished = work_out(game)
    game.office.finishes.keep(game.id, game.ended, finished)
    return finished


def work_out(game: Game) -> Finished | None:
    """Return how a game that is over ended, from its records alone; None where it counts not."""
    winners = json.loads(game.result)["winners"] if game.result else []
    if not winners or game.ended is None:
        return None
    turns = game.turns()
    system = find_system(game.system)
    told = [(turn.phase, turn.after) for turn in turns]
    years = system.years(game.map, options_of(game), told)
    left = _who_left(game, turns)
    players = _players(game)
    alive, last = game.table.alive(), years[-1][1]
    scores = tuple(
        Score(
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
    """Return who held each power at the end; whoever was sat in for, not the sitter."""
    return {
        seat.power: (owner_of(seat) or seat.address).lower()
        for seat in game.all_seats()
        if seat.role is Role.PLAYER and seat.power and seat.state in _STAYED and seat.address
    }


def _who_left(
    game: Game, turns: Sequence[Turn]
) -> dict[str, list[str]]:
    """Return who gave up or lost each power while it was still in the game."""
    before = {turn.phase: turn.before for turn in turns}
    system, found = find_system(game.system), dict[str, list[str]]()
    for phase, power, address in game.office.register.left(game.id):
        position = before.get(phase, game.position)
        if power in system.table(game.map, position, options_of(game)).alive():
            if address not in found.setdefault(power, []):
                found[power].append(address)
    return found


def finishes_of(
    games: Iterable[Finished], heads: Mapping[str, str]
) -> Iterable[tuple[Finished, dict[str, list[tuple[str, Finish, int]]]]]:
    """Yield each game with what its people came to: person → (power, finish, centres).

    `heads` names the one address that stands for somebody with several. Who left a power and has
    it at the end did not leave it.
    """
    for game in games:
        found: dict[str, list[tuple[str, Finish, int]]] = {}
        for score in game.scores:
            player = heads.get(score.player, score.player)
            if player:
                end = (score.power, score.finish, score.centres)
                found.setdefault(player, []).append(end)
            for who in dict.fromkeys(heads.get(each, each) for each in score.left):
                if who != player:
                    found.setdefault(who, []).append((score.power, Finish.LEFT, 0))
        yield game, found


def best(ends: Iterable[tuple[str, Finish, int]]) -> tuple[Finish, int]:
    """Return what counts for somebody who had several powers in one game: the best.

    >>> best([("France", Finish.OUT, 0), ("Italy", Finish.SHARED, 9)])
    (<Finish.SHARED: 'shared'>, 9)
    """
    order = list(Finish)
    _, finish, centres = min(ends, key=lambda end: (order.index(end[1]), -end[2]))
    return finish, centres


def tally(ends: Ends) -> Tally:
    """Count how games ended.

    >>> tally([(Finish.WON, 18), (Finish.LEFT, 0)])
    Tally(games=2, won=1, shared=0, survived=0, out=0, left=1, centres=18)
    """
    many = {finish.value: sum(end[0] is finish for end in ends) for finish in Finish}
    return Tally(games=len(ends), centres=sum(centres for _, centres in ends), **many)
