"""Notes on ordered attacks: odds, passes, fallout.

They use only the knowledge of the nation, that is what it sees and its own other orders.
"""

from collections.abc import Mapping, Sequence

from judge.games.nations1940.rules.order_check import OrderCheck
from judge.games.nations1940.rules.orders import ArmyMove
from judge.games.nations1940.rules.prospects import Group, Prospects
from judge.model.phrase import Fact, Phrase, phrase


class Forecast:
    """The attacks in a nation's accepted moves."""

    def __init__(self, check: OrderCheck, moves: Mapping[int, ArmyMove]) -> None:
        self._check = check
        self._moves = {at: move for at, move in moves.items() if not move.hq}
        self._prospects = Prospects(check.world, check.nation)

    def notes(self, at: int) -> list[Phrase]:
        """Return the notes on one move, with odds for the last into a province."""
        found: list[Phrase] = []
        check, move = self._check, self._moves[at]
        for step, n in enumerate(move.path[1:], 1):
            province, place = check.world.provinces[n], check.place(n)
            is_attack = check.world.is_hostile(check.nation, n)
            if is_attack and at == max(self._into(n, step)):
                found += self._odds(n, step)
            is_fight = is_attack and self._prospects.defenders(n) != []
            if is_fight and ("pass", -1) in self._prospects.attack(move, step):
                start = check.place(move.path[step - 1])
                found.append(check.make_refusal("w-pass", place=place, start=start))
            if province.fallout:
                found.append(check.make_refusal("w-fallout", place=place))
        return found

    def _into(self, n: int, step: int) -> dict[int, ArmyMove]:
        """Return the moves that enter a province in the same impulse."""
        return {
            at: move for at, move in self._moves.items()
            if len(move.path) > step and move.path[step] == n
        }

    def _odds(self, n: int, step: int) -> list[Phrase]:
        groups: list[Group] = [
            (move.count, move.path[step - 1], self._prospects.attack(move, step))
            for move in self._into(n, step).values()
        ]
        defenders = self._prospects.defenders(n)
        if defenders is None:
            return []
        place = self._check.place(n)
        nation = self._check.world.provinces[n].owner
        if not defenders:
            told = self._check.make_refusal("w-undefended", place=place, nation=nation)
            return [told] if nation else []
        percent = self._prospects.percent(groups, n)
        if percent is None:
            return []
        facts: dict[str, Fact] = {
            "place": place, "percent": percent, "groups": tuple(map(self._group, groups)),
        }  # fmt: skip
        if not nation:
            return [self._check.make_refusal("w-neutral", **facts)]
        side = tuple(_armies(count, bonuses) for _, count, bonuses in defenders)
        return [self._check.make_refusal("w-odds", nation=nation, defenders=side, **facts)]

    def _group(self, group: Group) -> Phrase:
        count, start, bonuses = group
        facts: dict[str, Fact] = {"count": count, "place": self._check.place(start)}
        if not bonuses:
            return Phrase("odds-group-bare", facts)
        return Phrase("odds-group", {**facts, "adds": _adds(bonuses)})


def _adds(bonuses: Sequence[tuple[str, int]]) -> tuple[Phrase, ...]:
    return tuple(
        phrase("odds-bonus", gives=f"{gives:+d}", what=phrase(f"bonus-{what}"))
        for what, gives in bonuses
    )


def _armies(count: int, bonuses: Sequence[tuple[str, int]]) -> Phrase:
    """Return defending armies with their bonuses."""
    if not bonuses:
        return phrase("odds-armies-bare", count=count)
    return phrase("odds-armies", count=count, adds=_adds(bonuses))


def attack_notes(
    check: OrderCheck, moves: Mapping[int, ArmyMove]
) -> Mapping[int, Sequence[Phrase]]:
    """Return the notes on moves into hostile land or fallout, by index of the order."""
    world, entered = check.world, {n for move in moves.values() for n in move.path[1:]}
    if not any(world.is_hostile(check.nation, n) or world.provinces[n].fallout for n in entered):
        return {}
    forecast = Forecast(check, moves)
    return {at: forecast.notes(at) for at, move in moves.items() if not move.hq}
