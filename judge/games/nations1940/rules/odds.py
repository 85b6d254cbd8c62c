"""How likely a fight is won, worked out exactly from its loop (N-46)."""

from functools import cache

DIE = 8
NEUTRAL = 2
"""What a neutral army adds to its roll, and nothing else (N-49)."""


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
