"""Settings of one seat, with its sitter, as one frozen value.

It is stored as one JSON object of the fields that were set, in the form that older judges wrote. A
value that equals the default is stored too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from judge.model.json_records import field_types, read_record, read_value, write_record


class Period(NamedTuple):
    """Time from *start* to *end*."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class SitterAsked:
    """Person asked to sit for a player, until a given time."""

    address: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Sitting:
    """A sitting: the player of the seat, and the time at which the sitter leaves it."""

    owner: str
    until: datetime
    zone: str = ""
    """Time zone that the player chose. Empty for the game's."""


@dataclass(frozen=True, slots=True)
class SeatSettings:
    """Settings of a seat by their names in the settings table.

    Settings never set are None.
    """

    zone: str | None = None
    """Time zone of its letters. None for the game's."""
    language: str | None = None
    """Language code of its letters. None for its player's."""
    format: str | None = None
    """"text" for letters with text only, or "html"."""
    short: bool | None = None
    """True if results report only the facts that concern it. None means false."""
    map: str | None = None
    """Display of the board in its letters: "png", "svg", "text" or "off".

    None for the operator's default."""
    board: str | None = None
    """Order page in its letters: "link", "attached" (a file too) or "off". None means "link"."""
    preview: bool | None = None
    """True if receipts of orders include a picture of them. None means false."""
    json: bool | None = None
    """True if results include a file for programs. None means false."""
    calendar: bool | None = None
    """True if letters include deadlines for calendars. None means true."""
    token: bool | None = None
    """True if replies to its letters open it. None means true."""
    copies: bool | None = None
    """True if its letters go to all addresses of its player. None means false."""
    own_press: bool | None = None
    """True if a copy of its own press is sent back to it. None means false."""
    tell_name: bool | None = None
    """True if its player may be named at the end of a gunboat game. None means false."""
    orders: str | None = None
    """"replace" if the orders of each mail replace all on file, or "merge"."""
    digest: int | str | None = None
    """Minute of its day at which a digest is sent, or "phase" for one per phase.

    Anything else: letters are sent at once."""
    muted: tuple[str, ...] | None = None
    """Kinds of letters that it does not receive, by their words."""
    absences: tuple[Period, ...] | None = None
    """Absences of its player, some of which may be over."""
    sitter: SitterAsked | None = None
    """Person asked to sit, a request that may have expired."""
    sitting: Sitting | None = None
    """Present sitting. None while its player plays."""
    dummy: str | None = None
    """Orders of a dummy power: "hold", "support", or empty for the game's default.

    None if it is no dummy."""
    bot: str | None = None
    """Reason for a bot in a vacant power: "named" by its master, or "start".

    "start" is for a power that was vacant at the start of the game. None if no bot plays it, unless
    the game has one for all."""
    place: int | None = field(default=None, metadata={"stored": "master"})
    """Rank of a master by arrival. None or 0 for the first master, or for no master."""
    others: Mapping[str, object] = field(default_factory=dict)
    """Fields written by another version of the judge."""

    def with_setting(self, name: str, value: object) -> "SeatSettings":
        """Return the settings with a value set by its name in the settings table.

        >>> SeatSettings(zone="UTC").with_setting("map", "png").with_setting("digest",
        ...     "phase").as_json()
        {'zone': 'UTC', 'map': 'png', 'digest': 'phase'}
        """
        return replace(self, **{name: read_value(value, _TYPES[name])})


    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> "SeatSettings":
        """Read the settings from their JSON object.

        Raises:
            ValueError: a field has no value of its type.
            KeyError: a sitting has no end.

        >>> SeatSettings.read({"token": False, "muted": ["VOTES"]}).muted
        ('VOTES',)
        """
        if not kept:
            return DEFAULT_SETTINGS
        found = dict(kept)
        if owner := kept.get("owner"):
            until, zone = kept["sits_until"], kept.get("owner_zone", "")
            found = {name: value for name, value in kept.items() if name not in _LENT}
            found["sitting"] = {"owner": owner, "until": until, "zone": zone}
        return read_record(cls, found)

    def as_json(self) -> dict[str, object]:
        """Return the JSON object of the settings that were set.

        >>> SeatSettings(token=True, place=2).as_json()
        {'token': True, 'master': 2}
        """
        kept = write_record(self)
        if self.sitting is not None:
            del kept["sitting"]
            owner, until, zone = self.sitting.owner, self.sitting.until, self.sitting.zone
            kept |= zip(_LENT, (owner, zone, until.isoformat()))
        return kept


_TYPES = field_types(SeatSettings)
_LENT = ("owner", "owner_zone", "sits_until")
"""Stored names of the facts of a sitting."""

DEFAULT_SETTINGS = SeatSettings()
"""Settings of a seat with nothing set."""
