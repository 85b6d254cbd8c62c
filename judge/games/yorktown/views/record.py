"""Record of a step as JSON: positions before and after, events, and the end."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.games.yorktown.rules.field import EventLog
from judge.games.yorktown.rules.state import SiegePosition, dump, load
from judge.games.yorktown.rules.turn import End, Played
from judge.model.phrase import Fact, Phrase

_PHRASE = "#"


class YorktownRecord(NamedTuple):
    """A stored step."""

    before: SiegePosition
    after: SiegePosition
    told: EventLog
    end: End | None
    sheets: Mapping[str, str]
    """Orders on file for it, by side."""
    tried: bool = False
    """True for a preview, which has not happened (PREVIEW)."""


def write_record(
    before: SiegePosition, played: Played, sheets: Mapping[str, str], *, tried: bool = False
) -> str:
    """Return the text of a record."""
    told, end = played.told, played.end
    return json.dumps(
        {
            "before": dump(before),
            "after": dump(played.after),
            "events": [[section, _plain(event)] for section, event in told.events],
            "ways": told.ways,
            "shots": told.shots,
            "fought": told.fought,
            "end": [end.winner, _plain(end.reason)] if end else None,
            "sheets": dict(sheets),
            "tried": tried,
        }
    )


@lru_cache(maxsize=16)
def read_record(text: str) -> YorktownRecord:
    """Parse what `write_record` wrote."""
    stored = json.loads(text)
    told = EventLog(
        count_all_hits([(section, _phrase(event)) for section, event in stored["events"]]),
        [(key, tuple(way)) for key, way in stored["ways"]],
        [(start, at) for start, at in stored["shots"]],
        [(at, key) for at, key in stored["fought"]],
    )
    end = stored["end"]
    return YorktownRecord(
        load(stored["before"]),
        load(stored["after"]),
        told,
        End(end[0], _phrase(end[1])) if end else None,
        stored["sheets"],
        stored["tried"],
    )


def count_all_hits(events: Sequence[tuple[str, Phrase]]) -> list[tuple[str, Phrase]]:
    """Return events in which a halved unit has all hits of the step.

    The rules halve a unit at the shot that reaches the limit, and later shots may add hits. A unit
    that they eliminate is no longer reported as halved.
    """
    totals: dict[object, Fact] = {}
    dead = set()
    for _, told in events:
        at, unit = told.facts.get("at"), told.facts.get("unit")
        if told.code in ("shot", "shot-halved"):
            totals[at, told.facts["target"]] = told.facts["total"]
        elif told.code == "shot-dead":
            dead.add((at, unit))
    found = []
    for section, told in events:
        key = told.facts.get("at"), told.facts.get("unit")
        if told.code == "halved":
            if key in dead:
                continue
            told = Phrase(told.code, {**told.facts, "total": totals.get(key, told.facts["total"])})
        found.append((section, told))
    return found


def last_hex(moved: Phrase) -> str:
    """Return the hex in which the path of a movement ends."""
    return str(moved.facts["path"]).replace(" ", "-").rpartition("-")[2]


def _plain(said: Phrase) -> dict[str, object]:
    facts = {name: _plain_fact(fact) for name, fact in said.facts.items()}
    return {_PHRASE: said.code, **facts}


def _plain_fact(fact: Fact) -> object:
    if isinstance(fact, Phrase):
        return _plain(fact)
    if isinstance(fact, tuple):
        return [_plain_fact(each) for each in fact]
    return fact


def _phrase(stored: Mapping[str, object]) -> Phrase:
    facts = {name: _fact(fact) for name, fact in stored.items() if name != _PHRASE}
    return Phrase(str(stored[_PHRASE]), facts)


def _fact(stored: object) -> Fact:
    if isinstance(stored, dict):
        return _phrase(stored)
    if isinstance(stored, list):
        return tuple(_phrase(e) if isinstance(e, dict) else str(e) for e in stored)
    assert isinstance(stored, str | int)
    return stored
