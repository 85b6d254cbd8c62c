"""Record of a turn as text: both states, orders, events, draws and outcomes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from judge.games.nations1940.rules.endings import Victory
from judge.games.nations1940.rules.resolve import Resolved
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import NationsState, state_of, state_values
from judge.games.nations1940.rules.world import Roll, WorldEvent


@dataclass(frozen=True)
class NationsRecord:
    """An adjudicated turn."""

    before: NationsState
    after: NationsState
    events: tuple[WorldEvent, ...]
    rolls: tuple[Roll, ...]
    victory: Victory | None
    settings: Settings
    orders: Mapping[str, tuple[str, ...]]
    """Nation → texts of its orders."""
    became: Mapping[str, tuple[tuple[str, ...], ...]]
    """Nation → outcome codes of each of its orders (`rules.outcomes`).

    It is empty in records from before these codes were written.
    """

    def outcomes(self, nation: str) -> list[tuple[str, tuple[str, ...]]]:
        """Return the text of each order of a nation, with its outcome codes."""
        texts = self.orders.get(nation, ())
        became = self.became.get(nation) or ((),) * len(texts)
        return list(zip(texts, became, strict=True))


def write_record(
    before: NationsState, found: Resolved, settings: Settings, orders: Mapping[str, tuple[str, ...]]
) -> str:
    """Return a turn as JSON text."""
    told = {
        "before": state_values(before),
        "after": state_values(found.after),
        "events": [[event.kind, event.facts, list(event.only)] for event in found.events],
        "rolls": [[*roll[:4], list(roll.only)] for roll in found.rolls],
        "victory": found.victory,
        "settings": settings._asdict(),
        "orders": orders,
        "became": {nation: found.became[nation] for nation in orders},
    }
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=16)
def read_record(text: str) -> NationsRecord:
    """Return the turn of a JSON text, cached for all its viewers."""
    told = json.loads(text)
    won = told["victory"]
    return NationsRecord(
        state_of(told["before"]),
        state_of(told["after"]),
        tuple(WorldEvent(kind, facts, tuple(only)) for kind, facts, only in told["events"]),
        tuple(Roll(tag, n, of, result, tuple(only)) for tag, n, of, result, only in told["rolls"]),
        Victory(won[0], tuple(won[1]), tuple(tuple(row) for row in won[2])) if won else None,
        Settings(**told["settings"]),
        {nation: tuple(texts) for nation, texts in told["orders"].items()},
        {nation: tuple(map(tuple, each)) for nation, each in told.get("became", {}).items()},
    )
