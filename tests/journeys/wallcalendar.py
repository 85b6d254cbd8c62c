"""Calendar of a person who opens every .ics file sent to an address."""

from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from functools import lru_cache
from typing import NamedTuple

from icalendar import Calendar, Event


class Entry(NamedTuple):
    """One entry: its summary, instant, number of changes and validity."""

    summary: str
    at: datetime
    sequence: int
    is_on: bool


@dataclass
class WallCalendar:
    """The calendar of one address, with checks of each change."""

    address: str
    entries: dict[str, Entry] = field(default_factory=dict)

    def take(self, letter: EmailMessage) -> None:
        """Open the calendar file of a letter."""
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
        # The summary in another language is the same entry.
        if before is not None and before._replace(summary="") != entry._replace(summary=""):
            assert entry.sequence > before.sequence, (self.address, before, entry)
        self.entries[uid] = entry

    def ahead(self, now: datetime) -> list[str]:
        """Return the future entries, ordered by time.

        Example: "2026-01-08 12:00 Orders due: …".
        """
        found = sorted((one.at, one.summary) for one in self.entries.values() if one.is_on)
        return [f"{at:%Y-%m-%d %H:%M} {summary}" for at, summary in found if at > now]


@lru_cache(maxsize=64)
def _read(octets: bytes) -> tuple[str, list[tuple[str, Entry]]]:
    """Return the method of a file and its entries by UID.

    The result is cached: recipients with one phase and language have equal files.
    """
    calendar = Calendar.from_ical(octets)
    method = str(calendar["METHOD"])
    # RFC 5545, 3.7.3 and 3.7.4 require these two properties.
    assert calendar["PRODID"] and calendar["VERSION"] == "2.0"
    events = [event for event in calendar.walk("VEVENT") if isinstance(event, Event)]
    # RFC 5546, 3.2.1: a published event has an organizer and no attendees.
    assert all("ORGANIZER" in event and "ATTENDEE" not in event for event in events)
    entries = [(str(event["UID"]), _entry(event)) for event in events]
    assert method == ("PUBLISH" if any(entry.is_on for _, entry in entries) else "CANCEL")
    return method, entries


def _entry(event: Event) -> Entry:
    at = event.decoded("DTSTART")
    # The instant is in UTC (RFC 5545), so that no program needs to know a zone.
    assert all(event[name].to_ical().endswith(b"Z") for name in ("DTSTART", "DTSTAMP"))
    is_on = str(event["STATUS"]) == "CONFIRMED"
    return Entry(str(event["SUMMARY"]), at, int(event["SEQUENCE"]), is_on)
