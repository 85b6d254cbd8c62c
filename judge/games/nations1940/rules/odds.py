"""How likely a fight is won, worked out exactly from its loop (N-46)."""

from functools import cache

DIE = 8
NEUTRAL = 2
"""What a neutral army adds to its roll, and nothing else (N-49)."""


@cache
def joint_chance(groups: tuple[tuple[int, int], ...], defenders: int) -> float:
    """Return the chance of armies with different bonuses against neutral armies.

    *groups* are pairs of a count and what each army adds to its roll. The army that rolls is drawn
    among all that are left (N-48).

    >>> round(100 * joint_chance(((3, 1),), 1)), round(100 * joint_chance(((1, 0), (1, 0)), 1))
    (70, 41)
    """
    attackers = sum(count for count, _ in groups)
    if not attackers or not defenders:
        return float(attackers > 0)
    ahead = attackers - defenders
    theirs = NEUTRAL + max(0, -ahead // 3)
    total = 0.0
    for at, (count, adds) in enumerate(groups):
        if not count:
            continue
        ours = adds + max(0, ahead // 3)
        rolls = [a + ours > d + theirs for a in range(1, DIE + 1) for d in range(1, DIE + 1)]
        won = sum(rolls) / len(rolls)
        left = (*groups[:at], (count - 1, adds), *groups[at + 1 :])
        total += count / attackers * (
            won * joint_chance(groups, defenders - 1) + (1 - won) * joint_chance(left, defenders)
        )
    return total


@cache
def chance(attackers: int, defenders: int, attack: int = 0, defence: int = NEUTRAL) -> float:
    """Return how likely somebody of the attackers is left when no defender is.

    >>> [round(100 * chance(armies, 1)) for armies in (1, 2, 3, 4, 5, 7)]
    [23, 41, 55, 70, 80, 92]
    """
    if not attackers or not defenders:
        return float(attackers > 0)
    ahead = attackers - defenders
    ours = attack + max(0, ahead // 3)
    theirs = defence + max(0, -ahead // 3)
    margins = [a + ours - d - theirs for a in range(1, DIE + 1) for d in range(1, DIE + 1)]
    won = sum(margin > 0 for margin in margins) / len(margins)
    # Who ties leaves the fight as who is destroyed does.
    return won * chance(attackers, defenders - 1, attack, defence) + (1 - won) * chance(
        attackers - 1, defenders, attack, defence
    )
