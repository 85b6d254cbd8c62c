"""Report of a step: events by section, in the order of the rules (Y-97)."""

from collections.abc import Sequence
from typing import NamedTuple

from judge.games.letter_facts import LetterPiece, Results
from judge.games.yorktown.rules.field import WHY
from judge.games.yorktown.views.moments import POWERS, make_title
from judge.games.yorktown.views.record import YorktownRecord, last_hex
from judge.model.phrase import Phrase, phrase

SECTIONS = (
    "setup", "works", "ships", "fire", "hits", "transport", "movement", "combat", "markers",
)
"""Sections in the order in which they are reported. The tallies come last."""


class ReportLine(NamedTuple):
    """One line: an event, or the reason why an order failed."""

    told: Phrase
    is_why: bool


class Section(NamedTuple):
    """Events of one kind."""

    title: Phrase
    lines: tuple[ReportLine, ...]


class StepReport(NamedTuple):
    """Events of a step, and the progress of each side."""

    sections: tuple[Section, ...]
    tallies: tuple[Phrase, ...]


def siege_of(events: Sequence[tuple[str, Phrase]]) -> StepReport:
    """Sort events into sections. A reason stays with its event."""
    found: dict[str, list[ReportLine]] = {name: [] for name in SECTIONS}
    tallies, now = [], SECTIONS[0]
    for section, told in events:
        if section == "tally":
            tallies.append(told)
            continue
        now = now if section == WHY else section
        found[now].append(ReportLine(told, section == WHY))
    sections = tuple(
        Section(Phrase(f"section-{name}", {}), tuple(lines))
        for name, lines in found.items()
        if lines
    )
    return StepReport(sections, tuple(tallies))


_PLAIN_MOVES = ("moved", "entered", "turned")


def shorten_moves(events: Sequence[tuple[str, Phrase]]) -> list[tuple[str, Phrase]]:
    """Return events with one list for all movements that end as ordered.

    Movements with a reason are unchanged, and so is a single one.
    """
    plain = [
        number for number, (_, told) in enumerate(events)
        if told.code in _PLAIN_MOVES
        and (number + 1 == len(events) or events[number + 1][0] != WHY)
    ]
    if len(plain) < 2:
        return list(events)
    moves = [events[number][1] for number in plain]
    units = tuple(f"{m.facts['unit']} {last_hex(m)} {m.facts['face']}" for m in moves)
    found = list(events)
    found[plain[0]] = (events[plain[0]][0], phrase("as-ordered", units=units))
    return [each for number, each in enumerate(found) if number not in plain[1:]]


def result_facts(record: YorktownRecord) -> Results:
    """Return the facts of a step's results."""
    moment, after = record.before.moment, record.after.moment
    siege = siege_of(record.told.events)
    quiet = not siege.sections
    return Results(
        phase=str(moment),
        title=make_title("title-tried" if record.tried else "title-results", moment),
        groups=(),
        next="" if record.end else str(after),
        next_title=None if record.end else make_title("title-next", after),
        ending=record.end.reason if record.end else None,
        notices=(phrase("nothing-happened"),) if quiet else (),
        pieces=(LetterPiece("siege", siege, "siege"),),
    )


def result_values(record: YorktownRecord) -> dict[str, object]:
    """Return a step for programs: orders, and every event with its facts."""
    moment = record.before.moment
    orders = {
        POWERS[side]: [{"order": line, "outcome": "on file"} for line in text.splitlines()]
        for side, text in record.sheets.items()
    }
    events = [{"section": section, **_flat(told)} for section, told in record.told.events]
    return {"phase": str(moment), "orders": orders, "events": events}


def _flat(told: Phrase) -> dict[str, object]:
    facts = {
        name: [each.as_json() if isinstance(each, Phrase) else each for each in fact]
        if isinstance(fact, tuple)
        else fact
        for name, fact in told.facts.items()
    }
    return {"code": told.code, **facts}
