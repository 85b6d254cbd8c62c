"""Draft of a map: what a reader found in the files of another judge."""

from dataclasses import dataclass, field
from typing import NamedTuple

from judge.errors import DataError

SECTIONS = {
    "lost": "Lost",
    "renamed": "Renamed",
    "guessed": "Guessed",
    "letters": "Letters chosen",
    "picture": "Picture",
    "refused": "Refused by the judge",
}
"""Sections of `import.log` and their headings."""
MAX_ENTRIES = 200
"""Maximum lines of a section of `import.log`."""
NEUTRAL = ""
"""Owner of a centre that no power has."""


class ImportFault(DataError):
    """Raised when a source cannot be imported. The text is one line."""


class ImportLog:
    """Notes on an import, by section."""

    def __init__(self) -> None:
        self._entries: dict[str, list[str]] = {section: [] for section in SECTIONS}

    def add(self, section: str, text: str) -> None:
        """Add a note, once."""
        line = " ".join(text.split())[:300]
        if line not in self._entries[section]:
            self._entries[section].append(line)

    def entries(self, section: str) -> list[str]:
        """Return the notes of a section."""
        return list(self._entries[section])

    def render(self, head: str) -> str:
        """Return the text of `import.log`."""
        blocks = [f"{head}\nRules hidden in code or prose are not imported.\n"]
        for section, heading in SECTIONS.items():
            found = self._entries[section]
            lines = [f"  {line}\n" for line in found[:MAX_ENTRIES]]
            if len(found) > MAX_ENTRIES:
                lines.append(f"  and {len(found) - MAX_ENTRIES} more\n")
            if lines:
                blocks.append(f"{heading}\n{''.join(lines)}")
        return "\n".join(blocks)


@dataclass
class DraftPlace:
    """A province as read."""

    name: str
    kind: str = ""
    """A kind of `provinces.tsv`, or empty if the borders decide."""
    aliases: list[str] = field(default_factory=list)
    is_centre: bool = False
    home: str = ""
    """Key of the power that builds there, or empty."""
    owner: str | None = None
    """Key of the first owner, `NEUTRAL`, or None for the home power."""
    position: tuple[float, float] | None = None


@dataclass
class DraftPower:
    """A power as read."""

    name: str
    adjective: str = ""
    letter: str = ""
    words: list[str] = field(default_factory=list)
    plays: bool = True


class DraftUnit(NamedTuple):
    """A unit at the start: key of its power, A or F, and key of its place."""

    power: str
    kind: str
    place: str


Steps = set[tuple[str, str]]
"""Steps of units from a place to another, each in one direction."""


@dataclass
class DraftMap:
    """A map as read. Keys of places are in lower case, coasts as "spa/nc"."""

    title: str = ""
    author: str = ""
    licence: str = ""
    first_phase: str = ""
    era: str = ""
    seasons: tuple[str, str] = ("", "")
    victory: int | None = None
    quiet_falls: int = 0
    builds: str = "home"
    places: dict[str, DraftPlace] = field(default_factory=dict)
    coast_aliases: dict[str, list[str]] = field(default_factory=dict)
    powers: dict[str, DraftPower] = field(default_factory=dict)
    walk: Steps = field(default_factory=set)
    sail: Steps = field(default_factory=set)
    units: list[DraftUnit] = field(default_factory=list)
    log: ImportLog = field(default_factory=ImportLog)

    def add_fleet_step(self, here: str, there: str) -> None:
        """Add a step of fleets, and the coasts that it names."""
        self.sail.add((here, there))
        for place in (here, there):
            if "/" in place:
                self.coast_aliases.setdefault(place, [])


def province_key(place: str) -> str:
    """Return the key of a place's province.

    >>> province_key("spa/nc")
    'spa'
    """
    return place.partition("/")[0]


def phase_label(season: str, year: int, kind: str) -> str:
    """Return the label of a phase by its words.

    The text is empty for a phase of other calendars.

    >>> phase_label("Spring", 1901, "Movement"), phase_label("WINTER", 899, "ADJUSTMENTS")
    ('S1901M', 'F0899A')
    """
    turn = {"S": "S", "F": "F", "A": "F", "W": "F"}.get(season[:1].upper(), "")
    if season.lower().startswith("su"):
        turn = "F"
    step = {"M": "M", "A": "A", "B": "A"}.get(kind[:1].upper(), "")
    if not turn or not step or (turn, step) == ("S", "A") or not 1 <= year <= 9999:
        return ""
    return f"{turn}{year:04}{step}"
