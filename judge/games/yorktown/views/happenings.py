"""Outcomes of a step, each assigned to one side.

Units of both sides have the same ids ("ART 1"), and an event names the id alone. The side follows
from the rules: the side to move moves and fires, the other is hit. In a fight it follows from the
paths and the hexes fought over.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from judge.games.letter_facts import Words
from judge.games.yorktown.rules.board import commander_of, counters, enemy_of, key_of
from judge.games.yorktown.rules.field import WHY
from judge.games.yorktown.views.record import YorktownRecord, last_hex
from judge.model.phrase import Fact, Phrase, phrase


class OutcomeKind(Enum):
    """Kind of an outcome for its side, worse ones first."""

    LOST = 1
    FELL = 2
    HALVED = 3
    DRIVEN = 4
    FAILED = 5
    FOUGHT = 6
    FIRED = 7
    GONE = 8
    DONE = 9
    RESTORED = 10


class SideOutcome(NamedTuple):
    """Outcome of a side's unit, order, fire or fight."""

    side: str
    what: OutcomeKind
    about: Words
    """Unit, or phrase that describes the action."""
    verdict: Phrase
    why: tuple[Phrase, ...] = ()


class _Row(NamedTuple):
    """Outcome that an event has for one side."""

    what: OutcomeKind
    verdict: str
    fact: str = ""
    """Fact of the event that the verdict names."""
    about: str = ""
    """Phrase about the unit and hex of the event. Empty if the unit alone is named."""
    is_own: bool = True
    """True if it is an outcome for the side to move."""


_DONE = {
    "placed": "fate-placed", "moored": "fate-placed", "built": "fate-built",
    "sailed": "fate-sailed", "aground": "fate-aground", "boarded": "fate-boarded",
    "landed": "fate-landed", "moved": "fate-moved", "entered": "fate-entered",
    "turned": "fate-turned", "staff-joins": "fate-joined",
}
_NOT_DONE = ("not-placed", "not-built", "not-fired", "not-moved", "not-attacking")
_FIRE = {
    "shot-dead": (OutcomeKind.LOST, "fate-shot", "fate-hit-gone"),
    "halved": (OutcomeKind.HALVED, "fate-halved", "fate-hit-half"),
    "no-effect": (OutcomeKind.DONE, "fate-unhurt", "fate-hit-nothing"),
}
"""Events of fire → the kind of outcome for the target, and the verdicts of both sides."""
_ROWS: Mapping[str, Sequence[_Row]] = {
    **{event: [_Row(OutcomeKind.DONE, verdict)] for event, verdict in _DONE.items()},
    **dict.fromkeys(_NOT_DONE, [_Row(OutcomeKind.FAILED, "fate-not-done")]),
    **{
        event: [
            _Row(what, suffered, "total", "fate-in", is_own=False),
            _Row(OutcomeKind.FIRED, inflicted, "total", "fate-fire"),
        ]
        for event, (what, suffered, inflicted) in _FIRE.items()
    },
    "placed-instead": [_Row(OutcomeKind.FAILED, "fate-placed-instead", "at")],
    "went-down": [_Row(OutcomeKind.LOST, "fate-sunk", "ship", is_own=False)],
    "shot-lost": [_Row(OutcomeKind.FAILED, "fate-shot-lost")],
    "dropped": [_Row(OutcomeKind.FAILED, "fate-not-done", about="fate-attack")],
    "withdraws": [_Row(OutcomeKind.FAILED, "fate-withdrew", "differential", "fate-attack")],
    "advanced": [_Row(OutcomeKind.DONE, "fate-advanced", "at")],
    "left-map": [_Row(OutcomeKind.GONE, "fate-left", "edge")],
    "restored": [_Row(OutcomeKind.RESTORED, "fate-restored")],
}
"""Events that have the same outcomes whatever came before them in the step."""
_EXPLAINED = (*_NOT_DONE, "placed-instead", "dropped")
"""Events whose outcomes have reasons."""


