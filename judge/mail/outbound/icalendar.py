"""Deadlines as calendar files: iCalendar (RFC 5545) sent by mail (RFC 6047).

They are published, not invitations (RFC 5546, 3.2.1): no reader is listed or asked to accept, and
no program replies. There is one entry for each phase of a game. A move or cancellation is sent with
the same UID and a higher SEQUENCE. Times are in UTC, and programs show them in their own zone.

The file is an attachment of type `application/ics`, as in Google's own letters. As `text/calendar`
it would be a text: mutt prints the raw file below the letter despite its disposition, and Outlook
may take it for the letter itself. Calendar programs recognise the extension `.ics`.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from icalendar import Calendar, Event, vCalAddress

from judge.mail.outbound.compose import Data
from judge.model.letter import CalendarEntry

PRODUCT = "-//postal-judge//deadlines//EN"
FILE_TYPE = "application/ics"
PUBLISH, CANCEL = "PUBLISH", "CANCEL"


class CalendarText(NamedTuple):
    """A calendar entry with its texts in the language of a reader."""

    appointment: CalendarEntry
    summary: str
    description: str


def calendar_file(entries: Sequence[CalendarText], judge: str, now: datetime) -> Data:
    """Make the one calendar file of a letter.

    A cancelled entry next to others is published as cancelled (RFC 5546, 3.2.1), and alone it is a
    cancellation (3.2.5). An entry has a start and no end, so that it blocks no time (RFC 5545,
    3.6.1). `judge` is the address of the organizer, which a published entry must have.
    """
    leading = next((each for each in entries if each.appointment.is_on), entries[0])
    method = PUBLISH if leading.appointment.is_on else CANCEL
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for entry in entries:
        calendar.add_component(_event(entry, judge, now))
    return Data(calendar.to_ical(), FILE_TYPE, file_name(leading.appointment))


def _event(entry: CalendarText, judge: str, now: datetime) -> Event:
    appointment, summary, description = entry
    event = Event()
    event.add("uid", uid_of(appointment, judge))
    event.add("sequence", appointment.sequence)
    event.add("dtstamp", _instant(now))
    event.add("organizer", vCalAddress(f"mailto:{judge}"))
    event.add("dtstart", _instant(appointment.at))
    event.add("summary", summary)
    event.add("description", description)
    event.add("status", "CONFIRMED" if appointment.is_on else "CANCELLED")
    event.add("transp", "TRANSPARENT")
    return event


def file_name(appointment: CalendarEntry) -> str:
    """Return the name of a calendar file, by which readers know a cancellation."""
    end = ".ics" if appointment.is_on else "-cancelled.ics"
    return f"{appointment.name}-{appointment.phase}{end}"


def uid_of(appointment: CalendarEntry, judge: str) -> str:
    """Return the globally unique identifier of an entry (RFC 5545, 3.8.4.7)."""
    host = judge.rpartition("@")[2]
    return f"{appointment.name}.{appointment.game}.{appointment.phase}@{host}"


def _instant(moment: datetime) -> datetime:
    """Convert a time to UTC (RFC 5545, 3.3.5, form 2), written without fractions."""
    return moment.astimezone(UTC)
