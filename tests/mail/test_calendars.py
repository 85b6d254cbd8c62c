"""Deadlines as calendar files: the required fields of RFC 5545 and RFC 6047."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from icalendar import Calendar

from judge.mail.outbound.compose import Data
from judge.mail.outbound.icalendar import PRODUCT, CalendarText, calendar_file
from judge.model.letter import CalendarEntry

NOW = datetime(2026, 1, 5, 20, 0, 30, 987654, tzinfo=UTC)
PARIS = timezone(timedelta(hours=1))
SPRING = CalendarEntry(
    7, "marco", "S1901M", "move", "Spring of 1901",
    datetime(2026, 1, 8, 23, 30, 15, 500, tzinfo=PARIS), 3, True, NOW,
)
AUTUMN = replace(SPRING, phase="F1901M", sequence=0)
OFF = replace(SPRING, phase="W1901A", is_on=False)


def make_calendar(*appointments: CalendarEntry) -> Data:
    entries = [
        CalendarText(one, f"marco: {one.phase}", f"Moves of {one.phase}") for one in appointments
    ]
    return calendar_file(entries, "judge@example.org", NOW)


def lines(*appointments: CalendarEntry) -> list[str]:
    """Return the unfolded lines of a file."""
    return make_calendar(*appointments).octets.decode().replace("\r\n ", "").splitlines()


def test_an_entry_has_every_required_field() -> None:
    assert lines(SPRING)[0] == "BEGIN:VCALENDAR" and lines(SPRING)[-1] == "END:VCALENDAR"
    assert sorted(lines(SPRING)) == sorted([
        "BEGIN:VCALENDAR", "VERSION:2.0", f"PRODID:{PRODUCT}", "METHOD:PUBLISH",
        "BEGIN:VEVENT", "UID:marco.7.S1901M@example.org", "SEQUENCE:3", "DTSTAMP:20260105T200030Z",
        "ORGANIZER:mailto:judge@example.org", "DTSTART:20260108T223015Z", "SUMMARY:marco: S1901M",
        "DESCRIPTION:Moves of S1901M", "STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "END:VEVENT",
        "END:VCALENDAR",
    ])


@pytest.mark.parametrize("appointments, method, name, states", [
    ([SPRING], "PUBLISH", "marco-S1901M.ics", ["CONFIRMED"]),
    ([OFF], "CANCEL", "marco-W1901A-cancelled.ics", ["CANCELLED"]),
    ([OFF, SPRING, AUTUMN], "PUBLISH", "marco-S1901M.ics",
     ["CANCELLED", "CONFIRMED", "CONFIRMED"]),
    ([OFF, replace(OFF, phase="S1902M")], "CANCEL", "marco-W1901A-cancelled.ics",
     ["CANCELLED", "CANCELLED"]),
])
def test_a_new_entry_comes_first_with_the_cancelled_ones(
    appointments: list[CalendarEntry], method: str, name: str, states: list[str]
) -> None:
    file = make_calendar(*appointments)
    assert file.type == "application/ics" and file.name == name
    events = Calendar.from_ical(file.octets).walk("VEVENT")
    assert [str(event["STATUS"]) for event in events] == states
    uids = [f"marco.7.{one.phase}@example.org" for one in appointments]
    assert [str(event["UID"]) for event in events] == uids
    assert f"METHOD:{method}" in lines(*appointments)
