"""Exact chances of winning a fight (N-46)."""

from functools import cache

DIE = 8
NEUTRAL = 2
"""Bonus of a neutral army, its only one (N-49)."""


Groups = tuple[tuple[int, int], ...]
"""Armies of one side, as pairs of a count and the bonus of each of these armies."""


@cache
def joint_chance(attackers: Groups, defenders: Groups) -> float:
    """Return the chance that an attacker is left when no defender is.

    The army that rolls is drawn among all that are left of its side (N-48).

    >>> round(100 * joint_chance(((3, 1),), ((1, NEUTRAL),)))
    70
    >>> round(100 * joint_chance(((1, 0), (1, 0)), ((1, NEUTRAL),)))
    41
    """
    ours, theirs = (sum(count for count, _ in side) for side in (attackers, defenders))
    if not ours or not theirs:
        return float(ours > 0)
    ahead = ours - theirs
    total = 0.0
    for at, (count, adds) in enumerate(attackers):
        for other, (there, defence) in enumerate(defenders):
            if not count or not there:
                continue
            margin = adds + max(0, ahead // 3) - defence - max(0, -ahead // 3)
            won = _win_chance(margin)
            total += count / ours * there / theirs * (
                won * joint_chance(attackers, _one_less(defenders, other))
                + (1 - won) * joint_chance(_one_less(attackers, at), defenders)
            )
    return total


@cache
def _win_chance(margin: int) -> float:
    """Return the chance that a die and a margin exceed another die."""
    rolls = range(1, DIE + 1)
    return sum(a + margin > d for a in rolls for d in rolls) / DIE**2


def _one_less(side: Groups, at: int) -> Groups:
    count, adds = side[at]
    return (*side[:at], (count - 1, adds), *side[at + 1 :])


@cache
def chance(attackers: int, defenders: int, attack: int = 0, defence: int = NEUTRAL) -> float:
    """Return the chance that an attacker is left when no defender is.

    All armies of a side have the same bonus.

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
    # After a tie the attacker leaves the fight, which counts as its loss here.
    return won * chance(attackers, defenders - 1, attack, defence) + (1 - won) * chance(
        attackers - 1, defenders, attack, defence
    )
