"""Mutable state of a game in one turn, with its dice and its events.

A `World` is built from a `NationsState` and frozen into one again. Everything that happens is
recorded as an event. Every draw is numbered by its tag and recorded (N-16, N-18).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from judge.dice import Dice
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import (
    EXCHANGE,
    PACT,
    WAR,
    Counts,
    Deal,
    Nation,
    NationsState,
    Offer,
    ProvinceState,
    bond,
)
from judge.games.nations1940.scenario import Scenario, strengths
from judge.model.replace import replace

T = TypeVar("T")


class WorldEvent(NamedTuple):
    """One event of a turn, with its kind and its facts.

    `only` are the nations that it is reported to, empty for all.
    """

    kind: str
    facts: Mapping[str, Any]
    only: tuple[str, ...] = ()


class Roll(NamedTuple):
    """One draw of the dice.

    `only` is as for the event that it decided.
    """

    tag: str
    n: int
    sides: int
    result: int
    only: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def _strengths(
    board: Scenario, techs: frozenset[str], traits: tuple[str, ...]
) -> Mapping[str, int]:
    effects = [effect for tech in sorted(techs) for effect in board.techs[tech].effects]
    effects += [effect for trait in traits for effect in board.traits[trait].effects]
    return strengths(tuple(effects))


class World:
    """One game in one turn."""

    def __init__(
        self,
        board: Scenario,
        state: NationsState,
        settings: Settings = Settings(),
        dice: Dice | None = None,
    ) -> None:
        self.board = board
        self.settings = settings
        self.turn = state.turn
        self.rules = state.rules
        self.nations: dict[str, Nation] = dict(state.nations)
        self.provinces: dict[int, ProvinceState] = dict(state.provinces)
        self.seas: dict[str, Counts] = {sea: state.seas.get(sea, {}) for sea in board.seas}
        self.bonds = set(state.bonds)
        self.offers: list[Offer] = list(state.offers)
        self.deals: list[Deal] = list(state.deals)
        self.domination: Counts = state.domination
        self.ordered = state.ordered
        self.events: list[WorldEvent] = []
        self.rolls: list[Roll] = []
        self.points: dict[str, int] = {}
        """Nation → its RP in step 8 of this turn."""
        self._became: dict[int, list[str]] = {}
        self._dice = dice
        self._drawn: Counter[str] = Counter()

    def freeze(self, turn: int) -> NationsState:
        """Return the present state, as the one before turn *turn*."""
        return NationsState(
            turn=turn,
            nations=dict(self.nations),
            provinces=dict(self.provinces),
            seas={sea: dict(found) for sea, found in self.seas.items() if found},
            bonds=frozenset(self.bonds),
            offers=tuple(self.offers),
            deals=tuple(self.deals),
            domination=dict(self.domination),
            rules=self.rules,
        )

    def record_event(self, kind: str, /, *, only: Iterable[str] = (), **facts: Any) -> None:
        """Record an event."""
        self.events.append(WorldEvent(kind, facts, tuple(only)))

    def note(self, order: object, *became: str) -> None:
        """Record outcome codes of an order (`rules.outcomes`), each once."""
        known = self._became.setdefault(id(order), [])
        known += [word for word in dict.fromkeys(became) if word not in known]

    def get_notes(self, order: object) -> tuple[str, ...]:
        """Return the recorded outcome codes of this order object.

        Orders are distinguished by identity, since equal ones may have different outcomes.
        """
        return tuple(self._became.get(id(order), ()))

    def draw(self, tag: str, sides: int, only: Iterable[str] = ()) -> int:
        """Return the next draw under a tag."""
        assert self._dice is not None, "a world that is only looked at has no chance"
        self._drawn[tag] += 1
        n = self._drawn[tag]
        result = self._dice.draw(tag, n, sides)
        self.rolls.append(Roll(tag, n, sides, result, tuple(only)))
        return result

    def count(self, tag: str) -> int:
        """Return the number of draws under a tag so far."""
        return self._drawn[tag]

    def succeeds(self, tag: str, percent: int) -> bool:
        """Draw whether an event with a chance of *percent* happens (N-19)."""
        return self.draw(tag, 100) <= percent

    def pick(self, tag: str, things: Sequence[T], only: Iterable[str] = ()) -> T:
        """Draw one of *things*, which must be in a fixed order (N-17)."""
        return things[self.draw(tag, len(things), only) - 1]

    @property
    def alive(self) -> list[str]:
        """Codes of the living nations, in order."""
        return [code for code in sorted(self.nations) if self.nations[code].alive]

    def strength(self, code: str, key: str) -> int:
        """Return a nation's value of an effect key, from its technologies and traits."""
        nation = self.nations[code]
        return _strengths(self.board, nation.techs, nation.traits)[key]

    def list_owned(self, code: str) -> list[int]:
        """Return a nation's provinces by rising number."""
        return [n for n, province in self.provinces.items() if province.owner == code]

    def is_at_war(self, one: str, other: str) -> bool:
        """Return whether two nations are at war."""
        return bond(WAR, one, other) in self.bonds

    def is_allied(self, one: str, other: str) -> bool:
        """Return whether two nations have a Military Pact or are the same."""
        return one == other or bond(PACT, one, other) in self.bonds

    def exchanges(self, code: str) -> int:
        """Return the number of a nation's Exchange Treaties in force (N-104)."""
        return sum(one.kind == EXCHANGE and one.joins(code) for one in self.bonds)

    def is_friendly(self, code: str, province: int) -> bool:
        """Return whether a province is a nation's own or an ally's."""
        owner = self.provinces[province].owner
        return bool(owner) and self.is_allied(code, owner)

    def is_hostile(self, code: str, province: int) -> bool:
        """Return whether a province is neutral or an enemy's."""
        owner = self.provinces[province].owner
        return not owner or self.is_at_war(code, owner)

    def change(self, province: int, **values: Any) -> None:
        """Change fields of a province."""
        self.provinces[province] = replace(self.provinces[province], **values)

    def reform(self, code: str, **values: Any) -> None:
        """Change fields of a nation."""
        self.nations[code] = replace(self.nations[code], **values)

    def add(self, what: str, province: int, code: str, count: int = 1) -> None:
        """Add armies, Mobile HQs or docked fleets of a nation.

        A negative count removes them.
        """
        self.change(
            province, **{what: add_count(getattr(self.provinces[province], what), code, count)}
        )

    def add_at_sea(self, sea: str, code: str, count: int = 1) -> None:
        """Add fleets of a nation to a sea region.

        A negative count removes them.
        """
        self.seas[sea] = add_count(self.seas[sea], code, count)

    def armies_of(self, code: str) -> int:
        """Return the number of a nation's armies."""
        return sum(found.armies.get(code, 0) for found in self.provinces.values())


def add_count(counts: Counts, code: str, count: int) -> Counts:
    """Return counts with *count* added for one nation, without entries of 0.

    >>> add_count({"BRI": 1}, "BRI", -1), add_count({}, "BRI", 2)
    ({}, {'BRI': 2})
    """
    now = counts.get(code, 0) + count
    assert now >= 0, (counts, code, count)
    found = {**counts, code: now}
    if not now:
        del found[code]
    return found
