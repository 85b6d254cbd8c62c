"""Step 10: return of foreign troops that may not stay (N-105, N-113)."""

from judge.games.nations1940.rules.capitals import flee
from judge.games.nations1940.rules.retreating import withdraw_armies
from judge.games.nations1940.rules.world import World


def send_home(world: World) -> None:
    """Send foreign troops home and their docked fleets to sea.

    The order is by rising number of province, then by nation. In an enemy's land troops stay and
    fight next turn (N-54).
    """
    for n, province in sorted(world.provinces.items()):
        for nation in sorted({*province.armies, *province.mobile_hq}):
            if not _may_stay(world, nation, n):
                withdraw_armies(world, nation, n)
    flee(world, fighting=False)


def send_guests(world: World) -> None:
    """Send foreign troops home without dice, after a master changed an owner.

    Docked fleets go to the sea region with the lowest number.
    """
    for n, province in sorted(world.provinces.items()):
        for nation in sorted({*province.armies, *province.mobile_hq}):
            if not _may_stay(world, nation, n):
                withdraw_armies(world, nation, n)
        for nation, count in sorted(province.fleets.items()):
            if not world.is_friendly(nation, n):
                world.add("fleets", n, nation, -count)
                world.add_at_sea(world.board.coasts(n)[0], nation, count)


def _may_stay(world: World, nation: str, n: int) -> bool:
    owner = world.provinces[n].owner
    return bool(owner) and (world.is_allied(nation, owner) or world.is_at_war(nation, owner))
