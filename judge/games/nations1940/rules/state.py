"""State of a game between two turns, as frozen values and as JSON (N-3).

Provinces contain their armies, Mobile HQs and fleets by nation. A neutral province has no owner.
Default values are left out of the JSON, so that most of the map takes few characters.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

Counts = Mapping[str, int]
"""Nation → number of units, without entries of 0."""

WAR, NAP, EXCHANGE, PACT, PEACE, DEAL = "WAR", "NAP", "EXCHANGE", "PACT", "PEACE", "DEAL"
RULES = 3
"""Current version of the rules.

A turn keeps the version that it began with, and is replayed by it.

- 1: an Airfield helps attacks on provinces in its range.
- 2: an Airfield helps attacks from provinces in its range (N-49).
- 3: the record has the origin of defenders, escorts without a fleet, and left-over RP.
"""

TREATIES = (NAP, EXCHANGE, PACT)
"""Treaties that two nations may have in force in addition to peace (N-100)."""


class Bond(NamedTuple):
    """A war or a treaty in force between two nations, their codes in order."""

    kind: str
    a: str
    b: str

    def joins(self, code: str) -> bool:
        """Return whether a nation is one of the two."""
        return code in (self.a, self.b)

    def other(self, code: str) -> str:
        """Return the other nation."""
        return self.b if code == self.a else self.a


def bond(kind: str, one: str, other: str) -> Bond:
    """Return a war or treaty between two nations, with their codes in order.

    >>> bond("WAR", "UKR", "DAN")
    Bond(kind='WAR', a='DAN', b='UKR')
    """
    return Bond(kind, *sorted((one, other)))


class Offer(NamedTuple):
    """An announcement that awaits the other nation's, with its turn and line (N-102)."""

    kind: str
    by: str
    to: str
    turn: int
    line: int


class Deal(NamedTuple):
    """One side's terms of a trade, with the items given and wanted (N-109).

    Items are numbers of provinces and names of technologies.
    """

    by: str
    to: str
    gives: tuple[int | str, ...]
    wants: tuple[int | str, ...]
    turn: int

    def mirrors(self, other: "Deal") -> bool:
        """Return whether *other* has the same terms from the other side."""
        return (self.by, self.to) == (other.to, other.by) and (
            {*self.gives} == {*other.wants} and {*self.wants} == {*other.gives}
        )


@dataclass(frozen=True, slots=True)
class Nation:
    """A nation with its government, technologies, research and standing orders."""

    code: str
    government: str
    capital: int
    loyalist: bool = False
    """True if its capital fell and a provisional one replaced it (N-69)."""
    old_capital: int = 0
    alive: bool = True
    techs: frozenset[str] = frozenset()
    queue: tuple[str, ...] = ()
    progress: Mapping[str, int] = field(default_factory=dict)
    spawn_order: tuple[int, ...] = ()
    shed_order: tuple[int, ...] = ()
    pi_malus: int = 0
    missed_turns: int = 0
    traits: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProvinceState:
    """A province in a game.

    `neutral` is the number of its neutral armies (0 or 1).
    """

    owner: str = ""
    populous: bool = False
    improvements: frozenset[str] = frozenset()
    fallout: int = 0
    epidemic: bool = False
    armies: Counts = field(default_factory=dict)
    mobile_hq: Counts = field(default_factory=dict)
    fleets: Counts = field(default_factory=dict)
    due_to: str = ""
    """The nation it was sold to, empty if none (N-111)."""
    neutral: int = 0


@dataclass(frozen=True)
class NationsState:
    """A game between two turns, before turn number `turn`."""

    turn: int
    nations: Mapping[str, Nation]
    provinces: Mapping[int, ProvinceState]
    seas: Mapping[str, Counts]
    bonds: frozenset[Bond] = frozenset()
    offers: tuple[Offer, ...] = ()
    deals: tuple[Deal, ...] = ()
    domination: Counts = field(default_factory=dict)
    """Nation → number of consecutive turns with a majority (N-10)."""
    ordered: tuple[tuple[str, int | str], ...] = ()
    """Events that a master ordered for this turn, as name and target (N-170)."""
    acts: tuple[str, ...] = ()
    """Changes by a master since the last gazette, as texts for the next (N-171)."""
    rules: int = RULES
    """Version of the rules for this turn."""

    @cached_property
    def alive(self) -> tuple[str, ...]:
        """The codes of the nations still in the game."""
        return tuple(code for code, nation in self.nations.items() if nation.alive)


