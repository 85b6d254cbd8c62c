"""Deadlines as files for calendar programs: iCalendar (RFC 5545) sent by mail (RFC 6047).

They are published, not invitations (RFC 5546, 3.2.1): nobody is asked to accept, no reader stands
in them, and no program of a reader answers. One entry for each phase of a game; that it moves or
is called off is told under the same UID with a higher SEQUENCE. Times are in UTC: programs show
them in their own zone.

The file is an attachment of type `application/ics`, as Google's own letters attach it. As
`text/calendar` it would be a text: mutt prints the raw file below the letter, whatever its
disposition, and Outlook may take it for the letter itself. Calendar programs go by the end of its
name, `.ics`.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from icalendar import Calendar, Event, vCalAddress

from judge.mail.outbound.compose import Data
from judge.model.letter import Appointment

PRODUCT = "-//postal-judge//deadlines//EN"
FILE_TYPE = "application/ics"
PUBLISH, CANCEL = "PUBLISH", "CANCEL"


class Entry(NamedTuple):
    """An appointment with its words, in the language of a reader."""

    appointment: Appointment
    summary: str
    description: str


def calendar_file(entries: Sequence[Entry], judge: str, now: datetime) -> Data:
    """Return the appointments of a letter as the one file that goes with it.

    What is called off goes with what is new as a published entry that is cancelled (RFC 5546,
    3.2.1), and alone as a cancellation (3.2.5). An entry has a beginning and no end: it is an
    instant (RFC 5545, 3.6.1), and takes up nobody's time. `judge` is the address that is its
    organizer, without whom none may be published.
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


def _event(entry: Entry, judge: str, now: datetime) -> Event:
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


def file_name(appointment: Appointment) -> str:
    """Return what the file is called, so that a reader sees what opening it does."""
    end = ".ics" if appointment.is_on else "-cancelled.ics"
    return f"{appointment.name}-{appointment.phase}{end}"


def uid_of(appointment: Appointment, judge: str) -> str:
    """Return what names an entry for ever, among all entries of everybody (RFC 5545, 3.8.4.7)."""
    host = judge.rpartition("@")[2]
    return f"{appointment.name}.{appointment.game}.{appointment.phase}@{host}"


def _instant(moment: datetime) -> datetime:
    """Return an instant in UTC (RFC 5545, 3.3.5, form 2); what is less than a second is not told.
    """
    return moment.astimezone(UTC)
