"""Ways by rail (N-29): the shortest over friendly railroads, the lowest numbers first (N-153)."""

from collections import deque
from collections.abc import Callable

from judge.games.nations1940.rules.world import World

Opens = Callable[[int], bool]
"""Tells whether there is a railroad for somebody in a province, as far as he knows."""


def shortest(world: World, opens: Opens, start: int, goal: int) -> tuple[int, ...] | None:
    """Return the way from one province to another, both of them on it, or None."""
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
    """Return the way that passes all the provinces that were named, in their order, or None."""
    way = named[:1]
    for start, goal in zip(named, named[1:], strict=False):
        piece = shortest(world, opens, start, goal)
        if piece is None:
            return None
        way = (*way, *piece[1:])
    return way
