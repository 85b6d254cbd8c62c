"""Rail routes (N-29).

The shortest route over friendly railroads is used, among equals the one with the lowest numbers
first (N-153).
"""

from collections import deque
from collections.abc import Callable

from judge.games.nations1940.rules.world import World

Opens = Callable[[int], bool]
"""Predicate for provinces with a railroad that, as far as known, can be used."""


def shortest(world: World, opens: Opens, start: int, goal: int) -> tuple[int, ...] | None:
    """Return the shortest route with both its ends, or None."""
    if not opens(start) or not opens(goal):
        return None
    ways: deque[tuple[int, ...]] = deque([(start,)])
    seen = {start}
    while ways:
        way = ways.popleft()
        if way[-1] == goal:
            return way
        for near in sorted(world.board.roads.get(way[-1], {})):
            if near not in seen and opens(near):
                seen.add(near)
                ways.append((*way, near))
    return None


def through(world: World, opens: Opens, named: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return the route through all named provinces in their order, or None."""
    way = named[:1]
    for start, goal in zip(named, named[1:], strict=False):
        piece = shortest(world, opens, start, goal)
        if piece is None:
            return None
        way = (*way, *piece[1:])
    return way
