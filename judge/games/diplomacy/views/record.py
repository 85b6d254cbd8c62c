"""Record of an adjudicated phase as JSON text, complete for later reports."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.board.map import Map
from judge.board.position import Position, dump_position, load_position
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, TurnResult
from judge.games.diplomacy.rules.orders import Outcome, Verdict, order_text, parse_order
from judge.games.system import Ending
from judge.model.phrase import Fact, Phrase


class DiplomacyRecord(NamedTuple):
    """Adjudicated phase as stored."""

    before: Position
    adjudged: AdjudicationResult
    ending: Ending | None
    quiet_limit: int
    """Number of Falls in a row without change that would draw the game, or 0."""
    by: Mapping[str, str] = {}
    """Province → the power that ordered the unit there by proxy."""
    blind: bool = False
    """True if viewers may see only parts of it."""
    glimpses: Mapping[str, tuple[Verdict, ...]] = {}
    """Outcomes, as a viewer saw them, of units whose orders led out of sight. Never stored."""


def dump_text(position: Position) -> str:
    """Return a position as stored text."""
    return json.dumps(dump_position(position))


@lru_cache(maxsize=16)
def load_text(text: str) -> Position:
    """Parse the text of `dump_text`. Cached, because positions are immutable.

    Each letter of a game asks for its position several times.
    """
    return load_position(json.loads(text))


def write_record(record: DiplomacyRecord) -> str:
    """Return the text of a record."""
    before, adjudged, ending, quiet_limit, by, blind, _ = record
    lost = Position(before.phase, adjudged.removed, {}, adjudged.dislodged)
    return json.dumps(
        {
            "before": dump_position(before),
            "after": dump_position(adjudged.position),
            "verdicts": {
                power: [_dump_verdict(verdict) for verdict in verdicts]
                for power, verdicts in adjudged.verdicts.items()
            },
            "lost": dump_position(lost),
            "contested": sorted(adjudged.contested),
            "gained": dict(adjudged.gained),
            "winner": adjudged.winner,
            "drawn": list(adjudged.drawn),
            **({"is_last": True} if adjudged.is_last else {}),
            "ending": None if ending is None else [ending.winners, _dump_reason(ending.reason)],
            "quiet_limit": quiet_limit,
            **({"by": dict(by)} if by else {}),
            **({"blind": True} if blind else {}),
        }
    )


@lru_cache(maxsize=4)
def read_record(text: str, board: Map) -> DiplomacyRecord:
    """Parse the text of `write_record`. Cached, because records are immutable.

    Each letter about a phase asks for its record.
    """
    data = json.loads(text)
    before = load_position(data["before"])
    ending, lost = data["ending"], load_position(data["lost"])
    verdicts = {
        power: tuple(_load_verdict(verdict, board) for verdict in found)
        for power, found in data["verdicts"].items()
    }
    return DiplomacyRecord(
        before=before,
        adjudged=AdjudicationResult(verdicts, TurnResult(
            position=load_position(data["after"]),
            dislodged=lost.dislodged,
            contested=frozenset(data["contested"]),
            gained=data["gained"],
            winner=data["winner"],
            drawn=tuple(data["drawn"]),
            removed=lost.units,
            is_last=data.get("is_last", False),
        )),
        ending=None if ending is None else Ending(tuple(ending[0]), _load_reason(ending[1])),
        quiet_limit=data["quiet_limit"],
        by=data.get("by", {}),
        blind=data.get("blind", False),
    )


def _dump_verdict(verdict: Verdict) -> list[object]:
    return [
        order_text(verdict.order),
        [outcome.value for outcome in verdict.outcomes],
        None if verdict.reason is None else _dump_reason(verdict.reason),
    ]


def _load_verdict(stored: Sequence[object], board: Map) -> Verdict:
    text, outcomes, reason = stored
    return Verdict(
        parse_order(str(text), board),
        tuple(Outcome(outcome) for outcome in outcomes),  # type: ignore[attr-defined]
        None if reason is None else _load_reason(reason),  # type: ignore[arg-type]
    )


def _dump_reason(reason: Phrase) -> list[object]:
    return [reason.code, dict(reason.facts)]


def _load_reason(stored: Sequence[object]) -> Phrase:
    """Parse a reason, with JSON lists as tuples."""
    code, facts = stored
    found: dict[str, Fact] = {
        name: tuple(fact) if isinstance(fact, list) else fact
        for name, fact in facts.items()  # type: ignore[attr-defined]
    }
    return Phrase(str(code), found)