def label_of(turn: int) -> str:
    """Return the name of a turn (N-7, N-8).

    >>> label_of(0), label_of(1), label_of(13), label_of(240)
    ('Pre-1940', '1940.1', '1941.1', '1959.12')
    """
    return f"{1940 + (turn - 1) // 12}.{(turn - 1) % 12 + 1}" if turn else "Pre-1940"


def dump_state(state: NationsState) -> str:
    """Return a state as JSON text, the same for equal states."""
    return json.dumps(state_values(state), separators=(",", ":"))


def state_values(state: NationsState) -> dict[str, Any]:
    """Return a state as JSON values, in the same order for equal states."""
    return {
        "turn": state.turn,
        "rules": state.rules,
        "nations": {code: _plain(nation, {"code"}) for code, nation in state.nations.items()},
        "provinces": {str(n): _plain(one, set()) for n, one in sorted(state.provinces.items())},
        "seas": {sea: dict(sorted(found.items())) for sea, found in state.seas.items() if found},
        "bonds": [list(one) for one in sorted(state.bonds)],
        "offers": [list(one) for one in state.offers],
        "deals": [list(one) for one in state.deals],
        "domination": dict(sorted(state.domination.items())),
        **({"ordered": [list(one) for one in state.ordered]} if state.ordered else {}),
        **({"acts": list(state.acts)} if state.acts else {}),
    }


def _plain(value: Nation | ProvinceState, without: set[str]) -> dict[str, Any]:
    """Return the fields that differ from the defaults, as JSON values."""
    blank = _BLANK[type(value)]
    found = {}
    for name in value.__slots__:
        now = getattr(value, name)
        if name in without or now == getattr(blank, name):
            continue
        if isinstance(now, frozenset):
            now = sorted(now)
        elif isinstance(now, Mapping):
            now = dict(sorted(now.items()))
        found[name] = now
    return found


_BLANK: Mapping[type, Nation | ProvinceState] = {
    Nation: Nation("", "", 0), ProvinceState: ProvinceState(),
}


@lru_cache(maxsize=16)
def load_state(text: str) -> NationsState:
    """Return the state of a JSON text, cached because states are immutable.

    >>> load_state(dump_state(NationsState(3, {}, {7: ProvinceState("BRI", armies={"BRI": 2})},
    ...     {})))
    NationsState(turn=3, nations={}, provinces={7: ProvinceState(owner='BRI', populous=False, \
improvements=frozenset(), fallout=0, epidemic=False, armies={'BRI': 2}, mobile_hq={}, fleets={}, \
due_to='', neutral=0)}, seas={}, bonds=frozenset(), offers=(), deals=(), domination={}, \
ordered=(), acts=(), rules=3)
    """
    return state_of(json.loads(text))


def state_of(told: Mapping[str, Any]) -> NationsState:
    """Return the state of JSON values."""
    return NationsState(
        turn=told["turn"],
        nations={code: _nation(code, found) for code, found in told["nations"].items()},
        provinces={int(n): _province(found) for n, found in told["provinces"].items()},
        seas=told["seas"],
        bonds=frozenset(Bond(*one) for one in told["bonds"]),
        offers=tuple(Offer(*one) for one in told["offers"]),
        deals=tuple(
            Deal(by, to, tuple(gives), tuple(wants), turn)
            for by, to, gives, wants, turn in told["deals"]
        ),
        domination=told["domination"],
        ordered=tuple((name, target) for name, target in told.get("ordered", ())),
        acts=tuple(told.get("acts", ())),
        rules=told.get("rules", 1),
    )


def _nation(code: str, told: Mapping[str, Any]) -> Nation:
    lists = ("queue", "spawn_order", "shed_order", "traits")
    found: dict[str, Any] = {
        name: tuple(value) if name in lists else value for name, value in told.items()
    }
    found["techs"] = frozenset(told.get("techs", ()))
    return Nation(code, **found)


def _province(told: Mapping[str, Any]) -> ProvinceState:
    return ProvinceState(**{**told, "improvements": frozenset(told.get("improvements", ()))})
