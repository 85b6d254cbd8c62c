"""The way an army takes over sea, for those who want to see it; rulings need none of this."""

from collections import deque
from collections.abc import Iterable

from judge.board.map import ARMY, Map, province_of
from judge.games.diplomacy.orders import Convoy, Move


def route_of(board: Map, move: Move, convoys: Iterable[Convoy]) -> tuple[str, ...]:
    """Return the seas a move goes over: as it was written, or the shortest way by its fleets.

    Empty for a move on foot or of a fleet, and where the fleets that were told to carry the army
    do not reach from shore to shore.
    """
    start, goal = move.unit.province, province_of(move.to)
    if move.unit.kind is not ARMY or (goal in board.walk[start] and not move.via):
        return ()
    fleets = {
        convoy.unit.place
        for convoy in convoys
        if (convoy.army.province, province_of(convoy.to)) == (start, goal)
    }
    if move.route and fleets >= {*move.route}:
        return move.route
    return _shortest(board, start, goal, fleets)


def _shortest(board: Map, start: str, goal: str, fleets: set[str]) -> tuple[str, ...]:
    ways: deque[tuple[str, tuple[str, ...]]] = deque([(start, ())])
    seen = {start}
    while ways:
        here, way = ways.popleft()
        if way and goal in board.near[here]:
            return way
        for sea in sorted(board.near[here] & fleets - seen):
            seen.add(sea)
            ways.append((sea, (*way, sea)))
    return ()
