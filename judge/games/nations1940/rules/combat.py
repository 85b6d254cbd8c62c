"""Rolls between the two sides of a fight (N-46, N-48, N-62)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from judge.games.nations1940.rules.world import World

Bonuses = tuple[tuple[str, int], ...]
"""Bonuses to a roll, as pairs of reason and amount."""


@dataclass(eq=False)
class Fighter:
    """Units of one nation that came the same way, with the bonuses of their rolls.

    `count` is the number still in the fight. `left` counts those that left it alive and retreat.
    """

    nation: str
    count: int
    bonuses: Bonuses
    place: int | str = 0
    """Place they came from or are in, for the report and the order of listing."""
    left: int = 0
    lost: int = 0

    @property
    def bonus(self) -> int:
        """Sum of the bonuses, added to each roll."""
        return sum(gives for _, gives in self.bonuses)


class Rolls(NamedTuple):
    """Dice tags of the two sides."""

    attack: str
    defence: str


@dataclass(frozen=True)
class Fought:
    """Result of a fight: both sides at its start, and the rounds for the report."""

    attackers: tuple[tuple[str, int, int | str], ...]
    defenders: tuple[tuple[str, int, int | str], ...]
    rounds: tuple[Mapping[str, Any], ...] = ()

    def facts(self) -> dict[str, Any]:
        """Return the fight as facts of an event."""
        return {
            "attackers": [list(one) for one in self.attackers],
            "defenders": [list(one) for one in self.defenders],
            "rounds": list(self.rounds),
        }

    @property
    def ends_tied(self) -> bool:
        """True if the fight ended with a tie in which no unit left."""
        return bool(self.rounds) and self.rounds[-1]["outcome"] == "tie"

    @property
    def last(self) -> str:
        """The nation that won the last roll, empty after a tie or without rounds."""
        if not self.rounds:
            return ""
        final = self.rounds[-1]
        winner = {"won": "a", "lost": "d"}.get(final["outcome"])
        return str(final[winner]["nation"]) if winner else ""


def fight(
    world: World,
    tags: Rolls,
    attackers: Sequence[Fighter],
    defenders: Sequence[Fighter],
    *,
    both_leave: bool = False,
    until_tie: bool = False,
) -> Fought:
    """Fight until one side has no units left (N-46).

    After a tie the attacking unit that rolled leaves the fight alive. With *both_leave* both units
    do. With *until_tie* the fight ends at the first tie and no unit leaves.
    """
    there = (_list_fighters(attackers), _list_fighters(defenders))
    rounds = []
    while (a := _total(attackers)) and (d := _total(defenders)):
        one = _chosen(world, tags.attack, attackers)
        other = _chosen(world, tags.defence, defenders)
        told = _Roll(world, tags.attack, one, a - d), _Roll(world, tags.defence, other, d - a)
        margin = told[0].total - told[1].total
        if margin == 0 and until_tie:
            outcome = "tie"
        elif margin == 0:
            one.count, one.left = one.count - 1, one.left + 1
            if both_leave:
                other.count, other.left = other.count - 1, other.left + 1
            outcome = "part" if both_leave else "yields"
        else:
            loser = other if margin > 0 else one
            loser.count, loser.lost = loser.count - 1, loser.lost + 1
            outcome = "won" if margin > 0 else "lost"
        rounds.append({
            "n": world.count(tags.attack), "a": told[0].facts(), "d": told[1].facts(),
            "outcome": outcome,
        })  # fmt: skip
        if outcome == "tie":
            break
    return Fought(*there, tuple(rounds))


class _Roll:
    """One side's roll in a round."""

    def __init__(self, world: World, tag: str, fighter: Fighter, ahead: int) -> None:
        self.fighter = fighter
        self.die = world.draw(tag, 8)
        self.superiority = max(0, ahead // 3)
        self.total = self.die + fighter.bonus + self.superiority

    def facts(self) -> Mapping[str, Any]:
        """Return the roll with all its bonuses (N-163)."""
        bonuses = [list(one) for one in self.fighter.bonuses]
        if self.superiority:
            bonuses.append(["superiority", self.superiority])
        return {
            "nation": self.fighter.nation, "die": self.die, "bonuses": bonuses, "total": self.total,
        }  # fmt: skip


def _total(side: Sequence[Fighter]) -> int:
    return sum(fighter.count for fighter in side)


def _list_fighters(side: Sequence[Fighter]) -> tuple[tuple[str, int, int | str], ...]:
    return tuple((one.nation, one.count, one.place) for one in side)


def _chosen(world: World, tag: str, side: Sequence[Fighter]) -> Fighter:
    """Return the fighter whose army rolls (N-48).

    If the bonuses differ, it is drawn among all armies left. Otherwise it is the largest fighter of
    the side.
    """
    left = [fighter for fighter in side if fighter.count]
    if len({fighter.bonus for fighter in left}) == 1:
        return max(left, key=lambda fighter: fighter.count)
    armies = [fighter for fighter in left for _ in range(fighter.count)]
    return world.pick(f"pick:{tag}", armies)
