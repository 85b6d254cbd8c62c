"""Notes on ordered attacks: odds against neutral armies, passes, fallout.

Only what the nation knows is used: HQs and Airfields that it sees, and its own other orders.
"""

from collections.abc import Mapping, Sequence

from judge.games.nations1940.rules.bonuses import Ground
from judge.games.nations1940.rules.odds import joint_chance
from judge.games.nations1940.rules.order_check import OrderCheck
from judge.games.nations1940.rules.orders import Move
from judge.games.nations1940.rules.sight import veiled
from judge.games.nations1940.rules.world import World
from judge.model.phrase import Fact, Phrase, phrase

Group = tuple[int, int, tuple[tuple[str, int], ...]]
"""Armies of one order in an attack: how many, from which province, with which bonuses."""


class Forecast:
    """The attacks in a nation's accepted moves."""

    def __init__(self, check: OrderCheck, moves: Mapping[int, Move]) -> None:
        self._check = check
        self._moves = {at: move for at, move in moves.items() if not move.hq}
        known = veiled(check.world, check.world.freeze(check.world.turn), check.nation)
        self._ground = Ground(World(check.world.board, known, check.world.settings))

    def notes(self, at: int) -> list[Phrase]:
        """Return the notes on one move, with odds for the last into a province."""
        found: list[Phrase] = []
        check, move = self._check, self._moves[at]
        for step, n in enumerate(move.path[1:], 1):
            province, place = check.world.provinces[n], check.place(n)
            is_attack = check.world.hostile(check.nation, n)
            if not province.owner and at == max(self._into(n, step)):
                found.append(self._odds(n, step, province.neutral))
            if is_attack and ("pass", -1) in self._bonuses(move, step):
                start = check.place(move.path[step - 1])
                found.append(check.no("w-pass", place=place, start=start))
            if province.fallout:
                found.append(check.no("w-fallout", place=place))
        return found

    def _into(self, n: int, step: int) -> dict[int, Move]:
        """Return the moves that enter a province in the same impulse."""
        return {
            at: move for at, move in self._moves.items()
            if len(move.path) > step and move.path[step] == n
        }

    def _bonuses(self, move: Move, step: int) -> tuple[tuple[str, int], ...]:
        start, goal = move.path[step - 1], move.path[step]
        link = "" if move.leg == step else self._check.world.board.roads[start][goal]
        return self._ground.attack(self._check.nation, start, goal, link)

    def _odds(self, n: int, step: int, neutral: int) -> Phrase:
        groups: list[Group] = [
            (move.count, move.path[step - 1], self._bonuses(move, step))
            for move in self._into(n, step).values()
        ]
        sides = tuple(sorted((count, sum(gives for _, gives in adds)) for count, _, adds in groups))
        percent = round(100 * joint_chance(sides, neutral))
        told = tuple(self._group(group) for group in groups)
        return self._check.no("w-neutral", place=self._check.place(n), percent=percent, groups=told)

    def _group(self, group: Group) -> Phrase:
        count, start, bonuses = group
        facts: dict[str, Fact] = {"count": count, "place": self._check.place(start)}
        adds = tuple(
            phrase("odds-bonus", gives=f"{gives:+d}", what=phrase(f"bonus-{what}"))
            for what, gives in bonuses
        )
        if not adds:
            return Phrase("odds-group-bare", facts)
        return Phrase("odds-group", {**facts, "adds": adds})


def attack_notes(check: OrderCheck, moves: Mapping[int, Move]) -> Mapping[int, Sequence[Phrase]]:
    """Return the notes on moves into hostile land or fallout, by number of order."""
    world, entered = check.world, {n for move in moves.values() for n in move.path[1:]}
    if not any(world.hostile(check.nation, n) or world.provinces[n].fallout for n in entered):
        return {}
    forecast = Forecast(check, moves)
    return {at: forecast.notes(at) for at, move in moves.items() if not move.hq}
