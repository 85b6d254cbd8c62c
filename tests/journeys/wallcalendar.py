"""What stands in the calendar of somebody who opens every .ics file that comes to an address."""

from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from typing import NamedTuple

from icalendar import Calendar, Event


class Entry(NamedTuple):
    """One entry: what is due, when, how often it was changed, and whether it still holds."""

    summary: str
    at: datetime
    sequence: int
    is_on: bool


@dataclass
class WallCalendar:
    """The calendar of one address; each change of it is checked."""

    address: str
    entries: dict[str, Entry] = field(default_factory=dict)

    def take(self, letter: EmailMessage) -> None:
        """Open what a letter brings."""
        files = [part for part in letter.walk() if part.get_content_type() == "text/calendar"]
        assert len(files) < 2
        for part in files:
            self._open(part)

    def _open(self, part: EmailMessage) -> None:
        calendar = Calendar.from_ical(part.get_payload(decode=True))
        method = str(calendar["METHOD"])
        # RFC 5545, 3.7.3 and 3.7.4: without these two it is no calendar.
        assert calendar["PRODID"] and calendar["VERSION"] == "2.0"
        assert part.get_content_disposition() == "attachment"
        assert (part.get_param("method"), part.get_content_charset()) == (method, "utf-8")
        assert str(part.get_filename()).endswith(".ics")
        events = [event for event in calendar.walk("VEVENT") if isinstance(event, Event)]
        assert method == ("PUBLISH" if any(_entry(event).is_on for event in events) else "CANCEL")
        for event in events:
            self._note(event)

    def _note(self, event: Event) -> None:
        uid, entry = str(event["UID"]), _entry(event)
        # RFC 5546, 3.2.1: somebody publishes it, and nobody is invited.
        assert "ORGANIZER" in event and "ATTENDEE" not in event
        before = self.entries.get(uid)
        # Said in another language it is still the same.
        if before is not None and before._replace(summary="") != entry._replace(summary=""):
            assert entry.sequence > before.sequence, (self.address, before, entry)
        self.entries[uid] = entry

    def ahead(self, now: datetime) -> list[str]:
        """Return what is still to come, in the order of time: "2026-01-08 12:00 Orders due: …"."""
        found = sorted((one.at, one.summary) for one in self.entries.values() if one.is_on)
        return [f"{at:%Y-%m-%d %H:%M} {summary}" for at, summary in found if at > now]


def _entry(event: Event) -> Entry:
    at = event.decoded("DTSTART")
    # In UTC as RFC 5545 writes it, so that no program needs to know a zone.
    assert all(event[name].to_ical().endswith(b"Z") for name in ("DTSTART", "DTSTAMP"))
    is_on = str(event["STATUS"]) == "CONFIRMED"
    return Entry(str(event["SUMMARY"]), at, int(event["SEQUENCE"]), is_on)
