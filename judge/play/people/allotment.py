"""Who gets which power at the start: the least sum of ranks of wishes, by draw among equals.

All that it is drawn from is kept with the event of the start and told when the game is over, so
that everybody can compute it again from the game's secret number (`HELP CHANCE` says how).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from judge.dice import Dice
from judge.games.system import Side
from judge.play.game import Game
from judge.play.office import player_seats, sides_of
from judge.play.people.wishes import rank
from judge.words.letter import Kind
from judge.words.record import Event, GameView, Role, Seat, SeatState

KEY = "allotment"
"""Where it stands in the text of the event of the start."""


class Allotment(NamedTuple):
    """How powers were given out: those that were not drawn, and what each drawn player got."""

    kept: tuple[str, ...] = ()
    players: tuple[tuple[str, str], ...] = ()
    """(wishes, power), in the order in which the players joined."""

    def as_text(self) -> str:
        """Return it as the text of an event."""
        told = {"kept": self.kept, "players": self.players}
        return json.dumps({KEY: told}, ensure_ascii=False)


def allot(game: Game, dice: Dice, now: datetime) -> Allotment:
    """Give the waiting players powers; return how.

    Who has a power already, by choice or invitation, keeps it. Powers without a player get a
    vacant seat.
    """
    joined = [s for s in player_seats(game) if s.state is SeatState.WAITING]
    kept = tuple(seat.power for seat in player_seats(game) if seat.power)
    for seat in joined:
        if seat.power:
            game.office.games.save_seat(replace(seat, state=SeatState.HELD, since=now))
    waiting = [seat for seat in joined if not seat.power]
    wishes = [seat.preference for seat in waiting]
    powers = drawn(dice, [side for side in sides_of(game) if side.name not in kept], wishes)
    for seat, power in zip(waiting, powers, strict=True):
        game.office.games.save_seat(replace(seat, power=power, state=SeatState.HELD, since=now))
    taken = {seat.power for seat in player_seats(game)}
    for side in sides_of(game):
        if side.name not in taken:
            game.office.games.add_seat(
                Seat(0, game.id, Role.PLAYER, SeatState.VACANT, power=side.name, since=now)
            )
    return Allotment(kept, tuple(zip(wishes, powers, strict=True)))


def drawn(dice: Dice, free: Sequence[Side], wishes: Sequence[str]) -> list[str]:
    """Return the power each player gets, in the order in which their wishes are given.

    Free powers stand in the map's order. Sums that are equal are decided by draw.
    """
    sides = dice.shuffled("allot:powers", free)
    players = dice.shuffled("allot:players", range(len(wishes)))
    costs = [[rank(wishes[at], side.letter, len(sides)) for side in sides] for at in players]
    places = dict(zip(players, cheapest(costs, len(sides)), strict=True))
    return [sides[places[at]].name for at in range(len(wishes))]


def cheapest(costs: list[list[int]], places: int) -> list[int]:
    """Return, row by row, the place each row gets so that the sum of costs is least.

    Exact, by sets of places taken: at most 10 rows and 1,024 sets here. Of equal solutions that
    one counts whose places are the first; with these, the one that gives the last row the last
    place it can have, then the row before. So shuffled rows and columns make a fair draw.

    >>> cheapest([[0, 5], [0, 1]], 2)
    [0, 1]
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}
    for row in costs:
        step: dict[int, tuple[int, tuple[int, ...]]] = {}
        for taken, (cost, chosen) in best.items():
            for place in range(places):
                if taken >> place & 1:
                    continue
                key, total = taken | 1 << place, cost + row[place]
                if key not in step or total < step[key][0]:
                    step[key] = (total, (*chosen, place))
        best = step
    return list(min(best.values(), key=lambda found: found[0])[1])


def allotment_in(events: Sequence[Event]) -> Allotment | None:
    """Return how powers were given out at the last start; None where it is not known."""
    starts = [event for event in events if event.kind == Kind.START.value]
    for event in reversed(starts):
        told = json.loads(event.text).get(KEY)
        if told is not None:
            return read_allotment(told)
    return None


def read_allotment(told: Mapping[str, Any]) -> Allotment:
    """Return what a text of an event tells.

    Raises: KeyError, TypeError, ValueError where it is none.
    """
    players = tuple((str(wishes), str(power)) for wishes, power in told["players"])
    return Allotment(tuple(map(str, told["kept"])), players)


def redrawn(game: GameView, told: Allotment) -> list[str]:
    """Return the powers that chance gives the players of an allotment, computed again."""
    free = [side for side in sides_of(game) if side.name not in told.kept]
    return drawn(Dice(game.seed, 0), free, [wishes for wishes, _ in told.players])
