"""What stands in the calendar of somebody who opens every .ics file that comes to an address."""

from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from functools import lru_cache
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
        files = [part for part in letter.walk() if part.get_content_type() == "application/ics"]
        assert len(files) < 2
        for part in files:
            self._open(part)

    def _open(self, part: EmailMessage) -> None:
        octets = part.get_payload(decode=True)
        assert isinstance(octets, bytes)
        _, entries = _read(octets)
        assert part.get_content_disposition() == "attachment"
        assert str(part.get_filename()).endswith(".ics")
        for uid, entry in entries:
            self._note(uid, entry)

    def _note(self, uid: str, entry: Entry) -> None:
        before = self.entries.get(uid)
        # Said in another language it is still the same.
        if before is not None and before._replace(summary="") != entry._replace(summary=""):
            assert entry.sequence > before.sequence, (self.address, before, entry)
        self.entries[uid] = entry

    def ahead(self, now: datetime) -> list[str]:
        """Return what is still to come, in the order of time: "2026-01-08 12:00 Orders due: …"."""
        found = sorted((one.at, one.summary) for one in self.entries.values() if one.is_on)
        return [f"{at:%Y-%m-%d %H:%M} {summary}" for at, summary in found if at > now]


@lru_cache(maxsize=64)
def _read(octets: bytes) -> tuple[str, list[tuple[str, Entry]]]:
    """Return what a file asks for, and its entries by what they are called; who read of one phase
    in one language have the same file."""
    calendar = Calendar.from_ical(octets)
    method = str(calendar["METHOD"])
    # RFC 5545, 3.7.3 and 3.7.4: without these two it is no calendar.
    assert calendar["PRODID"] and calendar["VERSION"] == "2.0"
    events = [event for event in calendar.walk("VEVENT") if isinstance(event, Event)]
    # RFC 5546, 3.2.1: somebody publishes it, and nobody is invited.
    assert all("ORGANIZER" in event and "ATTENDEE" not in event for event in events)
    entries = [(str(event["UID"]), _entry(event)) for event in events]
    assert method == ("PUBLISH" if any(entry.is_on for _, entry in entries) else "CANCEL")
    return method, entries


def _entry(event: Event) -> Entry:
    at = event.decoded("DTSTART")
    # In UTC as RFC 5545 writes it, so that no program needs to know a zone.
    assert all(event[name].to_ical().endswith(b"Z") for name in ("DTSTART", "DTSTAMP"))
    is_on = str(event["STATUS"]) == "CONFIRMED"
    return Entry(str(event["SUMMARY"]), at, int(event["SEQUENCE"]), is_on)
