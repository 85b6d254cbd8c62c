"""How votes are counted: who has a vote, what carries a matter, when a vote ends.

Draws, concessions, other times and the end of a game without result take the votes of all who
still play; to extend a deadline, to pause and to go on, two thirds of them. Powers without a
player do not block.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from judge.games.system import Table
from judge.play.game import Game
from judge.play.office import player_seats
from judge.words.record import Ballot, GameState, SeatState


class Matter(NamedTuple):
    """One thing that can be voted on."""

    name: str
    by_all: bool = True
    """All must agree; else two thirds."""
    states: tuple[GameState, ...] = (GameState.RUNNING, GameState.PAUSED)
    fleeting: bool = False
    """Votes in it end with the phase in any game."""
    ends_game: bool = False
    """It ends the game: not for a sitter to agree to."""


RUNNING_ONLY = (GameState.RUNNING,)
MATTERS = {
    matter.name: matter
    for matter in (
        Matter("draw", ends_game=True),
        Matter("concede", ends_game=True),
        Matter("clock"),
        Matter("cancel", ends_game=True),
        Matter("extend", by_all=False, states=RUNNING_ONLY, fleeting=True),
        Matter("pause", by_all=False, states=RUNNING_ONLY),
        Matter("resume", by_all=False, states=(GameState.PAUSED,)),
    )
}
"""What can be voted on, by the word after VOTE."""


class Tally(NamedTuple):
    """How a matter stands."""

    votes: int
    of: int
    needed: int


def voters(game: Game, table: Table, but: str = "") -> list[int]:
    """Return the seats whose votes count: those held, of powers still alive."""
    alive = table.alive()
    return [
        seat.id
        for seat in player_seats(game)
        if seat.state is SeatState.HELD and seat.power in alive and seat.power != but
    ]


def tally(game: Game, matter: str, choice: str) -> Tally:
    """Count the votes for what somebody voted for."""
    table = game.table
    entitled = voters(game, table, choice if matter == "concede" else "")
    cast = _cast(game, matter, entitled)
    alike = [x for x in cast.values() if matter in ("draw", "extend") or x == choice]
    return Tally(len(alike), len(entitled), _needed(MATTERS[matter], len(entitled)))


def _needed(matter: Matter, of: int) -> int:
    return of if matter.by_all else math.ceil(of * 2 / 3)


def _cast(
    game: Game, matter: str, entitled: Iterable[int]
) -> dict[int, str]:
    """Return seat → choice of the votes in one matter that count."""
    seats = set(entitled)
    return {
        ballot.seat: ballot.choice
        for ballot in game.ballots()
        if ballot.matter == matter and ballot.seat in seats
    }


def carried(game: Game, matter: str) -> str | None:
    """Return what has been carried in a matter, or None; where nobody has a vote, nothing is."""
    table = game.table
    if matter == "concede":
        return _conceded_to(game, table)
    entitled = voters(game, table)
    cast = _cast(game, matter, entitled)
    needed = _needed(MATTERS[matter], len(entitled))
    if not cast or len(cast) < needed:
        return None
    match matter:
        case "draw":
            return _shared(game, cast)
        case "extend":
            # Who wants more time takes less too: so much as enough of them ask for.
            return f"{sorted(map(_hours, cast.values()), reverse=True)[needed - 1]:g}h"
        case _:
            choices = set(cast.values())
            return choices.pop() if len(choices) == 1 else None


def _hours(choice: str) -> float:
    return float(choice.removesuffix("h"))


def _conceded_to(game: Game, table: Table) -> str | None:
    """Return the leader to whom all others concede."""
    for leader in table.leaders():
        entitled = voters(game, table, leader)
        cast = _cast(game, "concede", entitled)
        if cast and len(cast) == len(entitled) and set(cast.values()) == {leader}:
            return leader
    return None


def _shared(game: Game, cast: dict[int, str]) -> str | None:
    """Return the powers that share a draw all have voted for.

    Of all who still play: of powers that have a player, that is. Others have agreed to nothing.
    """
    table = game.table
    alive = table.alive()
    powers = {seat.id: seat.power for seat in player_seats(game)}
    if game.chosen.dias:
        playing = {powers[seat] for seat in voters(game, table)}
        return ",".join(power for power in alive if power in playing)
    named = {powers[seat]: frozenset(choice.split(",")) for seat, choice in cast.items()}
    return ",".join(common_draw(alive, named)) or None


def common_draw(alive: Sequence[str], named: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the largest draw that every voter accepts, empty where there is none of two or more.

    Who names himself accepts any draw among those named that has himself in it; who does not,
    also one without him.

    >>> common_draw("AEFG", {"F": frozenset("EFG"), "G": frozenset("FG"), "E": frozenset("FG")})
    ('F', 'G')
    """
    shared = [
        power
        for power in alive
        if all(power in names or power == voter for voter, names in named.items())
    ]
    wanted = {voter for voter, names in named.items() if voter in names}
    return tuple(shared) if len(shared) > 1 and wanted <= set(shared) else ()


def lasts(game: Game, matter: str) -> bool:
    """Tell whether votes in a matter stand over the end of the phase."""
    return not (MATTERS[matter].fleeting or game.chosen.votes_expire)


def expire(game: Game) -> None:
    """End the votes that end with a phase, and concessions to who no longer leads."""
    for name in MATTERS:
        if not lasts(game, name):
            game.drop_ballots(name)
    ballots = [x for x in game.ballots() if x.matter == "concede"]
    leaders = game.table.leaders() if ballots else ()
    for ballot in ballots:
        if ballot.choice not in leaders:
            game.withdraw(ballot.seat, "concede")


def standing(game: Game, seat_id: int) -> list[Ballot]:
    """Return a seat's own votes that stand."""
    return [ballot for ballot in game.ballots() if ballot.seat == seat_id]
