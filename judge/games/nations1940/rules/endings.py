"""Step 11: who has won, and how the game ends (N-10 to N-13)."""

from typing import NamedTuple

from judge.games.nations1940.rules.capitals import eliminate
from judge.games.nations1940.rules.limits import max_army
from judge.games.nations1940.rules.world import World


class Victory(NamedTuple):
    """How a game ended: `landing`, `domination`, `alone` or `stagnation`; who won, and how far
    each nation came."""

    how: str
    winners: tuple[str, ...]
    ranking: tuple[tuple[str, int, int, int], ...]
    """Nation, provinces, Max.Army, technologies; the first first (N-12)."""


def victory(world: World) -> Victory | None:
    """Count majorities and return how the game ended, if it did; who wins at once wins jointly
    (N-11)."""
    for nation in world.alive:
        if not world.owned(nation):
            eliminate(world, nation)
    settings = world.settings
    held = {nation: len(world.owned(nation)) for nation in world.alive}
    world.domination = {
        nation: world.domination.get(nation, 0) + 1
        for nation, count in held.items()
        if count >= world.board.majority
    }
    landed = [nation for nation in world.alive if world.strength(nation, "win")]
    dominating = [
        nation for nation, turns in world.domination.items() if turns >= settings.domination_turns
    ]
    if landed or dominating:
        how = "landing" if landed else "domination"
        return Victory(how, tuple(sorted({*landed, *dominating})), ranking(world))
    if len(world.alive) == 1:
        return Victory("alone", tuple(world.alive), ranking(world))
    if world.turn >= settings.last_turn:
        return Victory("stagnation", (), ranking(world))
    return None


def ranking(world: World) -> tuple[tuple[str, int, int, int], ...]:
    """Return how far each nation came: by provinces, then Max.Army, then technologies (N-12)."""
    rows = [
        (code, len(world.owned(code)), max_army(world, code) if nation.alive else 0,
         len(nation.techs))
        for code, nation in sorted(world.nations.items())
    ]  # fmt: skip
    return tuple(sorted(rows, key=lambda row: (-row[1], -row[2], -row[3], row[0])))
