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
from judge.games.yorktown.views.record import YorktownRecord
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


_DONE: Mapping[str, str] = {
    "placed": "fate-placed", "moored": "fate-placed", "built": "fate-built",
    "sailed": "fate-sailed", "aground": "fate-aground", "boarded": "fate-boarded",
    "landed": "fate-landed", "moved": "fate-moved", "entered": "fate-entered",
    "turned": "fate-turned", "staff-joins": "fate-joined",
}
"""Events of orders that the side to move carried out → their outcomes. A reason after such an
event means that it ended early."""
_NOT_DONE = frozenset({"not-placed", "not-built", "not-fired", "not-moved", "not-attacking"})


def happenings(record: YorktownRecord) -> Iterator[SideOutcome]:
    """Yield the outcomes of a step, in the order of its events."""
    side = record.before.moment.side
    foe = enemy_of(side)
    strengths: Mapping[str, Fact] = {}
    battle: Mapping[str, Fact] = {}
    instead: set[str] = set()
    for told, why in _with_reasons(record.told.events):
        facts = told.facts
        unit = str(facts.get("unit", ""))
        if told.code == "placed-instead":
            instead.add(unit)
            at = phrase("fate-placed-instead", at=facts["at"])
            yield SideOutcome(side, OutcomeKind.FAILED, unit, at, why)
        elif told.code in ("placed", "moored") and unit in instead:
            continue
        elif told.code in _DONE:
            yield _done(side, unit, told, why)
        elif told.code in _NOT_DONE:
            yield SideOutcome(side, OutcomeKind.FAILED, unit, phrase("fate-not-done"), why)
        elif told.code == "attack":
            strengths = facts
        elif told.code == "battle":
            battle = facts
        elif told.code.startswith("result-"):
            yield from _fought(side, told, strengths, battle)
        elif told.code in _LATER:
            yield from _after_fight(record, told)
        else:
            yield from _of_fire(record, foe, told)
            yield from _of_attackers(side, told, why)


def _with_reasons(
    events: Sequence[tuple[str, Phrase]]
) -> Iterator[tuple[Phrase, tuple[Phrase, ...]]]:
    """Yield each event with the reasons that follow it."""
    for number, (section, told) in enumerate(events):
        if section not in (WHY, "tally"):
            after = events[number + 1:]
            last = next((n for n, (name, _) in enumerate(after) if name != WHY), len(after))
            yield told, tuple(reason for _, reason in after[:last])


def _done(side: str, unit: str, told: Phrase, why: tuple[Phrase, ...]) -> SideOutcome:
    if why and told.code in ("moved", "entered", "sailed"):
        last = str(told.facts["path"]).replace(" ", "-").rpartition("-")[2]
        return SideOutcome(side, OutcomeKind.FAILED, unit, phrase("fate-stopped", at=last), why)
    return SideOutcome(side, OutcomeKind.DONE, unit, phrase(_DONE[told.code]), why)


def _of_fire(record: YorktownRecord, foe: str, told: Phrase) -> Iterator[SideOutcome]:
    """Yield the outcome of a hit for the target and for the firing side.

    A unit that is eliminated later in the step is not reported as halved.
    """
    side, facts = record.before.moment.side, told.facts
    about = phrase("fate-in", unit=facts.get("unit", ""), at=facts.get("at", ""))
    fire = phrase("fate-fire", unit=facts.get("unit", ""), at=facts.get("at", ""))
    hits = {"count": facts.get("total", 0)}
    match told.code:
        case "shot-dead":
            yield SideOutcome(foe, OutcomeKind.LOST, about, Phrase("fate-shot", hits))
            yield SideOutcome(side, OutcomeKind.FIRED, fire, Phrase("fate-hit-gone", hits))
        case "halved" if not _is_dead(record, key_of(foe, str(facts["unit"]))):
            yield SideOutcome(foe, OutcomeKind.HALVED, about, Phrase("fate-halved", hits))
            yield SideOutcome(side, OutcomeKind.FIRED, fire, Phrase("fate-hit-half", hits))
        case "no-effect":
            yield SideOutcome(foe, OutcomeKind.DONE, about, Phrase("fate-unhurt", hits))
            yield SideOutcome(side, OutcomeKind.FIRED, fire, Phrase("fate-hit-nothing", hits))
        case "went-down":
            sunk = phrase("fate-sunk", ship=facts["ship"])
            yield SideOutcome(foe, OutcomeKind.LOST, str(facts["unit"]), sunk)
        case "shot-lost":
            yield SideOutcome(
                side, OutcomeKind.FAILED, str(facts["unit"]), phrase("fate-shot-lost")
            )
        case "commander-fell":
            nation = str(facts["nation"])
            mourned = phrase("fate-mourned", nation=nation)
            whose = counters()[commander_of(nation).key].side
            yield SideOutcome(
                whose, OutcomeKind.FELL, str(facts["name"]), phrase("fate-fell"), (mourned,)
            )


def _of_attackers(side: str, told: Phrase, why: tuple[Phrase, ...]) -> Iterator[SideOutcome]:
    """Yield further outcomes of the side to move.

    They are attacks not fought, advances, exits, and removed markers.
    """
    facts = told.facts
    match told.code:
        case "dropped":
            about = phrase("fate-attack", at=facts["at"])
            yield SideOutcome(side, OutcomeKind.FAILED, about, phrase("fate-not-done"), why)
        case "withdraws":
            about = phrase("fate-attack", at=facts["at"])
            verdict = phrase("fate-withdrew", differential=facts["differential"])
            yield SideOutcome(side, OutcomeKind.FAILED, about, verdict)
        case "advanced":
            verdict = phrase("fate-advanced", at=facts["at"])
            yield SideOutcome(side, OutcomeKind.DONE, str(facts["unit"]), verdict)
        case "left-map":
            verdict = phrase("fate-left", edge=facts["edge"])
            yield SideOutcome(side, OutcomeKind.GONE, str(facts["unit"]), verdict)
        case "restored":
            yield SideOutcome(
                side, OutcomeKind.RESTORED, str(facts["unit"]), phrase("fate-restored")
            )


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


_LATER = frozenset({"destroyed", "no-retreat", "retreated"})


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
            what is OutcomeKind.DRIVEN or _is_dead(record, key)
        ):
            yield SideOutcome(counters()[key].side, what, unit, verdict)
            return


def _is_dead(record: YorktownRecord, key: str) -> bool:
    return not record.after.units[key].in_play
