"""The settings of one seat, with its sitter, as one frozen value.

It is stored as one JSON object of the fields that were set, in the form that older judges wrote. A
value that equals the default is stored too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple

from judge.model.json_records import field_types, read_record, read_value, write_record


class Period(NamedTuple):
    """From one instant to another."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class SitterAsked:
    """Who is asked to sit in for a player, until when."""

    address: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat is lent: whose it is, and until when somebody else sits there."""

    owner: str
    until: datetime
    zone: str = ""
    """The zone that the player wants times in; empty: the game's."""


@dataclass(frozen=True, slots=True)
class SeatSettings:
    """The settings of a seat, by the names they have in the table of settings; None: nobody said.
    """

    zone: str | None = None
    """In which its person wants times, rather than in the game's."""
    language: str | None = None
    """The code of the language of its letters, rather than of its person's."""
    format: str | None = None
    """"text": its letters are text alone; else "html"."""
    short: bool | None = None
    """Results tell what concerns it, and no more; None: they tell all."""
    map: str | None = None
    """How its letters show the board: "png", "svg", "text" or "off"; None: as the operator has it.
    """
    preview: bool | None = None
    """Receipts of orders carry a picture of them; None: they do not."""
    json: bool | None = None
    """Results carry a file for programs; None: they do not."""
    calendar: bool | None = None
    """Letters carry deadlines for calendars; None: they do."""
    token: bool | None = None
    """Replies to its letters open it; None: they do."""
    copies: bool | None = None
    """Its letters go to all addresses of its person; None: they do not."""
    own_press: bool | None = None
    """The press it sends comes back to it as a letter; None: it does not."""
    tell_name: bool | None = None
    """In a gunboat game that tells names when it is over, its person's may be told; None: not."""
    orders: str | None = None
    """"replace": the orders of each mail replace all on file; else "merge"."""
    digest: int | str | None = None
    """When it is told what there is: at a minute of its day, with each "phase"; else at once."""
    muted: tuple[str, ...] | None = None
    """The kinds of letters it does without, by their words."""
    absences: tuple[Period, ...] | None = None
    """When its person is away; some of it may be over."""
    sitter: SitterAsked | None = None
    """Whom its player asked to sit in; it may be over."""
    sitting: Sitting | None = None
    """For whom, and until when, somebody sits there; None: its player does."""
    dummy: str | None = None
    """What a power does that has no player on purpose: "hold", "support", or empty, which is as the
    game has it for all; None: it is no dummy."""
    bot: str | None = None
    """That a bot plays a power without a player: "named", by its master, or "start", as nobody had
    it then; None: none does, unless the game has one for all."""
    place: int | None = None
    """When a master came among the others; None, as 0: he made the game, or is no master."""
    others: Mapping[str, object] = field(default_factory=dict)
    """What a judge of another version has written."""

    def said(self, name: str, value: object) -> "SeatSettings":
        """Return the settings when something was set, by its name in the table of settings.

        >>> SeatSettings(zone="UTC").said("map", "png").said("digest", "phase").as_json()
        {'zone': 'UTC', 'map': 'png', 'digest': 'phase'}
        """
        return replace(self, **{name: read_value(value, _TYPES[name])})

    def lent(self, sitting: Sitting) -> "SeatSettings":
        """Return those of a seat that is lent: in the game's zone until whoever sits there wants
        another."""
        return replace(self, sitting=sitting, sitter=None, zone=None)

    def given_back(self) -> "SeatSettings":
        """Return those of a seat that is its player's own again, who has his zone back."""
        zone = self.sitting.zone if self.sitting else ""
        return replace(self, sitting=None, zone=zone or None)

    # As it is kept.

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> "SeatSettings":
        """Return the settings of a JSON object.

        Raises:
            ValueError: a field has no value of its type.
            KeyError: a seat is lent for no stated time.

        >>> SeatSettings.read({"token": False, "muted": ["VOTES"]}).muted
        ('VOTES',)
        """
        if not kept:
            return NOTHING_SAID
        found = {_FIELDS.get(name, name): value for name, value in kept.items()}
        if owner := found.get("owner"):
            until, zone = found["sits_until"], found.get("owner_zone", "")
            found = {name: value for name, value in found.items() if name not in _LENT}
            found["sitting"] = {"owner": owner, "until": until, "zone": zone}
        return read_record(cls, found)

    def as_json(self) -> dict[str, object]:
        """Return the settings as they are kept: a JSON object of what was said.

        >>> SeatSettings(token=True, place=2).as_json()
        {'token': True, 'master': 2}
        """
        kept = {_KEPT.get(name, name): value for name, value in write_record(self).items()}
        if self.sitting is not None:
            del kept["sitting"]
            owner, until, zone = self.sitting.owner, self.sitting.until, self.sitting.zone
            kept |= zip(_LENT, (owner, zone, until.isoformat()))
        return kept


_TYPES = field_types(SeatSettings)
_FIELDS = {"master": "place"}
"""Fields with other names than they are kept under."""
_KEPT = {field: name for name, field in _FIELDS.items()}
_LENT = ("owner", "owner_zone", "sits_until")
"""The names under which a sitting is kept."""

NOTHING_SAID = SeatSettings()
"""The settings of a seat of which nobody said anything."""
