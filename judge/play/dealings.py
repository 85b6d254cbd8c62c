"""What is under way between people of a game: who was asked for what, and who has not answered.

Of a game it is kept among its settings, under names no SET line knows; only here is it known how.
Of a seat it is part of what is set there (`model/seatsettings`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, Unpack

from judge.model.json_records import field_types, read_value, write_value
from judge.model.record import Role, Seat
from judge.model.seatsettings import SeatSettings, SitterAsked, Sitting


@dataclass(frozen=True, slots=True)
class Invitation:
    """A seat kept for somebody: for one power, or (`power` empty) for any."""

    address: str
    power: str
    until: datetime


class Asked(NamedTuple):
    """What somebody asked for who waits for the master: a power or any, with which password."""

    power: str = ""
    password: str = ""
    """argon2id hash; empty where it was not kept."""
    preference: str = ""


@dataclass(frozen=True, slots=True)
class Promotion:
    """Somebody was asked to be a master: the word that shows he read it, and until when it holds.
    """

    word: str
    until: datetime


@dataclass(frozen=True, slots=True)
class Dealings:
    """The dealings of one game; people by their addresses."""

    invited: Mapping[str, Invitation] = field(default_factory=dict)
    """Whom the master keeps a seat for; some of it may be over."""
    asking: Mapping[str, Asked] = field(default_factory=dict)
    """Who asked to play and waits for the master."""
    watchers: Mapping[str, Role] = field(default_factory=dict)
    """Who asked to watch and waits for the master: as observer or monitor."""
    asked_masters: Mapping[str, Promotion] = field(default_factory=dict)
    """Who was asked to be a master; some of it may be over."""
    master_offered: datetime | None = None
    """Since when anybody in the game may be its master, as nothing is heard of him."""
    barred: tuple[str, ...] = ()
    """Who was ejected and stays away."""
    sitting_until: datetime | None = None
    """When the next sitting ends."""


class DealingsChanges(TypedDict, total=False):
    """Dealings that come to be other ones."""

    invited: Mapping[str, Invitation]
    asking: Mapping[str, Asked]
    watchers: Mapping[str, Role]
    asked_masters: Mapping[str, Promotion]
    master_offered: datetime | None
    barred: tuple[str, ...]
    sitting_until: datetime | None


_DROPPED = frozenset({"master_offered"})
"""Dealings that are not written at all where there are none, rather than as an empty text."""


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
            # Older judges kept no more than the power.
            kept = {who: [each] if isinstance(each, str) else each for who, each in kept.items()}
        case "master_offered" | "sitting_until":
            kept = kept or None
    return read_value(kept, field_types(Dealings)[name])


NOTHING_UNDER_WAY: Mapping[str, object] = {
    name: _write(name, getattr(Dealings(), name)) for name in field_types(Dealings)
}
"""The names under which dealings stand among the settings, with what stands for none."""


def dealings_in(settings: Mapping[str, Any]) -> Dealings:
    """Return the dealings that are kept among the settings of a game.

    >>> dealings_in({"barred": ["ann@example.org"], "press": "white"}).barred
    ('ann@example.org',)
    """
    names = field_types(Dealings)
    return Dealings(**{name: _read(name, settings[name]) for name in names if name in settings})


def settings_with(
    settings: Mapping[str, object], **changes: Unpack[DealingsChanges]
) -> dict[str, object]:
    """Return the settings of a game in which some of its dealings are other ones.

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


# Of one seat.

def with_sitter_asked(seat: Seat, asked: SitterAsked | None) -> Seat:
    """Return a seat whose player asks somebody, or nobody any more, to sit in."""
    return replace(seat, settings=replace(seat.settings, sitter=asked))


def with_sitting(seat: Seat, sitting: Sitting) -> Seat:
    """Return a seat that is lent."""
    return replace(seat, settings=seat.settings.lent(sitting))


def without_sitting(seat: Seat) -> Seat:
    """Return a seat that is its player's own again."""
    return replace(seat, settings=seat.settings.given_back())


def as_dummy(seat: Seat, stance: str) -> Seat:
    """Return the seat of a power that has no player on purpose."""
    return replace(seat, settings=SeatSettings(dummy=stance))


def place_of(seat: Seat) -> int:
    """Return when a master came among the others: 0 for who made the game."""
    return seat.settings.place or 0


def with_place(seat: Seat, place: int | None) -> Seat:
    """Return a master's seat at another place among the others; None: he is no master."""
    return replace(seat, settings=replace(seat.settings, place=place))
