"""Pending requests between people of a game, such as invitations.

Those of a game are stored among its settings, under names that no SET line accepts. Only this
module knows their format. Those of a seat are part of its settings (`model/seat_settings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, Unpack

from judge.model.json_records import field_types, read_value, write_value
from judge.model.record import Role, Seat
from judge.model.seat_settings import SeatSettings, SitterAsked, Sitting


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat reserved for a person, for one power or, if `power` is empty, for any."""

    address: str
    power: str
    until: datetime


class JoinRequest(NamedTuple):
    """Request to play that waits for the master's approval. An empty power means any."""

    power: str = ""
    password: str = ""
    """argon2id hash, or empty if none was stored."""
    preference: str = ""


@dataclass(frozen=True, slots=True)
class Promotion:
    """Invitation to become a master, with its code word and its end.

    The word proves that the invited person read the letter.
    """

    word: str
    until: datetime


@dataclass(frozen=True, slots=True)
class PendingRequests:
    """Pending requests of one game, with people given by their addresses."""

    invited: Mapping[str, Invitation] = field(default_factory=dict)
    """Reserved seats by address. Some may have expired."""
    asking: Mapping[str, JoinRequest] = field(default_factory=dict)
    """Join requests that wait for the master."""
    watchers: Mapping[str, Role] = field(default_factory=dict)
    """Requests to observe that wait for the master, as observer or monitor."""
    asked_masters: Mapping[str, Promotion] = field(default_factory=dict)
    """Invited masters by address. Some invitations may have expired."""
    master_offered: datetime | None = None
    """Time since which any player may become master, as the master is inactive."""
    barred: tuple[str, ...] = ()
    """Addresses of ejected people who may not return."""
    sitting_until: datetime | None = None
    """Time at which the next sitting ends."""


class DealingsChanges(TypedDict, total=False):
    """Changes to pending requests."""

    invited: Mapping[str, Invitation]
    asking: Mapping[str, JoinRequest]
    watchers: Mapping[str, Role]
    asked_masters: Mapping[str, Promotion]
    master_offered: datetime | None
    barred: tuple[str, ...]
    sitting_until: datetime | None


_DROPPED = frozenset({"master_offered"})
"""Requests that are left out when empty, rather than stored as ""."""


def _write(name: str, value: Any) -> object:
    if name == "invited":
        return {who: {"power": each.power, "until": each.until.isoformat()}
                for who, each in value.items()}
    return "" if value is None else write_value(value)


def _read(name: str, kept: Any) -> Any:
    match name:
        case "invited":
            kept = {who: {**each, "address": who} for who, each in kept.items()}
        case "asking":
            # Older judges stored only the power.
            kept = {who: [each] if isinstance(each, str) else each for who, each in kept.items()}
        case "master_offered" | "sitting_until":
            kept = kept or None
    return read_value(kept, field_types(PendingRequests)[name])


NOTHING_UNDER_WAY: Mapping[str, object] = {
    name: _write(name, getattr(PendingRequests(), name)) for name in field_types(PendingRequests)
}
"""Names of the pending requests among the settings, with their empty values."""


def dealings_in(settings: Mapping[str, Any]) -> PendingRequests:
    """Return the pending requests stored among the settings of a game.

    >>> dealings_in({"barred": ["ann@example.org"], "press": "white"}).barred
    ('ann@example.org',)
    """
    names = field_types(PendingRequests)
    return PendingRequests(
        **{name: _read(name, settings[name]) for name in names if name in settings}
    )


def settings_with(
    settings: Mapping[str, object], **changes: Unpack[DealingsChanges]
) -> dict[str, object]:
    """Return a game's settings with some of its pending requests changed.

    >>> settings_with({"master_offered": "x"}, master_offered=None, sitting_until=None)
    {'sitting_until': ''}
    """
    kept = dict(settings)
    for name, value in changes.items():
        if name in _DROPPED and value is None:
            kept.pop(name, None)
        else:
            kept[name] = _write(name, value)
    return kept


def with_sitter_request(seat: Seat, asked: SitterAsked | None) -> Seat:
    """Return a seat with a pending sitter request (None: with no request)."""
    return replace(seat, settings=replace(seat.settings, sitter=asked))


def with_sitting(seat: Seat, sitting: Sitting) -> Seat:
    """Return a seat that a sitter plays.

    Times are in the game's zone until the sitter sets another.
    """
    return replace(seat, settings=replace(seat.settings, sitting=sitting, sitter=None, zone=None))


def without_sitting(seat: Seat) -> Seat:
    """Return a seat whose sitting has ended, with the player's own time zone again."""
    zone = seat.settings.sitting.zone if seat.settings.sitting else ""
    return replace(seat, settings=replace(seat.settings, sitting=None, zone=zone or None))


def as_dummy(seat: Seat, stance: str) -> Seat:
    """Return the seat of a power that has no player on purpose."""
    return replace(seat, settings=SeatSettings(dummy=stance))


def place_of(seat: Seat) -> int:
    """Return a master's rank among the masters of the game: 0 for the first master."""
    return seat.settings.place or 0


def with_place(seat: Seat, place: int | None) -> Seat:
    """Return a seat with another rank among the masters (None: not a master)."""
    return replace(seat, settings=replace(seat.settings, place=place))