def happenings(record: YorktownRecord) -> Iterator[SideOutcome]:
    """Yield the outcomes of a step, in the order of its events.

    A unit that is eliminated later in the step is not reported as halved.
    """
    side = record.before.moment.side
    strengths: Mapping[str, Fact] = {}
    battle: Mapping[str, Fact] = {}
    instead: set[str] = set()
    for told, why in _with_reasons(record.told.events):
        unit = str(told.facts.get("unit", ""))
        match told.code:
            case "placed" | "moored" if unit in instead:
                continue
            case "halved" if _is_eliminated(record, key_of(enemy_of(side), unit)):
                continue
            case "moved" | "entered" | "sailed" if why:
                stopped = phrase("fate-stopped", at=last_hex(told))
                yield SideOutcome(side, OutcomeKind.FAILED, unit, stopped, why)
                continue
            case "placed-instead":
                instead.add(unit)
            case "attack":
                strengths = told.facts
            case "battle":
                battle = told.facts
            case "commander-fell":
                yield _fallen(told)
            case "destroyed" | "no-retreat" | "retreated":
                yield from _after_fight(record, told)
            case result if result.startswith("result-"):
                yield from _fought(side, told, strengths, battle)
        for row in _ROWS.get(told.code, ()):
            yield _outcome(row, side, told, why)


def _outcome(row: _Row, side: str, told: Phrase, why: tuple[Phrase, ...]) -> SideOutcome:
    where = {name: fact for name, fact in told.facts.items() if name in ("unit", "at")}
    about = Phrase(row.about, where) if row.about else str(told.facts["unit"])
    name = "count" if row.fact == "total" else row.fact
    verdict = Phrase(row.verdict, {name: told.facts[row.fact]} if name else {})
    reasons = why if told.code in _EXPLAINED else ()
    return SideOutcome(side if row.is_own else enemy_of(side), row.what, about, verdict, reasons)


def _fallen(told: Phrase) -> SideOutcome:
    """Return the outcome for the side of a commander who fell."""
    nation = str(told.facts["nation"])
    side = counters()[commander_of(nation).key].side
    mourned = phrase("fate-mourned", nation=nation)
    fell = phrase("fate-fell")
    return SideOutcome(side, OutcomeKind.FELL, str(told.facts["name"]), fell, (mourned,))


def _with_reasons(
    events: Sequence[tuple[str, Phrase]]
) -> Iterator[tuple[Phrase, tuple[Phrase, ...]]]:
    """Yield each event with the reasons that follow it."""
    for number, (section, told) in enumerate(events):
        if section not in (WHY, "tally"):
            after = events[number + 1:]
            last = next((n for n, (name, _) in enumerate(after) if name != WHY), len(after))
            yield told, tuple(reason for _, reason in after[:last])


def _fought(
    side: str, told: Phrase, strengths: Mapping[str, Fact], battle: Mapping[str, Fact]
) -> Iterator[SideOutcome]:
    """Yield a fight for the attacker and for the defender."""
    odds = phrase(
        "fate-odds", attack=strengths["attack"], defence=strengths["defence"],
        differential=battle["differential"], die=battle["die"], result=battle["result"],
    )
    for whose, code in ((side, "fate-attack"), (enemy_of(side), "fate-attacked")):
        about = phrase(code, at=strengths["at"])
        yield SideOutcome(whose, OutcomeKind.FOUGHT, about, Phrase(told.code, {}), (odds,))


def _after_fight(record: YorktownRecord, told: Phrase) -> Iterator[SideOutcome]:
    """Yield the outcome of a fight for one unit of either side."""
    unit = str(told.facts["unit"])
    if told.code == "retreated":
        way = tuple(str(told.facts["path"]).split("-"))
        found = [key for key, gone in record.told.ways if gone == way]
        verdict, what = phrase("fate-driven", at=way[-1]), OutcomeKind.DRIVEN
    else:
        at = told.facts["at"]
        found = [key for where, key in record.told.fought if where == at]
        code = "fate-eliminated" if told.code == "destroyed" else "fate-no-retreat"
        verdict, what = phrase(code, at=at), OutcomeKind.LOST
    for key in found:
        if counters()[key].order_id == unit and (
            what is OutcomeKind.DRIVEN or _is_eliminated(record, key)
        ):
            yield SideOutcome(counters()[key].side, what, unit, verdict)
            return


def _is_eliminated(record: YorktownRecord, key: str) -> bool:
    return not record.after.units[key].in_play
