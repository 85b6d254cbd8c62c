"""Step 11: victory and the end of the game (N-10 to N-13)."""

from typing import NamedTuple

from judge.games.nations1940.rules.capitals import eliminate
from judge.games.nations1940.rules.limits import max_army
from judge.games.nations1940.rules.world import World


class Victory(NamedTuple):
    """End of a game, with its winners and the ranking of all nations.

    `how` is `landing`, `domination`, `alone` or `stagnation`.
    """

    how: str
    winners: tuple[str, ...]
    ranking: tuple[tuple[str, int, int, int], ...]
    """Rows of nation, provinces, Max.Army and technologies, best first (N-12)."""


def victory(world: World) -> Victory | None:
    """Update the domination counts and return how the game ended, or None.

    Nations without provinces are eliminated first. Nations that win in the same turn win jointly
    (N-11).
    """
    for nation in world.alive:
        if not world.list_owned(nation):
            eliminate(world, nation)
    settings = world.settings
    held = {nation: len(world.list_owned(nation)) for nation in world.alive}
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
    """Rank the nations by provinces, then Max.Army, then technologies (N-12)."""
    rows = [
        (code, len(world.list_owned(code)), max_army(world, code) if nation.alive else 0,
         len(nation.techs))
        for code, nation in sorted(world.nations.items())
    ]  # fmt: skip
    return tuple(sorted(rows, key=lambda row: (-row[1], -row[2], -row[3], row[0])))
